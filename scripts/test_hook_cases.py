"""Judge a table of tool calls in a copy of a Hermes home: does the guard say what it should?"""

import sys
from pathlib import Path

# In a clone the package is in ../plugin; in HERMES_HOME/scripts it is in ../plugins; else it is installed.
ROOT = Path(__file__).resolve().parents[1]
for folder in (ROOT / "plugin" / "memory-shaper", ROOT / "plugins" / "memory-shaper"):
    if folder.is_dir():
        sys.path.insert(0, str(folder))

from memory_shaper.hookcases import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
