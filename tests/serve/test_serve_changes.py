"""What the page is told when files change: which faces, which problems, and that the last good pictures stay."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import ROOT
from serve_cases import Client, data_file, expect_soon, news, save, served
from tests_support import TinyProject

from generator.live import gallery

ONE, TWO = "/face/tiny/en/card%2fone/front.svg", "/face/tiny/en/card%2ftwo/front.svg"
TEMPLATE = "templates/tiny/card.svg"


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    with served(tiny.root) as found:
        yield found


def edit(tiny: TinyProject, old: str, new: str) -> None:
    """Change the data as an editor does."""
    file = data_file(tiny)
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, old
    save(file, text.replace(old, new))


def versions(client: Client) -> tuple[str, str]:
    return client.version("card/one")["version"], client.version("card/two")["version"]


def test_a_picture_is_the_face_of_the_print(client: Client) -> None:
    """The SVG has the face's size in mm, its words as its description, its stamp, and rounded corners."""
    answer, body = client.get(ONE)
    text = body.decode()
    assert answer.getheader("Content-Type") == "image/svg+xml; charset=utf-8"
    assert 'viewBox="0 0 40 60"' in text
    assert 'width="40mm"' in text
    assert "<desc>1\nOne</desc>" in text
    assert re.search(r'<clipPath id="[^"]+"><path d="m3 0h34c', text), "cut along its rounded corners"


def test_guides_lie_over_it(client: Client) -> None:
    """The overlay has the face's size and shows trim, safe zone and the text box, in their own colours."""
    text = client.get("/guides/tiny/en/card%2fone/front.svg")[1].decode()
    assert 'viewBox="0 0 40 60"' in text
    assert text.count('stroke="#f0f"') == 1
    assert text.count('stroke="#00aeef"') == 1
    assert re.search(r'd="m5 15h30v10h-30z"[^>]*stroke="#8c8c8c"', text)


def test_an_edited_card_alone_changes(client: Client, tiny: TinyProject) -> None:
    """The event names exactly the faces that look otherwise; the new picture shows what was written."""
    one, two = versions(client)
    stream = news(client)
    next(stream)
    edit(tiny, "title: One", "title: Uno")
    told = next(data for name, data in stream if name == "faces")
    assert [(face["design"], face["face"], face["lang"], face["well"]) for face in told["faces"]] == [
        ("card/one", "front", "en", True)
    ]
    assert told["faces"][0]["version"] == client.version("card/one")["version"] != one
    assert client.version("card/two")["version"] == two
    assert "Uno" in client.get(ONE)[1].decode()


def test_a_file_that_was_changed_last_is_watched_most(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "POLL", 1000.0)
    with served(tiny.root) as client:
        watching = client.server.gallery
        expect_soon(lambda: not watching._used, "rest")
        watching._at_work = ("data/tiny/game.yaml",)
        edit(tiny, "title: One", "title: Uno")
        expect_soon(lambda: "Uno" in client.get(ONE)[1].decode())


def test_a_comment_changes_nothing(client: Client, tiny: TinyProject) -> None:
    before = versions(client)
    stream = news(client)
    next(stream)
    save(data_file(tiny), data_file(tiny).read_text(encoding="utf-8") + "# nothing but a comment\n")
    assert next(stream)[0] == "game"
    edit(tiny, "title: Two", "title: Due")
    told = [next(stream) for _ in range(2)]
    assert versions(client)[0] == before[0]
    assert [face["design"] for name, data in told if name == "faces" for face in data["faces"]] == ["card/two"]


def test_a_template_changes_all_its_cards(client: Client, tiny: TinyProject) -> None:
    before = versions(client)
    tiny.change(TEMPLATE, "#f0e8d8", "#d8e8f0")
    expect_soon(lambda: all(now != then for now, then in zip(versions(client), before, strict=True)))
    assert "#d8e8f0" in client.get(TWO)[1].decode()


def test_art_is_watched_too(client: Client, tiny: TinyProject) -> None:
    one, two = versions(client)
    tiny.change("templates/tiny/icons/star.svg", "L95 95", "L90 95")
    expect_soon(lambda: client.version("card/one")["version"] != one)
    assert client.version("card/two")["version"] == two


def test_guides_change_with_a_safe_zone_alone(client: Client, tiny: TinyProject) -> None:
    """What only the guides show gives a new version as well, so that no old overlay stays."""
    one = client.version("card/one")["version"]
    edit(tiny, "    front: card\n", "    front: card\n    safe: 5\n")
    expect_soon(lambda: client.version("card/one")["version"] != one)


