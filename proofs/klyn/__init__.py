"""Laws of the KNN format and the Klyn runtime; each module shows one law and exposes it as `LAW`."""
