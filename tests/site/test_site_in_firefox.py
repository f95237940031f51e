"""A site in Firefox: one journey from the start page to a move at the table."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser import FirefoxTab, firefox
from site_fixtures import OPEN, PROJECT, Site, in_view
from table_tabs import FRAMED

pytestmark = pytest.mark.slow

CARD = "[data-design='kite/sun-1']"
DATA = "data/my-game/components.yaml"


@pytest.fixture
def tab(tool: Callable[[str], str], tmp_path: Path, patience: None) -> Iterator[FirefoxTab]:
    with firefox(tool("firefox-esr"), tmp_path) as found:
        found.size(1300, 850)
        yield found


STACKS = f"[...{FRAMED}.querySelectorAll('[data-stack]')].map((one) => [one.dataset.stack, one.style.getPropertyValue('--y')])"


def test_from_the_start_page_to_a_move(tab: FirefoxTab, site: Site) -> None:
    """Begin with a starter, change a card and see it, open the table, move a stack there, and come back."""
    tab.go(f"{site.url}games/")
    tab.wait("document.querySelector('[data-word=starter_cards]') !== null", "the start page")
    tab.run("document.querySelector('[data-word=starter_cards]').closest('button').click()")
    tab.wait(f"{OPEN} && {PROJECT}?.value === 'my-game'", "the project")
    face = f'document.querySelector("{CARD} .face")'
    tab.wait(f"{face}?.classList.contains('drawn')", "the card")
    before = tab.run(f"{face}.dataset.version")
    tab.run("document.querySelector('[data-word=open_files]').click()")
    tab.run(f"import('./editor.js').then((editor) => editor.go('{DATA}', 1))")
    assert in_view(
        tab,
        """const at = text.indexOf("Sunrise");
        view.focus();
        view.dispatch({ selection: { anchor: at, head: at + 7 }, scrollIntoView: true });
        return at > 0;""",
    )
    tab.type("Dawn")
    tab.wait(f"{face}.classList.contains('drawn') && {face}.dataset.version !== '{before}'", "the changed card")
    tab.wait(f"document.querySelector(\"{CARD} .legend b\").textContent === 'Dawn'", "the card's new name")
    assert tab.run(f"{face}.querySelector('img').naturalWidth") > 0
    tab.run("document.getElementById('play').click()")
    tab.wait(f"{FRAMED}?.querySelector('[data-stack] img')?.complete", "the table")
    assert tab.run("location.pathname").endswith("/play.html")
    box = f"{FRAMED}.querySelector('[data-stack]')"
    x, y = tab.run(f"(({{ x, y }}) => [Math.round(x) + 20, Math.round(y) + 20])({box}.getBoundingClientRect())")
    old = sorted(tab.run(STACKS))
    tab.drag((x, y), (x + 10, y + 200))
    tab.wait(f"!{FRAMED}.getElementById('undo').disabled", "the move")
    assert sum(one != other for one, other in zip(old, sorted(tab.run(STACKS)), strict=True)) == 1
    tab.run("history.back()")
    tab.wait(f"!location.pathname.endsWith('/play.html') && {face}.offsetWidth > 0", "the workbench")
    assert in_view(tab, "return text.includes('Dawn');")
    assert tab.complaints == []
    assert [url for url in tab.requests if not url.startswith((site.url, "about:", "data:", "blob:"))] == []


def test_a_move_at_a_table_with_rules(tab: FirefoxTab, site: Site) -> None:
    tab.go(f"{site.url}games/play.html#fortuna")
    tab.wait(f"{OPEN} && {FRAMED}?.getElementById('begin')?.open", "the table")
    tab.run(f"{FRAMED}.getElementById('begin-go').click()")
    moves = f"{FRAMED}.querySelectorAll('#moves button[data-move]')"
    tab.wait(f"{moves}.length > 0", "a choice")
    made = "JSON.parse(localStorage.getItem('pnp.table.fortuna')).moves.length"
    before = tab.run(made)
    tab.run(f"{moves}[0].click()")
    tab.wait(f"{made} > {before}", "the move")
    tab.wait(f"{moves}.length > 0 || !{FRAMED}.getElementById('result').hidden", "the next choice")
    assert tab.run(f"{FRAMED}.getElementById('banner').hidden")
    assert tab.complaints == []
