"""bitproof: neural-network checkpoints, bit for bit."""

from bitproof_spec import __version__ as __version__
