"""Laws of the TorchLean formats; each module shows one law and exposes it as `LAW`."""
