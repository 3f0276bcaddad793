"""`python -m memory_shaper` is the command `memory-shaper`."""

import sys

from .cli import main

sys.exit(main())
