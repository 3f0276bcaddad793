"""Bare names in reads open the topic that they can only mean; and what a session tells of the guard being alive."""

from datetime import UTC, datetime
from pathlib import Path

from memory_shaper.edit import open_record
from memory_shaper.record import Beat
from memory_shaper.settings import Home
from memory_shaper.watchdog.tallying import tally

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
    (home.memories / "other-topic.md").write_text("about other-topic.md\n", encoding="utf-8")

    def read(path: str) -> tuple[str, dict[str, str]]:
        return "read_file", {"path": path}

    # A host answers a second read of one file with "unchanged": each way to name a file has a file of its own.
    ways = ("{}", "./{}", "memories/{}", "$HERMES_HOME/memories/{}", "${{HERMES_HOME}}/memories/{}")
    ways = (*ways, "~/.hermes/memories/{}", str(home.memories / "{}"))
    topics = [f"topic-{number}.md" for number in range(len(ways))]
    for name in topics:
        (home.memories / name).write_text(f"about {name}\n", encoding="utf-8")
    names = [way.format(name) for way, name in zip(ways, topics, strict=True)]
    turns = [
        *(ask(read(name)) for name in names),
        ask(*map(read, ("java-performance.md", "nowhere.md", "memories/new-topic.md"))),
        ask(read("deploy-pipeline.md")),
        ask(memory("remove", old_text=PYTHON)),
        ask(memory("add", DOCKER)),
        ask(terminal(f"cd {elsewhere}")),
        ask(read("python-env.md")),
        ask(*map(read, ("how-to-write-memories.md", "Other-Topic.md"))),
        say("done"),
    ]
    done = session(host, home, Script(main=turns))
    texts = [result.text for result in done.results]
    for way, name, text in zip(ways, topics, texts, strict=False):
        assert f"about {name}" in text, way
    several = texts[len(names) : len(names) + 3]
    wanted = ["about java-performance.md", "not found", "about new-topic.md"]
    assert all(want in text for want, text in zip(wanted, several, strict=True)), several
    assert "of the project" in texts[len(names) + 3]
    last = texts[-3:]
    wanted = ["about python-env.md", "about how-to-write-memories.md", "about other-topic.md"]
    assert all(want in text for want, text in zip(wanted, last, strict=True)), last
    seen = {(beat.surface, beat.event) for beat in beats(home)}
    assert {event for _, event in seen} == {Beat.LOADED, Beat.FIRED}
    assert {surface for surface, _ in seen} == {"cli"}
    assert_quiet_logs(home, "about java")
    found = Home(home.path, "given")
    with open_record(found) as record:
        tally(found, record, datetime.now(UTC))
        used = {topic.name for topic in record.uses.topics() if topic.count}
    more = ("java-performance.md", "new-topic.md", "python-env.md", "how-to-write-memories.md")
    # A project file that won is stored under the same bare name, and cannot be told from the topic.
    assert used - {"deploy-pipeline.md"} == {*topics, *more}
