"""Asking a model in real sessions: every probe of the complex memories, natively and with us, graded by exact values.

    python benchmarks/model.py --endpoint URL --model NAME --transcripts FOLDER [--repeats 3] [--questions N]
    python benchmarks/model.py --regrade FOLDER

Any OpenAI-compatible endpoint will do; its key is read from the variable that --key-variable names. Each question is
one fresh session in a fresh home of a real host, so that no answer can lean on another. The transcripts are kept as
they are; grading reads nothing but them, so that --regrade needs no model. The rules are those of grading.py.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from common import Missing
from grading import grade
from hosts.harness import OUR_PLUGIN, Host, make_home, run
from keeping import Probe, fill_native, installed_hosts, memories, notebook

ARMS = ("native", "memory-shaper")
KEYWORDS = 12
_SECONDS = 300
_MESSAGES = "SELECT role, content, tool_calls, tool_name FROM messages ORDER BY id"


@dataclass(frozen=True, slots=True)
class Transcript:
    """One session: what was asked of whom, what was answered, and every message as the host kept it."""

    arm: str
    host: str
    model: str
    repeat: int
    question: str
    value: str
    file: str
    answer: str
    messages: Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model is, its name, and its key."""

    url: str
    model: str
    key: str = "none"


def ask(host: Host, endpoint: Endpoint, arm: str, probe: Probe, repeat: int) -> Transcript:
    """Ask one question in a fresh home."""
    config = {"model": {"default": endpoint.model, "base_url": endpoint.url, "api_key": endpoint.key}}
    plugins = [OUR_PLUGIN] if arm == "memory-shaper" else []
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home = make_home(Path(folder), _files(host, arm), plugins, config)
        ended = run([str(host.hermes), "chat", "-q", probe.question, "-Q", "--yolo"], home, timeout=_SECONDS)
        messages = home.rows(_MESSAGES) if (home.path / "state.db").exists() else []
    return Transcript(
        arm, host.version, endpoint.model, repeat, probe.question, probe.value, probe.file, ended.out.strip(), messages
    )


_kept: dict[tuple[str, str], dict[str, str]] = {}


def _files(host: Host, arm: str) -> dict[str, str]:
    """The memories folder of an arm: filled once, in the order in which the memories are written."""
    key = (host.version, arm)
    if key not in _kept:
        _kept[key] = _filled() if arm == "memory-shaper" else {"MEMORY.md": _native(host)}
    return _kept[key]


def _native(host: Host) -> str:
    return fill_native(host, [[memory.text for memory in memories()]])[0].text


def _filled() -> dict[str, str]:
    with notebook(aged=True) as book:
        for memory in memories():
            book.keep(memory.name, memory.text, memory.keywords[:KEYWORDS])
        folder = book.home.memories
        return {str(path.relative_to(folder)): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))}


def record(folder: Path, host: Host, endpoint: Endpoint, repeats: int, probes: Sequence[Probe]) -> None:
    """Ask everything of both arms; a question whose transcript is there already is not asked again."""
    for repeat in range(1, repeats + 1):
        for arm in ARMS:
            for number, probe in enumerate(probes):
                path = folder / arm / str(repeat) / f"{number:03d}.json"
                if not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    text = json.dumps(asdict(ask(host, endpoint, arm, probe, repeat)), ensure_ascii=False, indent=1)
                    path.write_text(text + "\n", "utf-8")
                    print(path.relative_to(folder), file=sys.stderr, flush=True)


def transcripts(folder: Path) -> Iterator[Transcript]:
    """The transcripts of a folder, in order. Raises Missing where there is none."""
    paths = sorted(folder.glob("*/*/*.json"))
    if not paths:
        raise Missing(f"{folder} holds no transcript (ARM/REPEAT/QUESTION.json)")
    for path in paths:
        yield Transcript(**json.loads(path.read_text("utf-8")))


def graded(found: Sequence[Transcript]) -> dict[str, object]:
    """Verdicts by arm, in all and by repeat, and every answer that is not right."""
    result: dict[str, object] = {}
    for arm in sorted({one.arm for one in found}):
        mine = [one for one in found if one.arm == arm]
        verdicts = [grade(one.answer, one.value) for one in mine]
        repeats: dict[str, Counter[str]] = {}
        for one, verdict in zip(mine, verdicts, strict=True):
            repeats.setdefault(str(one.repeat), Counter())[verdict] += 1
        result[arm] = {
            "models": sorted({f"{one.model} on {one.host}" for one in mine}),
            "verdicts": dict(sorted(Counter(verdicts).items())),
            "by repeat": {name: dict(sorted(counts.items())) for name, counts in sorted(repeats.items())},
            "not right": [
                {"question": one.question, "wanted": one.value, "verdict": verdict, "repeat": one.repeat}
                for one, verdict in zip(mine, verdicts, strict=True)
                if verdict != "right"
            ],
        }
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Ask and grade, or grade alone; JSON on stdout. 2 where something is missing."""
    options = _options(argv)
    try:
        folder = Path(options.regrade or options.transcripts or "")
        if not options.regrade:
            if not (options.endpoint and options.model and options.transcripts):
                raise Missing("--endpoint, --model and --transcripts are wanted, or --regrade")
            host = next(host for host in installed_hosts() if host.version == options.host)
            endpoint = Endpoint(options.endpoint, options.model, os.environ.get(options.key_variable, "none"))
            probes = [probe for memory in memories() for probe in memory.probes][: options.questions]
            record(folder, host, endpoint, options.repeats, probes)
        print(json.dumps(graded(list(transcripts(folder))), ensure_ascii=False, indent=1))
    except Missing as missing:
        print(missing, file=sys.stderr)
        return 2
    return 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", metavar="URL", help="an OpenAI-compatible endpoint, up to and with /v1")
    parser.add_argument("--model", metavar="NAME")
    parser.add_argument("--key-variable", default="OPENAI_API_KEY", metavar="NAME", help="the variable with the key")
    parser.add_argument("--transcripts", metavar="FOLDER", help="where the transcripts are kept")
    parser.add_argument("--host", default="0.22", choices=("0.19", "0.22"))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--questions", type=int, help="only so many of the probes")
    parser.add_argument("--regrade", metavar="FOLDER", help="grade stored transcripts again, without a model")
    return parser.parse_args(argv)


if __name__ == "__main__":
    raise SystemExit(main())
