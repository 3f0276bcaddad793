"""Bare names in reads open the topic that they can only mean; and what a session tells of the guard being alive."""

from pathlib import Path

from memory_shaper.record import Beat

from hosts.endpoint import Script, ask, say
from hosts.harness import Host, session
from hosts.scenes import DOCKER, PYTHON, assert_quiet_logs, beats, indexed_home, memory, terminal


def test_names_resolve__from_any_folder(host: Host, tmp_path: Path) -> None:
    """A name of the index or archive opens its file, alone or among several, and a project file of that name wins."""
    home = indexed_home(tmp_path)
    elsewhere = home.work / "deep" / "er"
    elsewhere.mkdir(parents=True)
    (home.work / "deploy-pipeline.md").write_text("of the project\n", encoding="utf-8")
    (elsewhere / "deploy-pipeline.md").write_text("of the deeper project\n", encoding="utf-8")
    user = (home.folder / "user" / ".hermes").absolute()
    user.symlink_to(home.path)

    def read(path: str) -> tuple[str, dict[str, str]]:
        return "read_file", {"path": path}

    names = [
        "java-performance.md", "./java-performance.md", "memories/java-performance.md",
        "$HERMES_HOME/memories/java-performance.md", "${HERMES_HOME}/memories/java-performance.md",
        "~/.hermes/memories/java-performance.md", "Java-Performance.md", str(home.memories / "java-performance.md"),
    ]  # fmt: skip
    turns = [
        *(ask(read(name)) for name in names),
        ask(*map(read, ("java-performance.md", "memories/python-env.md", "nowhere.md", "new-topic.md"))),
        ask(read("deploy-pipeline.md")),
        ask(memory("remove", old_text=PYTHON)),
        ask(memory("add", DOCKER)),
        ask(terminal(f"cd {elsewhere}")),
        ask(read("python-env.md")),
        ask(read("java-performance.md"), read("new-topic.md"), read("archived memories/python-env.md")),
        say("done"),
    ]
    done = session(host, home, Script(main=turns))
    texts = [result.text for result in done.results]
    for name, text in zip(names, texts, strict=False):
        assert "about java-performance.md" in text, name
    several = texts[len(names) : len(names) + 4]
    wanted = ["about java-performance.md", "about python-env.md", "not found", "about new-topic.md"]
    assert all(want in text for want, text in zip(wanted, several, strict=True)), several
    assert "of the project" in texts[len(names) + 4]
    last = texts[-4:]
    wanted = ["about python-env.md", "about java-performance.md", "about new-topic.md", "about python-env.md"]
    assert all(want in text for want, text in zip(wanted, last, strict=True)), last
    seen = {(beat.surface, beat.event) for beat in beats(home)}
    assert {event for _, event in seen} == {Beat.LOADED, Beat.FIRED}
    assert {surface for surface, _ in seen} == {"cli"}
    assert_quiet_logs(home, "about java")
