"""The watchdog's door: arguments in, the scheduler's contract out.

Nothing on stdout and 0 is silence, anything on stdout a chat message, any other exit code an alarm. Somebody else at
work is no reason to alarm anyone: that is 0 and silence, and the next run does the work.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .. import settings
from ..errors import Busy, MemoryShaperError, ReadOnly
from ..settings import Home, Settings

if TYPE_CHECKING:  # the work is imported where it begins, so that a home without a memory costs next to nothing
    from ..lifecycle.upkeep import Outcome as Kept
    from .report import Facts
    from .run import Outcome

_BUSY = Busy.code


def main(argv: Sequence[str] | None = None, beside: Path | None = None) -> int:
    """Run the watchdog once; the exit code. `beside` is the folder that the script's own folder lies in."""
    _speak_utf8()
    options = _parser().parse_args(argv)
    looking = options.report or options.dry_run or options.explain
    try:
        home = _home(options.home, beside)
        values = settings.load(home)
        if options.poll:
            from .live import watch

            return watch(home, values, poll=True)
        if not home.memories.is_dir() and not home.data.is_dir():
            return _nothing_yet(home) if looking else 0
        return _rehearse(home, values, options) if looking else _work(home, values, options)
    except MemoryShaperError as error:
        return 0 if error.code == _BUSY and not looking else _alarm(error)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dynmem-watchdog.py",
        description="Tally what is read, order the index by use, archive what is cold; silent when all is well.",
    )
    parser.add_argument("--home", type=Path, help="the Hermes home (else HERMES_HOME, the active profile, the default)")
    parser.add_argument("--dry-run", action="store_true", help="print what a run would do, and change nothing")
    parser.add_argument("--report", action="store_true", help="print budget, ranking and what would go next")
    parser.add_argument(
        "--explain", action="store_true", help="print what the rules say of each topic, and change nothing"
    )
    parser.add_argument("--json", action="store_true", help="print the run, plan or report as JSON")
    parser.add_argument("--poll", action="store_true", help="stay, and report changes of the folder; archives nothing")
    return parser


def _home(given: Path | None, beside: Path | None) -> Home:
    """The home in force; a script that lies in a home's own `scripts` folder stands for that home."""
    found = settings.find_home(given=given)
    if found.source == "default" and beside is not None and (beside / "config.yaml").is_file():
        return Home(beside.absolute(), "beside the script")
    return found


def _work(home: Home, values: Settings, options: argparse.Namespace) -> int:
    said = done(home, values, whole=options.json)
    if said is not None and options.json:
        print(said.json)
    elif said is not None and said.text:
        print(said.text)
    return 0


def _rehearse(home: Home, values: Settings, options: argparse.Namespace) -> int:
    said = rehearsed(home, values, options.report, options.explain)
    if said is None:
        return _nothing_yet(home)
    print(said.json if options.json else said.text)
    return 0


@dataclass(frozen=True, slots=True)
class Said:
    """What there is to say about a run: as text ("" for silence), and the facts behind it, `rules` those of keeping."""

    text: str
    facts: Facts
    rules: Kept | None = None
    explain: bool = False

    @property
    def data(self) -> Mapping[str, object]:
        """The facts as what JSON can hold."""
        from ..lifecycle import telling
        from . import reportjson

        kept = {"rules": telling.data(self.rules, self.explain)} if self.rules else {}
        return {**reportjson.data(self.facts), **kept}

    @property
    def json(self) -> str:
        """The facts as JSON."""
        import json

        return json.dumps(self.data, ensure_ascii=False, indent=2)


def done(home: Home, values: Settings, whole: bool = False) -> Said | None:
    """Do the day's work, and what there is to say about it; None where the home has no memory.

    `whole` looks up what only the data show. Raises Busy, Missing, Unreadable, ReadOnly and RecordError.
    """
    from . import report, run

    outcome = run.run(home, values, whole=whole)
    if outcome is None:
        return None
    facts = facts_of(outcome, whole)
    told = [*report.message(facts), *_of_rules(outcome), *([report.protected(facts)] if outcome.weekly else [])]
    return Said("\n\n".join(told), facts, outcome.rules)


def _of_rules(outcome: Outcome) -> list[str]:
    """The paragraphs on what the rules of keeping did, or would do."""
    if outcome.rules is None or not outcome.rules.says:
        return []
    from ..lifecycle import telling

    return telling.message(outcome.rules)


def rehearsed(home: Home, values: Settings, report: bool = False, explain: bool = False) -> Said | None:
    """What `done` would do now, or the report about the index; None where the home has no memory.

    `explain` adds what the rules of keeping say of each topic.

    Changes nothing. Raises what `done` raises.
    """
    from . import report as reports
    from . import run

    outcome = run.rehearse(home, values)
    if outcome is None:
        return None
    facts = facts_of(outcome, whole=True)
    told = [reports.report(facts) if report else reports.rehearsal(facts), *_of_rules(outcome)]
    if explain and outcome.rules is not None:
        from ..lifecycle import telling

        told.append(telling.explained(outcome.rules))
    return Said("\n\n".join(told), facts, outcome.rules, explain)


def _nothing_yet(home: Home) -> int:
    print(f"no memories folder in {shown(home.path)} ({home.source}): nothing to do", file=sys.stderr)
    return 0


def facts_of(outcome: Outcome, whole: bool) -> Facts:
    """What there is to say about a run; `whole` looks up what only reports show."""
    from . import folder, look
    from .forecast import forecast
    from .report import Facts

    values = outcome.settings
    return Facts(
        home=shown(outcome.home.path),
        home_source=outcome.home.source,
        now=outcome.now,
        policy=look.policy(values),
        cap_source=values.cap_source,
        plans=outcome.plans,
        evidence=outcome.evidence,
        repaired=outcome.repaired,
        faults=outcome.faults,
        skipped=folder.skipped(outcome.home.memories) if whole else (),
        last_run=outcome.last_run,
        forecast=forecast(outcome.sizes, outcome.plans[0].size, values.cap, outcome.now),
        dry=outcome.dry,
        notes=values.notes,
    )


def shown(path: Path) -> str:
    """A path as people may pass it on: the user's own folder as `~`."""
    try:
        return f"~/{path.relative_to(Path.home()).as_posix()}"
    except (ValueError, RuntimeError):
        return str(path)


def _alarm(error: MemoryShaperError) -> int:
    first = "read-only, nothing changed: " if error.code == ReadOnly.code else ""
    print(f"memory-shaper watchdog: {first}{error}", file=sys.stderr)
    return error.code


def _speak_utf8() -> None:
    # Whatever the locale is: a name that it cannot spell must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
