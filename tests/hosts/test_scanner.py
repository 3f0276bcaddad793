"""What this project writes into the prompt passes the hosts' own scanners, and what it warns of does not."""

import json
from pathlib import Path

from memory_shaper import archive, headings
from memory_shaper import host as host_view
from memory_shaper.rules.words import hidden_by_host

from hosts.harness import Home, Host, host_python, make_home

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "memories"
CODE = """
import json, sys
from tools.threat_patterns import scan_for_threats
json.dump([scan_for_threats(text, scope="strict") for text in json.load(sys.stdin)], sys.stdout)
"""


def scanned(host: Host, home: Home, texts: list[str]) -> list[list[str]]:
    """What the host's scanner finds in each text."""
    ended = host_python(host, home, CODE, given=json.dumps(texts))
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


def test_headings_and_examples_are_shown(host: Host, tmp_path: Path) -> None:
    """No heading of ours and no line of the demo home is hidden from the prompt."""
    texts = [headings.heading("full", "~/.hermes/memories"), headings.SHORT, archive.HEADING]
    for index in (EXAMPLES / "MEMORY.md", EXAMPLES / "archived memories" / "archived-memories.md"):
        texts += host_view.entries(index.read_text(encoding="utf-8"))
    home = make_home(tmp_path, plugins=())
    assert scanned(host, home, texts) == [[] for _ in texts]
    assert not any(map(hidden_by_host, texts))


def test_what_the_rule_warns_of_is_hidden(host: Host, tmp_path: Path) -> None:
    """The words of the rule host-hidden are hidden by the host as well."""
    texts = [
        "pentest,metasploit,scan,ports,audit → a.md",
        "ssh,authorized_keys,login,server,key → b.md",
        "a\u200db,c → c.md",
    ]
    assert all(scanned(host, make_home(tmp_path, plugins=()), texts))
    assert all(map(hidden_by_host, texts))
