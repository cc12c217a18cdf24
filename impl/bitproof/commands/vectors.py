"""`bitproof vectors`: the conformance vectors."""

EXAMPLES = ""
