"""The page: its frame, its head, its sections in order. Pure.

The page loads nothing: its policy forbids every request, and allows the one style in it by its hash.
"""

from __future__ import annotations

import base64
import hashlib
from string import Template

from .about_index import archive, budget, collisions, lines
from .about_work import findings, guard, overview, questions, texts, upkeep
from .facts import Report
from .markup import Html, joined, moment, tag, text

SIGN = "<!doctype html>\n<!-- memory-shaper report -->\n"
"""How every report begins; a file that begins otherwise is not ours to replace."""

_FRAME = Template(
    SIGN
    + """<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>$title</title>
<style>$style</style>
</head>
<body>
<a class="skip" href="#report">Skip to the report</a>
<header>
$head
</header>
<main id="report" tabindex="-1">
$main
</main>
<footer>
$foot
</footer>
</body>
</html>
"""
)
_SECTIONS = (
    ("overview", "At a glance", overview),
    ("budget", "Budget", budget),
    ("lines", "Lines", lines),
    ("collisions", "Lines in each other's way", collisions),
    ("questions", "Questions without a line", questions),
    ("findings", "Findings", findings),
    ("guard", "Guard", guard),
    ("watchdog", "Watchdog", upkeep),
    ("archive", "Archive", archive),
    ("contents", "Contents", texts),
)


def render(report: Report, style: str) -> str:
    """The page as HTML; `style` is the text of its one style sheet."""
    shown = [(ident, title, made) for ident, title, make in _SECTIONS if (made := make(report))]
    sections = joined((_section(*one) for one in shown), "\n")
    return _FRAME.substitute(
        policy=_policy(style),
        title=text(f"Memory report of {report.home}"),
        style=style,
        head=_head(report, [(ident, title) for ident, title, _ in shown]),
        main=sections,
        foot=_foot(report),
    )


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _section(ident: str, title: str, made: Html) -> Html:
    return tag("section", tag("h2", text(title), id=f"{ident}-title"), made, id=ident, aria_labelledby=f"{ident}-title")


def _head(report: Report, shown: list[tuple[str, str]]) -> Html:
    links = (tag("li", tag("a", text(title), href=f"#{ident}")) for ident, title in shown)
    zone = f"{report.at.astimezone():%z}"
    about = (
        tag("code", text(report.home)),
        text(f" ({report.home_source}), "),
        moment(report.at),
        text(f", times are local (UTC{zone[:3]}:{zone[3:]})"),
    )
    return joined(
        (
            tag("h1", text("Memory report")),
            tag("p", *about, class_="meta"),
            tag("nav", tag("ul", *links), aria_label="Sections"),
        ),
        "\n",
    )


def _foot(report: Report) -> Html:
    if report.with_content:
        held = "It holds the contents of topic files and questions, as was asked for: think before you pass it on. "
    else:
        held = "It holds keywords and file names of the index, and neither contents of files nor questions. "
    said = f"Made by memory-shaper {report.version}. {held}Secrets are masked, and the page loads nothing."
    return tag("p", text(said))
