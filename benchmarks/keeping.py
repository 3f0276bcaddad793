"""Keeping memories in the two ways that are compared, and asking for their details.

Native: each memory is one `add` to a real host's own store. Ours: each is one `remember` into a topic file and a line.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import yaml
from common import FIXTURES, Missing, environment
from hosts.harness import Host, find_host, host_python, make_home
from hosts.install import RELEASES
from memory_shaper import edit, grammar
from memory_shaper.errors import Refused
from memory_shaper.recall.cases import surely
from memory_shaper.recall.find import Ask, Finder
from memory_shaper.recall.fuzzy import near_words
from memory_shaper.recall.jieba_words import JiebaWords
from memory_shaper.recall.route import Router
from memory_shaper.recall.search import Scope
from memory_shaper.record import Source
from memory_shaper.remember import Note, remember
from memory_shaper.settings import Home, load
from memory_shaper.watchdog.run import run
from statedb import StateDb

AGED_DAYS = 100
SHOWN = 5  # hits that a model is shown unless it asks for more
_FILL = """
import json, logging, sys
logging.disable(logging.CRITICAL)
from hermes_constants import get_hermes_home
from tools.memory_tool import MemoryStore

index = get_hermes_home() / "memories" / "MEMORY.md"
found = []
for texts in json.load(sys.stdin):
    index.write_text("")
    store = MemoryStore()
    store.load_from_disk()
    said = [store.add("memory", text) for text in texts]
    good = [bool(answer.get("success")) for answer in said]
    refusal = next((str(answer.get("error", "")) for answer in said if not answer.get("success")), "")
    found.append({"kept": good, "text": index.read_text(encoding="utf-8"), "refusal": refusal})
json.dump(found, sys.stdout)
"""
_LOOK = """
import json, sys
from tools.memory_tool import MemoryStore
store = MemoryStore()
store.load_from_disk()
print(json.dumps({"entries": len(store.memory_entries), "size": store._char_count("memory")}))
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """A question about one memory and the words that answer it."""

    question: str
    value: str
    file: str


@dataclass(frozen=True, slots=True)
class Memory:
    """A text with the name of its topic file, its keywords (the most telling first) and its probes."""

    name: str
    text: str
    keywords: tuple[str, ...]
    probes: tuple[Probe, ...]


@cache
def memories() -> tuple[Memory, ...]:
    """The complex memories of fixtures/memories.yaml."""
    rows = yaml.safe_load((FIXTURES / "memories.yaml").read_text("utf-8"))
    return tuple(_memory(row) for row in rows)


def _memory(row: Mapping[str, object]) -> Memory:
    name, probes = str(row["name"]), row["probes"]
    assert isinstance(probes, list)
    pairs = [str(probe).split(" | ") for probe in probes]
    asked = tuple(Probe(question, value, name) for question, value in pairs)
    return Memory(name, str(row["text"]).strip(), tuple(str(row["keywords"]).split(",")), asked)


@dataclass(frozen=True, slots=True)
class Filled:
    """What became of texts added one after the other: which were kept, the file, and the words of the first refusal."""

    kept: tuple[bool, ...]
    text: str
    refusal: str


def installed_hosts() -> list[Host]:
    """The real hosts. Raises Missing where one is not installed."""
    try:
        return [find_host(version) for version in RELEASES]
    except LookupError as error:
        raise Missing("the real hosts are not installed (make hosts)") from error


def fill_native(host: Host, orders: Sequence[Sequence[str]]) -> list[Filled]:
    """Add texts to a host's own store at its default cap, in each order from an empty file; what is refused is left."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home = make_home(Path(folder), plugins=())
        ended = host_python(host, home, _FILL, given=json.dumps([list(texts) for texts in orders]))
    if ended.code:
        raise RuntimeError(ended.err[-2000:])
    return [Filled(tuple(row["kept"]), row["text"], row["refusal"]) for row in json.loads(ended.out)]


def seen_by(host: Host, text: str) -> dict[str, int]:
    """How many entries a host's store sees in an index, and how large it counts it."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        home = make_home(Path(folder), {"MEMORY.md": text}, plugins=())
        ended = host_python(host, home, _LOOK)
    if ended.code:
        raise RuntimeError(ended.err[-2000:])
    return {name: int(value) for name, value in json.loads(ended.out).items()}


