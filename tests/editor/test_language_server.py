"""`pnp language-server`, spoken with by a real client over its pipes, while files are written that nobody saves."""

import base64
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_client import Editor, spot_of
from lsprotocol import types
from PIL import Image

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.live.draft_text import MOST_HEADINGS


def new_project(home: Path, name: str, source: str) -> Path:
    """A project that `pnp new` has begun."""
    subprocess.run(
        [sys.executable, "-m", "generator", "new", name, "--from", source], cwd=home, check=True, capture_output=True
    )
    return (home / name).resolve()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose cards stand in a table, with templates of its own."""
    return new_project(tmp_path_factory.mktemp("editor"), "kites", "csv")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_project(tmp_path_factory.mktemp("other"), "second", "blank")


@pytest.fixture(scope="module")
def editor(project: Path) -> Iterator[Editor]:
    """An editor for all tests: a server takes seconds to start."""
    editor = Editor(options={"pictures": "data"})
    path = project / "data/kites/components.yaml"
    editor.settle(path, editor.open(path))
    yield editor
    editor.close()
    assert editor.messages == []


@pytest.fixture(autouse=True)
def _as_it_was(editor: Editor, project: Path) -> Iterator[None]:
    """No test begins with what another has typed."""
    yield
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    editor.settle(path, text)
    editor.wait(path, lambda found: not found)


def test_a_mistake_is_told_at_its_place_in_the_words_of_the_command_and_goes_when_it_is_mended(
    editor: Editor, project: Path
) -> None:
    """The text counts that nobody has saved; line, column and words are those of `pnp` for the same text saved."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    wrong = text.replace("colour: swallow}", "colour: swalow}")

    editor.write(path, wrong)
    told = editor.wait_for_word(path, "swalow")
    editor.write(path, text)
    editor.wait(path, lambda found: not found)

    path.write_text(wrong, encoding="utf-8")
    try:
        with pytest.raises(ProblemsFound) as by_command:
            load_game(project / "data/kites", find_project(project).resources)
    finally:
        path.write_text(text, encoding="utf-8")
    (problem,) = by_command.value.problems
    assert str(problem) == f"{problem.place}: {told.message}"
    assert problem.place is not None
    assert (told.range.start.line + 1, told.range.start.character + 1) == (problem.place.line, problem.place.column)
    assert told.range.end.character - told.range.start.character == len("swalow")


def picture_of(shown: str) -> Image.Image:
    data = base64.b64decode(shown.partition("data:image/png;base64,")[2].partition(")")[0])
    return Image.open(io.BytesIO(data)).convert("RGB")


def test_a_hover_shows_the_card_as_it_is_written(editor: Editor, project: Path) -> None:
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    shown = editor.hover(path, spot_of(text, "count: 3", 1))
    before = picture_of(shown)
    assert "**count**: how many are printed" in shown
    assert before.height == 260 and 180 < before.width < 190, "63 x 88 mm"
    changed = text.replace("en: Your turn", "en: Your own turn")
    editor.settle(path, changed)
    shown = editor.hover(path, spot_of(changed, "count: 3", 1))
    assert picture_of(shown).tobytes() != before.tobytes()


def test_a_row_of_a_table_shows_its_card_and_a_wrong_cell_is_told(editor: Editor, project: Path) -> None:
    path = project / "data/kites/kites.csv"
    text = editor.open(path).removeprefix("\ufeff")

    assert picture_of(editor.hover(path, spot_of(text, "Barley Field"))).height == 260
    icons = editor.complete(path, spot_of(text, "swallow,2", 2))
    assert list(icons) == ["sun", "swallow", "diamond", "hexagon"]
    assert {one.kind for one in icons.values()} == {types.CompletionItemKind.EnumMember}, "not colours of that name"
    assert not editor.complete(path, spot_of(text, "Barley Field"))

    editor.write(path, text.replace("sun-2,1,sun,2", "sun-2,1,moon,2"))
    told = editor.wait_for_word(path, "moon")
    assert (told.range.start.line, told.range.start.character) == spot_of(text, "sun-2,1,sun,2", len("sun-2,1,"))
    assert told.range.end.character - told.range.start.character == len("moon")
    editor.write(path, text)
    editor.wait(path, lambda found: not found)
    editor.shut(path)


