#!/usr/bin/env python3
"""Did a session find a topic by the index, by searching, or did it not look at all?"""

import sys
from pathlib import Path

# In a clone the package is in ../plugin; copied to ~/.hermes/scripts it is in ../plugins; else it is installed.
ROOT = Path(__file__).resolve().parents[1]
for folder in (ROOT / "plugin" / "memory-shaper", ROOT / "plugins" / "memory-shaper"):
    if folder.is_dir():
        sys.path.insert(0, str(folder))

from memory_shaper.recall.retrieval_report import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
