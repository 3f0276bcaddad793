"""Where the home is, and what config.yaml comes to: unreadable is never the same as empty or default."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import settings, yamlfile, yamllite
from memory_shaper.errors import Unreadable
from memory_shaper.settings import Home, Settings, find_home, load
from tools import PACKAGE, Place

OURS = "plugins:\n  entries:\n    memory-shaper:\n      settings:\n"


def loaded(home: Place, text: str | bytes, **env: str) -> Settings:
    """The settings of a home with that config.yaml."""
    home.home.config.write_bytes(text.encode() if isinstance(text, str) else text)
    return load(home.home, env)


def refusal(home: Place, text: str | bytes, **env: str) -> str:
    """What is said about a config that cannot be used, without the folder's name."""
    with pytest.raises(Unreadable) as caught:
        loaded(home, text, **env)
    return str(caught.value).replace(str(home.home.path), "HOME")


def test_no_config_is_the_defaults(home: Place) -> None:
    """A home without config.yaml has the host's default cap and says so."""
    found = load(home.home, {})
    assert (found.cap, found.cap_source, found["critical"], found.number("grace_days")) == (
        2200,
        "default",
        "approve",
        14.0,
    )


@pytest.mark.parametrize(
    ("value", "cap"),
    [
        ("8000", 8000), ("2_200", 2200), ("2200", 2200), ("'3200'", 3200), ('"2_200"', 2200), ("3200.0", 3200),
        ("3200 # was 2200", 3200), ("", None), ("~", None),
    ],
)  # fmt: skip
def test_cap(home: Place, value: str, cap: int | None) -> None:
    """The cap is the host's own setting, as a number or a quoted number; it says where it comes from."""
    found = loaded(home, f"memory:\n  memory_char_limit: {value}\n")
    assert ((cap or 2200), "config" if cap else "default") == (found.cap, found.cap_source)


@pytest.mark.parametrize(
    "value", ["''", "0", "-5", "2.5", ".inf", ".nan", "yes", "much", "[1]", "{a: 1}", "2026-01-01"]
)
def test_nonsense_cap(home: Place, value: str) -> None:
    """A cap that is no whole number above 0 stops everything, and its line is named."""
    said = refusal(home, f"# x\nmemory:\n  memory_char_limit: {value}\n")
    assert said.startswith("HOME/config.yaml:3: memory_char_limit is ")
    assert said.endswith("should be a whole number above 0; refusing to change anything")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("memory:\n memory_char_limit: 8000\n  x: 1\n", "HOME/config.yaml:3: config unreadable"),
        ("memory: {\n", "HOME/config.yaml:2: config unreadable"),
        ("- a\n- b\n", "HOME/config.yaml:1: config unreadable (not a mapping)"),
        ("just text\n", "HOME/config.yaml:1: config unreadable (not a mapping)"),
        ("memory:\n\tx: 1\n", "HOME/config.yaml:2: config unreadable"),
        (b"memory: \xff\n", "HOME/config.yaml: cannot be read (byte 8 is not UTF-8)"),
        ("x: " + "9" * 5000, "HOME/config.yaml: config unreadable (a value that YAML cannot hold)"),
        ("x: 2026-13-45\n", "HOME/config.yaml: config unreadable (a value that YAML cannot hold)"),
        ("x: " + "[" * 3000, "HOME/config.yaml"),
    ],
)
def test_broken_config(home: Place, text: str | bytes, place: str) -> None:
    """A config that cannot be read is an error with its line, never the defaults."""
    assert refusal(home, text).startswith(place)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("critical: maybe", "HOME/config.yaml:5: critical is 'maybe', and should be approve or block"),
        ("near_cap: 95", "HOME/config.yaml:5: near_cap is '95', and should be a number from 0.1 to 1"),
        ("grace_days: [1]", "HOME/config.yaml:5: grace_days is '[1]', and should be a number from 0 to 3650"),
        ("grace_days: .nan", "HOME/config.yaml:5: grace_days is 'nan', and should be a number from 0 to 3650"),
        ("on_full: true", "HOME/config.yaml:5: on_full is 'True', and should be archive or refuse"),
    ],
)
def test_nonsense_settings(home: Place, line: str, said: str) -> None:
    """A value that makes no sense names its line, the value and what it should be."""
    assert refusal(home, f"{OURS}        {line}\n") == f"{said}; refusing to change anything"


