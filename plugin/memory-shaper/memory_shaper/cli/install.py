"""`install`: put the plugin, the skill and the scripts into a home and switch the plugin on; and take it back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from .. import __version__, edit, headings, names, store
from ..errors import MemoryShaperError, Missing
from ..record import EventKind, Record
from ..settings import NAME, Home
from . import cronjob, enabling, placing, receipt
from .change import Change, new_index, perform, reading
from .checks.base import hosts, ours
from .parts import PLUGIN, Part, lacking, root_of
from .placing import Placing
from .receipt import Receipt
from .request import Outcome, Request
from .screen import counted


@dataclass(frozen=True, slots=True)
class Done:
    """What an installation did, or, with `--dry-run`, would do.

    `config` is a state of `enabling.Switch`; `job` is `none`, `there`, `registered`, `removed` or `by hand`.
    """

    steps: tuple[Placing, ...] = ()
    config: str = "there"
    heading: bool = False
    job: str = "none"
    receipt: bool = False
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def changed(self) -> bool:
        """Whether anything was to be done."""
        acts = self.config in ("added", "removed") or self.job in ("registered", "removed")
        return bool(self.steps) or acts or self.heading or self.receipt

    @property
    def by_hand(self) -> bool:
        """Whether something is left for the user to do."""
        return "by hand" in (self.config, self.job) or bool(self.left)


def install(request: Request) -> Outcome:
    """Install into the home, or with `--uninstall` take out what was installed. A second run changes nothing."""
    _check(request)
    return _outcome(request, _uninstall(request) if request.flag("uninstall") else _install(request))


def _check(request: Request) -> None:
    """Everything has to be readable before anything is changed."""
    home = request.home
    if not home.path.is_dir():
        raise Missing(f"{home.path}: there is no such folder; start Hermes once, or name the home with --home")
    store.list_folder(home.path)
    _ = request.settings
    with reading(home) as record:
        if record is not None and not home.memories.is_dir():
            raise Missing(
                f"{home.memories}: the memories folder is missing; is a disk not mounted? Nothing was changed"
            )
    store.read_if_there(home.index)


def _install(request: Request) -> Done:
    home, before = request.home, receipt.receipt_of(request.home)
    found = placing.wanted(home)
    steps = placing.to_install(home, before, found)
    switch = enabling.switch_on(home)
    after = _receipt(home, before, found, switch)
    noted = after != before
    notes = [f"{name}: not a part of this copy of the program; install from the repository" for name in lacking()]
    notes += [f"{step.target} was changed; a copy is kept in {_data(home, step)}" for step in steps if step.foreign]
    if not request.dry_run:
        _write_receipt(home, before, after)
        placing.carry_out(home, steps)
        _make_memories(home)
    heading = bool(perform(request, lambda record: _heading(request, record)).data["files"])
    if switch.changes and not request.dry_run:
        enabling.write(home, switch)
    notes += [switch.trouble] if switch.trouble else []
    done = Done(tuple(steps), switch.state, heading, receipt=noted, notes=tuple(notes))
    return _with_job(request, done, after) if request.flag("cron") else done


def _data(home: Home, step: Placing) -> str:
    return str((home.data / placing.kept(step)).relative_to(home.path))


def _receipt(home: Home, before: Receipt, found: Collection[Part], switch: enabling.Switch) -> Receipt:
    others = {target: before.files[target] for target in placing.kept_from(before, found)}
    files = others | {part.target: store.digest(part.content()) for part in found}
    data = home.data.relative_to(home.path).as_posix()
    folders = placing.new_folders(home, [*files, f"{data}/{receipt.NAME}"])
    return Receipt(
        __version__,
        files,
        tuple(sorted({*before.folders, *folders})),
        switch.inserted or before.inserted,
        before.made_config or (switch.state == "added" and switch.before is None),
        before.job,
    )


def _write_receipt(home: Home, before: Receipt, after: Receipt) -> None:
    if after == before:
        return
    path = receipt.path_of(home)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise store.failed(path, error) from error
    store.write(path, after.rendered(), store.read_bytes(path))


def _make_memories(home: Home) -> None:
    try:
        home.memories.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise store.failed(home.memories, error) from error


def _heading(request: Request, _: Record | None) -> Change:
    """An index that is missing or empty gets its heading; everything else is left to `fix` and the user."""
    document = store.read_if_there(request.home.index)
    empty = document is None or not document.text.strip()
    text = headings.new_index(request.home, request.settings)
    edits: list[edit.Edit] = new_index(document.data if document else None, text, names.INDEX) if empty else []
    return Change(edits, EventKind.CHANGED, "install", "wrote the heading of the index")


def _with_job(request: Request, done: Done, noted: Receipt) -> Done:
    home = request.home
    if cronjob.jobs(home):
        return replace(done, job="there")
    if request.dry_run:
        return replace(done, job="registered")
    try:
        cronjob.ask_host(home, cronjob.creation())
    except MemoryShaperError as error:
        return replace(done, job="by hand", notes=(*done.notes, f"the daily job was not registered: {error}"))
    _write_receipt(home, noted, replace(noted, job=True))
    return replace(done, job="registered")


def _uninstall(request: Request) -> Done:
    home, noted = request.home, receipt.receipt_of(request.home)
    steps, left = placing.to_remove(home, noted, placing.wanted(home))
    switch = enabling.switch_off(home, noted.inserted, noted.made_config)
    job, trouble = _remove_job(request) if noted.job else _jobs_of_others(home)
    there = receipt.path_of(home).exists()
    if not request.dry_run:
        if switch.changes:
            enabling.write(home, switch)
        placing.carry_out(home, [*steps, *([_forget(home)] if there else [])])
        placing.clear_folders(home, noted.folders, steps)
    notes = [f"{target} was changed since it was installed, and stays" for target in left]
    notes += [f"{home.path / PLUGIN} is a link, and stays"] if (home.path / PLUGIN).is_symlink() else []
    notes += [switch.trouble] if switch.trouble else []
    return Done(tuple(steps), switch.state, False, job, there, tuple(left), (*notes, *trouble))


def _forget(home: Home) -> Placing:
    path = receipt.path_of(home)
    return Placing(path.relative_to(home.path).as_posix(), store.read_bytes(path), None)


def _remove_job(request: Request) -> tuple[str, tuple[str, ...]]:
    """What became of the daily job, and what there is to say about it."""
    trouble = []
    jobs = cronjob.jobs(request.home)
    for job in jobs if not request.dry_run else ():
        try:
            cronjob.ask_host(request.home, cronjob.removal(job))
        except MemoryShaperError as error:
            trouble.append(f"the daily job was not removed: {error}")
    return ("by hand" if trouble else "removed" if jobs else "none"), tuple(trouble)


def _jobs_of_others(home: Home) -> tuple[str, tuple[str, ...]]:
    """A daily job that somebody registered by hand: its script goes, so the line that removes it is named."""
    try:
        jobs = cronjob.jobs(home)
    except MemoryShaperError as error:
        return "none", (f"whether a daily job is left was not to be seen: {error}",)
    told = "the daily job was registered by hand and stays, but its script goes; run: "
    return ("by hand" if jobs else "none"), tuple(told + hosts(home, *cronjob.removal(job)) for job in jobs)


def _outcome(request: Request, done: Done) -> Outcome:
    data: dict[str, object] = {
        "home": str(request.home.path),
        "dry_run": request.dry_run,
        "changed": done.changed and not request.dry_run,
        "files": [{"file": step.target, "action": step.action} for step in done.steps],
        "config": done.config,
        "heading": done.heading,
        "job": done.job,
        "left": list(done.left),
        "notes": list(done.notes),
    }
    return Outcome(
        "\n".join(_lines(done, "would be " if request.dry_run else "")),
        data,
        1 if done.by_hand else 0,
        "\n".join(_talk(request, done)),
    )


_SAID = {
    "added": f"config.yaml: {NAME} %sadded to plugins.enabled",
    "removed": f"config.yaml: {NAME} %staken out of plugins.enabled",
}
_JOBS = {"registered", "removed"}


def _lines(done: Done, would: str) -> list[str]:
    """What was done, or with `would` what would be."""
    actions = Counter((root_of(step.target), step.action) for step in done.steps)
    lines = [f"{group}: {counted(number, 'file')} {would}{action}d" for (group, action), number in actions.items()]
    lines += [_SAID[done.config] % would] if done.config in _SAID else []
    lines += [f"memories/{names.INDEX}: heading with the routing rule {would}written"] if done.heading else []
    return [*lines, *([f"scheduler: daily job of the watchdog {would}{done.job}"] if done.job in _JOBS else [])]


def _talk(request: Request, done: Done) -> list[str]:
    lines = [request.place, *(f"note: {note}" for note in done.notes)]
    if not done.changed:
        return [*lines, f"{request.verb}: nothing to do"]
    if request.dry_run:
        return [*lines, "dry run, nothing was changed"]
    if request.flag("uninstall"):
        return [*lines, "the memories and their record stay"]
    job = [] if request.flag("cron") else [f"the daily job, if you want it: {hosts(request.home, *cronjob.creation())}"]
    return [
        *lines,
        *job,
        "completion in bash, zsh or fish, if you want it: memory-shaper completion --help",
        f"to take it back: {ours(request.home, 'install', '--uninstall')}",
        f"start a new session, then: {ours(request.home, 'doctor')}",
    ]
