"""The lists kept by hand, names and likely synonyms at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper import cli
from recall_tools import write


@pytest.fixture
def place(tmp_path: Path) -> Demo:
    """A home with notes on fans, and a table of synonyms with one bad row."""
    home = demo(tmp_path)
    for number in range(6):
        write(home.memories, f"fan{number}.md", f"The ventilator hums near rack {number}.\n")
    keep(home, "synonyms.txt", "release, shipping\nlonely\n")
    return home


def keep(home: Demo, name: str, text: str) -> None:
    folder = home.path / "plugin-data" / "memory-shaper"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")


def test_index_proposes_rows(place: Demo) -> None:
    """Pairs are shown as rows of the table, which itself stays as it is."""
    said = place.say("index", "--synonyms")
    assert "hums, ventilator" in said.out.splitlines() and "paste" in said.err
    data = place.say("index", "--synonyms", "--json").json
    assert {"word": "hums", "other": "ventilator", "shared": 6, "jaccard": 1.0} in data["synonyms"]
    assert set(data) == {name for name, _ in cli.VERBS["index"].fields}
    assert place.say("index", "--json").json["synonyms"] == []


def test_index_gathers_and_settles(place: Demo) -> None:
    """A word of two notes is one word after it, and the second run has nothing to do."""
    for name in ("a", "b"):
        write(place.memories, f"{name}.md", f"{name} 用钉钉开会。\n")
    first, second = place.say("index", "--rebuild", "--json").json, place.say("index", "--json").json
    assert (first["words"], first["recut"] >= 2) == (["钉钉"], True)
    assert (second["words"], second["gathered"], second["recut"]) == (["钉钉"], 0, 0)


def test_words_kept_by_hand_come_with_index(place: Demo) -> None:
    """`words.txt` counts from the next `index` on, and its bad lines are told."""
    write(place.memories, "a.md", "灵犀平台上线。\n")
    keep(place, "words.txt", "灵犀平台\nPython\n")
    said = place.say("index", "--json")
    assert said.json["words"] == ["灵犀平台"] and "words.txt:2" in said.err


def test_route_says_that_only_a_synonym_led_there(place: Demo) -> None:
    """No line holds the word: that is said, and by which word it was reached."""
    said = place.say("route", "when is shipping?", "--explain")
    assert said.out.startswith("deploy.md") and 'release ("shipping", synonym)' in said.out
    assert "0 literal matches" in said.err


@pytest.mark.parametrize("verb", ["status", "doctor"])
def test_a_bad_row_is_named(place: Demo, verb: str) -> None:
    """By file, line and reason."""
    assert "synonyms.txt:2: a row needs two terms or more" in place.say(verb).out


@pytest.mark.parametrize("verb", ["status", "doctor"])
@pytest.mark.parametrize(("text", "told"), [("", "without an end"), ("soon", "is not heeded"), ("2020-01-01", "")])
def test_the_lock_is_told_of(place: Demo, verb: str, text: str, told: str) -> None:
    """One without an end, and one that cannot be read; one that is over is no matter."""
    keep(place, "recall.lock", text)
    said = place.say(verb).out
    assert told in said and ("recall.lock" in said) is bool(told)


def test_hits_show_the_further_words(place: Demo) -> None:
    """What led to a note is shown with it, and named in JSON."""
    keep(place, "synonyms.txt", "buzzing, ventilator\n")
    write(place.memories, "fan0.md", "The buzzing is loud.\n")
    assert "holds ventilator (synonym of buzzing)" in place.say("hits", "buzzing").out
    rows = place.say("search", "buzzing", "--json").json["hits"]
    assert rows[0]["via"] == [] and rows[-1]["mode"] == "wider"
    assert rows[-1]["via"] == [{"term": "ventilator", "word": "buzzing", "why": "synonym"}]
