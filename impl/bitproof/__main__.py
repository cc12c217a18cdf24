"""`python -m bitproof`: the command line."""

import sys

from bitproof.cli import main

sys.exit(main())
