"""What is promised as a ratio, measured: what is compared is timed in one run, in turns; the best counts."""
