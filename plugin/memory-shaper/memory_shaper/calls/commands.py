"""THE TABLE: which arguments of which command are read, written, deleted or changed in metadata.

One row a command. A plain row names the act on its operands, the options that take a value, and the options whose
value is a file; an odd command names a function of `known`. A command that is not here may do anything.
"""

from __future__ import annotations

import re
from typing import Final

from .effects import Act
from .known import archives, builtins, copying, fetching, files, finding, git, languages, scripts, wrappers
from .known.options import read_options
from .shell.hands import UNHEARD, Call, Handler, Outcome

_VERSION = re.compile(r"(python|pypy|perl|ruby|php|node|lua)[0-9.]+\Z|(vim|emacs)[.-].*\Z")


def handler_of(name: str) -> Handler | None:
    """The row of a command, None where the table does not know it."""
    found = TABLE.get(name)
    if found is None and (version := _VERSION.match(name)):
        return TABLE.get(version.group(1) or version.group(2))
    return found


def row(act: Act | None = None, takes: str = "", out: str = "", skip: int = 0) -> Handler:
    """A plain command: `act` on the operands behind the first `skip`, `takes` and `out` are options with a value.

    The values of `out` are files that are written.
    """
    outs = out.split()
    names = frozenset(takes.split()) | frozenset(outs)

    def run(call: Call) -> Outcome:
        given = read_options(call.args, names)
        for path in given.all(*outs):
            call.hands.write(path, call.name)
        for path in given.operands[skip:] if act else ():
            _do(call, act, path)
        return UNHEARD

    return run


def _do(call: Call, act: Act | None, path: str) -> None:
    if act is Act.READ:
        call.hands.read(path, call.name)
    elif act is Act.WRITE:
        call.hands.write(path, call.name)
    elif act is Act.DELETE:
        call.hands.delete(path, call.name)


def unless(flags: str, act: Act, takes: str = "") -> Handler:
    """A command that acts on its operands unless one of the flags is given."""
    names, excuses = frozenset(takes.split()), flags.split()

    def run(call: Call) -> Outcome:
        given = read_options(call.args, names)
        for path in given.operands:
            _do(call, Act.READ if given.has(*excuses) else act, path)
        return UNHEARD

    return run


def only_with(flags: str, takes: str = "", out: str = "", skip: int = 0) -> Handler:
    """A command that writes its operands only with one of the flags, and reads them else."""
    outs = out.split()
    names, needed = frozenset(takes.split()) | frozenset(outs), flags.split()

    def run(call: Call) -> Outcome:
        given = read_options(call.args, names)
        for path in given.all(*outs):
            call.hands.write(path, call.name)
        for path in given.operands[skip:]:
            _do(call, Act.WRITE if given.has(*needed) else Act.READ, path)
        return UNHEARD

    return run


def _rows(names: str, handler: Handler) -> dict[str, Handler]:
    return dict.fromkeys(names.split(), handler)


READ, WRITE, DELETE = Act.READ, Act.WRITE, Act.DELETE

READERS: Final = {
    "cat": builtins.pass_on,
    **_rows("tac nl rev more most zcat bzcat xzcat zstdcat zless zmore expand unexpand pr catdoc mdcat", row(READ)),
    **_rows("head tail", row(READ, "n c lines bytes s pid")),
    **_rows("less", row(READ, "p P j x t T k", out="o O")),
    **_rows("bat batcat", row(READ, "l r H m language line-range style theme wrap paging color")),
    **_rows("wc", row(READ, "files0-from")),
    **_rows("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum md5", row(READ, "a")),
    **_rows("strings", row(READ, "n t e")),
    **_rows("od hexdump hd", row(READ, "A j N S t w n s e f C")),
    **_rows("cut", row(READ, "b c d f output-delimiter")),
    **_rows("paste join comm", row(READ, "d t o e a v j 1 2")),
    **_rows("column fold fmt", row(READ, "s o t c N w p g")),
    **_rows("diff colordiff sdiff cmp vimdiff delta", row(READ, "U C I x X W L label i n", out="o output")),
    **_rows("sort", row(READ, "k t S T key field-separator buffer-size parallel batch-size", out="o output")),
    **_rows("shuf", row(READ, "i n head-count input-range", out="o output")),
    **_rows("base64 base32", row(READ, "w wrap")),
    **_rows("iconv", row(READ, "f t from-code to-code", out="o output")),
    **_rows("pandoc", row(READ, "f t from to r w V M metadata variable template css H B A", out="o output")),
    **_rows("jq gojq", row(READ, "indent L arg argjson slurpfile rawfile f from-file", skip=1)),
    **_rows("pygmentize glow csvlook xmllint", row(READ, "l f O s w", out="o output")),
    **_rows("cpp gcc cc g++ clang rustc", row(None, "I L l D", out="o")),
    "uniq": files.second_written,
    "xxd": fetching.hexdump,
    "sed": scripts.sed,
    "gsed": scripts.sed,
    **_rows("awk gawk mawk nawk", scripts.awk),
}