@pytest.mark.parametrize(
    ("old", "new", "line", "design"),
    [
        ("value: 2}", "value: two}", 23, "card/two"),
        ("value: 2}", "value: 2", None, None),
        pytest.param("value: 1, mark: star}", "value: 1, mark: moon}", 22, "card/one", marks=pytest.mark.slow),
    ],
)
def test_a_broken_file_keeps_the_last_good_pictures(
    client: Client, tiny: TinyProject, old: str, new: str, line: int | None, design: str | None
) -> None:
    before, picture = versions(client), client.get(ONE)[1]
    edit(tiny, old, new)
    game = expect_soon(lambda: (now := client.json("/game/tiny"))["problems"] and now)

    assert game["stale"] is True
    place = game["problems"][0]["place"]
    assert re.match(r"data/tiny/game\.yaml:\d+:\d+$", place), place
    if line is not None:
        assert place.startswith(f"data/tiny/game.yaml:{line}:")
        assert game["problems"][0]["designs"] == [design]
    assert client.get(ONE)[1] == picture
    assert versions(client) == before
    assert client.json("/games.json")["games"][0]["problems"] == len(game["problems"])

    edit(tiny, new, old)
    expect_soon(lambda: client.json("/game/tiny")["problems"] == [])
    assert client.json("/game/tiny")["stale"] is False
    assert versions(client) == before


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("{{ card.value }}", "{{ card.valeu }}", "valeu"),
        pytest.param("{% endif %}", "", "never closed", marks=pytest.mark.slow),
        pytest.param('fill="#f0e8d8"', 'fill="nosuch"', "nosuch", marks=pytest.mark.slow),
    ],
)
def test_a_broken_template_keeps_the_last_good_pictures(
    client: Client, tiny: TinyProject, old: str, new: str, what: str
) -> None:
    before, picture = versions(client), client.get(ONE)[1]
    tiny.change(TEMPLATE, old, new)
    game = expect_soon(lambda: _both_met(client.json("/game/tiny")))
    known = client.version("card/one")

    assert game["stale"] is False, "the data are as they were"
    assert game["problems"][0]["place"].startswith(f"{TEMPLATE}:")
    assert what in game["problems"][0]["what"]
    assert (known["version"], known["well"]) == (before[0], False)
    assert client.get(ONE)[1] == picture

    save(
        tiny.root / TEMPLATE, (tiny.root / TEMPLATE).read_text(encoding="utf-8").replace(new, old) if new else _whole()
    )
    expect_soon(lambda: client.version("card/one")["well"])
    assert client.json("/game/tiny")["problems"] == []
    assert versions(client) == before


def _both_met(game: dict[str, Any]) -> dict[str, Any] | None:
    """The game once both of its cards have met the one problem."""
    return game if [one["designs"] for one in game["problems"]] == [["card/one", "card/two"]] else None


def test_a_template_line_that_fails_for_one_card_marks_that_card(client: Client, tiny: TinyProject) -> None:
    tiny.change(TEMPLATE, "{{ card.value }}", "{{ card.value if card.id == 'card/two' else card.nosuch }}")
    game = expect_soon(
        lambda: (now := client.json("/game/tiny"))["problems"] and client.version("card/two")["well"] and now
    )
    assert [one["designs"] for one in game["problems"]] == [["card/one"]]


def _whole() -> str:
    from tests_support import TINY_TEMPLATE

    return TINY_TEMPLATE


def test_a_text_that_does_not_fit_is_told_at_its_card(client: Client, tiny: TinyProject) -> None:
    """One card's text grows too long: that card keeps its picture and says why, the other goes on."""
    one, _ = versions(client)
    edit(tiny, "title: One", f"title: {'much too long a title ' * 20}")
    edit(tiny, "title: Two", "title: Deux")
    game = expect_soon(lambda: (now := client.json("/game/tiny"))["problems"] and now)
    assert game["problems"][0]["designs"] == ["card/one"]
    assert (client.version("card/one")["version"], client.version("card/one")["well"]) == (one, False)
    assert expect_soon(lambda: "Deux" in client.get(TWO)[1].decode())


