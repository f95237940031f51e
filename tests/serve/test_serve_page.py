"""The live page in a real browser: what it shows, how it follows the files, keys, names for a screen reader."""

from collections.abc import Callable, Iterator

import pytest
from browser import Tab
from page_cases import BILINGUAL, DRAWN, ONE, PICTURE, SHOWN
from serve_cases import Client, data_file, save, served
from tests_support import TinyProject


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    """A client of a server with the tiny game in two languages."""
    for old, new in BILINGUAL.items():
        tiny.change("data/tiny/game.yaml", old, new)
    with served(tiny.root) as found:
        yield found


def edit(tiny: TinyProject, old: str, new: str) -> None:
    text = data_file(tiny).read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    save(data_file(tiny), text.replace(old, new))


def test_a_card_is_shown_at_its_true_size(tab: Tab) -> None:
    """At 100 % a card of 40 x 60 mm is so large by the screen's own measure, and zoom and calibration multiply it."""
    box = f"(() => {{ const b = {PICTURE}.getBoundingClientRect(); return [b.width, b.height].map((x) => Math.round(x * 10) / 10) }})()"
    assert tab.run(box) == [pytest.approx(40 * 96 / 25.4, abs=0.1), pytest.approx(60 * 96 / 25.4, abs=0.1)]

    tab.press("+")
    assert tab.run(box)[0] == pytest.approx(1.25 * 40 * 96 / 25.4, abs=0.1)
    tab.press("0")
    tab.run("document.getElementById('open-ruler').click()")
    tab.run(
        "(() => { const s = document.getElementById('scale'); s.value = 1.5; s.dispatchEvent(new Event('input')) })()"
    )
    assert tab.run("document.getElementById('bankcard').getBoundingClientRect().width") == pytest.approx(
        1.5 * 85.6 * 96 / 25.4, abs=0.1
    )
    assert tab.run(box)[0] == pytest.approx(1.5 * 40 * 96 / 25.4, abs=0.1)
    tab.run("window.before = true")
    tab.call("Page.reload")
    tab.wait(f"!window.before && {DRAWN} === 2")  # not the page that is about to go
    assert tab.run(box)[0] == pytest.approx(1.5 * 40 * 96 / 25.4, abs=0.1), "the browser keeps it"


def test_the_bank_card_is_dragged_to_size(tab: Tab) -> None:
    tab.run("document.getElementById('open-ruler').click()")
    x, y, left = tab.run(
        "(() => { const c = document.getElementById('corner').getBoundingClientRect();"
        "return [c.left + 13, c.top + 13, document.getElementById('bankcard').getBoundingClientRect().left] })()"
    )
    for kind, to in (("mousePressed", x), ("mouseMoved", x + 90), ("mouseReleased", x + 90)):
        tab.call("Input.dispatchMouseEvent", type=kind, x=to, y=y, button="left", buttons=1, clickCount=1)
    assert tab.run("document.getElementById('bankcard').getBoundingClientRect().width") == pytest.approx(
        x + 90 - left, abs=1
    )


def test_an_edited_file_changes_its_picture_alone(tab: Tab, tiny: TinyProject) -> None:
    """Only the changed card's picture is fetched anew; scroll, focus and the other element stay; the change is said."""
    tab.run(f"{ONE}.querySelector('.look').focus(); document.body.style.minHeight = '4000px'; scrollTo(0, 37)")
    tab.run("window.other = document.querySelector('[data-design=\"card/two\"] img.picture')")
    before = tab.run(f"{PICTURE}.src")
    asked = len(tab.requests)
    edit(tiny, "en: One,", "en: Uno,")
    tab.wait(f"{PICTURE}.src !== {before!r}", "the new picture")

    tab.wait(f"{ONE}.querySelector('.legend b').textContent === 'Uno'")
    assert tab.run("[scrollY, document.activeElement.closest('.design').dataset.design]") == [37, "card/one"]
    assert tab.run("document.querySelector('[data-design=\"card/two\"] img.picture') === window.other")
    assert [url for url in tab.requests[asked:] if "card%2Ftwo/front.svg" in url] == []
    assert tab.run("fetch(" + PICTURE + ".src).then((a) => a.text()).then((t) => t.includes('Uno'))")
    assert tab.wait("document.getElementById('news').textContent.includes('card/one')")


