"""Judging calls of the memory tool: what is refused, what passes, and that a refusal leads somewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import grammar, host
from memory_shaper.guard.memory import Judgement, Policy, judge
from memory_shaper.guard.memory_call import read_memory_call
from memory_shaper.model import Answer, Folder
from tools import CANONICAL, ENTRIES, FOLDER, HEADING, NEWLINES, cases

CRITICAL, PINNED, JAVA, PYTHON = ENTRIES
NEW = "docker,compose,volumes,network,restart → new-topic.md"
PYTHON_MORE = "python,venv,packaging,poetry,ruff,pytest,uv → python-env.md"
FORMS = pytest.mark.parametrize("text", [CANONICAL, NEWLINES], ids=["canonical", "newline-only"])
POLICY = Policy(2200, "/home/u/.hermes/memories")


def judged(
    args: object, text: str = CANONICAL, folder: Folder = FOLDER, cap: int = 2200, critical: str = "approve"
) -> Judgement | None:
    """What the judge says to the arguments of one call."""
    call = read_memory_call(args)
    policy = Policy(cap, POLICY.folder_path, critical)
    return None if call is None else judge(call, grammar.parse(text), folder, policy)


def outcome(args: object, text: str = CANONICAL, **more: object) -> tuple[str, str]:
    """The answer and the rule it is for."""
    judgement = judged(args, text, **more)  # type: ignore[arg-type]
    return ("allow", "") if judgement is None else (str(judgement.verdict.answer), judgement.verdict.rule)


def op(action: str, content: str | None = None, old_text: str | None = None) -> dict[str, object]:
    """One operation, with the fields that are given."""
    fields = {"action": action, "content": content, "old_text": old_text}
    return {name: value for name, value in fields.items() if value is not None}


def single(action: str, content: str | None = None, old_text: str | None = None) -> dict[str, object]:
    return {"target": "memory", **op(action, content, old_text)}


def batch(*operations: Mapping[str, object]) -> dict[str, object]:
    return {"target": "memory", "operations": list(operations)}


def next_calls(message: str) -> list[dict[str, object]]:
    """The calls of the memory tool that a message spells out."""
    found = []
    for piece in message.split("memory {")[1:]:
        found.append(json.JSONDecoder().raw_decode("{" + piece)[0])
    return found


def check_way_out(judgement: Judgement, text: str, folder: Folder = FOLDER) -> None:
    """Every call that a refusal spells out, but for the one with sample words in it, would pass."""
    for args in next_calls(judgement.verdict.message):
        if "keyword,keyword" not in json.dumps(args):
            answer = outcome(args, text, folder=folder)
            assert answer[0] != "block" or answer[1] == "over-cap", (args, judgement.verdict.message)


@FORMS
def test_every_row_of_the_case_file(text: str) -> None:
    """Each call of the case file gets the answer that stands there, in either form of the index."""
    rows = cases("memory")
    got = {row["id"]: outcome(row["args"], text)[0] for row in rows}
    assert got == {row["id"]: row["expect"] for row in rows}
    for row in rows:
        if (judgement := judged(row["args"], text)) is not None:
            check_way_out(judgement, text)


@FORMS
@pytest.mark.parametrize(
    "args",
    [
        single("add", NEW), single("add", f"  {NEW}\n"), single("add", JAVA), single("remove", old_text=JAVA),
        single("remove", old_text="java-performance.md"), single("replace", PYTHON_MORE, PYTHON),
        single("replace", PYTHON_MORE, "poetry"), single("patch", "uv", "typing"), single("patch", PYTHON_MORE, PYTHON),
        single("replace", NEW, JAVA), single("replace", "!project,deploy,release,ci,x → deploy-pipeline.md", PINNED),
        single("patch", "goes-live", "staging"), batch(op("add", NEW), op("remove", old_text=JAVA)),
        batch(op("add", NEW), op("replace", "docker,a1,b1,c1,d1 → new-topic.md", "docker")),
        batch(op("replace", "a1,b1,c1,d1,e1 → python-env.md", "java"),
              op("replace", "java,jvm,heap,gc,jmx → java-performance.md", "poetry")),
        batch(op("remove", old_text="jvm"), op("add", "java,jvm,heap,gc,jfr → java-performance.md")),
        {"target": "user", **op("add", "Likes short answers.")}, {"target": "memory", "action": "read"}, {}, None,
        {"target": "memory", "operations": json.dumps([op("add", NEW)])}, {"operations": op("add", NEW)},
        {**single("add"), "new_text": NEW}, {"target": "memory", "operations": [], **op("add", NEW)},
        {"target": None, "operations": None, **op("add", NEW)},
    ],
)  # fmt: skip
def test_good_calls_pass(args: object, text: str) -> None:
    """Adding, widening, retargeting, removing and swapping well-formed lines is nobody's business but the agent's."""
    assert outcome(args, text) == ("allow", "")


@FORMS
@pytest.mark.parametrize(
    ("args", "rule"),
    [
        (single("add", "Bob likes tea."), "not-an-entry"),
        (single("add", f"{NEW}\nand a note"), "not-an-entry"),
        (single("add", f"{NEW}\n§\n{JAVA}"), "not-an-entry"),
        (single("add", f"{NEW}\r{JAVA}"), "not-an-entry"),
        (single("add", "# New heading"), "not-an-entry"),
        (single("add", "keyword,keyword,keyword → new-topic.md"), "not-an-entry"),
        (single("add", "§"), "not-an-entry"),
        (single("add", " \n"), "call-shape"),
        (single("add"), "call-shape"),
        (single("remove"), "call-shape"),
        (single("replace", "", JAVA), "call-shape"),
        (single("patch", " ", "jvm"), "call-shape"),
        (single("replace", PYTHON_MORE, " \t"), "call-shape"),
        (single("patch", "x", "java"), "call-shape"),  # stands in the line twice
        (single("replace", PYTHON_MORE, "p"), "ambiguous"),
        (single("remove", old_text="o"), "ambiguous"),
        (single("remove", old_text="kotlin"), "no-match"),
        (single("remove", old_text=f"{JAVA}\n§\n{PYTHON}"), "no-match"),
        (single("remove", old_text="# Routing"), "heading"),
        (single("replace", "# x", "Routing"), "heading"),
        (single("patch", "x", "Routing"), "heading"),
        (single("replace", "prose about python", PYTHON), "not-an-entry"),
        (single("patch", "\n", ",typing"), "call-shape"),
        (single("replace", f"!{PYTHON}", PYTHON), "mark"),
        (single("replace", f"！{PYTHON}", PYTHON), "mark"),
        (single("replace", PINNED[1:], PINNED), "mark"),
        (single("replace", f"!{PINNED}", PINNED), "mark"),
        (single("patch", "how", "!!how"), "mark"),
        (single("patch", "!java", "java,"), "mark"),
        (single("add", f"!{NEW}"), "mark"),
        (single("add", f"!!{NEW}"), "mark"),
        (single("remove", old_text=PINNED), "pinned"),
        (single("replace", "!project,deploy,release,ci,x → new-topic.md", PINNED), "pinned"),
        (batch(op("remove", old_text=PINNED), op("add", PINNED[1:])), "pinned"),
        (batch(op("remove", old_text=PINNED), op("add", PINNED)), "pinned"),
        (batch(op("replace", "!a1,b1,c1,d1,e1 → new-topic.md", PINNED),
               op("add", "a2,b2,c2,d2,e2 → deploy-pipeline.md")), "pinned"),
        (batch(op("remove", old_text="how")), "critical-in-batch"),
        (batch(op("add", NEW), op("patch", "rules", "format")), "critical-in-batch"),
        (single("add", "java,jvm,a1,b1,c1 → java-performance.md"), "target-repeated"),
        (single("add", "java,jvm,a1,b1,c1 → Java-Performance.md"), "target-repeated"),
        (single("replace", "a1,b1,c1,d1,e1 → java-performance.md", PYTHON), "target-repeated"),
        (batch(op("add", NEW), op("add", "a1,b1,c1,d1,e1 → new-topic.md")), "target-repeated"),
        (single("replace", "a1,b1,c1,d1,e1 → gone.md", PYTHON), "target-missing"),
        (batch(op("add", NEW), op("add", "prose")), "not-an-entry"),
        (batch(op("add", NEW), op("move", old_text=JAVA)), "call-shape"),
        (batch(op("add", NEW), op("remove", old_text="docker"), op("remove", old_text="docker")), "no-match"),
        ({"target": "memory", "operations": "nonsense"}, "call-shape"),
        ({"target": "memory", "operations": [op("add", NEW), "x"]}, "call-shape"),
        ({"target": "memory", "operations": [{**op("add", NEW), "target": "user"}]}, "call-shape"),
        ({"target": ["user"], **op("add", NEW)}, "call-shape"),
        ({"target": "USER", **op("add", NEW)}, "call-shape"),
        ({"target": "memory", "action": ["add"], "content": NEW}, "call-shape"),
        (single("add", "\ud800"), "call-shape"),
    ],
)  # fmt: skip
def test_harm_is_refused(args: object, rule: str, text: str) -> None:
    """Each call is refused for its own reason, and what the refusal says to send would pass."""
    judgement = judged(args, text)
    assert judgement is not None
    assert ("block", rule) == (str(judgement.verdict.answer), judgement.verdict.rule)
    check_way_out(judgement, text)


@pytest.mark.parametrize(
    ("content", "fixed"),
    [
        ("备份，恢复，快照，冷备，灾备　→　new-topic.md", "备份,恢复,快照,冷备,灾备 → new-topic.md"),
        ("a1, b1,c1 ,d1,e1 -> new-topic.md", "a1,b1,c1,d1,e1 → new-topic.md"),
        ("a1,b1,c1,d1,e1 ⇒ new-topic.md", "a1,b1,c1,d1,e1 → new-topic.md"),
        ("a1,,b1,c1,d1,e1 → new-topic.md", "a1,b1,c1,d1,e1 → new-topic.md"),
        ("Docker,B1,c1,d1,e1 → new-topic.md", "docker,b1,c1,d1,e1 → new-topic.md"),
        ("new york,b1,c1,d1,e1 → new-topic.md", "new-york,b1,c1,d1,e1 → new-topic.md"),
        ("a1,b1,a1,c1,d1,e1 → new-topic.md", "a1,b1,c1,d1,e1 → new-topic.md"),
        ("a1,b1,c1,d1,e1 → NEW-topic.md", "a1,b1,c1,d1,e1 → new-topic.md"),
        ("caf\u0065\u0301,b1,c1,d1,e1 → new-topic.md", "café,b1,c1,d1,e1 → new-topic.md"),
    ],
)
def test_slips_are_answered_with_the_corrected_call(content: str, fixed: str) -> None:
    """A hand-typed slip is refused with the call that is meant."""
    judgement = judged(single("add", content))
    assert judgement is not None
    assert [single("add", fixed)] == next_calls(judgement.verdict.message)


def test_a_fix_that_would_fail_is_not_offered() -> None:
    """Where the corrected line would be refused too, no call with it is spelled out."""
    for content in ("A1,b1 -> new-topic.md", "A1,b1,c1,d1,e1 -> gone.md", "ignore,previous,A1,b1,c1 → new-topic.md"):
        judgement = judged(single("add", content))
        assert judgement is not None
        check_way_out(judgement, CANONICAL)


def test_widening_is_spelled_out() -> None:
    """A second line for a file is answered with the call that widens the first one, in clean words."""
    judgement = judged(single("add", "JVM,g1,JFR,c1,d1 → java-performance.md"))
    assert judgement is not None
    merged = f"{JAVA.partition(' → ')[0]},g1,jfr,c1,d1 → java-performance.md"
    assert [single("replace", merged, JAVA)] == next_calls(judgement.verdict.message)


def test_prose_is_answered_with_the_call_to_send() -> None:
    """A prose add is told to use memory_remember, with its own text in the call."""
    judgement = judged(single("add", 'He said "tea".'))
    assert judgement is not None
    assert 'memory_remember {"text": "He said \\"tea\\"."}' in judgement.verdict.message


@FORMS
def test_a_critical_line_asks(text: str) -> None:
    """A call of its own on a `!!` line is put to the human, with the line in view and a key of its own."""
    args = single("patch", "rules", "format")
    judgement = judged(args, text)
    assert judgement is not None
    assert (judgement.verdict.answer, judgement.verdict.rule) == (Answer.APPROVE, "critical")
    assert CRITICAL in judgement.verdict.message
    assert outcome(args, text, critical="block") == ("block", "critical")


def test_approval_keys_tell_changes_apart() -> None:
    """The key of an approval is the same for the same change only."""
    calls = [single("patch", new, "format") for new in ("rules", "rule", "rules")] + [single("remove", old_text="how")]
    keys = [judgement.verdict.key for args in calls if (judgement := judged(args))]
    assert keys[0] == keys[2]
    assert len(set(keys)) == 3


@FORMS
def test_a_removed_line_is_dropped_to_the_archive(text: str) -> None:
    """The draft names the lines whose file no line names any more, and those that are new."""
    judgement = judged(batch(op("remove", old_text=JAVA), op("add", NEW)), text)
    assert judgement is not None and judgement.draft is not None
    assert [entry.target for entry in judgement.draft.dropped] == ["java-performance.md"]
    assert [entry.target for entry in judgement.draft.added] == ["new-topic.md"]
    assert host.join(["\n".join(HEADING), CRITICAL, PINNED, PYTHON, NEW]) == judgement.draft.after


def test_later_operations_see_earlier_ones() -> None:
    """Within a batch an operation works on what the ones in front of it left."""
    args = batch(op("add", NEW), op("patch", "podman", "docker"), op("remove", old_text="podman"))
    judgement = judged(args)
    assert judgement is not None and judgement.draft is not None
    assert (str(judgement.verdict.answer), judgement.draft.after) == ("allow", CANONICAL)


def test_the_failing_operation_is_named() -> None:
    """A whole batch falls with one operation, and the refusal says which."""
    judgement = judged(batch(op("add", NEW), op("remove", old_text=JAVA), op("add", "prose")))
    assert judgement is not None
    assert "operation 3: " in judgement.verdict.message


@pytest.mark.parametrize("kind", ["single", "batch"])
def test_no_room_is_said_in_numbers(kind: str) -> None:
    """An entry that does not fit is refused with the number of characters to free, joins counted."""
    size = host.size(CANONICAL)
    args = single("add", NEW) if kind == "single" else batch(op("add", NEW))
    judgement = judged(args, cap=size + 5)
    assert judgement is not None
    need = len(NEW) + 3 - 5
    assert ("over-cap", need) == (judgement.verdict.rule, judgement.need)
    assert f"free {need} characters" in judgement.verdict.message
    assert outcome(args, cap=size + 3 + len(NEW)) == ("allow", "")


def test_full_index_of_the_bug_report() -> None:
    """At 2,195 of 2,200 an entry of 60 characters needs 58 more."""
    text = host.join([CANONICAL, "x" * (2195 - len(CANONICAL) - 3)])
    entry = "f1,g1,h1,i1,j1".ljust(60 - len(" → new-topic.md"), "j") + " → new-topic.md"
    judgement = judged(single("add", entry), text)
    assert judgement is not None
    assert (host.size(text), len(entry), judgement.need) == (2195, 60, 58)
    assert "free 58 characters (the host's join of 3 an entry counts)" in judgement.verdict.message


def test_removal_needs_no_room() -> None:
    """A single removal passes over the cap, a batch of removals only where it ends within it, as in the host."""
    assert outcome(single("remove", old_text=JAVA), cap=100) == ("allow", "")
    assert outcome(batch(op("remove", old_text=JAVA)), cap=100) == ("block", "over-cap")
    assert outcome(single("replace", PYTHON_MORE, PYTHON), cap=100) == ("block", "over-cap")


def test_old_faults_do_not_count() -> None:
    """Lines with faults of their own do not keep a good line out, nor a faulty line from getting better."""
    text = host.join([CANONICAL, "A,b -> gone.md", "x1,x2,x3,x4,x5 → python-env.md", "some prose"])
    better = "x1,x2,x3,x4,x6 → python-env.md"
    for args in (single("add", NEW), single("replace", better, "x5"), single("remove", old_text="some prose")):
        assert outcome(args, text) == ("allow", "")


def test_old_faults_may_shrink_and_not_grow() -> None:
    """A line that was short of keywords may gain one and not lose one."""
    text = host.join([CANONICAL, "a1,b1,c1 → new-topic.md"])
    assert outcome(single("patch", "c1", "b1,c1"), text) == ("block", "keyword-count")
    assert outcome(single("patch", "c1,d1,e1", "c1"), text) == ("allow", "")


def test_a_run_of_strays_goes_whole_or_not_at_all() -> None:
    """Prose lines that the host holds as one entry are not erased by a call that names one of them."""
    text = f"{CANONICAL}\n§\nfirst note\nsecond note\n\nthird note"
    for args in (single("remove", old_text="second note"), single("replace", NEW, "second note")):
        judgement = judged(args, text)
        assert judgement is not None
        assert (str(judgement.verdict.answer), judgement.verdict.rule) == ("block", "form-newline-only")
        check_way_out(judgement, text)
        assert [outcome(again, text) for again in next_calls(judgement.verdict.message)] == [("allow", "")]


PROSE = "The user likes tea.\n§\nThe office is in Gdańsk."


@pytest.mark.parametrize(
    "args",
    [
        single("add", "He has a cat."), single("remove", old_text="tea"), single("replace", "Likes coffee.", "tea"),
        batch(op("add", "x"), op("remove", old_text="office")), single("add", "# Heading"), single("add", "§"),
        single("remove", old_text="nothing such"), single("remove"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", ["", PROSE, "## Schedule\n- Daily: website check"])
def test_prose_memory_is_left_alone(args: object, text: str) -> None:
    """A memory that is no index yet takes prose and every ordinary edit."""
    assert outcome(args, text) == ("allow", "")


def test_prose_memory_is_not_wiped_out() -> None:
    """One native edit that would erase a prose memory of several lines is stopped; naming all of it is not."""
    text = "## Schedule\n- Daily: “website” check\n- Weekly: backup"
    for aimed in ("Daily", 'Daily: "website" check'):
        assert outcome(single("remove", old_text=aimed), text) == ("block", "form-newline-only")
    assert outcome(batch(op("replace", "x", "backup")), text) == ("block", "form-newline-only")
    assert outcome(single("remove", old_text=text), text) == ("allow", "")


def test_the_first_entry_of_a_prose_memory_is_judged() -> None:
    """The line that makes an index of a memory has to be a good one."""
    assert outcome(single("add", NEW), PROSE) == ("allow", "")
    assert outcome(single("add", "a1,b1,c1,d1,e1 → gone.md"), "") == ("block", "target-missing")


def test_a_second_fault_is_told_with_the_first() -> None:
    """A corrected line whose file is missing comes with the file to write first; what else is wrong is named."""
    message = judged(single("add", "a1,b1,c1,d1,e1 -> gone.md")).verdict.message  # type: ignore[union-attr]
    assert '"gone.md" does not exist. First write it: write_file' in message
    assert 'then repeat this call with the line "a1,b1,c1,d1,e1 → gone.md"' in message
    message = judged(single("add", "a1,b1 -> gone.md")).verdict.message  # type: ignore[union-attr]
    assert "2 keywords" in message and '"gone.md" does not exist' in message


@pytest.mark.parametrize(
    ("files", "target", "answer"),
    [
        ({"deploy.md"}, "Deploy.md", ("block", "target-shape")),
        ({"deploy.md", "Deploy.md"}, "Deploy.md", ("allow", "")),
        ({"e\u0301.md"}, "é.md", ("allow", "")),
        ({"é.md"}, "e\u0301.md", ("allow", "")),
        ({"é.md"}, "É.md", ("block", "target-shape")),
        ({"部署.md"}, "部署.md", ("allow", "")),
        ({"a b.md"}, "a b.md", ("block", "target-shape")),
        ({"con.md"}, "con.md", ("block", "target-shape")),
        ({"C:\\x.md"}, "C:\\x.md", ("block", "target-shape")),
    ],
)
def test_names_of_other_systems(files: set[str], target: str, answer: tuple[str, str]) -> None:
    """A target is spelt as on disk in case, in either Unicode form, and can exist everywhere."""
    assert answer == outcome(single("add", f"k1,k2,k3,k4,k5 → {target}"), folder=Folder(frozenset(files)))


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters(), max_size=20)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
ACTIONS = st.sampled_from(["add", "replace", "patch", "remove", "read", "", "ADD"])
TEXT = st.sampled_from(
    [
        *ENTRIES, NEW, PYTHON_MORE, "java", "python", "p", "how", "x", "", " ", "§", "# h", "Routing", "\n§\n", "!",
        "!!", f"!{NEW}", "a,b -> new-topic.md", "A1,b1,c1,d1,e1 → new-topic.md", "prose with words", "note one",
        "K1,k2,k3,k4,k5 → java-performance.md", "a1,b1,c1,d1,e1 → gone.md", "note one\nnote two", "\ud800", "\x00",
    ]
)  # fmt: skip
FIELD = st.one_of(TEXT, TEXT, TEXT, JSON)
OPERATION = st.fixed_dictionaries(
    {"action": st.one_of(ACTIONS, ACTIONS, JSON)}, optional={"content": FIELD, "old_text": FIELD, "new_text": FIELD}
)
ARGS = st.one_of(
    st.fixed_dictionaries(
        {"target": st.just("memory"), "operations": st.lists(st.one_of(OPERATION, JSON), max_size=4)}
    ),
    OPERATION.map(lambda fields: fields | {"target": "memory"}),
    st.fixed_dictionaries({}, optional=dict.fromkeys(("target", "action", "content", "operations"), FIELD)),
    JSON,
)
INDEXES = st.sampled_from(
    [
        CANONICAL, NEWLINES, "", PROSE, "\ufeff" + CANONICAL, CANONICAL.replace("\n", "\r\n"),
        f"{CANONICAL}\n§\nnote one\nnote two\n§\nA,b -> gone.md", "one\ntwo\nthree", f"{HEADING[0]}\n\n\n§\n§\n",
    ]
)  # fmt: skip


@given(ARGS, INDEXES)
def test_no_arguments_break_the_judge(args: object, text: str) -> None:
    """Whatever the arguments are, the judge answers; a refusal names a rule and a way out that works."""
    judgement = judged(args, text)
    if judgement is not None and judgement.verdict.answer is Answer.BLOCK:
        assert judgement.verdict.rule and judgement.verdict.message.startswith("memory-shaper: refused (")
        check_way_out(judgement, text)


@given(ARGS, INDEXES)
def test_no_refusal_teaches_how_to_switch_off(args: object, text: str) -> None:
    """No refusal speaks of the switches of the guard."""
    judgement = judged(args, text)
    said = judgement.verdict.message.casefold() if judgement else ""
    shown = json.dumps(args, ensure_ascii=False, default=str).casefold()
    for word in ("disable", "config.yaml", "--yolo", "uninstall", "switch off", "turn off", "plugins", "chmod"):
        assert word not in said or word in shown


@given(ARGS, st.sampled_from([CANONICAL, NEWLINES]))
def test_an_allowed_call_damages_nothing(args: object, text: str) -> None:
    """What passes without a question keeps heading and marks, and brings no error into the index."""
    judgement = judged(args, text)
    if judgement is not None and judgement.draft is not None and judgement.verdict.allowed:
        after = grammar.parse(judgement.draft.after)
        marked = [str(entry) for _, entry in after.entries() if entry.mark]
        assert grammar.heading(after) == "\n".join(HEADING)
        assert CRITICAL in marked
        assert [line.rpartition(" ")[2] for line in marked if line[1] != "!"] == ["deploy-pipeline.md"]
        targets = [entry.target for _, entry in after.entries()]
        assert len(targets) == len(set(targets)) and set(targets) <= FOLDER.files
