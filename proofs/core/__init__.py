"""Laws that all three systems stand on; each module shows one law and exposes it as `LAW`."""
