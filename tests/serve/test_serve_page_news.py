"""The live page while much happens: games come, go and change faster than it can ask."""

from collections.abc import Callable, Iterator

import pytest
from browser import Tab
from page_cases import BILINGUAL, DRAWN, ONE, PICTURE, SHOWN
from serve_cases import Client, data_file, save, served
from tests_support import TINY_TEMPLATE, TinyProject

TITLE = "document.getElementById('title').textContent"
PLACES = "[...document.querySelectorAll('#problem-list code')].map((one) => one.textContent).join()"


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    """A client of a server with two games: the tiny one in two languages, and a second one."""
    for old, new in BILINGUAL.items():
        tiny.change("data/tiny/game.yaml", old, new)
    second = data_file(tiny).read_text(encoding="utf-8").replace("Tiny", "Second").replace("One", "Eins")
    tiny.write("templates/second/card.svg", TINY_TEMPLATE)
    tiny.write("templates/second/icons/star.svg", (tiny.root / "templates/tiny/icons/star.svg").read_bytes())
    tiny.write("data/second/game.yaml", second)
    with served(tiny.root) as found:
        yield found


def count(game: str) -> str:
    """How many problems the list of games says a game has, as a script."""
    return f"document.querySelector('#games a[href^=\"#{game}/\"] .count')?.textContent ?? ''"


def test_a_game_that_changes_faster_than_answers_come_is_shown_all_the_same(tab: Tab, tiny: TinyProject) -> None:
    tab.run(f"""(() => {{
      const ask = window.fetch;
      let held = true;
      window.released = new Promise((go) => {{ window.release = () => {{ held = false; go(); }}; }});
      window.waiting = 0;
      window.fetch = (address, ...rest) => ask(address, ...rest).then(async (answer) => {{
        if (!held || address !== "game/tiny") return answer;
        const {{ problems }} = await answer.clone().json();  // a greeting's answer, before the mistake, is let through
        if (!problems.length) return answer;
        window.waiting += 1;
        return window.released.then(() => answer);
      }});
      window.seen = [];
      new MutationObserver(() => window.seen.push({PLACES}))
        .observe(document.getElementById("problem-list"), {{ childList: true }});
      window.told = 0;
      new EventSource("/events").addEventListener("game", () => {{ window.told += 1; }});
    }})()""")
    text = data_file(tiny).read_text(encoding="utf-8")
    save(data_file(tiny), text.replace("value: 1,", "value: one,"))
    tab.wait("window.waiting === 1", "the answer that is held back")
    told = tab.run("window.told")
    save(data_file(tiny), text.replace("value: 2}", "value: two}"))
    tab.wait(f"window.told > {told}", "the news of the second mistake")
    tab.run("window.release()")

    line = text.split("value: 1,")[0].count("\n") + 1
    tab.wait(f"window.seen.at(-1)?.startsWith('data/tiny/game.yaml:{line + 1}:')", "the second mistake")
    assert tab.run("window.seen[0]").startswith(f"data/tiny/game.yaml:{line}:"), "the first was shown before"


def test_the_list_and_the_game_tell_one_story(tab: Tab, tiny: TinyProject) -> None:
    """A list that was answered before a mistake and a game that was answered after it show the same number."""
    tab.run("""(() => {
      const ask = window.fetch, old = ask("games.json").then((answer) => answer.json());
      window.fetch = (address, ...rest) => address === "games.json"
        ? old.then((list) => new Response(JSON.stringify(list))) : ask(address, ...rest);
    })()""")
    tiny.change("data/tiny/game.yaml", "value: 1,", "value: one,")
    tab.wait("!document.getElementById('problems').hidden", "the problem")
    assert tab.run(count("tiny")) == "1 problem"


def test_another_games_problems_are_counted(tab: Tab, tiny: TinyProject) -> None:
    tiny.change("data/second/game.yaml", "value: 1,", "value: one,")
    tab.wait(f"{count('second')} === '1 problem'")
    assert tab.run("document.getElementById('problems').hidden")
    tiny.change("data/second/game.yaml", "value: one,", "value: 1,")
    tab.wait(f"{count('second')} === ''")
    assert tab.run(TITLE) == "Tiny"


def test_the_list_of_games_speaks_the_readers_language(tab: Tab) -> None:
    titles = "[...document.querySelectorAll('#games b')].map((one) => one.textContent).join()"
    assert tab.run(titles) == "Second,Tiny"
    tab.press("l")
    assert tab.run(titles) == "小箱,小箱"
    assert tab.run("document.querySelectorAll('#games [aria-current]').length") == 1


def test_words_are_searched_in_a_game_that_was_left_and_opened_again(tab: Tab, tiny: TinyProject) -> None:
    tiny.change("templates/tiny/card.svg", ">{{ card.title }}</textbox>", ">{{ card.title }} rare</textbox>")
    for game in ("tiny", "second", "tiny"):
        tab.run(f"location.hash = '#{game}/components'")
        tab.wait(f"{TITLE} === '{game.title()}' && {DRAWN} === 2")
        if game == "tiny":
            tab.press("/")
            tab.type("rare")
            tab.wait(f"{SHOWN} === 'card/one,card/two'", "what both cards say")
            tab.press("Escape")
            tab.run("document.activeElement.blur()")
    assert tab.complaints == []


def test_a_broken_address_opens_the_first_game(browser: Callable[[], Tab], client: Client) -> None:
    found = browser()
    found.open(f"{client.server.url}#%E5%B0/components")
    assert found.run(TITLE) == "Second"
    assert found.complaints == []


def test_the_page_goes_from_a_game_that_is_gone_to_one_that_is_left(
    browser: Callable[[], Tab], client: Client, tiny: TinyProject
) -> None:
    found = browser()
    found.open(f"{client.server.url}#tiny/components")
    data_file(tiny).unlink()
    found.wait(f"{TITLE} === 'Second'")
    found.wait(f"{ONE}?.querySelector('.legend b').textContent === 'Eins' && {PICTURE} !== null")
    assert found.run("document.querySelectorAll('#games li').length") == 1
    (tiny.root / "data/second/game.yaml").unlink()
    found.wait("!document.getElementById('problems').hidden", "the problem")
    assert found.run("document.querySelectorAll('.design').length") == 2