def test_environment_wins_and_is_named(home: Place) -> None:
    """MEMORY_SHAPER_NAME wins over the config, and a bad one is named instead of the config."""
    text = f"{OURS}        critical: approve\n"
    assert loaded(home, text, MEMORY_SHAPER_CRITICAL=" block ")["critical"] == "block"
    assert refusal(home, text, MEMORY_SHAPER_CRITICAL="x").startswith("MEMORY_SHAPER_CRITICAL: critical is 'x'")


def test_commented_key_is_no_key(home: Place) -> None:
    """A key in a comment has no effect, and does not lend its line to another's fault."""
    text = f"{OURS}        # grace_days: 1\n        grace_days: -1\n"
    assert refusal(home, text).startswith("HOME/config.yaml:6:")
    assert loaded(home, f"{OURS}        # grace_days: 1\n")["grace_days"] == 14


def test_unknown_key_names_the_nearest(home: Place) -> None:
    """A misspelt setting is a warning with the name that was meant, and changes nothing."""
    found = loaded(home, f"{OURS}        half_life_day: 30\n        zzz: 1\n")
    first, second = (note.partition("config.yaml: ")[2] for note in found.notes)
    assert first == 'unknown setting "half_life_day" has no effect; did you mean "half_life_days"?'
    assert second == 'unknown setting "zzz" has no effect'


def test_a_change_of_the_config_is_seen(home: Place) -> None:
    """Settings are read again when the file, or our environment, has changed."""
    assert loaded(home, "memory:\n  memory_char_limit: 3000\n").cap == 3000
    assert loaded(home, "memory:\n  memory_char_limit: 30000\n").cap == 30000
    assert load(home.home, {}) is load(home.home, {})
    assert load(home.home, {"MEMORY_SHAPER_ON_FULL": "refuse"})["on_full"] == "refuse"


@pytest.mark.parametrize(
    ("text", "env", "off"),
    [
        ("approvals:\n  mode: off\n", {}, True), ("approvals:\n  mode: 'off'\n", {}, True),
        ("approvals:\n  mode: manual\n", {}, False), ("", {}, False), ("", {"HERMES_YOLO_MODE": "1"}, True),
        ("", {"HERMES_YOLO_MODE": "0"}, False), ("", {"HERMES_YOLO_MODE": "True"}, True),
    ],
)  # fmt: skip
def test_approvals_off(home: Place, text: str, env: dict[str, str], off: bool) -> None:
    """We know where nobody can be asked."""
    assert off is loaded(home, text, **env).approvals_off


def test_unreadable_file(home: Place) -> None:
    """A config that is a folder is unreadable, not missing."""
    home.home.config.mkdir()
    with pytest.raises(Unreadable, match="cannot be read"):
        load(home.home, {})


@pytest.mark.parametrize(
    ("value", "tail"), [("~/other", "other"), ("$BASE/x", "b/x"), ("${BASE}/x", "b/x"), ("  ", ".hermes")]
)
def test_hermes_home(home: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, tail: str) -> None:
    """HERMES_HOME may hold `~` and variables; an empty one counts as not set."""
    monkeypatch.setenv("BASE", str(tmp_path / "b"))
    found = find_home({"HERMES_HOME": value, "HOME": str(tmp_path)})
    assert tmp_path / tail == found.path


def test_home_given_and_default(home: Place, tmp_path: Path) -> None:
    """A home that is given wins; without anything it is the platform's default below HOME."""
    assert Home(tmp_path / "here", "given") == find_home({"HERMES_HOME": "/x"}, tmp_path / "here")
    assert Home(home.home.path, "default") == find_home({"HOME": str(tmp_path)})


def test_active_profile(home: Place, tmp_path: Path) -> None:
    """Without HERMES_HOME the active profile is used and named; its config is its own."""
    (home.home.path / "active_profile").write_text("work\n")
    found = find_home({"HOME": str(tmp_path)})
    assert Home(home.home.path / "profiles" / "work", "profile work") == found
    found.path.mkdir(parents=True)
    found.config.write_text("memory:\n  memory_char_limit: 4000\n")
    assert (load(found, {}).cap, load(home.home, {}).cap) == (4000, 2200)


@pytest.mark.parametrize("content", [b"default", b"", b"\xef\xbb\xbfdefault\n"])
def test_default_profile(home: Place, tmp_path: Path, content: bytes) -> None:
    """The default profile is the home itself."""
    (home.home.path / "active_profile").write_bytes(content)
    assert Home(home.home.path, "default") == find_home({"HOME": str(tmp_path)})