def test_a_game_that_was_never_whole_has_problems_alone(tiny: TinyProject) -> None:
    whole = data_file(tiny).read_text(encoding="utf-8")
    save(data_file(tiny), whole.replace("value: 2}", "value: 2"))
    with served(tiny.root) as client:
        game = client.json("/game/tiny")
        assert game["kinds"] == []
        assert len(game["problems"]) == 1
        assert client.get(ONE)[0].status == 404
        assert client.get("/sheets/tiny/en")[0].status == 404
        save(data_file(tiny), whole)
        expect_soon(lambda: client.json("/game/tiny")["kinds"])
        assert client.get(ONE)[0].status == 200


def test_designs_come_and_go(client: Client, tiny: TinyProject) -> None:
    edit(
        tiny,
        "      - {id: two, count: 3, title: Two, value: 2}",
        "      - {id: three, count: 3, title: Three, value: 3}",
    )
    expect_soon(
        lambda: (
            [design["id"] for design in client.json("/game/tiny")["kinds"][0]["designs"]] == ["card/one", "card/three"]
        )
    )

    assert client.get("/face/tiny/en/card%2fthree/front.svg")[0].status == 200
    assert client.get(TWO)[0].status == 404


def test_games_come_and_go(client: Client, tiny: TinyProject) -> None:
    text = data_file(tiny).read_text(encoding="utf-8").replace("title: Tiny", "title: Second")
    tiny.write("templates/second/card.svg", _whole())
    tiny.write("templates/second/icons/star.svg", (tiny.root / "templates/tiny/icons/star.svg").read_text())
    file = tiny.write("data/second/game.yaml", text)
    expect_soon(lambda: [game["id"] for game in client.json("/games.json")["games"]] == ["second", "tiny"])
    assert client.get("/face/second/en/card%2fone/front.svg")[0].status == 200
    file.unlink()
    expect_soon(lambda: [game["id"] for game in client.json("/games.json")["games"]] == ["tiny"])
    assert client.get("/game/second")[0].status == 404


def test_the_greeting_tells_where_things_stand(client: Client, tiny: TinyProject) -> None:
    name, data = next(news(client))
    first = data["games"][0]["generation"]
    edit(tiny, "title: One", "title: Uno")
    expect_soon(lambda: client.json("/game/tiny")["generation"] > first)
    assert (name, data["games"][0]["id"]) == ("hello", "tiny")
    assert next(news(client))[1]["games"][0]["generation"] > first


def test_the_description_has_what_the_page_needs(client: Client) -> None:
    """Kinds with sizes in mm, designs with names, counts, places and values; fields with few values to choose by."""
    game = client.json("/game/tiny")
    (kind,) = game["kinds"]

    assert (kind["width"], kind["height"], kind["corner"], kind["count"], kind["stated"]) == (40, 60, 3, 5, 5)
    assert kind["designs"][0] == {
        "id": "card/one",
        "name": {"en": "One"},
        "count": 2,
        "faces": ["front"],
        "place": "data/tiny/game.yaml:22:9",
        "fields": {"value": "1", "mark": "star"},
    }
    assert game["filters"] == []


def test_fields_with_few_values_can_be_chosen_by(client: Client, tiny: TinyProject) -> None:
    more = "".join(
        f"      - {{id: n{n}, count: 1, title: N{n}, value: {n % 10}, mark: {'star' if n % 2 else 'moon'}}}\n"
        for n in range(20)
    )
    tiny.write("templates/tiny/icons/moon.svg", (tiny.root / "templates/tiny/icons/star.svg").read_text())
    text = data_file(tiny).read_text(encoding="utf-8")
    text = text.replace("    stated: 5\n", "").replace("setup:\n", f"{more}setup:\n")
    save(data_file(tiny), text.replace("  star: {name: Star", "  moon: {name: Moon, colour: red}\n  star: {name: Star"))
    game = expect_soon(lambda: (now := client.json("/game/tiny"))["filters"] and now)
    found = {one["field"]: one["values"] for one in game["filters"]}

    assert found["mark"] == [
        {"value": "star", "label": {"en": "Star"}, "designs": 11},
        {"value": "moon", "label": {"en": "Moon"}, "designs": 10},
    ]
    assert [value["value"] for value in found["value"]] == [str(n) for n in range(10)]
    assert "title" not in found


def test_the_words_of_faces_are_found(client: Client, tiny: TinyProject) -> None:
    assert client.json("/words/tiny")["words"] == {"card/one": {"en": "1\nOne"}, "card/two": {"en": "2\nTwo"}}
    edit(tiny, "title: One", "title: Uno")
    expect_soon(lambda: client.json("/words/tiny")["words"]["card/one"]["en"] == "1\nUno")


