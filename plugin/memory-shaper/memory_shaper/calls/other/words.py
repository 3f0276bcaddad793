"""The words that change files, in the languages that are only searched. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..effects import Act


@dataclass(frozen=True, slots=True)
class Word:
    """What a function does to the paths in its arguments.

    `act` happens to the argument at `place`, or to all of them (-1); `gone` is the argument whose path disappears;
    `mode` is the argument that must ask for writing.
    """

    act: Act
    place: int = 0
    gone: int | None = None
    mode: int | None = None
    tree: bool = False


_WRITE = Word(Act.WRITE)
_SECOND = Word(Act.WRITE, 1)
_DELETE = Word(Act.DELETE, -1)
_TREE = Word(Act.DELETE, -1, tree=True)
_MOVE = Word(Act.WRITE, 1, gone=0)
_OPEN = Word(Act.WRITE, 0, mode=1)
_METADATA = Word(Act.METADATA)


_NODE = {
    **dict.fromkeys(
        ("writeFile", "appendFile", "createWriteStream", "outputFile", "writeTextFile", "writeJson"), _WRITE
    ),
    **dict.fromkeys(
        ("writeFileSync", "appendFileSync", "outputFileSync", "writeTextFileSync", "writeJsonSync"), _WRITE
    ),
    **dict.fromkeys(("outputJson", "outputJsonSync", "truncate", "truncateSync", "create", "createSync"), _WRITE),
    **dict.fromkeys(("unlink", "unlinkSync"), _DELETE),
    **dict.fromkeys(("rm", "rmSync", "rmdir", "rmdirSync", "rimraf", "remove", "removeSync"), _TREE),
    **dict.fromkeys(("rename", "renameSync", "move", "moveSync"), _MOVE),
    **dict.fromkeys(("copyFile", "copyFileSync", "cp", "cpSync", "copy", "copySync"), _SECOND),
    **dict.fromkeys(("symlink", "symlinkSync", "link", "linkSync"), _SECOND),
    **dict.fromkeys(("chmod", "chmodSync", "chown", "chownSync", "utimes", "utimesSync"), _METADATA),
    **dict.fromkeys(("open", "openSync"), _OPEN),
    "Bun.write": _WRITE,
}
_RUBY = {
    **dict.fromkeys(("File.write", "IO.write", "File.binwrite", "IO.binwrite", "File.truncate", "touch"), _WRITE),
    **dict.fromkeys(("File.delete", "File.unlink", "rm", "rm_f", "remove"), _DELETE),
    **dict.fromkeys(("rm_r", "rm_rf", "remove_dir", "remove_entry", "rmtree"), _TREE),
    **dict.fromkeys(("File.rename", "mv", "move"), _MOVE),
    **dict.fromkeys(("cp", "cp_r", "copy", "copy_file", "install", "copy_stream"), _SECOND),
    **dict.fromkeys(("File.symlink", "File.link", "ln", "ln_s", "ln_sf"), _SECOND),
    **dict.fromkeys(("File.open", "File.new", "open"), _OPEN),
    **dict.fromkeys(("File.chmod", "File.chown", "File.utime"), Word(Act.METADATA, -1)),
}
_PHP = {
    **dict.fromkeys(("file_put_contents", "touch"), _WRITE),
    **dict.fromkeys(("unlink", "rmdir"), _DELETE),
    **dict.fromkeys(("chmod", "chown", "chgrp"), _METADATA),
    **dict.fromkeys(("copy", "symlink", "link", "move_uploaded_file"), _SECOND),
    **dict.fromkeys(("fopen", "SplFileObject", "gzopen"), _OPEN),
    "rename": _MOVE,
}
_PERL = {
    **dict.fromkeys(("unlink", "remove"), _DELETE),
    **dict.fromkeys(("rmtree", "remove_tree"), _TREE),
    **dict.fromkeys(("rename", "move", "mv"), _MOVE),
    **dict.fromkeys(("copy", "cp", "symlink", "link"), _SECOND),
    **dict.fromkeys(("chmod", "chown", "utime"), Word(Act.METADATA, -1)),
    **dict.fromkeys(("truncate", "write_file", "append_file", "spew"), _WRITE),
    "open": Word(Act.WRITE, 2, mode=1),
    "sysopen": Word(Act.WRITE, 1, mode=2),
}
_LUA = {
    "io.open": _OPEN,
    "io.output": _WRITE,
    "os.remove": _DELETE,
    "os.rename": _MOVE,
}
_R = {
    **dict.fromkeys(
        ("writeLines", "write", "write.csv", "write.table", "saveRDS", "writeRDS", "dump", "dput"), _SECOND
    ),
    **dict.fromkeys(("cat", "save"), Word(Act.WRITE, 99)),
    **dict.fromkeys(("file.remove", "unlink"), _TREE),
    **dict.fromkeys(("sink", "file.create"), _WRITE),
    "file.rename": _MOVE,
    "file.copy": _SECOND,
    "file": _OPEN,
}
_PYTHON = {
    **dict.fromkeys(("remove", "unlink", "rmdir"), _DELETE),
    **dict.fromkeys(("rename", "move"), _MOVE),
    **dict.fromkeys(("copy", "copy2", "copyfile", "copytree", "link", "symlink"), _SECOND),
    "os.replace": _MOVE,
    "rmtree": _TREE,
    "truncate": _WRITE,
    "chmod": _METADATA,
    "open": _OPEN,
}
WORDS: Mapping[str, Mapping[str, Word]] = {
    "node": _NODE,
    "ruby": _RUBY,
    "php": _PHP,
    "perl": _PERL,
    "lua": _LUA,
    "r": _R,
    "python": _PYTHON,
}
"""Per language, functions by their name, or by object and name."""

METHODS: Mapping[str, Act] = {
    **dict.fromkeys(
        ("write", "binwrite", "write_text", "write_bytes", "spew", "spew_utf8", "append", "touch"), Act.WRITE
    ),
    **dict.fromkeys(("truncate", "writer"), Act.WRITE),
    **dict.fromkeys(("delete", "unlink", "remove", "rename", "rmtree", "replace"), Act.DELETE),
}
"""Methods of an object that was made from one path: `Pathname('x').write`, `Bun.file('x').delete`."""

MAKERS = frozenset({"Path", "Pathname", "path", "file", "new", "File", "dir", "PosixPath"})
"""Functions that make such an object."""

STARTERS = frozenset(
    {"exec", "execSync", "system", "shell_exec", "passthru", "proc_open", "popen", "spawn", "spawnSync", "os.execute"}
    | {"io.popen", "execFile", "execFileSync", "system2", "qx", "shell", "run", "Command", "IO.popen"}
)
"""Functions that start a command."""

NAMED_PATHS = frozenset({"file", "con", "path", "to", "filename"})
"""Named arguments that are paths."""
