"""`verify`: findings about an index and its archive index."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from .. import grammar, lookthrough, names, rules, store
from ..errors import Missing, Usage
from ..model import Finding, Severity
from ..rules import private
from .request import Json, Outcome, Request
from .screen import Screen, counted, pointed, visible

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}
_OF_A_FILE = (  # what there is to say of an index, and null where the texts around it are looked through
    "file", "chars", "bytes", "cap", "cap_source", "entries", "is_index", "findings", "archive", "topics", "errors",
    "warnings", "notes",
)  # fmt: skip
_NOT_YET = "{} is not an index yet: `memory-shaper migrate` makes topic files and entries of its text"


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one file. `cap` is None for an archive index, which has no limit."""

    file: str
    scope: rules.Scope
    size_bytes: int
    cap_source: str
    findings: tuple[Finding, ...]

    @property
    def entries(self) -> int:
        return len(self.scope.rows)

    def count(self, severity: Severity) -> int:
        """How many findings of a severity."""
        return sum(finding.severity is severity for finding in self.findings)


def verify(request: Request) -> Outcome:
    """The findings in FILE, or in the index and the archive index of the home; or the references that lead nowhere."""
    if request.flag("references"):
        return _references(request)
    select, ignore = _rules(request, "select"), _rules(request, "ignore")
    reports = [_report(request, path, file, select, ignore) for path, file in _files(request)]
    notes = request.settings.notes
    topics = [*_private(request, select, ignore), *_odd(request, select, ignore)]
    errors = sum(report.count(Severity.ERROR) for report in reports)
    warnings = sum(report.count(Severity.WARNING) for report in reports) + len(topics)
    strict = request.flag("strict") and (warnings or notes)
    talk = [request.place, *(f"warning: {note}" for note in notes)]
    talk += [_NOT_YET.format(report.file) for report in reports if not grammar.is_index(report.scope.index)]
    lines = [line for report in reports for line in _lines(report, request.screen)]
    lines += [line for file, finding in topics for line in shown(file, finding, request.screen)]
    text = "\n".join(lines)
    found = [{"file": file, **finding_data(finding)} for file, finding in topics]
    data = _data(request, reports) | {"topics": found, "errors": errors, "warnings": warnings, "notes": list(notes)}
    data["references"] = None
    return Outcome(text, data, 1 if errors or strict else 0, "\n".join(talk))


def _odd(request: Request, select: Collection[str], ignore: Collection[str]) -> list[tuple[str, Finding]]:
    """What is odd about the topics of the home, by file; nothing where another file was asked for."""
    home = request.home
    if request.text("file") or request.text("memdir") or not any(map(_says, (home.memories, home.archive))):
        return []
    from ..lifecycle.checking import check_topics

    return [
        (file, finding)
        for file, finding in check_topics(home)
        if (not select or finding.rule in select) and finding.rule not in ignore
    ]


def _says(folder: Path) -> bool:
    """Whether any note of a folder has front matter; most memories have none, and need no more than this look."""
    for name in store.list_folder(folder).files if folder.is_dir() else ():
        if names.is_topic(name):
            try:
                with open(folder / name, "rb") as file:
                    if file.read(6).removeprefix(b"\xef\xbb\xbf").startswith(b"---"):
                        return True
            except OSError:
                continue  # other rules tell of it
    return False


def _references(request: Request) -> Outcome:
    """What the texts around the index, or those of FILE, say about memory files that exist nowhere."""
    from . import references

    found = references.dead(request.home, request.path("file"))
    total = f"{counted(len(found), 'dead reference')}" if found else "no dead references"
    data: Json = {"home": str(request.home.path), "home_source": request.home.source}
    data |= dict.fromkeys(_OF_A_FILE) | {"references": [one.data for one in found]}
    text = "\n".join([*references.lines_of(found, request.screen), total])
    return Outcome(text, data, 1 if found else 0, request.place)


def _private(request: Request, select: Collection[str], ignore: Collection[str]) -> list[tuple[str, Finding]]:
    """What stands in the topic files of the home and should not, where the home is what is looked at."""
    rule = private.secret.__name__
    if request.text("file") or rule in ignore or (select and rule not in select):
        return []
    folder = request.path("memdir") or request.home.memories
    found = lookthrough.reasons(folder, request.settings.rules)
    return [(file, Finding(rule, Severity.WARNING, private.told(one.kind), one.line)) for file, one in found]


def _rules(request: Request, name: str) -> tuple[str, ...]:
    from . import nearest

    wanted = tuple(filter(None, request.text(name).replace(" ", "").split(",")))
    for rule in wanted:
        if rule not in (known := _known(request)):
            raise Usage(f'memory-shaper verify: --{name}: there is no rule "{rule[:40]}"{nearest(rule, known)}')
    return wanted