def test_names_of_the_game_are_offered_where_they_may_stand(editor: Editor, project: Path) -> None:
    """Icons, colours, kinds, templates, ids, and keys with their descriptions, while the line is unfinished."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")

    def offered(piece: str, written: str, into: int) -> set[str]:
        changed = text.replace(piece, written)
        editor.write(path, changed)
        return set(editor.complete(path, spot_of(changed, written, into)))

    assert {"sun", "paper", "ink"} <= offered("colour: sun}", "colour: }", 8)
    assert {"kite", "summary", "back"} <= offered("front: summary", "front: ", 7)
    keys = offered("      - {id: turn, count: 3, ", "      - {id: turn, ", len("      - {id: turn, "))
    assert {"count", "title", "front"} <= keys and "id" not in keys
    assert {"bleed", "safe"} <= offered("    size:  jp-poker\n    front: summary", "    bl\n    front: summary", 6)
    assert {"integer", "icon"} <= offered("kind:   icon", "kind:   ", 8)
    assert {"rules", "words", "card"} <= offered("en: Your turn", 'en: "{{  }}"', 8)
    assert {"hand", "each_kind"} <= offered("en: Your turn", 'en: "{{ rules. }}"', 14)
    assert {"sun", "hexagon"} <= offered("en: Your turn", 'en: "{"', 6)
    editor.write(path, text)
    item = editor.complete(path, spot_of(text, "colour: sun}", 11))["swallow"]
    assert item.text_edit and item.text_edit.range.start.character == spot_of(text, "colour: sun}", 8)[1]
    assert item.text_edit.range.end.character == spot_of(text, "colour: sun}", 11)[1], "the whole word is replaced"


def test_a_name_of_an_icon_and_of_a_colour_is_offered_as_what_its_place_takes(editor: Editor, project: Path) -> None:
    """A field of an icon takes the icon, one of a colour the colour, a choice a word, though all three are `sun`."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    fields = "    fields:\n      mark: icon\n      tint: colour\n      side: {type: choice, choices: [sun, moon]}\n"
    changed = text.replace("    front: summary\n    fields:\n", f"    front: summary\n{fields}")
    row = "      - {id: turn, mark: sun, tint: sun, side: sun, count: 3, "
    changed = changed.replace("      - {id: turn, count: 3, ", row)
    editor.settle(path, changed)

    def offered(piece: str) -> types.CompletionItem:
        at = spot_of(changed, piece, len(piece))
        return editor.complete(path, at)["sun"]

    sorts = types.CompletionItemKind
    found = [offered(f"{field}: sun").kind for field in ("mark", "tint", "side")]
    assert found == [sorts.EnumMember, sorts.Color, sorts.Value]


def test_templates_are_offered_what_they_can_ask_for(editor: Editor, project: Path) -> None:
    path = project / "templates/kites/kite.svg"
    text = editor.open(path)
    assert {"kind", "number", "title", "id"} <= editor.complete(path, spot_of(text, "card.number", 5)).keys()
    assert {"paper", "ink", "night"} <= editor.complete(path, spot_of(text, 'fill="paper"', 8)).keys()
    assert {"parts.svg", "icons/sun.svg"} <= editor.complete(path, spot_of(text, "parts.svg", 2)).keys()
    assert {"numeral", "title"} <= editor.complete(path, spot_of(text, 'font-family="numeral"', 14)).keys()
    editor.write(path, text.replace("icon:{{ card.kind }}", "icon:s"))
    icons = editor.complete(path, spot_of(text.replace("icon:{{ card.kind }}", "icon:s"), "icon:s", 6))
    assert {"sun", "hexagon"} <= icons.keys()
    editor.write(path, text)
    editor.shut(path)


