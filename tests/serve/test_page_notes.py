"""Notes about cards that the page of `pnp serve --edit` stores in playtest sessions."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from browser import Tab
from conftest import ROOT
from serve_cases import Client, served
from table_cases import GAMES, ask
from table_tabs import choices_on, sit_down
from test_edit import all_files, click, send
from tests_support import TinyProject

from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.game.yaml_edits import append_yaml_entry
from generator.live import show_views
from generator.versions.session import keep_note

EVENING = datetime(2026, 11, 24, 21, 30)


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    with served(tiny.root, editable=True) as found:
        yield found


def note(**more: Any) -> dict[str, Any]:
    return {"game": "tiny", "about": "card/one", "text": "Too strong.", "author": "Mika", "players": 2, **more}


def post(client: Client, **more: Any) -> Any:
    status, body = send(client, "POST", "/note", note(**more))
    assert status == 200, status
    return json.loads(body)


def sessions(tiny: TinyProject) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in (tiny.root / "sessions" / "tiny").glob("*")}


def today() -> date:
    return (datetime.now() - timedelta(hours=5)).date()


def test_the_first_note_begins_a_session_and_others_follow(client: Client, tiny: TinyProject, pnp: Any) -> None:
    """The file is the one that `pnp session add` writes, and its report has the notes."""
    told = f"sessions/tiny/{today()}-1.yaml"
    assert post(client) == post(client, about="card/two", text='He said: "why?"\n次は') == told
    written = (tiny.root / told).read_text(encoding="utf-8")
    whole = yaml.safe_load(written)
    assert whole["players"] == 2 and [one["about"] for one in whole["notes"]] == ["card/one", "card/two"]
    assert [one["author"] for one in whole["notes"]] == ["Mika", "Mika"] and "status" not in whole["notes"][0], "open"
    (tiny.root / told).unlink()
    added = pnp("session", "add", "tiny", "--date", str(today()), "--seat", "", "--seat", "", "--author", "Mika",
                "--note", "card/one=Too strong.", "--note", 'card/two=He said: "why?"\n次は', "--project", str(tiny.root))  # fmt: skip
    assert added.code == 0, added.err
    lines = (tiny.root / told).read_text(encoding="utf-8").splitlines()
    assert [line for line in written.splitlines() if line not in lines] == [], "the same lines, without seats"
    report = pnp("session", "report", "tiny", "--games", "0", "--project", str(tiny.root))
    assert "Too strong." in report.out


def test_all_else_in_a_session_stays(client: Client, tiny: TinyProject) -> None:
    """Comments, and the hash by which pnp notices that a card has changed since an older note."""
    text = '# ours\nformat: 1\ndraft: "1"\nplayers: 3   # with Ken\nrecord: none\nnotes:\n- {text: "a", seen: "00000000", about: card/two}  # old\nminutes: 9\n'
    file = tiny.root / "sessions" / "tiny" / f"{today()}-7.yaml"
    file.parent.mkdir(parents=True)
    draft = re.search(r"^draft: *(\S+)", (tiny.root / "data/tiny/game.yaml").read_text(encoding="utf-8"), re.MULTILINE)
    assert draft is not None
    text = text.replace('"1"', draft[1])
    file.write_text(text, encoding="utf-8")
    assert post(client).endswith("-7.yaml")
    before, after = text.splitlines(), file.read_text(encoding="utf-8").splitlines()
    assert [line for line in after if line not in before] == [after[7]]
    assert after[7].startswith('- {text: "Too strong.", about: card/one, author: Mika, seen: ')
    assert after[:7] + after[8:] == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1", "a: 1\nnotes:\n  - {b: 2}\n"),
        ("a: 1\r\nnotes:\r\n    - x\r\n", "a: 1\r\nnotes:\r\n    - x\r\n    - {b: 2}\r\n"),
        ("notes: []\na: 1\n", "notes: [{b: 2}]\na: 1\n"),
        ("notes:\na: 1\n", "notes: [{b: 2}]\na: 1\n"),
        ("notes: [x, y]   # z\n", "notes: [x, y, {b: 2}]   # z\n"),
        ("notes:\n- text: |\n    two\n    lines\na: 1\n", "notes:\n- text: |\n    two\n    lines\n- {b: 2}\na: 1\n"),
        ("notes:\n- x # y\n# z\na: 1\n", "notes:\n- x # y\n- {b: 2}\n# z\na: 1\n"),
    ],
)
def test_an_entry_is_added_to_a_list(before: str, after: str) -> None:
    assert append_yaml_entry(before, "notes", "{b: 2}") == after


def keep(tiny: TinyProject, now: datetime, **more: Any) -> Path:
    project = find_project(tiny.root, tiny.root)
    game = load_game(project.find_folder("tiny"), project.resources)
    return keep_note(Workshop(game, project.resources), RulebookPlay(game, lambda: None), note(**more), now)


def test_an_evening_ends_at_five_o_clock_and_another_draft_has_its_own(tiny: TinyProject) -> None:
    assert keep(tiny, EVENING).name == "2026-11-24-1.yaml"
    assert keep(tiny, EVENING + timedelta(hours=7)).name == "2026-11-24-1.yaml"
    assert keep(tiny, EVENING + timedelta(hours=8)).name == "2026-11-25-1.yaml"
    data = tiny.root / "data/tiny/game.yaml"
    data.write_text(re.sub(r"(?m)^draft: .*", "draft: another", data.read_text(encoding="utf-8")), encoding="utf-8")
    assert keep(tiny, EVENING).name == "2026-11-24-2.yaml"
    assert keep(tiny, EVENING).name == "2026-11-24-2.yaml"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"text": ""}, "text"),
        ({"about": "card/three"}, "there is no card, heading or entry 'card/three'"),
        ({"players": 99}, "tiny is not for 99 players"),
        ({"players": 0}, "players"),
    ],
)
def test_a_wrong_note_is_explained(client: Client, tiny: TinyProject, more: dict[str, Any], said: str) -> None:
    assert said in post(client, **more)["problems"][0]
    assert sessions(tiny) == {}


def test_a_session_that_can_not_be_read_stays(client: Client, tiny: TinyProject, tmp_path: Path) -> None:
    folder = tiny.root / "sessions" / "tiny"
    folder.mkdir(parents=True)
    (folder / f"{today()}-1.yaml").write_text("format: 2\n", encoding="utf-8")
    assert f"sessions/tiny/{today()}-1.yaml:1" in post(client)["problems"][0]
    assert sessions(tiny) == {f"{today()}-1.yaml": "format: 2\n"}
    (folder / f"{today()}-1.yaml").unlink()
    folder.rmdir()
    (tmp_path / "outside").mkdir()
    folder.symlink_to(tmp_path / "outside")
    assert "it leads out of the project" in post(client)["problems"][0]
    assert all_files(tmp_path / "outside") == {}


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"{}", b"[" * 9000, *(json.dumps(note(**more)).encode() for more in (
        {"players": True}, {"players": "2"}, {"text": None}, {"more": 1}))],
)  # fmt: skip
def test_what_is_no_note_is_refused(client: Client, tiny: TinyProject, body: bytes) -> None:
    assert send(client, "POST", "/note", body, Content_Type="application/json")[0] == 400
    assert send(client, "POST", "/note", note(game="nobody"))[0] == 404
    assert sessions(tiny) == {}


def test_notes_need_the_secret_and_the_own_origin(client: Client, tiny: TinyProject) -> None:
    assert send(client, "POST", "/note", note(), Origin="http://evil.example")[0] == 403
    client.home = ""
    assert send(client, "POST", "/note", note())[0] == 405
    with served(tiny.root) as reader:
        assert send(reader, "POST", "/note", note())[0] == 405
    assert sessions(tiny) == {}


def test_a_package_keeps_the_notes(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = show_views.find_additions("note_keepers")._replace(entries={})
    monkeypatch.setattr(show_views, "find_additions", lambda _kind: nothing)
    assert "this installation stores no notes" in post(client)["problems"][0]


@pytest.mark.slow
def test_each_card_has_a_note_button(tab: Tab, tiny: TinyProject) -> None:
    assert tab.run("document.querySelectorAll('.design .note-on').length") == 2
    tab.run("document.querySelector('[data-design=\"card/two\"] .look').focus()")
    tab.press("n")
    tab.wait("document.getElementById('note').open")
    tab.type("Nobody takes it.")
    tab.run("document.getElementById('note-author').value = 'Ken'; document.getElementById('note-players').value = 99")
    click(tab, "Store the note")
    tab.wait("document.getElementById('note-said').textContent.includes('99 players')")
    assert tab.run("document.getElementById('note-text').value") == "Nobody takes it.", "what was written stays"
    tab.run("document.getElementById('note-players').value = 2")
    click(tab, "Store the note")
    tab.wait("!document.getElementById('note').open")
    (text,) = sessions(tiny).values()
    assert yaml.safe_load(text)["notes"][0].items() >= {"about": "card/two", "author": "Ken"}.items()
    tab.run("document.querySelector('[data-design=\"card/one\"] .look').click()")
    tab.wait("document.querySelector('#detail-faces .note-on') !== null")
    assert tab.run("document.querySelectorAll('#detail-faces figure .note-on').length") == tab.run(
        "document.querySelectorAll('#detail-faces figure').length"
    )
    tab.run("document.querySelector('#detail-faces .note-on').click()")
    tab.wait("document.getElementById('note').open && document.getElementById('note-author').value === 'Ken'")


@pytest.mark.slow
def test_each_heading_of_the_rulebook_has_a_note_button(tab: Tab, tiny: TinyProject) -> None:
    """A click on the button, or `n` for the heading that is read."""
    tiny.write("templates/tiny/rulebook.en.md", "# Tiny\n\n## Play\n\nDraw.\n\n## The end\n\n" + "Stop.\n\n" * 60)
    tab.run("location.hash = '#tiny/rulebook'")
    headings = "[...(document.querySelector('#rulebook iframe')?.contentDocument?.querySelectorAll('h2, h3') ?? [])]"
    tab.wait(f"{headings}.length === 3 && {headings}.every((one) => one.querySelector('.note-on'))", "the buttons")
    tab.run(f"{headings}[1].querySelector('.note-on').click()")
    tab.wait("document.getElementById('note').open")
    assert tab.run("document.getElementById('note-title').textContent") == "A note about Play"
    tab.type("Draw how many?")
    click(tab, "Store the note")
    tab.wait("!document.getElementById('note').open")
    for focused in ("document.getElementById('tab-rulebook')", f"{headings}[2].querySelector('button')"):
        tab.run(f"{headings}[2].scrollIntoView(); {focused}.focus()")
        tab.wait(f"{headings}[2].getBoundingClientRect().top < 200", "the page to scroll")
        tab.press("n")
        tab.wait("document.getElementById('note-title').textContent.includes('The end')", focused)
        assert tab.run("document.getElementById('note').open")
        tab.run("document.getElementById('note').close(); document.getElementById('note-title').textContent = ''")
    (text,) = sessions(tiny).values()
    (stored,) = yaml.safe_load(text)["notes"]
    assert (stored["text"], stored["about"], len(stored["seen"])) == ("Draw how many?", "heading-2", 8)


def test_a_heading_is_told_from_the_card_of_its_name(client: Client, tiny: TinyProject) -> None:
    tiny.write("templates/tiny/rulebook.en.md", "# Tiny\n\n## one {# typed: a name #}\n\nDraw.\n")
    assert "'one' is the name of 2 things; write card/one or heading-2" in post(client, about="one")["problems"][0]
    told = post(client, about="#heading-2")
    assert post(client, about="#heading-2") == told, "the file can be read again"
    notes = yaml.safe_load((tiny.root / told).read_text(encoding="utf-8"))["notes"]
    assert [note["about"] for note in notes] == ["heading-2", "heading-2"]


@pytest.fixture
def fortuna(tmp_path: Path) -> Iterator[Client]:
    """A server of a project of one's own with Fortuna, whose sessions are below `tmp_path`."""
    for folder in ("data", "templates"):
        shutil.copytree(ROOT / folder / "fortuna", tmp_path / folder / "fortuna")
    shutil.copytree(ROOT / "templates" / "common", tmp_path / "templates" / "common")
    with served(tmp_path, editable=True, ahead=False) as found:
        yield found


