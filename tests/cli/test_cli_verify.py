"""`verify`: findings, numbers, exit codes, and one clear line for whatever cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from cli_tools import DEPLOY, HEADING, INDEX, POSTGRES, demo
from memory_shaper import host
from memory_shaper.cli import VERBS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "memories"


def test_a_clean_index_is_told_in_one_line(tmp_path: Path) -> None:
    """No finding, exit 0, the size against the cap and where the cap comes from."""
    said = demo(tmp_path).say("verify")
    assert (said.code, said.out) == (0, "no findings in MEMORY.md, 220 of 2,200 characters (cap: default)\n")
    assert said.err == f"home: {tmp_path / 'home'} (given)\n"


def test_a_finding_has_place_sentence_caret_and_hint(tmp_path: Path) -> None:
    """The whole text of a finding on a line with wide characters before it."""
    home = demo(tmp_path, f"{HEADING}\n§\n拼音,输入法,词库,雾凇,Vm → rime.md")
    assert home.say("verify", "--select", "keyword-case").out == (
        'MEMORY.md:3:14: error[keyword-case]: keyword "Vm" is not in lower case\n'
        "    拼音,输入法,词库,雾凇,Vm → rime.md\n"
        "                          ^^\n"
        "    hint: 拼音,输入法,词库,雾凇,vm → rime.md\n"
        "1 finding in MEMORY.md (1 error), 59 of 2,200 characters (cap: default)\n"
    )


def test_ordinary_markdown_is_no_index(tmp_path: Path) -> None:
    """Bullets are named line by line, and migrate is offered: never a silent 0 entries."""
    said = demo(tmp_path, "## Schedule\n- Daily: website check\n- Weekly: backup").say("verify")
    assert said.code == 1
    assert [line.split(": ")[0] for line in said.out.splitlines() if "not-an-entry" in line] == [
        "MEMORY.md:2:1",
        "MEMORY.md:3:1",
    ]
    assert "memory-shaper migrate" in said.err


def test_sizes_are_the_hosts(tmp_path: Path) -> None:
    """Characters are counted as the host counts them, bytes apart, and JSON says where the cap comes from."""
    home = demo(tmp_path, "\n§\n".join(",".join(["中" * 9] * 10) + " → rime.md" for _ in range(21)))
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 3200\n")
    data = home.say("verify", "--json").json
    assert (data["chars"], data["bytes"]) == (host.size(home.text()), len(home.text().encode()))
    assert (data["cap"], data["cap_source"]) == (3200, "config")


def test_json_has_the_documented_fields(tmp_path: Path) -> None:
    """The fields of the JSON are those of the table."""
    assert list(demo(tmp_path).say("verify", "--json").json) == [name for name, _ in VERBS["verify"].fields]


def test_code_samples_and_templates_are_no_dangling_lines(tmp_path: Path) -> None:
    """What topic files contain is nobody's finding, and neither is the template line."""
    home = demo(tmp_path, INDEX.replace(HEADING, f"{HEADING}\nkeyword,keyword,keyword,keyword,keyword → file.md"))
    (home.memories / "deploy.md").write_text("[[:space:]]\n```\na,b → x.md\n```\n")
    assert home.say("verify").code == 0


def test_warnings_count_where_it_is_strict(tmp_path: Path) -> None:
    """A warning is exit 0, with --strict exit 1."""
    home = demo(tmp_path, INDEX.replace(HEADING, "# mine"))
    assert [home.say("verify").code, home.say("verify", "--strict").code] == [0, 1]


def test_an_unknown_setting_is_named_with_its_neighbour(tmp_path: Path) -> None:
    """A misspelt setting is a warning with the nearest name; --strict makes it count."""
    home = demo(tmp_path)
    settings = "plugins:\n  entries:\n    memory-shaper:\n      settings:\n        half_life_day: 30\n"
    (home.path / "config.yaml").write_text(settings)
    said = home.say("verify")
    assert said.code == 0
    assert 'unknown setting "half_life_day" has no effect; did you mean "half_life_days"?' in said.err
    assert home.say("verify", "--strict").code == 1


def test_the_archive_index_is_known_by_its_name(tmp_path: Path) -> None:
    """It has no cap, and its targets are the files beside it."""
    home = demo(tmp_path)
    home.say("archive", "postgres")
    said = home.say("verify", str(home.archive / "archived-memories.md"))
    assert said.code == 0
    assert said.out.endswith("archived-memories.md, 1 entry, 143 characters\n")
    assert home.say("verify", "--json").json["archive"]["cap"] is None


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_rule_is_a_usage_error(tmp_path: Path, option: str) -> None:
    """The nearest rule is named."""
    said = demo(tmp_path).say("verify", option, "keyword-cas")
    assert (said.code, said.out) == (2, "")
    assert said.err.endswith('there is no rule "keyword-cas", did you mean "keyword-case"?\n')


