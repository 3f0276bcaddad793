"""git: verbs that change files of the working tree."""

from __future__ import annotations

from collections.abc import Callable

from ..shell.hands import UNHEARD, Call, Hands, Outcome
from ..shell.paths import base, join
from .options import Options, named, read_options

_GLOBAL = frozenset({"C", "c", "git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"})
_WHOLE = named(
    "stash apply am pull merge rebase cherry-pick revert switch bisect submodule worktree clean "
    "sparse-checkout lfs filter-branch filter-repo read-tree checkout-index subtree mergetool difftool "
    "rerere svn p4 citool gui"
)
_LOOKS = frozenset({"list", "show", "status", "log", "-n", "--dry-run", "--check", "--stat", "--numstat", "--summary"})
_TAKES = named("s source b B orphan pathspec-from-file conflict m o output j depth branch reference U")


def git(call: Call) -> Outcome:
    """git: paths are written; what changes a whole tree is not known."""
    given = read_options(call.args, _GLOBAL, mixed=False)
    hands = call.hands
    for folder in given.all("C"):
        hands = hands.inside(folder)
    if given.has("work-tree"):
        hands = hands.inside(given.last("work-tree") or ".")
    if any(value.startswith("alias.") for value in given.all("c")):
        call.hands.opaque()
    if given.operands:
        _verb(hands, given.operands[0], given.operands[1:])
    return UNHEARD


def _verb(hands: Hands, verb: str, args: list[str]) -> None:
    known = _VERBS.get(verb)
    if known is not None:
        known(hands, args)
    elif verb in _WHOLE and not (args[:1] and args[0] in _LOOKS):
        hands.opaque()


def _checkout(hands: Hands, args: list[str]) -> None:
    """git checkout [tree] [--] paths; without paths it may change any file."""
    if "--" in args:
        paths = args[args.index("--") + 1 :]
    else:
        given = read_options(args, _TAKES)
        paths = [path for path in given.operands if hands.exists(path) or path in (".", "..")]
        if given.has("b", "B", "orphan") and not given.operands[1:]:
            return
        paths = [] if given.has("b", "B", "orphan") else paths
    _write_paths(hands, paths)


def _restore(hands: Hands, args: list[str]) -> None:
    given = read_options(args, _TAKES)
    if given.has("S", "staged") and not given.has("W", "worktree"):
        return
    _write_paths(hands, given.operands)


def _write_paths(hands: Hands, paths: list[str]) -> None:
    """Pathspecs; a pattern matches below every folder, so it is not known where."""
    if not paths:
        hands.opaque()
    for path in paths:
        if path[:1] == ":" or any(sign in path for sign in "*?["):
            hands.opaque()
        else:
            hands.write(path, "git", hands.is_folder(path))


def _reset(hands: Hands, args: list[str]) -> None:
    if {"--hard", "--merge", "--keep"} & set(args):
        hands.opaque()


def _remove(hands: Hands, args: list[str]) -> None:
    given = read_options(args, ("pathspec-from-file",))
    if given.has("cached", "n", "dry-run"):
        return
    for path in given.operands:
        hands.delete(path, "git", given.has("r") and hands.is_folder(path))


def _move(hands: Hands, args: list[str]) -> None:
    given = read_options(args)
    if given.has("n", "dry-run") or len(given.operands) < 2:
        return
    *sources, place = given.operands
    for source in sources:
        hands.delete(source, "git", hands.is_folder(source))
        hands.write(join(place, base(source)) if hands.is_folder(place) else place, "git", hands.is_folder(source))


def _clone(hands: Hands, args: list[str]) -> None:
    given = read_options(args, _TAKES)
    if given.operands:
        name = given.operands[1] if given.operands[1:] else base(given.operands[0]).removesuffix(".git")
        hands.made_folder(name)


def _init(hands: Hands, args: list[str]) -> None:
    for path in read_options(args, ("b", "initial-branch", "template")).operands:
        hands.made_folder(path)


def _output(hands: Hands, args: list[str]) -> None:
    """diff, log, show, archive, format-patch: --output and -o."""
    given: Options = read_options(args, ("o", "output"))
    for path in given.all("o", "output"):
        hands.write(path, "git")


_VERBS: dict[str, Callable[[Hands, list[str]], None]] = {
    "checkout": _checkout,
    "restore": _restore,
    "reset": _reset,
    "rm": _remove,
    "mv": _move,
    "clone": _clone,
    "init": _init,
    "archive": _output,
    "diff": _output,
    "show": _output,
}
