"""Which topics go to the archive by the rules that a person sets, and what never goes."""

from __future__ import annotations

from pathlib import Path

import pytest
from homes import NOW, House, ago, line, tree
from memory_shaper.errors import Unreadable
from memory_shaper.lifecycle.upkeep import Outcome as Kept
from memory_shaper.settings import load
from memory_shaper.spans import days_of
from memory_shaper.watchdog.run import rehearse

SETTINGS = "memory:\n  memory_char_limit: 100000\nplugins:\n  entries:\n    memory-shaper:\n      settings:\n"


def house(folder: Path, *lines: str, span: float = 800, **settings: object) -> House:
    """A home with these lines and settings; nothing is proposed, since these tests are about the archive."""
    made = House(folder, *lines, span=span)
    rows = {"find_related": "false", "find_duplicates": "false", **settings}
    made.config(SETTINGS + "".join(f"        {name}: {value}\n" for name, value in rows.items()))
    return made


def typed(made: House, name: str, kind: str, days: float, **rows: str) -> None:
    """A topic of a type, so many days old."""
    front = "".join(f"{key}: {value}\n" for key, value in ({"type": kind} | rows).items())
    made.topic(f"{name}.md", f"---\n{front}---\ntext of {name}\n", days)


def rules(made: House) -> Kept:
    """What a run does by the rules."""
    outcome = made.run()
    assert outcome is not None and outcome.rules is not None
    return outcome.rules


def gone(made: House) -> dict[str, str]:
    """Which topics go, and by which rule."""
    return {word.judged.entry.target: word.rule for word, _ in rules(made).gone}


@pytest.mark.parametrize(
    ("text", "days"), [("365d", 365), ("12w", 84), ("2y", 730), ("90 days", 90), ("Forever", None)]
)
def test_a_span(text: str, days: int | None) -> None:
    """Days, weeks and years, in words or letters, and no end at all."""
    assert days_of(text) == days


@pytest.mark.parametrize("text", ["", "0d", "-3d", "90", "soon", "3.5w", "90dd", "٩d", "forever and a day"])
def test_nonsense_is_no_span(text: str) -> None:
    """Anything else is refused with what was wanted."""
    with pytest.raises(ValueError, match="90d"):
        days_of(text)


def test_a_nonsense_span_is_refused_at_load(tmp_path: Path) -> None:
    """File, line and name of the setting are told, and nothing is changed."""
    made = house(tmp_path, line("a"), retain_project="soonish")
    with pytest.raises(
        Unreadable, match=r"config\.yaml:9: retain_project is 'soonish'.*forever, or a span such as 90d"
    ):
        load(made.home)


def test_retention_by_type(tmp_path: Path) -> None:
    """A project topic of 366 days leaves, a profile topic of 366 days and a project topic of 364 days stay."""
    made = house(tmp_path, line("old"), line("me"), line("young"), line("plain"))
    typed(made, "old", "project", 366)
    typed(made, "me", "profile", 366)
    typed(made, "young", "project", 364)
    made.topic("plain.md", "no type\n", 3660)
    assert gone(made) == {"old.md": "retention"}
    assert made.targets == ["me.md", "young.md", "plain.md"]
    assert made.archived == ["old.md"]
    assert (made.home.archive / "old.md").read_text("utf-8").endswith("text of old\n")


@pytest.mark.parametrize(("span", "leaves"), [("forever", False), ("52w", True), ("1y", True), ("367d", False)])
def test_a_span_is_what_was_set(tmp_path: Path, span: str, leaves: bool) -> None:
    """The span of the settings decides, `forever` keeps for good."""
    made = house(tmp_path, line("a"), retain_fact=span)
    typed(made, "a", "fact", 366)
    assert bool(gone(made)) is leaves


def test_a_note_is_as_old_as_it_says(tmp_path: Path) -> None:
    """The date in the front matter counts, not that of a file that was copied yesterday."""
    made = house(tmp_path, line("old"), line("new"))
    typed(made, "old", "project", 20, created=str(ago(400).date()))
    typed(made, "new", "project", 400, created=str(ago(20).date()))
    assert gone(made) == {"old.md": "retention"}


def test_a_read_resets_the_clock(tmp_path: Path) -> None:
    """A topic that was read a hundred days ago has been unused for a hundred days, whatever its age."""
    made = house(tmp_path, line("a"), line("b"), archive_unused_days=180)
    made.topic("a.md", days=700)
    made.topic("b.md", days=700)
    made.read("a.md", 100)
    assert gone(made) == {"b.md": "unused"}


def test_a_change_resets_the_clock(tmp_path: Path) -> None:
    """A topic whose text is another one than at the last look was touched then, whatever its date says."""
    made = house(tmp_path, line("a"), archive_unused_days=180)
    typed(made, "a", "note", 100, created=str(ago(170).date()))
    made.run()
    typed(made, "a", "note", 100, created=str(ago(170).date()), title="edited")
    made.run()
    later = made.run(days=100)
    assert later is not None and later.rules is not None and not later.rules.gone