def test_a_broken_file_shows_its_line_and_mended_it_goes(tab: Tab, tiny: TinyProject) -> None:
    picture = tab.run(f"{PICTURE}.src")
    edit(tiny, "value: 1,", "value: one,")
    tab.wait("!document.getElementById('problems').hidden", "the problem")

    line = data_file(tiny).read_text(encoding="utf-8").split("value: one")[0].count("\n") + 1
    assert tab.run("document.querySelector('#problem-list code').textContent").startswith(
        f"data/tiny/game.yaml:{line}:"
    )
    trouble = f"{ONE}.querySelector('.trouble').innerText"
    assert tab.run(f"{ONE}.querySelector('.trouble').getClientRects().length") > 0, "it is seen"
    assert "picture from before the problem" in tab.run(trouble)
    assert f"data/tiny/game.yaml:{line}:" in tab.run(trouble)
    assert tab.run("document.querySelector('[data-design=\"card/two\"] .trouble').hidden")
    assert tab.run(f"{PICTURE}.src") == picture
    assert tab.run("document.querySelector('#games .count').textContent") == "1 problem"
    assert "1 problem." in tab.run("document.getElementById('news').textContent")

    edit(tiny, "value: one,", "value: 3,")
    tab.wait("document.getElementById('problems').hidden", "the problem's end")
    assert tab.run(f"{ONE}.querySelector('.trouble').hidden")
    assert tab.run("document.querySelector('#games .count')") is None
    tab.wait(f"{PICTURE}.src !== {picture!r}")


def test_a_broken_template_marks_its_cards(tab: Tab, tiny: TinyProject) -> None:
    tiny.change("templates/tiny/card.svg", "{{ card.value }}", "{{ card.valeu }}")
    tab.wait("document.querySelectorAll('.design.failing').length === 2", "both cards marked")
    assert "templates/tiny/card.svg:3" in tab.run(f"{ONE}.querySelector('.trouble').innerText"), "the line"
    assert tab.run(f"{DRAWN}") == 2
    tiny.change("templates/tiny/card.svg", "{{ card.valeu }}", "{{ card.value }}")
    tab.wait("document.querySelectorAll('.design.failing').length === 0", "both well again")


def test_search_finds_by_id_name_and_text(tab: Tab) -> None:
    for asked, found in [
        ("card/two", "card/two"),
        ("TWO", "card/two"),
        ("二枚", "card/two"),
        ("札", "card/one,card/two"),
        ("star", "card/one"),
        ("zzz", ""),
        ("card", "card/one,card/two"),
    ]:
        tab.press("/")
        assert tab.run("document.activeElement.id") == "search"
        tab.type(asked)
        tab.wait(f"{SHOWN} === {found!r}", asked)
        tab.press("Escape")
        assert tab.run(SHOWN) == "card/one,card/two"
        tab.run("document.activeElement.blur()")


def test_languages_and_sides_can_be_chosen(tab: Tab) -> None:
    """`l` goes through the languages to all of them side by side; names follow."""
    tab.press("l")
    tab.wait("document.querySelector('[data-key=\"ja:front:card/one\"] img.picture') !== null")
    assert tab.run(f"{ONE}.querySelector('.legend b').textContent") == "一枚目"
    tab.press("l")
    tab.wait(f"{DRAWN} === 4")
    assert tab.run("document.getElementById('lang').value") == "*"


@pytest.mark.parametrize(
    ("read", "lang"), [("ja-JP,ja", "ja"), ("fr-FR,en-GB", "en"), ("fr-FR,ja", "ja"), ("fr", "en")]
)
def test_the_page_begins_in_a_language_that_its_reader_knows(tab: Tab, client: Client, read: str, lang: str) -> None:
    tab.call("Emulation.setUserAgentOverride", userAgent="reader", acceptLanguage=read)
    tab.call("Page.navigate", url="about:blank")
    tab.open(f"{client.server.url}#tiny/components")
    assert tab.wait("document.getElementById('lang').value") == lang


def test_guides_are_laid_over_and_taken_away(tab: Tab) -> None:
    """`g` lays trim, safe zone and text boxes over every picture, and takes them away."""
    tab.press("g")
    tab.wait("[...document.querySelectorAll('img.over')].filter((one) => one.naturalWidth > 0).length === 2")
    assert tab.run("document.getElementById('guides').getAttribute('aria-pressed')") == "true"
    tab.press("g")
    assert tab.run("document.querySelectorAll('img.over').length") == 0


