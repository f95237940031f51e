"""YAML while it is written, tables as cells, what stands at a cursor: guesses, held against what the program reads."""

from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from generator.base.errors import InvalidInput, Place
from generator.base.files import BOUNDS, hold_unsaved, read_file
from generator.commands.schema import schema_from_game
from generator.game.data_reader import parse_yaml
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.live.cursor import find_expression_name, find_template_name
from generator.live.draft_text import find_cursor, read_cells, read_written
from generator.live.editor_project import (
    _FILES,
    Span,
    _read_keys,
    find_description,
    find_shapes,
    find_span,
    list_allowed_keys,
    list_allowed_values,
    translate_description,
)

DATA = sorted([*ROOT.glob("data/*/*.yaml"), *ROOT.glob("packs/*/starter/data/*/*.yaml")])

CARDS = Path(__file__).with_name("written_cards.yaml").read_text("utf-8")


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> set[tuple[Any, ...]]:
    """Where single values stand in what the parser has read, keys as text."""
    if isinstance(value, dict):
        return {inner for key, part in value.items() for inner in paths_in(part, (*path, str(key)))}
    if isinstance(value, list):
        return {inner for number, part in enumerate(value) for inner in paths_in(part, (*path, number))}
    return {path}


def test_what_is_guessed_of_finished_files_is_what_the_parser_reads() -> None:
    wanted = 0
    for file in DATA:
        text = file.read_text(encoding="utf-8")
        if any(f" {sign}" in text for sign in "*&") or "@name@" in text:
            continue  # a value that is named elsewhere stands at two paths
        read = paths_in(parse_yaml(text, file.name))
        missing = read - {one.path for one in read_written(text)}
        assert not missing, (file, sorted(missing, key=str)[:3])
        wanted += len(read)
    assert wanted > 4_000, "the test must see the data"


@pytest.mark.parametrize(
    ("before", "after", "path", "in_key", "word"),
    [
        ("icon: whe", "at}", ("components", "reel", "designs", 0, "icon"), False, "wheat"),
        ("{id: 1-wheat, cou", "nt", ("components", "reel", "designs", 0, "count"), True, "count"),
        ('en: "Your', " turn", ("components", "reel", "designs", 1, "title", "en"), False, "Your turn, then mine"),
        ("type: inte", "ger", ("components", "reel", "fields", "number", "type"), False, "integer"),
        ("- [a, b", "]", ("told_apart", 0, 1), False, "b"),
        ("- c", "\n", ("told_apart", 1), False, "c"),
    ],
)
def test_a_cursor_knows_its_path(before: str, after: str, path: tuple[Any, ...], in_key: bool, word: str) -> None:
    cursor = find_cursor(CARDS, CARDS.index(before + after) + len(before))
    assert cursor is not None
    assert (cursor.path, cursor.in_key, cursor.word) == (path, in_key, word)
    assert CARDS[slice(*cursor.span)].strip('"') == word
    assert word.startswith(cursor.before)


def test_a_cursor_in_an_unfinished_line_knows_what_is_around_it() -> None:
    """A word without a colon, brackets that are open yet, an empty line: the design and its keys are known."""
    for old, new in (("icon: wheat}", "icon: "), ("icon: wheat}", "icon: 'wh"), ("icon: wheat}", "ico")):
        text = CARDS.replace(old, new)
        cursor = find_cursor(text, text.index(new) + len(new))
        assert cursor is not None
        assert cursor.path[:4] == ("components", "reel", "designs", 0), new
        assert cursor.design == "reel/1-wheat"
        assert {"id", "count"} <= cursor.sibling_keys
        assert any(one.path == ("components", "reel", "designs", 1, "title", "ja") for one in cursor.written), new
    text = CARDS.replace("        text:\n", "        te\n        text:\n")
    cursor = find_cursor(text, text.index("        te\n") + 10)
    assert cursor is not None and cursor.loose and cursor.in_key
    assert cursor.path == ("components", "reel", "designs", 1, "te")
    assert find_cursor(CARDS, CARDS.index("a comment") + 3) is None


