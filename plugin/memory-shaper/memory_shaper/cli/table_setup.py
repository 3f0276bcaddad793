"""The verbs about an installation: is all well, put it in, take it out."""

from __future__ import annotations

from .request import Argument, Kind, Verb

_HOME = ("home", "the Hermes home")
NAMES = ("topics", "topics-and-marks", "archived", "notes")

DOCTOR = Verb(
    "doctor",
    "look for what is wrong, and name the command that mends it",
    "doctor:doctor",
    "memory-shaper doctor\nmemory-shaper doctor --live",
    (
        _HOME,
        ("home_source", "how the home was found"),
        ("checks", 'what was looked at: `check`, `state` (ok, note, problem), `message`, `command` ("": none needed)'),
        ("problems", "how many problems"),
        ("notes", "how many notes"),
        (
            "enforced",
            "with --live: whether the host kept two refusals, null where that could not be shown or not asked",
        ),
    ),
    (Argument("--live", "prove the guard in a session of the host on a throw-away copy of the home", Kind.FLAG),),
    about="Exit code 1 where there is a problem. Changes nothing.\n"
    "That config.yaml switches the guard on proves nothing: what counts is when and where it was seen at work.\n"
    "--live starts the host for some seconds, without its model: it is told to make two writes that must be refused.",
)
INSTALL = Verb(
    "install",
    "put plugin, skill and scripts into a home and switch the plugin on",
    "install:install",
    "memory-shaper install --dry-run\nmemory-shaper install --home ~/.hermes --cron\nmemory-shaper install --uninstall",
    (
        _HOME,
        ("dry_run", "whether nothing was to be changed"),
        ("changed", "whether anything was"),
        ("files", "what happened to which file of the home: `file`, `action` (create, replace, remove)"),
        ("config", "plugins.enabled of config.yaml: there, added, removed, absent, by hand (the notes say what to do)"),
        ("heading", "whether the heading of an empty index was written"),
        ("job", "the daily job: none, there, registered, removed, by hand"),
        ("left", "files that were changed since they were installed and stay"),
        ("notes", "what else the user should know"),
    ),
    (
        Argument("--cron", "register the watchdog's daily job with the host's scheduler", Kind.FLAG),
        Argument("--uninstall", "take out what was installed; memories and record stay", Kind.FLAG),
    ),
    "A second run changes nothing; a newer version replaces its own files.\n"
    "Of a file that somebody else has changed a copy is kept. config.yaml keeps every other character.\n"
    "Exit code 1 where something is left to be done by hand.",
    changes_files=True,
    chat=False,
)
COMPLETION = Verb(
    "completion",
    "print what teaches a shell to complete this command",
    "completion:completion",
    'eval "$(memory-shaper completion bash)"  # in ~/.bashrc\n'
    'eval "$(memory-shaper completion zsh)"  # in ~/.zshrc, below compinit\n'
    "memory-shaper completion fish > ~/.config/fish/completions/memory-shaper.fish",
    (
        _HOME,
        ("shell", "the shell, null with --names"),
        ("script", "what the shell is to read, null with --names"),
        ("names", "with --names: what can stand there, else null"),
    ),
    (
        Argument("SHELL", "the shell", choices=("bash", "zsh", "fish")),
        Argument("--names", "print names instead, one a line, as the shells ask for them", choices=NAMES),
    ),
    "Verbs, options and their values come from the same table as the help; the names of topics come from the home.",
    chat=False,
)