def test_rules_can_be_left_out(tmp_path: Path) -> None:
    """--ignore takes several names."""
    home = demo(tmp_path, f"# mine\n§\n{POSTGRES}\n§\nVm,linux,disk,boot,usb → rime.md")
    left_out = "keyword-case,topic-orphan,heading-without-routing-rule"
    assert home.say("verify", "--strict", "--ignore", left_out).code == 0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "Is a directory"),
        (lambda path: path.write_bytes(b"# h\n\xff"), ":2: byte 4 is not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, make: object, words: str) -> None:
    """A missing file, a folder and a file that is no text: exit 2 and one line."""
    home = demo(tmp_path, None)
    make(home.index)
    said = home.say("verify")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert words in said.err


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_one_line(tmp_path: Path) -> None:
    """No right to read is told as that."""
    home = demo(tmp_path)
    home.index.chmod(0)
    assert home.say("verify").err.endswith("cannot be read (Permission denied); nothing was changed\n")


def test_a_missing_folder_is_not_empty(tmp_path: Path) -> None:
    """An unmounted memories folder is an error, and is not made."""
    home = demo(tmp_path)
    home.memories.rename(tmp_path / "away")
    assert [home.say(verb).code for verb in ("verify", "fix", "status", "merge")] == [2, 2, 2, 2]
    assert not home.memories.exists()


def test_a_broken_config_stops_it(tmp_path: Path) -> None:
    """A config that cannot be read is never the same as the defaults."""
    home = demo(tmp_path)
    (home.path / "config.yaml").write_text("memory:\n memory_char_limit: 8000\n  x: 1\n")
    said = home.say("verify")
    assert said.code == 2
    assert "refusing to change anything" in said.err


def test_case_mismatch_and_merge_markers_are_named(tmp_path: Path) -> None:
    """A target in another case than on disk, and what version control left."""
    home = demo(
        tmp_path, f"{HEADING}\n§\n{POSTGRES.replace('postgres.md', 'Postgres.md')}\n<<<<<<< HEAD\n{DEPLOY}\n>>>>>>> x"
    )
    out = home.say("verify").out
    assert 'the target "Postgres.md" is "postgres.md" on disk' in out
    assert out.count("error[merge-markers]") == 2


def test_control_characters_never_reach_the_terminal(tmp_path: Path) -> None:
    """An escape sequence in a line is shown, not sent."""
    home = demo(tmp_path, f"{HEADING}\n§\n\x1b]0;x\x07 a\u202eb\t← prose")
    out = home.say("verify").out
    assert "␛]0;x␇ a\N{REPLACEMENT CHARACTER}b\t← prose" in out
    assert "\x1b" not in out


def test_a_very_long_line_is_cut_around_its_finding(tmp_path: Path) -> None:
    """A line of 18,000 characters does not flood the screen, and the carets stand under the word."""
    words = ",".join(f"w{number}" for number in range(1400))
    home = demo(tmp_path, f"{HEADING}\n§\n{words},Vm,{words} → rime.md")
    _, source, run, *_ = home.say("verify", "--select", "keyword-case").out.splitlines()
    assert len(source) < 120
    assert source[run.index("^") : run.rindex("^") + 1] == "Vm"


def test_the_examples_are_clean(tmp_path: Path) -> None:
    """The demo home has no finding at all, in both of its indexes."""
    said = demo(tmp_path).say("verify", "--strict", "--memdir", str(EXAMPLES))
    assert (said.code, said.out.count("no findings in")) == (0, 2)


def test_nothing_is_written(tmp_path: Path) -> None:
    """Verify leaves a home exactly as it found it."""
    home = demo(tmp_path)
    home.say("verify")
    assert sorted(path.name for path in home.path.rglob("*")) == [
        "MEMORY.md",
        "deploy.md",
        "memories",
        "postgres.md",
        "rime.md",
        "rules.md",
    ]


def test_secrets_are_named_by_kind_and_line(tmp_path: Path) -> None:
    """In a keyword, a file name, a topic and the archive: told as warnings, the value never shown."""
    key = "ghp_fake0123456789abcdefghij0123456789"
    home = demo(tmp_path, INDEX.replace("vacuum", key))
    (home.memories / "deploy.md").write_text(f"# Deploy\n\ntoken: {key}\n")
    (home.memories / f"{key}.md").write_text("x")
    (home.memories / "below").mkdir()
    (home.memories / "below" / "rime.md").write_text("卡 4111 1111 1111 1111\n")
    said = home.say("verify")
    assert said.code == 0 and key not in said.out and "4111" not in said.out
    assert "MEMORY.md:7:14: warning[secret]: a GitHub token stands here" in said.out
    assert 'the name of the file "[a GitHub token].md" holds a GitHub token' in said.out
    topics = home.say("verify", "--json").json["topics"]
    assert isinstance(topics, list)
    found = [(row["file"], row["line"], row["rule"]) for row in topics]
    assert found == [("below/rime.md", 1, "secret"), ("deploy.md", 3, "secret")]
    assert "secret" not in home.say("verify", "--ignore", "secret").out
    doctor = home.say("doctor")
    assert "below/rime.md line 1 (a payment card number)" in doctor.out and key not in doctor.out


def test_prose_is_told_in_one_sentence_without_a_count_of_errors(tmp_path: Path) -> None:
    """The lines are named, the exit code stays, and migrate is offered."""
    said = demo(tmp_path, "## Schedule\n- Daily: website check\n- Weekly: backup\n").say("verify")
    assert said.code == 1 and "MEMORY.md:2" in said.out and "memory-shaper migrate" in said.err
    assert "as in every memory that is not an index yet" in said.out and " errors" not in said.out