@pytest.mark.parametrize("content", [b"\xff\xfe", None, b"../../etc", b"a\nb", b"a\x00b", b".."])
def test_active_profile_that_makes_no_sense(home: Place, tmp_path: Path, content: bytes | None) -> None:
    """An active profile that cannot be read is an error: the wrong home is never guessed."""
    path = home.home.path / "active_profile"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(Unreadable, match="active profile"):
        find_home({"HOME": str(tmp_path)})


def lite(home: Home, text: str) -> Settings | None:
    """The settings as yamllite reads them, None where it refuses the config."""
    try:
        tree = yamlfile._mapping(yamlfile._without_library(text, settings.SECTIONS))
        return settings._build(home, tree, text, {})
    except (Unreadable, yamlfile.BadYaml):
        return None


def full(home: Home, text: str) -> Settings | None:
    """The settings as PyYAML reads them, None where the config is refused."""
    try:
        return settings._build(home, settings._parse(home.config, text), text, {})
    except Unreadable:
        return None


SCALARS = st.sampled_from(
    [
        "approve", "block", "archive", "'refuse'", '"block"', "3200", "2_200", "'3200'", "010", "0x10", "1:30", "0b11",
        "0.5", "1e3", "1.5e+3", ".5", "+5", "-1", ".inf", ".nan", "yes", "NO", "tRue", "off", "null", "Null",
        "nULL", "~",
        "", "x # y", "x#y", "it's", "it's # don't", "'it''s'", '"a\\tb"', '"a\\x41"', "'a' b", '"a', "[a, b]", "{}",
        "{a: 1}", "&x 1", "*x", "!!int 3", "@x", "%x", "- x", "-x", "? x", "a: b", "a:b", "a:", "1_000.5", "2026-01-01",
        "|", ">-", "08", "0", "00", "1__0", "5_", "\"it's\"", "# only", "`x`", "C:\\x", '"C:\\\\x"', "=", "<<", "a\tb",
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    ["memory", "plugins", "entries", "memory-shaper", "settings", "memory_char_limit", "critical", "grace_days",
     "near_cap", "'critical'", '"memory"', "approvals", "mode", "other", "a b", "zz-top", "- x", "<<", "x y"]
)  # fmt: skip
LINES = st.tuples(st.sampled_from([0, 0, 2, 2, 4, 6, 8]), KEYS, st.sampled_from([": ", ":", ":  "]), SCALARS)


@given(st.lists(LINES.map(lambda parts: " " * parts[0] + "".join(parts[1:])), max_size=8))
def test_both_readers_agree_on_any_lines(lines: list[str]) -> None:
    """Our reader gives what PyYAML gives, or says that it cannot; it never guesses."""
    home, text = Home(Path("/nowhere"), "given"), "\n".join(lines)
    ours = lite(home, text)
    tree = None
    with contextlib.suppress(yaml.YAMLError, ValueError, TypeError):
        tree = yaml.safe_load(text)
    if ours is not None and isinstance(tree, dict):
        theirs = full(home, text)
        assert theirs is not None and replace(ours, notes=()) == replace(theirs, notes=()), text


@given(
    st.fixed_dictionaries({}, optional={"memory_char_limit": SCALARS, "memory_enabled": SCALARS, "provider": SCALARS}),
    st.fixed_dictionaries({}, optional=dict.fromkeys((*settings.TABLE, "unheard"), SCALARS)),
)
def test_both_readers_agree_on_our_sections(memory: dict[str, str], ours: dict[str, str]) -> None:
    """A config of the usual shape gives the same settings with and without PyYAML, whatever its values are."""
    home = Home(Path("/nowhere"), "given")
    lines = ["model: x", "memory:", *(f"  {name}: {value}" for name, value in memory.items()), "plugins:"]
    lines += ["  enabled:", "  - a", "  entries:", "    other: {}", "    memory-shaper:", "      settings:"]
    lines += [f"        {name}: {value}" for name, value in ours.items()]
    text = "\n".join(lines)
    with_yaml, without = full(home, text), lite(home, text)
    assert with_yaml is None or without in (None, with_yaml), text


@pytest.mark.parametrize(
    "text",
    [
        OURS + "        critical: block   # asked for\n", "---\nmemory:\n  memory_char_limit: 3200\n",
        "other:\n- a\n-\n  b: c\nmemory:\n    memory_char_limit: 3200\n",
        "text: |\n  # no comment\n  \tx\n  plugins: x\nmemory:\n  memory_char_limit: 3200\n",
        "model: {a: [1, 2], b: *x}\nmemory:\n  provider: ''\n  memory_char_limit: '3200'\n",
        "plugins:\n  enabled: [memory-shaper]\n  entries: {}\napprovals:\n  mode: off\n",
        "plugins:\n  enabled:\n    - memory-shaper\n  entries:\n"
        "    memory-shaper:\n      settings:\n        on_full: refuse\n",
    ],
)  # fmt: skip
def test_usual_configs_need_no_yaml_library(text: str) -> None:
    """Configs as people write them are read without PyYAML too."""
    assert lite(Home(Path("/nowhere"), "given"), text) is not None


def test_without_pyyaml(home: Place) -> None:
    """In an interpreter without PyYAML the same config gives the same settings, and a broken one the same line."""
    text = f"memory:\n  memory_char_limit: 2_400\n{OURS}        critical: block\n"
    code = (
        "import sys, json; sys.path.insert(0, sys.argv[1]); from memory_shaper import settings; "
        "home = settings.Home(__import__('pathlib').Path(sys.argv[2]), 'given'); found = settings.load(home, {}); "
        "print(json.dumps([found.cap, dict(found.values), 'yaml' in sys.modules]))"
    )
    expected = loaded(home, text)
    command = [sys.executable, "-S", "-I", "-c", code, str(PACKAGE), str(home.home.path)]
    cap, values, has_yaml = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert (expected.cap, dict(expected.values), False) == (cap, values, has_yaml)
    home.home.config.write_text("memory:\n memory_char_limit: 8000\n  x: 1\n")
    broken = subprocess.run(command, capture_output=True, text=True, check=False)
    assert f"{home.home.config}:3: config unreadable" in broken.stderr


@pytest.mark.parametrize("blank", [" " * 100_000, "'" * 100_000, "a: " * 30_000, '"' * 99_999, "\t" * 100_000])
def test_long_lines_end(blank: str) -> None:
    """A line of a hundred thousand odd characters is read or refused, not chewed on."""
    for text in (f"a{blank}b #c", f"memory:\n  x: {blank}#", f"memory: {blank}"):
        try:
            yamllite.load(text, frozenset({"memory"}))
        except yamllite.NotPlain as error:
            assert error.line > 0


PATTERNS = (
    OURS
    + """        exclude: ['私人', "(?i)password"]
        always:
          - 技术栈
        redact:
          '\\b\\d{17}[\\dXx]\\b': '[id]'
          "sk-[a-z]+": "[key]"
"""
)


def test_patterns_are_read_with_and_without_a_library(home: Place) -> None:
    """Lists on one line and on several, a mapping, in quotes of either kind."""
    rules = loaded(home, PATTERNS).rules
    assert [one.pattern for one in rules.exclude] == ["私人", "(?i)password"]
    assert [one.pattern for one in rules.always] == ["技术栈"]
    assert [(one.pattern, put) for one, put in rules.redact] == [
        ("\\b\\d{17}[\\dXx]\\b", "[id]"),
        ("sk-[a-z]+", "[key]"),
    ]
    ours = lite(home.home, PATTERNS)
    assert ours is not None and ours.rules == rules


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("exclude: ['(a+)+']", '5: exclude: the pattern "(a+)+" is not used: it repeats'),
        ("redact: {'(a)': '\\2'}", "5: redact: "),
        ("always: 'a*'", "5: always: the pattern"),
        ("redact: [a]", "5: redact: a mapping"),
    ],
)
def test_a_bad_pattern_stops_everything_and_is_named(home: Place, line: str, said: str) -> None:
    """File, line, setting and why: what cannot be read never lets a text pass."""
    with pytest.raises(Unreadable) as caught:
        loaded(home, f"{OURS}        {line}\n")
    assert f"config.yaml:{said}" in str(caught.value)


def test_a_list_that_our_reader_cannot_read_is_refused(home: Place) -> None:
    """Without a library a nested list is no list of patterns, and never an empty one."""
    assert lite(home.home, f"{OURS}        exclude: [[a]]\n") is None


def test_patterns_from_the_environment(home: Place) -> None:
    """They are JSON, and win over the file."""
    rules = loaded(home, PATTERNS, MEMORY_SHAPER_EXCLUDE='["x"]').rules
    assert [one.pattern for one in rules.exclude] == ["x"]
    with pytest.raises(Unreadable, match="no JSON"):
        loaded(home, PATTERNS, MEMORY_SHAPER_EXCLUDE="[x")
