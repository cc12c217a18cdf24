"""TorchLean: streamed binary32 state (TLSF32B), exact JSON state of any scalar, and optimizer files (TLADAMF)."""
