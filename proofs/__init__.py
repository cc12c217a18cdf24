"""Why the specification may be believed: every law of it with a machine-checked proof, and the ledger of them."""