def test_one_jumps_from_a_text_to_its_template_and_back(editor: Editor, project: Path) -> None:
    """A card's text leads to the line that sets it, `card.x` to its field, words to where they are given, names too."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    summary, kite = project / "templates/kites/summary.svg", project / "templates/kites/kite.svg"
    drawn, words = summary.read_text(encoding="utf-8"), project / "data/kites/words.yaml"

    assert editor.jump(path, spot_of(text, "en: Your turn", 6)) == [(summary, spot_of(drawn, "card.title")[0])]
    assert editor.jump(path, spot_of(text, "front: summary", 10)) == [(summary, 0)]
    look = project / "data/kites/look.yaml"
    (colour,) = {place for place in editor.jump(path, spot_of(text, "colour: sun}", 9)) if place[0] == look}
    assert look.read_text(encoding="utf-8").splitlines()[colour[1]].strip().startswith("sun:")

    front = editor.open(kite)
    first = spot_of(text, "title:  words")[0]
    table = project / "data/kites/kites.csv"
    assert editor.jump(kite, spot_of(front, "card.title", 7)) == [(table, 0), (path, first)]
    assert editor.jump(kite, spot_of(front, "parts.svg", 2)) == [(project / "templates/kites/parts.svg", 0)]
    editor.shut(kite)
    editor.open(summary)
    ((there, line),) = editor.jump(summary, spot_of(drawn, "words.of_a_kind", 8))
    assert there == words and "of_a_kind:" in words.read_text(encoding="utf-8").splitlines()[line]
    editor.shut(summary)
    said = editor.open(words)
    assert (summary, spot_of(drawn, "words.of_a_kind")[0]) in editor.jump(words, spot_of(said, "Kites of a kind"))
    editor.shut(words)


def test_broken_yaml_is_told_and_names_are_offered_all_the_same(editor: Editor, project: Path) -> None:
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    broken = text.replace("      - {id: turn, count: 3,", "      - {id: turn, count: 3").replace(
        "colour: sun}", "colour: }"
    )
    editor.write(path, broken)
    told = editor.wait(path, bool)
    assert all(one.source == "pnp" for one in told)
    assert {"swallow"} <= editor.complete(path, spot_of(broken, "colour: }", 8)).keys()
    assert picture_of(editor.hover(path, spot_of(broken, "id: turn", 6))).height == 260


@pytest.mark.slow
def test_a_mistake_in_a_template_is_told_at_its_line(editor: Editor, project: Path) -> None:
    path = project / "templates/kites/kite.svg"
    text = editor.open(path)
    editor.write(path, text.replace("{{ card.title }}", "{{ card.titel }}"))
    told = editor.wait_for_word(path, "titel")
    assert told.message == "card has no field 'titel'; did you mean 'title'?"
    assert told.range.start.line == spot_of(text, "{{ card.title }}")[0]
    editor.shut(path)
    editor.wait(path, lambda found: not found)


def test_who_types_fast_is_told_of_the_last_text_alone(editor: Editor, project: Path) -> None:
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    before = len(editor.tellings)
    for number in range(50):
        editor.write(path, text.replace("colour: sun}", f"colour: wrong{number}}}"))
    editor.wait_for_word(path, "'wrong49'")
    assert len(editor.tellings) - before < 25
    editor.write(path, text)
    editor.wait(path, lambda found: not found)


@pytest.mark.slow
def test_two_projects_are_open_beside_each_other(editor: Editor, project: Path, other: Path) -> None:
    first, second = project / "data/kites/components.yaml", other / "data/second/components.yaml"
    text, more = first.read_text(encoding="utf-8"), editor.open(second)
    editor.write(second, f"{more}\nnonsense: 1\n")
    editor.write(first, text.replace("colour: sun}", "colour: nosuch}"))
    editor.wait_for_word(second, "nonsense")
    editor.wait_for_word(first, "nosuch")
    editor.write(first, text)
    editor.wait(first, lambda found: not found)
    assert any("nonsense" in one.message for one in editor.told[second])
    editor.write(second, more)
    editor.wait(second, lambda found: not found)


def test_a_file_outside_every_project_is_left_alone(editor: Editor, tmp_path: Path) -> None:
    """Nothing is told of it, nothing offered, and nothing breaks; the same in a project's other folders."""
    path = tmp_path / "notes.yaml"
    text = editor.open(path, "components:\n  reel: {colour: sun}\n")
    assert editor.hover(path, spot_of(text, "reel")) == ""
    assert editor.complete(path, spot_of(text, "sun")) == {}
    assert editor.jump(path, spot_of(text, "sun")) == []
    assert editor.outline(path) == {}
    assert path not in editor.told
    editor.shut(path)