@cache
def _dictionary() -> Path:
    """One folder for jieba's dictionary: loading it for each home would take longer than all the rest."""
    folder = tempfile.mkdtemp(prefix="bench-jieba-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@dataclass(frozen=True, slots=True)
class Reply:
    """How a question was answered: `route` or `search`, and the files, the best first."""

    way: str
    files: tuple[str, ...]


class Notebook:
    """A home that is filled and asked as the product does it, at the host's default cap.

    `aged`: every topic file gets the time of a hundred days ago, as if the memories had come over months.
    """

    def __init__(self, home: Home, aged: bool) -> None:
        self.home = home
        self._aged = aged
        self.settings = load(home)
        self._finder = Finder(home)
        self._finder.sidecar.words = JiebaWords(_dictionary())
        self._record = edit.open_record(home, self.settings)

    def keep(self, name: str, text: str, keywords: Sequence[str]) -> str:
        """Remember a text; "" or why it was refused."""
        note = Note(text, name.removesuffix(".md"), tuple(keywords))
        try:
            remember(self.home, self._record, self.settings, note, Source("memory_remember", "s", "", "", 1))
        except Refused as refusal:
            return str(refusal)
        if self._aged:
            self._age(self.held[-1])
        return ""

    def _age(self, file: str) -> None:
        """Make a topic file look old, and let the first day's watchdog see the host's sessions."""
        then = time.time() - AGED_DAYS * 86400
        os.utime(self.home.memories / file, (then, then))
        if len(self.held) == 1:
            run(self.home, self.settings)

    @property
    def text(self) -> str:
        return self.home.index.read_text("utf-8")

    @property
    def held(self) -> list[str]:
        """The targets of the index, in its order."""
        return [entry.target for _, entry in grammar.parse(self.text).entries()]

    @property
    def archived(self) -> list[str]:
        """The targets of the archive's index."""
        path = self.home.archive_index
        text = path.read_text("utf-8") if path.exists() else ""
        return [entry.target for _, entry in grammar.parse(text).entries()]

    def asker(self) -> Callable[[str], Reply]:
        """Ask by the index as it is now; where no line surely matches, by search over notes and archive."""
        router = Router([entry for _, entry in grammar.parse(self.text).entries()], near_words())

        def ask(question: str) -> Reply:
            if line := surely(router.route(question)):
                return Reply("route", (line.entry.target,))
            found = self._finder.find(Ask(question, SHOWN, Scope.ALL), self.settings, datetime.now(UTC))
            return Reply("search", tuple(one.hit.name.rpartition("/")[2] for one in found.hits))

        return ask

    def close(self) -> None:
        self._finder.close()
        self._record.close()


@contextmanager
def notebook(on_full: str = "archive", aged: bool = False) -> Iterator[Notebook]:
    """An empty notebook in a throw-away home, its folder named as in every user's own.

    With `aged` the host has sessions of two months, which the product wants to have seen before it archives anything.
    """
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, environment(HOME=folder):
        home = Home(Path(folder, ".hermes"), "given")
        home.memories.mkdir(parents=True)
        ours = {"memory-shaper": {"settings": {"on_full": on_full}}}
        config = {"plugins": {"enabled": ["memory-shaper"], "entries": ours}}
        home.config.write_text(json.dumps(config), "utf-8")
        if aged:
            state = StateDb(home.path)
            for days in (60, 0.01):
                state.add("user", "hello", at=time.time() - days * 86400)
        made = Notebook(home, aged)
        try:
            yield made
        finally:
            made.close()


@cache
def _encodings() -> Mapping[str, Callable[[str], int]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # How the package opens its own files is nobody's news here.
        try:
            import bpe_openai
        except ImportError:
            return {}
        found = {name: bpe_openai.get_encoding(name) for name in ("o200k_base", "cl100k_base")}
    return {name: (lambda text, coder=coder: len(coder.encode(text))) for name, coder in found.items()}  # type: ignore[misc]


def tokens(text: str) -> dict[str, int]:
    """The tokens of a text by two public vocabularies that come inside the package bpe-openai; {} without it."""
    return {name: count(text) for name, count in _encodings().items()}
