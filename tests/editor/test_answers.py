"""What editors are answered in places that one seldom asks in: wide signs, heads of tables, names of kinds, findings."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_client import Editor, spot_of
from lsprotocol import types
from test_language_server import new_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose cards stand in a table, with templates of its own."""
    return new_project(tmp_path_factory.mktemp("answers"), "kites", "csv")


@pytest.fixture(scope="module")
def editor(project: Path) -> Iterator[Editor]:
    """An editor that says it is one of those that show pictures in the text."""
    editor = Editor(name="Visual Studio Code")
    path = project / "data/kites/components.yaml"
    editor.settle(path, editor.open(path))
    yield editor
    editor.close()
    assert editor.messages == []


@pytest.mark.slow
def test_a_cursor_behind_wide_signs_is_where_the_editor_says(editor: Editor, project: Path) -> None:
    """Two suns before it in its line count four to the editor; the word at the cursor is found and replaced whole."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    changed = text.replace("en: Sun},     colour: sun}", "en: 🌞🌞}, colour: sun}")
    editor.write(path, changed)
    line, column = spot_of(changed, "colour: sun}", 8)
    wide = 2

    offers = editor.complete(path, (line, column + wide + len("sun")))

    place = offers["swallow"].text_edit
    assert place is not None
    assert (place.range.start.character, place.range.end.character) == (column + wide, column + wide + len("sun"))  # fmt: skip
    editor.write(path, text)


def test_the_head_of_a_table_is_no_place_for_icons(editor: Editor, project: Path) -> None:
    path = project / "data/kites/kites.csv"
    text = editor.open(path).removeprefix("\ufeff")
    assert "sun" in editor.complete(path, spot_of(text, "swallow,2", 2))
    assert editor.complete(path, spot_of(text, "kind", 2)) == {}
    editor.shut(path)


def test_a_kind_that_is_named_leads_to_it(editor: Editor, project: Path) -> None:
    """From set-up's `from: kite` to the kind itself, and from `kind.x` of a template to what the kind says of it."""
    components, rules = project / "data/kites/components.yaml", project / "data/kites/rules.yaml"
    text, said = components.read_text(encoding="utf-8"), editor.open(rules)
    line = spot_of(text, "  kite:")[0]

    assert editor.jump(rules, spot_of(said, "from: kite", 8)) == [(components, line)], "and to no section without it"
    editor.shut(rules)
    kite = project / "templates/kites/kite.svg"
    drawn = editor.open(kite)
    editor.write(kite, drawn.replace("{{ card.title }}", "{{ kind.size }}"))
    changed = drawn.replace("{{ card.title }}", "{{ kind.size }}")
    size = next(n for n, one in enumerate(text.splitlines()) if n > line and one.strip().startswith("size:"))
    assert editor.jump(kite, spot_of(changed, "kind.size", 7)) == [(components, size)]
    editor.write(kite, drawn)
    editor.shut(kite)


@pytest.mark.slow  # validates a whole game
def test_a_finding_is_told_as_news_and_a_failure_as_an_error(editor: Editor, project: Path) -> None:
    """A failure stands at the check, a finding at the reading of the passage, where the designer decides."""
    path = project / "data/kites/checks.yaml"
    text = editor.open(path)
    broken = "{{id: {0}, says: {{ja: {0}, en: {0}}}, computed: rules.hand, expected: '77'{1}}}"
    finding = "finding: 'computed 3, expected 77'"
    lines = "\n".join(f"  - {broken.format(*one)}" for one in (("K-98", ""), ("K-99", f", reading: E1, {finding}")))

    editor.write(path, f"{text.rstrip()}\n{lines}\n")
    failed = editor.wait(path, lambda found: "K-98" in [str(one.code) for one in found])
    passage = project / "data/kites/readings.yaml"
    found = editor.wait(passage, lambda found: "K-99" in [str(one.code) for one in found])

    assert [(one.code, one.severity) for one in failed] == [("K-98", types.DiagnosticSeverity.Error)]
    assert [(one.code, one.severity) for one in found] == [("K-99", types.DiagnosticSeverity.Information)]
    editor.write(path, text)
    editor.wait(path, lambda found: not found)
    editor.shut(path)


def test_a_name_in_a_template_shows_the_card_that_it_draws(editor: Editor, project: Path) -> None:
    """`card.title` is told with what it is on the first card, whose picture stands below."""
    kite = project / "templates/kites/kite.svg"
    drawn = editor.open(kite)
    shown = editor.hover(kite, spot_of(drawn, "card.title", 7))
    assert shown.startswith("`card.title`: ") and "](data:image/png;base64," in shown
    editor.shut(kite)


def test_a_name_that_is_a_value_is_told_with_what_it_is(editor: Editor, project: Path) -> None:
    """A colour says what it is on a screen, where it stands and where it is offered, so that editors can show a patch."""
    path = project / "data/kites/components.yaml"
    text = path.read_text(encoding="utf-8")
    look = (project / "data/kites/look.yaml").read_text(encoding="utf-8")
    (colour,) = (one.split('"')[1] for one in look.splitlines() if one.strip().startswith("sun:"))
    at = spot_of(text, "colour: sun}", 9)
    assert f"`sun`: {colour}" in editor.hover(path, at)
    assert editor.complete(path, at)["sun"].documentation == colour


def test_one_jumps_into_what_comes_with_the_program(editor: Editor, project: Path) -> None:
    """An import of a common drawing leads to its file, though it lies in no folder of the project."""
    back = project / "templates/kites/back.svg"
    drawn = editor.open(back)
    ((path, line),) = editor.jump(back, spot_of(drawn, "common/coins.svg", 9))
    assert (path.name, path.parent.name, line) == ("coins.svg", "common", 0)
    editor.shut(back)


@pytest.mark.slow  # starts a server of its own
def test_pictures_are_left_out_where_that_was_asked_for(project: Path) -> None:
    """With `pictures = "none"` a hover is text alone."""
    editor = Editor(options={"pictures": "none"}, name="Visual Studio Code")
    try:
        path = project / "data/kites/components.yaml"
        text = editor.open(path)
        editor.settle(path, text)
        shown = editor.hover(path, spot_of(text, "count: 3", 1))
        assert "**count**" in shown
        assert "](" not in shown
    finally:
        editor.close()
