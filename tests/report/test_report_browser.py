"""The page in a real browser: nothing loaded, nothing to complain about, readable on every screen and in both schemes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, browser, program
from report_tools import lived_in, page

pytestmark = pytest.mark.skipif(program() is None, reason="no Chromium on this machine")
SCREENS = [(360, False), (360, True), (1280, False), (1280, True)]
# The least contrast of any text with what it stands on, and where that is.
CONTRAST = """(() => {
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
                         return .2126 * r + .7152 * g + .0722 * b; };
  const parts = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
  const ground = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
                          if (c.length === 3 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
  let least = [99, ''];
  for (const d of document.querySelectorAll('details')) d.open = true;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || ['TITLE', 'title', 'desc'].includes(e.tagName)) continue;
    const style = getComputedStyle(e), own = parts(e.closest('svg') ? style.fill : style.color).slice(0, 3);
    const [a, b] = [light(own), light(ground(e))].sort((x, y) => y - x), ratio = (a + .05) / (b + .05);
    if (ratio < least[0]) least = [ratio, e.tagName + '.' + e.className + ': ' + walk.currentNode.data.slice(0, 40)];
  }
  return least; })()"""
# The least contrast of a drawn shape with the card it lies on; lines and outlines count by their stroke.
SHAPES = """(() => {
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
                         return .2126 * r + .7152 * g + .0722 * b; };
  const parts = (c) => (c.match(/[\\d.]+/g) || []).map(Number).slice(0, 3);
  const card = light(parts(getComputedStyle(document.querySelector('section')).backgroundColor));
  const found = [...document.querySelectorAll('.spark rect, .columns .part, .columns .whole, .bar .free, .bar .part')]
    .filter((e) => !e.classList.contains('joins')).map((e) => { const s = getComputedStyle(e);
      const c = light(parts(e.matches('.whole, .free') ? s.stroke : s.fill));
      const [a, b] = [c, card].sort((x, y) => y - x); return (a + .05) / (b + .05); });
  return Math.min(...found); })()"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("browser")
    path = folder / "report.html"
    path.write_text(page(lived_in(folder), with_content=True), "utf-8")
    return path


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_nothing_is_loaded_and_nothing_is_wrong(tab: Browser, file: Path, width: int, dark: bool) -> None:
    """The only request is the page itself, and the console stays empty."""
    tab.open(file, width, dark=dark)
    requests = [event["request"]["url"] for event in tab.told("Network.requestWillBeSent")]
    assert requests == [file.absolute().as_uri()]
    assert tab.told("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled") == []
    assert tab.ask("getComputedStyle(document.querySelector('.skip')).position") == "absolute"


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_the_page_never_scrolls_sideways(tab: Browser, file: Path, width: int) -> None:
    """It is as wide as the screen, with every detail open; what is wider scrolls in a box of its own."""
    tab.open(file, width)
    tab.ask("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert tab.ask("[document.documentElement.scrollWidth, innerWidth]") == [width, width]
    outside = """[...document.querySelectorAll('body *')].filter((one) => !one.closest('.box, .skip')
                 && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))"""
    assert tab.ask(outside) == []


@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_all_text_can_be_read(tab: Browser, file: Path, width: int, dark: bool) -> None:
    """Every text has a contrast of 4.5 with its ground, every drawn shape one of 3 with its card."""
    tab.open(file, width, dark=dark)
    ratio, where = tab.ask(CONTRAST)
    assert ratio >= 4.5, where
    assert tab.ask(SHAPES) >= 3


def test_both_schemes_are_drawn(tab: Browser, file: Path) -> None:
    """The ground of the page is light or dark as the reader wishes."""
    grounds = []
    for dark in (False, True):
        tab.open(file, 1280, dark=dark)
        grounds.append(tab.ask("getComputedStyle(document.body).backgroundColor"))
    assert grounds == ["rgb(247, 246, 243)", "rgb(18, 20, 23)"]


def test_the_keyboard_reaches_all_of_it(tab: Browser, file: Path) -> None:
    """The first stop is the skip link, which shows itself; links, boxes and details follow, each with a visible ring."""
    tab.open(file, 1280)
    stops = []
    for _ in range(24):
        tab.press("Tab")
        stops.append(
            tab.ask("""(() => { const e = document.activeElement, s = getComputedStyle(e);
                       return [e.className || e.tagName, s.outlineStyle, e.getBoundingClientRect().left >= 0]; })()""")
        )
    assert stops[0] == ["skip", "solid", True]
    assert {"A", "box", "SUMMARY"} <= {name for name, _, _ in stops}
    assert {(ring, seen) for _, ring, seen in stops} == {("solid", True)}


def test_a_screen_reader_finds_its_way(tab: Browser, file: Path) -> None:
    """The browser's own tree for screen readers has the landmarks, and no table, region or picture without a name."""
    tab.open(file, 1280)
    nodes = [node for node in tab.do("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    roles = {node["role"]["value"] for node in nodes}
    assert {"banner", "navigation", "main", "contentinfo", "region", "table", "rowheader", "columnheader"} <= roles
    nameless = [
        node["role"]["value"]
        for node in nodes
        if node["role"]["value"] in ("region", "table", "image", "img", "navigation", "link", "heading")
        and not node["name"]["value"]
    ]
    assert nameless == []
