"""The scripts that teach shells to complete the command, made from the table of verbs. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence

from .parsing import PROGRAM, arguments_of
from .request import Argument, Kind, Verb

_FILES, _FOLDERS = "files", "folders"


def _asks_for(argument: Argument) -> str:
    """What a value is: `files`, `folders`, a list of names, or "" for any text; choices stand for themselves."""
    by_metavar = {"FILE": _FILES, "DIR": _FOLDERS}
    named = argument.metavar if argument.is_option else argument.name
    return argument.names or by_metavar.get(named, "")


def _options(verb: Verb) -> list[Argument]:
    return [argument for argument in arguments_of(verb) if argument.is_option]


def _place(verb: Verb) -> Argument | None:
    """The argument whose values are offered for the words without a dash: the first that has any."""
    places = [argument for argument in verb.arguments if not argument.is_option]
    return next((argument for argument in places if argument.choices or _asks_for(argument)), None)


_BASH = """\
# Completion of memory-shaper for bash.
_memory_shaper() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} verb= options= offer= home=() i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${{COMP_WORDS[i]}} in
            --home) home=(--home "${{COMP_WORDS[i+1]/#\\~/$HOME}}"); ((i++)) ;;
            -*) ;;
            *) if [[ -z $verb ]]; then verb=${{COMP_WORDS[i]}}; fi ;;
        esac
    done
    case $verb in
{verbs}
        *) offer={names} options='--home --help --version' ;;
    esac
    case "$verb $prev" in
        *' --home') offer=@folders cur=${{cur/#\\~/$HOME}} options= ;;
{values}
        *) if [[ $cur == -* ]]; then offer=$options; fi ;;
    esac
    case $offer in
        @files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
        @folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
        @*) offer=$(memory-shaper completion --names "${{offer#@}}" "${{home[@]}}" 2>/dev/null)
            mapfile -t COMPREPLY < <(IFS=$'\\n' compgen -W "$offer" -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$offer" -- "$cur") ;;
    esac
}}
complete -F _memory_shaper memory-shaper
"""


def bash(verbs: Sequence[Verb]) -> str:
    """The script for bash 4.4 and newer."""
    rows = []
    for verb in verbs:
        options = " ".join(name for one in _options(verb) for name in (one.short, one.name) if name)
        place = _place(verb)
        offer = _offer(place) if place else "''"
        rows.append(f"        {verb.name}) offer={offer} options={shlex.quote(options)} ;;")
    names = shlex.quote(" ".join([*(verb.name for verb in verbs), "help"]))
    return _BASH.format(verbs="\n".join(rows), names=names, values="\n".join(_bash_values(verbs)))


def _offer(argument: Argument) -> str:
    kind = _asks_for(argument)
    return f"@{kind}" if kind and not argument.choices else shlex.quote(" ".join(argument.choices))


def _bash_values(verbs: Sequence[Verb]) -> Iterator[str]:
    for verb in verbs:
        for one in _options(verb):
            if one.kind is not Kind.FLAG and one.name != "--home":
                spelled = " | ".join(f"'{verb.name} {name}'" for name in (one.short, one.name) if name)
                yield f"        {spelled}) offer={_offer(one)} ;;"


_ZSH = """\
#compdef memory-shaper
# Completion of memory-shaper for zsh.
_memory_shaper_names() {{
    local -a home found
    local at=${{words[(i)--home]}}
    (( at < ${{#words}} )) && home=(--home ${{(e)~words[at+1]}})
    found=(${{(f)"$(memory-shaper completion --names $1 $home 2>/dev/null)"}})
    compadd -a found
}}
_memory_shaper() {{
    local -a verbs
    verbs=(
{verbs}
    )
    if (( CURRENT == 2 )); then
        _describe verb verbs
        return
    fi
    shift words
    (( CURRENT-- ))
    case $words[1] in
{cases}
    esac
}}
compdef _memory_shaper memory-shaper
"""


def zsh(verbs: Sequence[Verb]) -> str:
    """The script for zsh, to be read below `compinit`."""
    rows = [f"        {shlex.quote(f'{verb.name}:{verb.help}')}" for verb in verbs]
    cases = [f"        {verb.name}) _arguments -s {' '.join(_zsh_arguments(verb))} ;;" for verb in verbs]
    return _ZSH.format(verbs="\n".join(rows), cases="\n".join(cases))


def _zsh_arguments(verb: Verb) -> Iterator[str]:
    for one in _options(verb):
        value = "" if one.kind is Kind.FLAG else f":{one.metavar or 'value'}:{_zsh_action(one)}"
        for name in filter(None, (one.short, one.name)):
            yield shlex.quote(f"{name}[{_zsh_text(one.help)}]{value}")
    if place := _place(verb):
        yield shlex.quote(f"*:{place.name}:{_zsh_action(place)}")


def _zsh_text(text: str) -> str:
    return text.translate({ord(sign): f"\\{sign}" for sign in "\\[]:"})


def _zsh_action(argument: Argument) -> str:
    kind = _asks_for(argument)
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    known = {_FILES: "_files", _FOLDERS: "_files -/", "": " "}
    return known.get(kind, f"{{_memory_shaper_names {kind}}}")


_FISH = """\
# Completion of memory-shaper for fish.
function __memory_shaper_names
    set -l words (commandline -opc)
    set -l at (contains -i -- --home $words)
    and set -l home (string replace -r '^~' $HOME $words[(math $at + 1)])
    and memory-shaper completion --names $argv[1] --home $home 2>/dev/null
    or memory-shaper completion --names $argv[1] 2>/dev/null
end
complete -c memory-shaper -f
"""


def fish(verbs: Sequence[Verb]) -> str:
    """The script for fish."""
    return _FISH + "\n".join(row for verb in verbs for row in _fish_rows(verb)) + "\n"


def _fish_rows(verb: Verb) -> Iterator[str]:
    yield f"complete -c {PROGRAM} -n __fish_use_subcommand -a {verb.name} -d {_fish(verb.help)}"
    start = f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from {verb.name}'"
    for one in _options(verb):
        short = f" -s {one.short.lstrip('-')}" if one.short else ""
        values = _fish_values(one)
        value = "" if one.kind is Kind.FLAG else f" {'-r' if values == ' -F' else '-x'}{values}"
        yield f"{start} -l {one.name.lstrip('-')}{short} -d {_fish(one.help)}{value}"
    if place := _place(verb):
        yield f"{start}{_fish_values(place)}"


def _fish_values(argument: Argument) -> str:
    kind = _asks_for(argument)
    if argument.choices:
        return f" -a {_fish(' '.join(argument.choices))}"
    known = {_FILES: " -F", _FOLDERS: " -a '(__fish_complete_directories)'", "": ""}
    return known.get(kind, f" -a '(__memory_shaper_names {kind})'")


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: dict[str, Callable[[Sequence[Verb]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
