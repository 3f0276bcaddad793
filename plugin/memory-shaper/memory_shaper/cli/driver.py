"""`merge --driver`: git hands over three versions of an index and takes back one. Files outside of any home.

    git config merge.memory-shaper.driver 'memory-shaper merge --driver %O %A %B'

What git-crypt has encrypted reaches a merge driver as it lies in the repository: it is decrypted and encrypted again
with git-crypt itself.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .. import merging, rules, store
from ..errors import Refused, Unreadable, Usage
from ..secrets import masked
from .change import unified
from .request import Outcome, Request
from .screen import Screen, visible

_ENCRYPTED = b"\0GITCRYPT\0"
_SECONDS = 30


def drive(request: Request) -> Outcome:
    """Merge BASE, OURS and THEIRS entry by entry into OURS.

    Raises Usage, Refused where OURS is the index of the home, which has a lock and a journal, or Unreadable where one
    of them is no text; git then keeps ours and reports a conflict.
    """
    paths = [Path(word).expanduser() for word in request.words("driver")]
    if len(paths) != 3:
        raise Usage("memory-shaper merge: --driver takes three files: BASE OURS THEIRS")
    if os.path.realpath(paths[1]) in map(os.path.realpath, (request.home.index, request.home.archive_index)):
        raise Refused(f"{paths[1]}: the index itself is merged with: memory-shaper merge {paths[1].name}")
    contents = [store.read_bytes(path) for path in paths]
    base, ours, theirs = (_text(path, data) for path, data in zip(paths, contents, strict=True))
    merged = merging.settled(base, ours, theirs, rules.MOST)
    if merged.text != ours and not request.dry_run:
        data = merged.text.encode()
        encrypted = (contents[1] or b"").startswith(_ENCRYPTED)
        store.write(paths[1], _git_crypt("clean", data, paths[1]) if encrypted else data, contents[1])
    return _outcome(request, ours, merged)


def _text(path: Path, data: bytes | None) -> str:
    if data is None:
        raise Unreadable(f"{path}: there is no such file; git is to give the driver three")
    plain = _git_crypt("smudge", data, path) if data.startswith(_ENCRYPTED) else data
    try:
        return plain.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{path}: byte {error.start} is not UTF-8; merge this file by hand") from error


def _git_crypt(filter_: str, data: bytes, path: Path) -> bytes:
    """What git-crypt makes of a content: `smudge` decrypts, `clean` encrypts."""
    words = ["git-crypt", filter_]
    try:
        done = subprocess.run(words, input=data, capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreadable(f"{path}: encrypted by git-crypt, which cannot be run ({error})") from error
    if done.returncode or done.stdout.startswith(_ENCRYPTED) != (filter_ == "clean"):
        raise Unreadable(f"{path}: git-crypt {filter_} failed; run git-crypt unlock first")
    return done.stdout


def _outcome(request: Request, ours: str, merged: merging.Merged) -> Outcome:
    name = request.words("driver")[1]
    before, after = masked(ours).encode(), masked(merged.text).encode()
    changed = merged.text != ours
    settled = [f"changed on both sides and joined: {visible(one)}" for one in merged.conflicts]
    data = {
        "home": str(request.home.path),
        "dry_run": request.dry_run,
        "changed": changed and not request.dry_run,
        "events": [],
        "files": [{"file": name, "action": "write", "to": None}] if changed else [],
        "diff": "\n".join(unified(name, before, after, Screen())),
        "notes": settled,
    }
    text = "\n".join(unified(name, before, after, request.screen)) if request.dry_run else ""
    return Outcome(text, data, 0, "\n".join(settled))
