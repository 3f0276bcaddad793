"""Questions to a model in real sessions: kept, and graded by exact values with and without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hosts.endpoint import Endpoint, Script, say
from hosts.harness import Host
from tools import benchmark

model = benchmark("model")
SAMPLE = Path(model.__file__).parent / "fixtures" / "transcripts"


def test_stored_transcripts_are_graded_again(capsys: pytest.CaptureFixture[str]) -> None:
    """A sample written by hand has its verdicts: right answers, denials in two languages, a wrong one, a near miss."""
    assert model.main(["--regrade", str(SAMPLE)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["native"]["verdicts"] == {"denied": 2, "right": 1, "wrong": 1}
    assert found["memory-shaper"]["verdicts"] == {"right": 3, "wrong": 1}
    assert [row["wanted"] for row in found["memory-shaper"]["not right"]] == ["83 percent"]


def test_a_folder_without_transcripts_is_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Grading nothing is an error that says so, never a zero."""
    assert model.main(["--regrade", str(tmp_path)]) == 2
    assert "holds no transcript" in capsys.readouterr().err


def test_each_question_is_a_session_of_its_own(host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both arms ask one question once, the transcripts are kept, and what was asked of the model holds the memory."""
    script = Script(main=[say("It is 75 EUR."), say("I have no record of that.")])
    with Endpoint(script) as endpoint:
        words = ["--endpoint", endpoint.url, "--model", "fake", "--transcripts", str(tmp_path)]
        assert model.main([*words, "--host", host.version, "--repeats", "1", "--questions", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["native"]["verdicts"] == {"right": 1}
    assert found["memory-shaper"]["verdicts"] == {"denied": 1}
    assert "Up to 75 EUR a support agent decides alone" in endpoint.requests[0].system
    ours = next(request for request in reversed(endpoint.requests) if request.lane == "main")
    assert "→ refund-approvals.md" in ours.system and "75 EUR" not in ours.system
    kept = json.loads((tmp_path / "native" / "1" / "000.json").read_text("utf-8"))
    assert [row["role"] for row in kept["messages"]] == ["user", "assistant"]
