"""The commands of `bitproof`, a module each: `arguments` declares what a command takes, `run` does it."""
