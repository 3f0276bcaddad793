"""What `install` notes down in the home, so that `--uninstall` takes away just that. Shell: reads a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .. import store
from ..errors import Unreadable
from ..settings import Home

NAME = "installed.json"


@dataclass(frozen=True, slots=True)
class Receipt:
    """The files put into a home (place: sha256 of the content), the folders made for them, what was put into
    config.yaml, whether that file was made, and whether the daily job was registered."""

    version: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    inserted: str = ""
    made_config: bool = False
    job: bool = False

    def rendered(self) -> bytes:
        """The text of the file."""
        data = {
            "version": self.version,
            "files": dict(sorted(self.files.items())),
            "folders": sorted(self.folders),
            "inserted": self.inserted,
            "made_config": self.made_config,
            "job": self.job,
        }
        return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode()


def path_of(home: Home) -> Path:
    """Where the receipt of a home lies."""
    return home.data / NAME


def receipt_of(home: Home) -> Receipt:
    """The receipt of a home, an empty one where nothing was installed. Raises Unreadable."""
    document = store.read_if_there(path_of(home))
    if document is None:
        return Receipt()
    try:
        return _parsed(json.loads(document.text))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise Unreadable(
            f"{document.path}: this is no receipt of an installation; move it away to begin anew"
        ) from error


def _parsed(data: Mapping[str, object]) -> Receipt:
    files, folders = data["files"], data["folders"]
    if not isinstance(files, dict) or not isinstance(folders, list):
        raise TypeError("files or folders")
    if any(".." in str(name).split("/") or str(name).startswith("/") for name in (*files, *folders)):
        raise ValueError("a place outside of the home")
    return Receipt(
        str(data["version"]),
        {str(name): str(digest) for name, digest in files.items()},
        tuple(map(str, folders)),
        str(data["inserted"]),
        data["made_config"] is True,
        data["job"] is True,
    )