_SHOWN_OF_PROSE = 5  # findings; a memory of prose has one in every line


def _table(request: Request) -> Mapping[str, tuple[rules.Rule, Severity]]:
    """The rules that are asked for; those of routing cut every keyword and take their time."""
    if not request.flag("routing"):
        return rules.RULES
    from ..recall.routing_rules import ROUTING_RULES

    return rules.RULES | ROUTING_RULES


def _known(request: Request) -> tuple[str, ...]:
    """The names of all rules, those about topics among them."""
    from ..lifecycle.checking import TOPIC_RULES

    return (*_table(request), *TOPIC_RULES)


def _files(request: Request) -> list[tuple[Path, str]]:
    """The files to look at, each with the name that findings are reported under."""
    if path := request.path("file"):
        return [(path, str(path))]
    folder = request.path("memdir") or request.home.memories
    archive = folder / names.ARCHIVE_FOLDER / names.ARCHIVE_INDEX
    found = [(folder / names.INDEX, names.INDEX)]
    return [*found, (archive, f"{names.ARCHIVE_FOLDER}/{names.ARCHIVE_INDEX}")] if archive.exists() else found


def _report(request: Request, path: Path, file: str, select: Collection[str], ignore: Collection[str]) -> Report:
    document = _document(path)
    archived = names.same(path.name) == names.same(names.ARCHIVE_INDEX)
    beside = request.path("memdir") if request.text("file") else None
    folder = store.list_folder(beside or path.parent)
    cap = None if archived else request.count("cap") or request.settings.cap
    source = "none" if archived else "given" if request.count("cap") else request.settings.cap_source
    scope = rules.Scope(document.text, folder, cap, request.settings.number("near_cap"))
    return Report(file, scope, len(document.data), source, tuple(rules.check(scope, select, ignore, _table(request))))


def _document(path: Path) -> store.Document:
    try:
        return store.read(path)
    except Missing as error:
        hint = "; to begin an index: memory-shaper fix --heading full" if path.name == names.INDEX else ""
        raise Missing(f"{error}{hint}") from error


def _lines(report: Report, screen: Screen) -> list[str]:
    findings, more = report.findings, 0
    if not grammar.is_index(report.scope.index):
        findings, more = findings[:_SHOWN_OF_PROSE], len(findings) - _SHOWN_OF_PROSE
    lines = [line for finding in findings for line in shown(report.file, finding, screen)]
    if more > 0:
        lines.append(f"… and {counted(more, 'finding')} more like these (--json shows all)")
    return [*lines, _summary(report)]


def shown(file: str, finding: Finding, screen: Screen) -> list[str]:
    """A finding as lines: place and sentence, the source line with a run of carets, and what to do."""
    place = f"{visible(file)}:{finding.line}:{finding.column}" if finding.line else visible(file)
    kind = screen.paint(f"{finding.severity}[{finding.rule}]", _COLOURS[finding.severity])
    lines = [f"{place}: {kind}: {visible(finding.message)}"]
    if finding.line and finding.source:
        source, run = pointed(finding.source, finding.column, finding.width)
        lines += [f"    {source}", f"    {screen.paint(run, 'bold')}"]
    return [*lines, f"    hint: {visible(finding.fix)}"] if finding.fix else lines


def _summary(report: Report) -> str:
    total = len(report.findings)
    head = f"{counted(total, 'finding') if total else 'no findings'} in {visible(report.file)}"
    if total and not grammar.is_index(report.scope.index):
        head += ", as in every memory that is not an index yet"
    elif total:
        errors, warnings = report.count(Severity.ERROR), report.count(Severity.WARNING)
        found = [(errors, "error"), (warnings, "warning")]
        head += f" ({', '.join(counted(number, word) for number, word in found if number)})"
    cap = report.scope.cap
    if cap is None:
        return f"{head}, {counted(report.entries, 'entry')}, {report.scope.size:,} characters"
    return f"{head}, {report.scope.size:,} of {cap:,} characters (cap: {report.cap_source})"


def _data(request: Request, reports: list[Report]) -> Json:
    first, *others = [_file_data(report) for report in reports]
    home: Json = {"home": str(request.home.path), "home_source": request.home.source}
    return home | first | {"archive": others[0] if others else None}


def _file_data(report: Report) -> Json:
    return {
        "file": report.file,
        "chars": report.scope.size,
        "bytes": report.size_bytes,
        "cap": report.scope.cap,
        "cap_source": report.cap_source,
        "entries": report.entries,
        "is_index": grammar.is_index(report.scope.index),
        "findings": [finding_data(finding) for finding in report.findings],
    }


def finding_data(finding: Finding) -> Json:
    """A finding for JSON."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "message": finding.message,
        "line": finding.line,
        "column": finding.column,
        "width": finding.width,
        "fix": finding.fix,
        "source": finding.source,
    }