def about_move(client: Client, number: int, moves: list[int], **more: Any) -> Any:
    """The answer to a note about a move of a game, as the page sends it."""
    saved = ask("fortuna", "save", moves, **more)["text"]
    order = note(game="fortuna", about=f"move {number}", players=9, table=saved)
    return json.loads(send(client, "POST", "/note", order)[1])


def read_all(tmp_path: Path) -> list[Any]:
    return [yaml.safe_load(path.read_bytes()) for path in sorted((tmp_path / "sessions/fortuna").glob("*"))]


@pytest.mark.slow
def test_a_note_about_a_move_stores_the_game(fortuna: Client, tmp_path: Path) -> None:
    """Later moves of the game join its session; another game, or another move in the place of one, begins a new one."""
    moves = choices_on("fortuna", 3)
    assert about_move(fortuna, 2, moves[:2]) == f"sessions/fortuna/{today()}-1.yaml"
    (first,) = read_all(tmp_path)
    assert (first["players"], first["seed"], first["moves"]) == (GAMES["fortuna"], "1/3", moves[:2])
    assert first["seats"] == [{}, {"bot": "random"}, {"bot": "random"}], "no game of people alone, and not over"
    (told,) = first["notes"]
    assert told["about"] == "move 2" and re.match("プレイヤー[0-9]: .", told["seen"])
    assert about_move(fortuna, len(moves), moves).endswith("-1.yaml")
    assert about_move(fortuna, 1, moves[:1]).endswith("-1.yaml"), "an earlier state of the same game"
    (first,) = read_all(tmp_path)
    assert first["moves"] == moves
    assert [one["about"] for one in first["notes"]] == ["move 2", f"move {len(moves)}", "move 1"]
    begun = ask("fortuna")
    other = next(one["move"] for one in begun["choices"] if one["move"] != moves[len(begun["moves"])])
    assert about_move(fortuna, 1, [*begun["moves"], other]).endswith("-2.yaml")
    begun = ask("fortuna", seed="1/4")
    assert about_move(fortuna, 1, [*begun["moves"], begun["choices"][0]["move"]], seed="1/4").endswith("-3.yaml")


