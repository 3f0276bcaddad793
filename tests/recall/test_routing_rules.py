"""`verify --routing`: lines that take each other's questions."""

from __future__ import annotations

from memory_shaper import rules
from memory_shaper.recall.routing_rules import ROUTING_RULES


def found(*lines: str) -> list[tuple[str, int]]:
    scope = rules.Scope("\n§\n".join(["# Memory index: a routing table", *lines]), None)
    return [(one.rule, (one.line - 1) // 2) for one in rules.check(scope, table=ROUTING_RULES)]


def test_an_index_of_its_own_words_is_clean() -> None:
    """Lines with words of their own have nothing to warn of."""
    assert found("a1,b1,c1,d1,e1 → a.md", "f1,g1,h1,i1,j1 → b.md") == []


def test_two_forms_of_a_word_in_two_lines() -> None:
    """`deploys` and `deploy` answer the same questions; the same spelling twice is what `lines-compete` is for."""
    assert found("deploy,b1,c1,d1,e1 → a.md", "deploys,g1,h1,i1,j1 → b.md") == [("keyword-stolen", 2)]
    assert found("deploy,b1,c1,d1,e1 → a.md", "deploy,g1,h1,i1,j1 → b.md") == []
    assert found("ci/cd,b1,c1,d1,e1 → a.md", "ci-cd,g1,h1,i1,j1 → b.md") == [("keyword-stolen", 2)]


def test_a_word_of_every_line_leads_nowhere() -> None:
    """A keyword of five lines and a fifth of all is reported once."""
    assert found(*(f"project,b{n},c{n},d{n},e{n} → f{n}.md" for n in range(5))) == [("keyword-everywhere", 1)]


def test_a_line_that_can_never_win() -> None:
    """A line whose keywords all stand in a longer line, or in one further up, is never the first answer."""
    assert found("a1,b1,c1,d1,e1,f1 → a.md", "a1,b1,c1,d1,e1 → b.md") == [("line-never-wins", 2)]
    assert found("a1,b1,c1,d1,e1 → a.md", "e1,d1,c1,b1,a1 → b.md") == [("line-never-wins", 2)]


def test_a_line_of_filler_words_leads_nowhere() -> None:
    """Stop words alone route nothing."""
    assert found("how,what,when,where,why → a.md") == [("line-never-wins", 1)]
