"""The executable specification of neural-network checkpoints: standard library only, no I/O, no float values."""

__version__ = "0.1.0"