def test_everything_can_be_done_by_keys(tab: Tab) -> None:
    """Tab reaches the designs once, arrows go on, Enter looks closely, Escape comes back to the same card."""
    assert tab.run("document.querySelectorAll('.look[tabindex=\"0\"]').length") == 1
    tab.press("ArrowRight")
    assert tab.run("document.activeElement.closest('.design').dataset.design") == "card/one"
    tab.press("ArrowRight")
    assert tab.run("document.activeElement.closest('.design').dataset.design") == "card/two"
    assert tab.run("getComputedStyle(document.activeElement).outlineStyle") == "solid", "the focus is seen"
    tab.press("Enter")
    tab.wait("document.getElementById('detail').open")
    assert tab.run("document.getElementById('detail-name').textContent") == "Two"
    tab.press("ArrowLeft")
    assert tab.run("document.getElementById('detail-name').textContent") == "One"
    tab.wait("document.querySelectorAll('#detail-faces img').length === 2")
    tab.wait("document.getElementById('detail-words').innerText === 'English\\n1\\nOne\\n日本語\\n1\\n一枚目'")
    tab.press("Escape")
    tab.wait(
        "document.activeElement.closest('.design')?.dataset.design === 'card/one'", "the focus on what was looked at"
    )
    for key, view in (("2", "sheets"), ("3", "rulebook"), ("4", "findings"), ("5", "figures"), ("1", "components")):
        tab.press(key)
        tab.wait(f"!document.getElementById('{view}').hidden", view)
    tab.press("?")
    assert tab.run("document.getElementById('keys').open")


def test_tab_begins_with_a_way_past_the_games(tab: Tab) -> None:
    tab.press("Tab")
    assert tab.run("document.activeElement.className") == "skip"
    assert tab.run("document.activeElement.getBoundingClientRect().top") >= 0


def test_a_screen_reader_meets_names(tab: Tab) -> None:
    """Landmarks, tabs, fields, designs and the problems have roles and names; nothing that can be used has none."""
    tree = tab.tree()
    for wanted in [
        ("main", ""),
        ("navigation", "Games"),
        ("heading", "Tiny"),
        ("heading", "Card"),
        ("tablist", "Views"),
        ("tab", "Components"),
        ("tabpanel", "Components"),
        ("searchbox", "Search by id, name or text"),
        ("combobox", "Language"),
        ("button", "One one · ×2 printed"),
        ("button", "Smaller"),
    ]:
        assert wanted in tree, wanted
    nameless = [
        role for role, name in tree if role in ("button", "link", "searchbox", "combobox", "tab", "image") and not name
    ]
    assert nameless == []
    tab.run(f"{ONE}.querySelector('.look').click()")
    tab.wait("document.querySelectorAll('#detail-faces img').length === 2")
    assert ("dialog", "One") in tab.tree()
    assert ("image", "One, front, English") in tab.tree()


def test_sheets_are_shown_and_follow(tab: Tab, tiny: TinyProject) -> None:
    """The print sheet is a picture of an A4 page with its designs named, and a new one after an edit."""
    tab.press("2")
    tab.wait("document.querySelector('.leaf img')?.naturalWidth > 1000")
    assert tab.run("document.querySelector('.leaf img').alt") == "Sheet 1, front: card/one, card/two"
    assert tab.run("document.querySelector('.leaf img').getBoundingClientRect().width") == pytest.approx(
        210 * 96 / 25.4, abs=0.1
    )
    before = tab.run("document.querySelector('.leaf img').src")
    edit(tiny, "en: One,", "en: Uno,")
    tab.wait(f"document.querySelector('.leaf img').src !== {before!r}")


def test_sheets_on_the_paper_that_is_chosen(tab: Tab) -> None:
    tab.press("2")
    tab.wait("document.querySelector('.leaf img')?.naturalWidth > 1000")
    tab.run("Object.assign(document.getElementById('paper'), {value: 'Letter'}).dispatchEvent(new Event('change'))")
    tab.wait("Math.abs(document.querySelector('.leaf img')?.getBoundingClientRect().width - 215.9 * 96 / 25.4) < 0.1")
    assert tab.run("JSON.parse(localStorage.getItem('pnp.page')).paper") == "Letter"
    assert tab.run("[...document.getElementById('pair').options].map((one) => one.textContent)") == ["One language", "English + 日本語", "日本語 + English"]  # fmt: skip