def test_nothing_is_archived_for_disuse_by_itself(tmp_path: Path) -> None:
    """Without a setting a topic without a type stays, however long it was not read."""
    made = house(tmp_path, line("a"))
    made.topic("a.md", days=3000)
    assert gone(made) == {}


def test_marked_and_new_topics_stay(tmp_path: Path) -> None:
    """A mark keeps a topic, and so does the grace window."""
    made = house(
        tmp_path, line("pin", mark="!"), line("vital", mark="!!"), line("new"), grace_days=30, retain_project="7d"
    )
    typed(made, "pin", "project", 900)
    typed(made, "vital", "project", 900)
    typed(made, "new", "project", 20)
    assert gone(made) == {}


def test_a_replaced_topic_goes_at_once(tmp_path: Path) -> None:
    """Its line would lead to what no longer holds, so it goes though it is new; a marked one stays."""
    made = house(tmp_path, line("new"), line("old"), line("pin", mark="!"))
    made.topic("old.md", days=1)
    made.topic("new.md", "---\nsupersedes: [old.md, pin.md]\n---\nthe new one\n", days=0)
    assert gone(made) == {"old.md": "replaced"}
    assert made.targets == ["new.md", "pin.md"]


def test_an_expired_topic_goes_after_a_while(tmp_path: Path) -> None:
    """So many days after its end, and not before; a topic that ends in the future stays."""
    made = house(tmp_path, line("a"), line("b"), line("c"), expired_days=10)
    typed(made, "a", "note", 100, invalid_at=str(ago(11).date()))
    typed(made, "b", "note", 100, valid_until=str(ago(9).date()))
    typed(made, "c", "note", 100, valid_until=str(ago(-9).date()))
    assert gone(made) == {"a.md": "expired"}


FORGOTTEN = {
    "cold": {}, "liked": {}, "strong": {}, "talked": {}, "read": {}, "young": {}, "pin": {}, "me": {}, "sum": {},
}  # fmt: skip


def test_only_what_nothing_speaks_for_is_forgotten(tmp_path: Path) -> None:
    """Old and unused and unliked and calm and unmentioned and unmarked: one of nine is all of that."""
    from memory_shaper.edit import open_record
    from memory_shaper.recall.factors import Strengths
    from memory_shaper.recall.mentions import mention

    lines = [line(name, mark="!" if name == "pin" else "") for name in FORGOTTEN]
    made = house(tmp_path, *lines, forget_days=30)
    for name in FORGOTTEN:
        made.topic(f"{name}.md", days=20 if name == "young" else 100)
    made.topic("strong.md", "非常好！！ 超级好！！ 真的真的真的太棒了！！！\n", days=100)
    typed(made, "me", "profile", 100)
    typed(made, "sum", "summary", 100)
    made.read("read.md", 25)
    with open_record(made.home) as record:
        record.counters.rate("liked.md", True, ago(60))
        mention(record, ["talked1", "talked2"], 0, 0, NOW, Strengths())
    assert gone(made) == {"cold.md": "forgotten"}


def test_a_bad_word_does_not_keep(tmp_path: Path) -> None:
    """What was called useless is as good as unliked."""
    from memory_shaper.edit import open_record

    made = house(tmp_path, line("a"), forget_days=30)
    with open_record(made.home) as record:
        record.counters.rate("a.md", False, ago(60))
    assert gone(made) == {"a.md": "forgotten"}


def test_a_dry_run_lists_the_same_and_changes_no_byte(tmp_path: Path) -> None:
    """The rehearsal names what the run then moves, with the same reasons."""
    made = house(tmp_path, line("a"), line("b"), retain_project="30d", forget_days=30)
    typed(made, "a", "project", 90)
    without = ("state.db-shm", "state.db-wal")
    before = tree(made.home.path, *without)
    outcome = rehearse(made.home, made.settings, lambda: NOW)
    assert outcome is not None and outcome.rules is not None
    assert tree(made.home.path, *without) == before
    told = [(word.judged.entry.target, word.rule, word.why) for word, _ in outcome.rules.gone]
    assert told == [(word.judged.entry.target, word.rule, word.why) for word, _ in rules(made).gone]
    assert [rule for _, rule, _ in told] == ["retention", "forgotten"]


def test_nobody_is_forgotten_where_nobody_knows_what_is_read(tmp_path: Path) -> None:
    """When the host's sessions are gone, disuse proves nothing; what was replaced goes all the same."""
    made = house(tmp_path, line("a"), line("old"), line("new"), forget_days=200)
    made.run()
    (made.home.path / "state.db").unlink()
    made.write("a.md", "# a\n")
    made.topic("a.md", days=300)
    made.topic("new.md", "---\nsupersedes: old.md\n---\nnew\n")
    assert gone(made) == {"old.md": "replaced"}


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    """After a run another one changes no byte of the memory and has nothing to say."""
    made = house(tmp_path, *(line(f"t{number}") for number in range(90)), retain_project="30d")
    for number in range(90):
        typed(made, f"t{number}", "project", 90)
    assert len(gone(made)) == 90
    before = tree(made.memories)
    assert not rules(made).says
    assert tree(made.memories) == before
