"""The runner: what a second run repeats, what a missing file leads to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools import benchmark

run = benchmark("run")
compare = benchmark("compare")


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neither data sets nor real hosts."""
    monkeypatch.delenv("MEMORY_SHAPER_DATA", raising=False)
    monkeypatch.setenv("MEMORY_SHAPER_HOSTS", str(tmp_path / "none"))
    yield


def result(folder: Path, part: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((folder / f"{part}.json").read_text("utf-8"))
    return found


def test_a_second_run_repeats_every_figure(tmp_path: Path) -> None:
    """Two quick runs of one part give the same figures, and say the same of the hosts that are missing."""
    for name in ("one", "two"):
        assert run.main(["facts", "--quick", "--results", str(tmp_path / name)]) == 0
    assert compare.compare(tmp_path / "one", tmp_path / "two") == []
    assert result(tmp_path / "one", "facts")["figures"]["short facts, ours"]
    assert "make hosts" in str(result(tmp_path / "one", "facts")["skipped"]["native"])


def test_missing_data_is_said_and_is_no_zero(tmp_path: Path) -> None:
    """Without the public sets only our own is asked, and each of the others is named with the reason."""
    assert run.main(["retrieval", "ablation", "--quick", "--results", str(tmp_path)]) == 0
    found = result(tmp_path, "retrieval")
    assert list(found["figures"]) == ["defaults", "complex memories, test"]
    assert len(found["skipped"]) == 5 and all("data sets" in str(why) for why in found["skipped"].values())
    assert result(tmp_path, "ablation")["figures"] == {} and len(result(tmp_path, "ablation")["skipped"]) == 2


def test_a_test_split_is_read_with_frozen_defaults_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any other weight no test split is read, and the result says why."""
    retrieval = benchmark("retrieval")
    assert retrieval.defaults()["digest"] == retrieval.FROZEN
    monkeypatch.setattr(retrieval.score, "B", 0.5)
    found = retrieval.measure(benchmark("common").How(quick=True))
    assert "tune first" in found.skipped["complex memories, test"]


def test_an_unknown_part_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    """The parts that there are are named."""
    assert run.main(["weather"]) == 2
    assert "capacity" in capsys.readouterr().err


def test_compare_names_every_difference(tmp_path: Path) -> None:
    """A figure that changed is a difference, a time that changed is none."""
    for name, figure in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        tree = {"figures": {"a": [figure]}, "timings": {"b": figure}, "skipped": {}}
        (tmp_path / name / "part.json").write_text(json.dumps(tree), "utf-8")
    assert compare.compare(tmp_path / "one", tmp_path / "two") == ["part/figures/a/0: 1, then 2"]


def test_results_tell_no_name_and_no_path(tmp_path: Path) -> None:
    """What a result was made on is a kind of machine."""
    common = benchmark("common")
    common.write_result(tmp_path, "part", common.How(), common.Result())
    about = result(tmp_path, "part")["about"]
    assert {"date", "seed", "python", "sqlite", "packages", "machine"} <= set(about)
    assert set(about["machine"]) == {"system", "architecture", "processor", "cores", "memory GiB"}  # type: ignore[call-overload]
    assert str(Path.home()) not in json.dumps(about)