def test_a_rulebook_follows_without_losing_its_place(tab: Tab, tiny: TinyProject) -> None:
    """The book is shown in its frame; after an edit it shows the new text, scrolled as before."""
    for lang in ("en", "ja"):
        tiny.write(
            f"templates/tiny/rulebook.{lang}.md",
            "# Tiny\n\n" + "".join(f"## Part {chr(97 + n)}\n\nAll are friends.\n\n" for n in range(26)),
        )
    tab.press("3")
    frame = "document.querySelector('#rulebook iframe:not(.coming)')"
    tab.wait(f"{frame}?.contentDocument?.body?.innerText.includes('All are friends.')")
    tab.run(f"{frame}.contentWindow.scrollTo(0, 500)")
    tiny.change("templates/tiny/rulebook.en.md", "## Part h\n", "## Part of joy\n")
    tab.wait(f"{frame}?.contentDocument?.body?.innerText.includes('Part of joy')")
    tab.wait(f"{frame}.contentWindow.scrollY === 500", "the same place")

    tiny.change("templates/tiny/rulebook.en.md", "## Part of joy\n", "## Part {{ rules.none }}\n")
    tab.wait("document.querySelector('#rulebook .checks')?.innerText.includes('rulebook.en.md:31')")
    assert tab.run(f"{frame}.contentDocument.body.innerText.includes('Part of joy')"), "the last good book stays"
    tiny.change("templates/tiny/rulebook.en.md", "## Part {{ rules.none }}\n", "## Part of joy\n")
    tab.wait("document.querySelector('#rulebook .checks') === null")


def test_findings_are_listed(tab: Tab) -> None:
    tab.press("4")
    tab.wait("document.querySelector('.sum.pass b') !== null")
    assert tab.run("Number(document.querySelector('.sum.pass b').textContent)") > 3


def test_names_are_texts_and_never_markup(tab: Tab, tiny: TinyProject) -> None:
    edit(tiny, "en: One,", "en: '<img src=x onerror=document.title=1>',")
    tab.wait(f"{ONE}.querySelector('.legend b').textContent.startsWith('<img')")
    assert tab.run("document.querySelectorAll('[onerror]').length") == 0


def test_a_thousand_cards_are_light(tab: Tab, tiny: TinyProject) -> None:
    """Of 1,000 cards only those near the screen have pictures, until one scrolls there."""
    more = "".join(
        f"      - {{id: n{n}, count: 1, title: {{en: N{n}, ja: N{n}}}, value: {n % 10}}}\n" for n in range(998)
    )
    text = data_file(tiny).read_text(encoding="utf-8")
    save(data_file(tiny), text.replace("    stated: 5\n", "").replace("setup:\n", f"{more}setup:\n"))
    tab.wait("document.querySelectorAll('.design').length === 1000")
    tab.wait(f"{DRAWN} > 20")
    still = f"(async () => {{ let n = 0; while (n !== {DRAWN}) {{ n = {DRAWN}; await new Promise((go) => setTimeout(go, 700)) }} return n }})()"

    assert tab.run(still) < 150, "once nothing more comes"
    tab.run("document.querySelector('[data-design=\"card/n990\"]').scrollIntoView()")
    tab.wait("document.querySelector('[data-key=\"en:front:card/n990\"] img.picture') !== null")
    assert tab.run(DRAWN) < 300


@pytest.mark.parametrize("width", [1200, 390])
def test_nothing_is_wider_than_the_window(tab: Tab, width: int) -> None:
    tab.size(width, 800)
    assert tab.run("document.documentElement.scrollWidth") <= width
    for view, part in (("sheets", ".leaf"), ("rulebook", ""), ("findings", ".sums")):
        tab.run(f"location.hash = '#tiny/{view}'")
        tab.wait(f"document.querySelector('#{view}:not([hidden]) {part}')?.offsetWidth > 0", view)
        assert tab.run("document.documentElement.scrollWidth") <= width, view


def test_a_page_that_lost_its_server_says_so(browser: Callable[[], Tab], tiny: TinyProject) -> None:
    found = browser()
    with served(tiny.root) as client:
        found.open(client.server.url)
        found.wait(f"{DRAWN} === 2")
    found.wait("document.querySelector('.state.lost') !== null")
    assert found.run(DRAWN) == 2
