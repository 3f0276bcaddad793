"""The skill that `install` copies, as each real host lists it."""

from pathlib import Path

from hosts.harness import Host, hermes, make_home
from hosts.test_install import ours


def test_the_skill_is_listed(host: Host, tmp_path: Path) -> None:
    """`hermes skills list` shows it as an enabled local skill of its category, and no longer after uninstalling."""
    home = make_home(tmp_path, plugins=())
    assert ours(home, "install").code == 0
    listed = hermes(host, home, "skills", "list")
    rows = [line for line in listed.out.splitlines() if "dynamic-memory" in line]
    assert listed.code == 0 and len(rows) == 1, listed.out
    assert "local" in rows[0] and "enabled" in rows[0]
    assert ours(home, "install", "--uninstall").code == 0
    assert "dynamic-memory" not in hermes(host, home, "skills", "list").out