def test_what_a_template_names_is_found() -> None:
    """Chains up to the name at the cursor, colours, icons, files; in texts of the data expressions and icons alone."""
    text = '{% import "parts.svg" as p %}<rect fill="red" href="icon:sun"/>{{ words.aid.winner }} {x} <use href="#a"/>'

    def at(piece: str, into: int) -> tuple[str, str] | None:
        found = find_template_name(text, text.index(piece) + into)
        return (found.aim, found.name) if found else None

    assert at("parts", 2) == ("file", "parts.svg")
    assert at('"red', 2) == ("colour", "red")
    assert at("icon:sun", 6) == ("icon", "sun")
    assert at("words.aid", 8) == ("chain", "words.aid")
    assert at("words.aid", 2) == ("chain", "words")
    assert at("words.aid", 12) == ("chain", "words.aid.winner")
    assert at("{x}", 1) == ("text icon", "x")
    assert at("#a", 1) is None
    assert at("<rect", 2) is None
    said = "take {{ rules.hand }} cards of {wheat}"
    asked = find_expression_name(said, said.index("hand") + 2)
    assert asked is not None and asked.chain == ("rules", "hand") and said[asked.start : asked.end] == "hand"
    assert find_expression_name(said, 3) is None


def test_cells_know_where_they_stand() -> None:
    rows = list(read_cells('id;title\r\na;"one; ""two""\nlines"\nb;'))
    assert [[cell.text for cell in row] for row in rows] == [["id", "title"], ["a", 'one; "two"\nlines'], ["b", ""]]
    long = rows[1][1]
    assert (long.line, long.start, long.last, long.end) == (1, 2, 2, 6)
    assert [row[0].line for row in rows] == [0, 1, 3]


@pytest.mark.parametrize(
    ("name", "place", "span"),
    [
        ("a.yaml", Place("", 1, 7), Span(0, 6, 0, 11)),
        ("a.yaml", Place("", 2, 4), Span(1, 3, 1, 12)),
        ("a.yaml", Place("", 2), Span(1, 0, 1, 12)),
        ("a.yaml", Place(""), Span(0, 0, 0, 11)),
        ("a.yaml", Place("", 9, 9), Span(2, 0, 2, 4)),
        ("a.svg", Place("", 3, 1), Span(2, 0, 2, 2)),
        ("a.csv", Place("", 2), Span(1, 0, 1, 12)),
    ],
)
def test_a_place_is_a_word_a_cell_or_a_line(name: str, place: Place, span: Span) -> None:
    assert find_span(Path(name), place, ["name: wheat", 'a: "two two"', "<g/>"]) == span


def test_unsaved_bytes_are_read_in_place_of_a_file_within_the_same_bounds(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"saved")
    link = tmp_path / "link.yaml"
    link.symlink_to(path)
    try:
        hold_unsaved(link, b"typed")
        assert read_file(path, "data") == read_file(link, "data") == b"typed"
        hold_unsaved(path, b"x" * (BOUNDS["module"][0] + 1))
        with pytest.raises(InvalidInput, match="the limit is"):
            read_file(path, "module")
    finally:
        hold_unsaved(path, None)
    assert read_file(path, "data") == b"saved"


@pytest.mark.slow
def test_every_description_is_there_in_japanese() -> None:
    project = find_project(ROOT)
    wanted = set()

    def look(shape: Any) -> None:
        for part in shape.values() if isinstance(shape, dict) else shape if isinstance(shape, list) else ():
            look(part)
        if isinstance(shape, dict) and isinstance(shape.get("description"), str):
            wanted.add(shape["description"])

    for name in project.games:
        look(schema_from_game(load_game(project.find_folder(name), project.resources)))
    picture = "a picture file in the field's folder; where it is empty, the id's"
    assert wanted | {picture} == set(_read_keys("ja")) and len(wanted) > 150
    assert set(_FILES) == {"ja"}
    assert translate_description("how many are printed", ["ja-JP", "ja"]) == "印刷する枚数"
    assert translate_description("how many are printed", ["fr"]) == translate_description(
        "how many are printed", ["en", "ja"]
    )


def test_a_schema_is_asked_for_a_path() -> None:
    project = find_project(ROOT)
    schema = schema_from_game(load_game(project.find_folder("fortuna"), project.resources))
    assert find_description(find_shapes(schema, ("components", "reel", "bleed"))).startswith("how far colour extends")
    assert list_allowed_values(find_shapes(schema, ("components", "reel", "designs", 0, "icon")))[0] == "lightning"
    assert "jp-poker" in list_allowed_values(find_shapes(schema, ("components", "new_kind", "size")))
    assert list_allowed_values(find_shapes(schema, ("components", "reel", "two_faced"))) == ["true", "false"]
    assert {"number", "icon", "id"} <= list_allowed_keys(
        find_shapes(schema, ("components", "reel", "designs", 3))
    ).keys()
    assert {"name", "letter", "colour"} <= list_allowed_keys(find_shapes(schema, ("icons", "wheat"))).keys()
    assert find_shapes(schema, ("components", "reel", "designs", 0, "nonsense")) == []
