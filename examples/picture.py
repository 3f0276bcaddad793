"""Make the picture of the report in docs/ from the sample home: python examples/picture.py

It needs a Chromium, and a font with Chinese characters (Debian: chromium fonts-droid-fallback).
"""

from __future__ import annotations

import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from browser import browser
from sample import ROOT, call, make, remember, rival

PICTURE = ROOT / "docs" / "report.png"


def main() -> int:
    """Write the picture."""
    now = datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="memory-shaper-picture-") as folder, browser() as screen:
        os.environ["HOME"] = folder
        home = make(Path(folder) / ".hermes", now)
        remember(home, now)
        rival(home)
        page = Path(folder) / "report.html"
        call(["report", "--home", str(home.path), "-o", str(page)])
        screen.open(page, 1100, 1180)
        screen.picture(PICTURE)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