def test_a_wrong_note_about_a_move_is_explained(fortuna: Client, tmp_path: Path) -> None:
    moves = choices_on("fortuna", 1)
    assert about_move(fortuna, 99, moves)["problems"][0].startswith(
        f"there is no move 99: the session has {len(moves)} moves"
    )
    assert "there is no move 0" in about_move(fortuna, 0, moves)["problems"][0]
    saved = ask("fortuna", "save", moves)["text"]
    for table, said in (
        (saved.replace('"players": 3', '"players": 4'), "edited"),
        ("{", "not a complete saved game"),
        ("", "not a complete"),
    ):
        order = note(game="fortuna", about="move 1", table=table)
        assert said in json.loads(send(fortuna, "POST", "/note", order)[1])["problems"][0]
    order = note(game="fortuna", about="move 1", players=3)
    assert "there is no move 1" in json.loads(send(fortuna, "POST", "/note", order)[1])["problems"][0]
    assert send(fortuna, "POST", "/note", note(game="fortuna", about="move 1", table=1))[0] == 400
    assert read_all(tmp_path) == []


def test_a_game_without_rules_has_no_moves(client: Client, tiny: TinyProject) -> None:
    assert "has no Python rules" in post(client, about="move 1", table="{}")["problems"][0]
    assert sessions(tiny) == {}


