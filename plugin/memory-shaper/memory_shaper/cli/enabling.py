"""The plugin's name in the list `plugins.enabled` of config.yaml. Shell: reads and writes that file."""

from __future__ import annotations

from dataclasses import dataclass

from .. import grammar, store, yamledit
from ..errors import Busy
from ..settings import NAME, Home

_LIST = ("plugins", "enabled")
BY_HAND = "add it by hand, below `plugins:` and `enabled:`, as the line `- memory-shaper`"


@dataclass(frozen=True, slots=True)
class Switch:
    """What is to be done about config.yaml.

    `state`: `there` or `absent` (nothing to do), `added`, `removed`, or `by hand` with the `trouble`. `before` and
    `after` are the contents of the file, None where there is none.
    """

    state: str
    before: bytes | None = None
    after: bytes | None = None
    inserted: str = ""
    trouble: str = ""

    @property
    def changes(self) -> bool:
        """Whether the file is to be written or removed."""
        return self.state in ("added", "removed")


def enabled(home: Home) -> bool:
    """Whether config.yaml names the plugin, and does not switch it off again. Raises CannotEdit, Unreadable."""
    text = _text(home)[1]
    return NAME in yamledit.listed(text, *_LIST) and NAME not in yamledit.listed(text, "plugins", "disabled")


def _text(home: Home) -> tuple[bytes | None, str]:
    document = store.read_if_there(home.config)
    return (document.data, document.text.removeprefix(grammar.BOM)) if document else (None, "")


def switch_on(home: Home) -> Switch:
    """How the name gets into the list. Raises Unreadable."""
    before, text = _text(home)
    try:
        if NAME in yamledit.listed(text, "plugins", "disabled"):
            return Switch("by hand", trouble=f"plugins.disabled of {home.config} names it; take it out of there")
        if NAME in yamledit.listed(text, *_LIST):
            return Switch("there")
        made = yamledit.with_item(text, *_LIST, NAME)
    except yamledit.CannotEdit as error:
        return Switch("by hand", trouble=f"{home.config} was left as it is ({error}); {BY_HAND}")
    return Switch("added", before, _bytes(before, yamledit.inserted(text, made)), made.text)


def switch_off(home: Home, inserted: str, made: bool) -> Switch:
    """How the name gets out of the list; a file that we `made` and that is empty then goes. Raises Unreadable."""
    before, text = _text(home)
    try:
        if NAME not in yamledit.listed(text, *_LIST):
            return Switch("absent")
        after = yamledit.without_item(text, *_LIST, NAME, inserted)
    except yamledit.CannotEdit as error:
        trouble = f"{home.config} was left as it is ({error}); take {NAME} out of plugins.enabled by hand"
        return Switch("by hand", trouble=trouble)
    return Switch("removed", before, None if made and not after.strip() else _bytes(before, after))


def _bytes(before: bytes | None, text: str) -> bytes:
    bom = grammar.BOM.encode()
    return (bom if (before or b"").startswith(bom) else b"") + text.encode()


def write(home: Home, switch: Switch) -> None:
    """Write config.yaml. Raises Busy where somebody has changed it meanwhile, ReadOnly, Unreadable."""
    if switch.after is not None:
        store.write(home.config, switch.after, switch.before)
        return
    if store.read_bytes(home.config) != switch.before:
        raise Busy(f"{home.config}: changed meanwhile; nothing was written, try again")
    try:
        home.config.unlink()
    except OSError as error:
        raise store.failed(home.config, error) from error
