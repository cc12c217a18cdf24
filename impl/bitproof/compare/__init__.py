"""Two documents bit for bit: which elements differ, by which words, and how far apart they are."""