def test_sheets_are_the_pages_of_the_print(client: Client, tiny: TinyProject, pnp: Callable[..., Any]) -> None:
    """The pictures are those of the very PDF that `pnp sheets` writes, page by page; they are written without Pillow."""
    import io

    from PIL import Image
    from tests_support import page_count

    from generator.drawing.pdf.page_images import render_page
    from generator.live.show_views import DPI

    assert pnp("sheets", "--out", "out").code == 0
    pdf = tiny.root / "out" / "tiny" / "sheets.en.pdf"
    pages = client.json("/sheets/tiny/en")["pages"]

    assert len(pages) == page_count(pdf) == 1
    assert pages[0]["holds"] == ["card/one", "card/two"]
    with Image.open(io.BytesIO(client.get("/sheet/tiny/en/0.png")[1])) as shown:
        assert (shown.format, shown.mode) == ("PNG", "RGB")
        assert shown.tobytes() == render_page(pdf, 0, DPI).tobytes()


def test_sheets_on_another_paper(client: Client) -> None:
    papers = client.json("/papers.json")
    assert (papers["usual"], papers["papers"]["Letter"]) == ("A4", [215.9, 279.4])
    page = client.json("/sheets/tiny/en?paper=Letter")["pages"][0]
    assert (page["width"], page["height"]) == (215.9, 279.4)
    assert client.get("/sheet/tiny/en/0.png")[1] != client.get("/sheet/tiny/en/0.png?paper=Letter")[1]
    assert client.get("/sheets/tiny/en?paper=Napkin")[0].status == 404
    assert client.get("/sheet/tiny/en/0.png?paper=Napkin")[0].status == 404


def test_a_sheet_has_a_new_version_when_a_card_on_it_changes(client: Client, tiny: TinyProject) -> None:
    before = client.json("/sheets/tiny/en")["pages"][0]["version"]
    generation = client.json("/game/tiny")["generation"]
    save(data_file(tiny), data_file(tiny).read_text(encoding="utf-8") + "# a comment\n")
    expect_soon(lambda: client.json("/game/tiny")["generation"] > generation)
    assert client.json("/sheets/tiny/en")["pages"][0]["version"] == before
    edit(tiny, "title: One", "title: Uno")
    expect_soon(lambda: client.json("/sheets/tiny/en")["pages"][0]["version"] != before)


def test_sheets_that_can_not_be_laid_say_why(client: Client, tiny: TinyProject) -> None:
    edit(tiny, "stated: 5", "stated: 6")
    told = expect_soon(lambda: client.json("/sheets/tiny/en").get("problems"))
    assert any("stated" in problem for problem in told)


def test_findings_are_those_of_validate(client: Client, tiny: TinyProject, pnp: Callable[..., Any]) -> None:
    """The report without play says what `pnp validate --games 0` says."""
    import json

    said = json.loads(pnp("validate", "--format", "json", "--games", "0").out)["games"][0]
    assert client.json("/findings/tiny") == said


@pytest.mark.slow
def test_findings_speak_the_language_of_the_page() -> None:
    """A contradiction in the draft and its reading are in the data in both languages."""
    with served(ROOT, "journey8") as client:
        told = {lang: client.json(f"/findings/journey8?lang={lang}") for lang in ("ja", "en", "xx")}
    sentences = {
        lang: next(one["sentence"] for one in said["checks"] if one["id"] == "C8-EFFECTS")
        for lang, said in told.items()
    }
    assert "24枚のどのカードにも、効果の内容が書かれていない。" in sentences["ja"]
    assert "For none of the 24 cards" in sentences["en"]
    assert told["xx"] == told["en"]


def test_a_rulebook_follows_its_template(client: Client, tiny: TinyProject) -> None:
    """A rulebook that is begun while the page is open appears, and may stand in a frame of this page alone."""
    assert client.get("/rulebook/tiny/en.html")[0].status == 404
    tiny.write("templates/tiny/rulebook.en.md", "# Tiny\n\n## How to play\n\nAll are friends.\n")
    answer, body = expect_soon(lambda: (got := client.get("/rulebook/tiny/en.html"))[0].status == 200 and got)
    assert "All are friends." in body.decode()
    assert "frame-ancestors 'self'" in answer.getheader("Content-Security-Policy")
    assert "script" not in answer.getheader("Content-Security-Policy")