def test_designs_are_listed_by_kind(editor: Editor, other: Path) -> None:
    path = other / "data/second/components.yaml"
    editor.open(path)
    assert editor.outline(path) == {"card": ["first"]}


@pytest.mark.slow  # waits for the server
def test_an_outline_has_an_end(editor: Editor, other: Path) -> None:
    """A file with very many designs is listed up to a bound: each one's lines are counted once."""
    path = other / "data/second/components.yaml"
    editor.open(path)
    text = "components:\n  card:\n    designs:\n" + "".join(f"      - {{id: a{number}}}\n" for number in range(30_000))
    editor.write(path, text)
    assert len(editor.outline(path)["card"]) == MOST_HEADINGS - 1
    editor.shut(path)


def test_characters_are_counted_as_the_editor_counts_them(editor: Editor, project: Path) -> None:
    """A sign beyond 16 bits is two to editors and one to us: what stands behind it in its line is marked all the same."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    editor.write(path, text.replace("en: Sun},     colour: sun}", "en: 🌞🌞}, colour: nosun}"))
    told = editor.wait_for_word(path, "nosun")
    line = text.replace("en: Sun},     colour: sun}", "en: 🌞🌞}, colour: nosun}").splitlines()[told.range.start.line]
    assert told.range.start.character == line.index("nosun") + 2
    assert told.range.end.character == line.index("nosun") + 2 + len("nosun")


@pytest.mark.slow  # waits for the server
def test_what_was_typed_and_not_saved_is_forgotten_with_its_file(editor: Editor, project: Path) -> None:
    path = project / "data/kites/words.yaml"
    text = editor.open(path)
    editor.write(path, f"{text}\nnonsense: 1\n")
    editor.wait_for_word(path, "nonsense")

    editor.shut(path)
    editor.wait(path, lambda found: not found)
    path.write_text(f"{text}\nelsewhere: 1\n", encoding="utf-8")
    try:
        editor.save(path)
        editor.wait_for_word(path, "elsewhere")
    finally:
        path.write_text(text, encoding="utf-8")
        editor.save(path)
    assert editor.wait(path, lambda found: not found) == []


@pytest.mark.slow  # starts a server of its own
def test_other_editors_get_pictures_in_files_and_words_in_their_language(project: Path) -> None:
    editor = Editor(locale="ja-JP")
    try:
        path = project / "data/kites/components.yaml"
        text = editor.open(path)
        spot = spot_of(text, "count: 3", 1)
        editor.settle(path, text)
        shown = editor.hover(path, spot)
        assert "**count**: 印刷する枚数" in shown
        picture = Path(shown.partition("](file://")[2].partition(")")[0])
        assert Image.open(io.BytesIO(picture.read_bytes())).height == 260
    finally:
        editor.close()
    assert not picture.exists()
    assert editor.messages == []


@pytest.mark.slow
def test_only_this_command_loads_the_protocol() -> None:
    """`pnp` itself does not wait for a language server's libraries."""
    code = (
        "import sys; from click.testing import CliRunner; from generator.commands.command_line import pnp;"
        "assert CliRunner().invoke(pnp, ['list', 'fortuna']).exit_code == 0;"
        "assert CliRunner().invoke(pnp, ['--help']).exit_code == 0;"
        "sys.exit(any(name in sys.modules for name in ('pygls', 'lsprotocol', 'generator.live.editor_server')))"
    )
    root = Path(__file__).parent.parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