@pytest.mark.slow
def test_each_line_of_the_log_has_a_note_button(fortuna: Client, browser: Callable[[], Tab], tmp_path: Path) -> None:
    tab, moves = browser(), choices_on("fortuna", 2)
    sit_down(tab, fortuna.server.url, "fortuna", moves=moves)
    lines, buttons = "document.querySelectorAll('#log .to').length", "document.querySelectorAll('#log .note-on')"
    assert tab.run(lines) == tab.run(f"{buttons}.length") > 1
    said = tab.run(f"{buttons}[1].parentElement.querySelector('.to').textContent")
    assert tab.run(f"{buttons}[1].getAttribute('aria-label')") == f"Note: {said}"
    tab.run(f"{buttons}[1].click()")
    tab.wait("document.getElementById('note').open")
    assert said in tab.run("document.getElementById('note-title').textContent")
    assert not tab.run("document.getElementById('note-players').checkVisibility()"), "the game knows them"
    tab.type("Why?")
    click(tab, "Store the note")
    tab.wait("!document.getElementById('note').open")
    (stored,) = read_all(tmp_path)
    assert stored["moves"] == moves
    number = int(stored["notes"][0]["about"].removeprefix("move "))
    assert (
        stored["notes"][0]["text"] == "Why?"
        and tab.run(f"{buttons}[1].parentElement.querySelector('.to').textContent") == said
    )
    assert ask("fortuna", moves=moves)["log"][1]["at"] + 1 == number
    assert tab.complaints == []
    with served(ROOT, "fortuna") as reader:
        sit_down(tab, reader.server.url, "fortuna", moves=moves)
        assert tab.run(lines) > 1 and tab.run(f"{buttons}.length") == 0, "nothing can be stored there"
