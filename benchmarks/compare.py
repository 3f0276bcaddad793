"""Do two runs agree in every figure that is not a time?

    python benchmarks/compare.py FOLDER OTHER-FOLDER

Prints each difference below `figures` and `skipped` of the results that both folders hold; 1 where there is one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def differences(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """The places where two trees of JSON differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in dict.fromkeys((*one, *other)):
            yield from differences(one.get(name), other.get(name), f"{place}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (first, second) in enumerate(zip(one, other, strict=True)):
            yield from differences(first, second, f"{place}/{number}")
    elif one != other:
        yield f"{place}: {one!r}, then {other!r}"


def compare(folder: Path, other: Path) -> list[str]:
    """The differences of every part that both folders hold."""
    found: list[str] = []
    for path in sorted(folder.glob("*.json")):
        if (twin := other / path.name).exists():
            trees = [json.loads(one.read_text("utf-8")) for one in (path, twin)]
            first, second = ({name: tree[name] for name in ("figures", "skipped")} for tree in trees)
            found += differences(first, second, path.stem)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print the differences."""
    words = sys.argv[1:] if argv is None else argv
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = compare(Path(words[0]), Path(words[1]))
    print("\n".join(found) or "no difference")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
