"""Laws of the ShapeScript file; each module shows one law and exposes it as `LAW`."""
