#!/usr/bin/env python3
"""Check an index: `memory-shaper verify`, from a clone, from HERMES_HOME/scripts, or from an installation."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder in (HERE.parent / "plugin" / "memory-shaper", HERE.parent / "plugins" / "memory-shaper"):
    if (folder / "memory_shaper").is_dir():
        sys.path.insert(0, str(folder))
        break

from memory_shaper.cli import main

if __name__ == "__main__":
    sys.exit(main(["verify", *sys.argv[1:]]))