WRITERS: Final = {
    "rm": files.remove,
    **_rows("rmdir unlink", row(DELETE)),
    **_rows("trash trash-put gio-trash", row(DELETE)),
    "mkdir": files.make_folder,
    "touch": files.touch,
    **_rows("chmod chown chgrp", files.change_mode),
    "chattr": files.change_attributes,
    **_rows("setfacl setfattr", files.change_list),
    **_rows("cp install ginstall gcp", copying.copy),
    "mv": copying.move,
    "rsync": copying.synchronise,
    **_rows("scp rcp", copying.secure_copy),
    "ln": files.link,
    "link": files.link_plain,
    "dd": files.dump,
    "tee": files.tee,
    "sponge": row(WRITE),
    "truncate": row(WRITE, "s r size reference"),
    "fallocate": row(WRITE, "l o length offset"),
    "shred": files.shred,
    **_rows("split csplit", files.split),
    **_rows("mkfifo mknod", row(WRITE, "m")),
    **_rows("rename prename perl-rename", files.rename),
    "mount": files.mount,
    **_rows("dos2unix unix2dos mac2unix unix2mac", fetching.line_ends),
    "recode": row(WRITE, skip=1),
    "crudini": fetching.settings_file,
    "yq": only_with("i inplace in-place", "o p I output-format input-format indent", skip=1),
    "xmlstarlet": only_with("L inplace", "u d s i a v n t", skip=1),
    "prettier": only_with("w write", "config parser"),
    **_rows("mdformat black isort", unless("check diff", WRITE, "l line-length wrap number")),
    **_rows("clang-format gofmt shfmt autopep8", only_with("i w inplace in-place", "style")),
    "patch": fetching.patch,
    "curl": fetching.curl,
    "wget": fetching.wget,
    "aria2c": row(None, "d", out="o out"),
    "openssl": fetching.openssl,
    **_rows("ed red ex vi vim nvim gvim vim.basic vim.tiny view rview nano pico micro", fetching.editor),
    **_rows("emacs emacsclient kak hx helix joe mcedit code codium subl gedit kate mousepad", fetching.editor),
    **_rows("tar bsdtar gtar", archives.tar),
    "unzip": archives.unzip,
    "zip": archives.zip_up,
    **_rows("7z 7za 7zr rar unrar", archives.seven),
    **_rows("gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress", archives.compress),
    "git": git.git,
}

STARTERS: Final = {
    **_rows("sh bash zsh dash ksh mksh ash rbash", wrappers.shell),
    "env": wrappers.environment,
    "sudo": wrappers.superuser,
    "doas": wrappers.superuser,
    **_rows("su script runuser", wrappers.switch_user),
    **_rows("nohup setsid chronic unbuffer caffeinate eatmydata fakeroot catchsegv", wrappers.wrapper("w")),
    **_rows("nice", wrappers.wrapper("n adjustment")),
    **_rows("ionice chrt taskset", wrappers.wrapper("c n p class classdata")),
    **_rows("timeout gtimeout", wrappers.wrapper("s k signal kill-after", skip=1)),
    **_rows("stdbuf", wrappers.wrapper("i o e input output error")),
    **_rows("systemd-run unshare prlimit cpulimit xvfb-run proxychains", wrappers.wrapper("p u l unit property")),
    **_rows("time strace ltrace", wrappers.time_command),
    **_rows("command builtin exec busybox toybox noglob nocorrect", wrappers.command_word),
    "xargs": wrappers.each_argument,
    "parallel": wrappers.parallel,
    "find": finding.find,
    "flock": wrappers.flock,
    "watch": wrappers.watch,
    "trap": wrappers.trap,
    "eval": builtins.evaluate,
    **_rows(". source", builtins.source),
    **_rows("python python2 python3 pypy pypy3 ipython", languages.python),
    **_rows("uv poetry pipenv pdm rye hatch pixi", languages.uv),
    **_rows("node nodejs deno bun tsx", languages.node),
    **_rows("perl ruby", languages.perl),
    "php": languages.php,
    **_rows("at batch crontab logrotate cpio mmv sqlite3 mktemp", wrappers.later),
}

SHELL: Final = {
    **_rows("cd chdir pushd", builtins.change_folder),
    "popd": builtins.pop_folder,
    "pwd": builtins.print_folder,
    **_rows("export declare typeset local readonly", builtins.declare),
    "unset": builtins.unset,
    "set": builtins.set_words,
    "shift": builtins.shift,
    "echo": builtins.echo,
    "printf": builtins.print_format,
    "read": builtins.read_line,
    **_rows("mapfile readarray", builtins.read_array),
    **_rows("exit return break continue logout", builtins.leave),
    **_rows("true :", builtins.succeed),
    "false": builtins.fail,
    **_rows("test [", builtins.test),
    **_rows("basename dirname", builtins.path_parts),
    **_rows("realpath readlink", builtins.real_path),
    **_rows("ls dir", finding.listing),
}

HARMLESS: Final = _rows(
    "grep egrep fgrep zgrep rg ag ack fd fdfind locate tree exa eza lsd stat du df file tr date cal sleep wait"
    " jobs fg bg kill pkill killall pgrep ps pstree top htop free vmstat iostat lsof fuser netstat ss ip ifconfig"
    " ping dig host nslookup traceroute whoami id groups users who w uname hostname uptime arch nproc getconf tty"
    " stty clear reset tput seq yes expr bc dc factor numfmt type which whereis hash help alias unalias bind"
    " complete let shopt umask ulimit getopts history man info tldr apropos whatis getfacl getfattr"
    " lsattr ssh mosh sync systemctl service journalctl dmesg loginctl apt apt-get apt-cache dpkg yum dnf brew"
    " snap pip pip3 pipx gh xclip xsel pbcopy notify-send xdg-open open disown suspend times caller complete"
    " enable kubectl helm umount sestatus lsblk blkid",
    row(),
) | {"printenv": row()}

TABLE: Final[dict[str, Handler]] = {**HARMLESS, **READERS, **WRITERS, **STARTERS, **SHELL}
