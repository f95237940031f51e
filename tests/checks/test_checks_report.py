"""Counts, set-up and books are checked, and the run over all checks has its record and two reports."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Pnp
from rulebook_project import BookProject
from tiny_game import GROUND, box, context, design, drawing, game, icon, kind, place, run, wheat, words

from generator.base.display_list import Group
from generator.checks.check_report import (
    Check,
    check_setup_pieces,
    check_stated_counts,
    check_unique_ids,
    checks_to_json,
    checks_to_text,
    format_first_entries,
    require_readings,
)
from generator.checks.validation import GENERIC, run_checks
from generator.game.data_fields import CheckSpec, SpaceSpec
from generator.game.model import Reading, SetupItem

E3 = Reading(
    "E3", "10を超えた場合", words("unclear"), words("10 counts as 0"), "ten_value", "zero", ("zero", "ten"), place(50)
)
E14 = Reading("E14", "8を通常", words("unclear"), words("say 9"))
MADE = game(
    readings={"E3": E3, "E14": E14}, marks={"age": "provisional", "rules.limits": "derived", "minutes": "provisional"}
)
CHECKS = (
    Check("count.card", "count", "pass", "card: as many as stated", "5 of 5", place(5)),
    Check("FC-1", "rules", "finding", "refill law", "computed 5, expected 7", place(40), "E3"),
    Check("ids", "count", "pass", "ids are unique."),
    Check("FC-3", "rules", "pass", "ten numbers。", "10", place(42), "E3"),
    Check("icons.used", "icon", "undecided", "icons are unused", "on no face: wheat", place(20)),
    Check("FC-02", "rules", "fail", "全部で78枚", "computed 77, expected 78", place(41)),
)


def test_a_finding_needs_a_reading():
    with pytest.raises(ValueError, match="the check 'x' reports a finding without its reading"):
        Check("x", "rules", "finding", "sentence")


def test_a_findings_reading_must_be_registered():
    with pytest.raises(ValueError, match="the finding 'x' names the reading 'E99', but tiny has no such reading"):
        require_readings([Check("x", "rules", "finding", "sentence", reading="E99")], MADE)
    assert require_readings(CHECKS, MADE) == CHECKS


def test_long_lists_are_cut_and_counted():
    assert format_first_entries("abc", most=3) == "a; b; c"
    assert format_first_entries("abcde", most=3) == "a; b; c; and 2 more"


TEXT = """\
Tiny, draft 1: 6 checks, 1 fail, 1 finding, 1 undecided, 3 pass

fail (1)
  data/tiny/game.yaml:41:3: 全部で78枚; computed 77, expected 78 [FC-02]

finding (1): the draft disagrees with itself, or is silent. → is how we read it: decide, and say it there
  data/tiny/game.yaml:40:3: refill law; computed 5, expected 7 [FC-1, E3]

undecided (1)
  data/tiny/game.yaml:20:3: icons are unused; on no face: wheat [icons.used]

pass (3)
  count.card  card: as many as stated; 5 of 5
  ids         ids are unique.
  FC-3        ten numbers; 10 [E3]

readings in force (2)
  E3   ten_value = zero  10 counts as 0
  E14                    say 9

not stated by the draft (3)
  derived      rules.limits
  provisional  age
  provisional  minutes
"""


def test_the_text_report_tells_failures_first():
    """Place, sentence and figures of what needs an eye; then what passes, the readings and our own values."""
    assert checks_to_text([(MADE, CHECKS)], "en") == TEXT


def test_the_text_report_speaks_the_language_asked_for():
    japanese = checks_to_text([(MADE, CHECKS)], "ja")
    assert japanese.startswith("Tiny（日） (tiny), draft 1: 6 checks, ")
    assert "  E3   ten_value = zero  10 counts as 0（日）\n" in japanese
    assert checks_to_text([(MADE, CHECKS)], "de") == japanese


def test_columns_count_full_width_characters_twice():
    checks = (Check("枚数", "count", "pass", "a"), Check("ids.x", "count", "pass", "b"))
    assert checks_to_text([(game(), checks)], "en").endswith("\n  枚数   a\n  ids.x  b\n")


def test_a_game_without_failures_says_so():
    text = checks_to_text([(game(), CHECKS[:1])], "en")
    assert text.startswith("Tiny, draft 1: 1 checks, 0 fail, 1 pass\n\npass (1)\n")


def test_several_games_are_summed_up():
    text = checks_to_text([(MADE, CHECKS), (game(), CHECKS[:1])], "en")
    assert text.endswith("\n\n2 games: 7 checks, 1 fail, 1 finding, 1 undecided, 4 pass\n")
    assert checks_to_text([], "en") == "no games\n"


def test_readings_show_values_as_the_data_write_them():
    reading = Reading("E8", "好きなだけ", words("?"), words("may decline"), "wheel_optional", True, (True, False))
    assert "  E8  wheel_optional = true  may decline\n" in checks_to_text([(game(readings={"E8": reading}), ())], "en")


def test_the_json_report_has_everything():
    """Format 1: games with checks, readings in force, values of our own, and a summary."""
    text = checks_to_json([(MADE, CHECKS)], "en")
    document = json.loads(text)
    assert text.endswith("}\n")
    assert "全部で78枚" in text
    assert document["format"] == 1
    (found,) = document["games"]
    assert {name: found[name] for name in ("id", "title", "draft", "lang")} == {"id": "tiny", "title": "Tiny", "draft": "1", "lang": "en"}  # fmt: skip
    assert found["summary"] == {"fail": 1, "finding": 1, "undecided": 1, "pass": 3}
    assert found["checks"][1] == {
        "id": "FC-1", "kind": "rules", "status": "finding", "sentence": "refill law",
        "figures": "computed 5, expected 7",
        "place": {"file": "data/tiny/game.yaml", "line": 40, "column": 3},
        "reading": "E3",
    }  # fmt: skip
    assert found["checks"][2]["place"] is None
    assert found["readings"][0] == {
        "id": "E3", "passage": "10を超えた場合", "problem": "unclear", "reading": "10 counts as 0", "switch": "ten_value",
        "value": "zero",
        "choices": ["zero", "ten"],
    }  # fmt: skip
    assert found["marks"] == {"age": "provisional", "rules.limits": "derived", "minutes": "provisional"}


def whole_game():
    """A game that gives every check something to say."""
    return game(
        kind(design("a", 9), stated=9, spaces=(SpaceSpec("pile", "card", "1"),)),
        icons=(icon("wheat", "red"), icon("wheel", "ink", 21)),
        told_apart=(("wheat", "wheel"),),
        setup=(SetupItem(3, "card", each_player=True, place=place(30)),),
        checks=(CheckSpec("FC-01", words("nine"), "9", "9", place=place(40)),),
    )


PILE = Group((box(0, 0, 20, 30, "paper", "frame"),), id="pile", data=(("space", "card"), ("holds", "1")))
SOUND = drawing(box(-2, -2, 24, 34, "paper", "ground"), PILE, wheat(5, 5), wheat(10, 5, "wheel"), run("n", 5, 20))
MASKS = {"wheat": [[1, 1], [0, 0]], "wheel": [[1, 1], [1, 1]]}


def ids(made, faces):
    found = run_checks(made, context(faces, MASKS), lambda text, _: int(text), {}, "en")
    return {check.id: check.status for check in found}


def test_every_check_is_run_once_in_a_fixed_order():
    found = ids(whole_game(), SOUND)
    assert list(found) == [
        "count.card", "ids", "setup.2", "setup.3", "faces.card", "icons.art", "icons.used", "told-apart.wheat.wheel",
        "icons.grid", "contrast.card", "safe-zone.card", "bleed.card", "spaces-fit.card", "spaces.card", "FC-01",
    ]  # fmt: skip
    assert set(found.values()) == {"pass"}
    assert len(GENERIC) == 16  # art.* only reports drawings that differ


def test_a_bad_face_fails_what_it_should_and_nothing_else():
    """A ground without bleed, under it dark text too near to the edge, and no place for the pile."""
    found = ids(whole_game(), drawing(box(0, 0, 20, 30, "ink"), run("n", 0, 20), wheat(5, 5), wheat(10, 5, "wheel")))
    assert sorted(name for name, status in found.items() if status == "fail") == ["bleed.card", "contrast.card", "safe-zone.card", "spaces.card"]  # fmt: skip


def test_a_check_that_makes_findings_up_is_our_mistake(monkeypatch):
    made_up = Check("x", "rules", "finding", "sentence", reading="E99")
    monkeypatch.setattr("generator.checks.validation.GENERIC", (lambda *_: [made_up],))
    with pytest.raises(ValueError, match="the finding 'x' names the reading 'E99'"):
        ids(whole_game(), SOUND)


def test_the_run_speaks_the_language_asked_for():
    def said(lang: str) -> str:
        found = run_checks(whole_game(), context(drawing(GROUND), MASKS), lambda text, _: int(text), {}, lang)
        return found[-1].sentence

    assert (said("en"), said("ja"), said("de"), said("")) == ("nine", "nine（日）", "nine（日）", "nine（日）")


def test_a_kind_with_as_many_as_stated_passes():
    """3 + 2 pieces where the draft states 5; the figures give number and designs."""
    made = game(kind(design("a", 3), design("b", 2), stated=5))
    assert list(check_stated_counts(made, context())) == [
        Check("count.card", "count", "pass", "card: as many copies as the draft states", "5 of 5 in 2 designs", place(5)),
    ]  # fmt: skip


def test_a_kind_with_another_number_fails():
    made = game(kind(design("a", 3), stated=5))
    (check,) = check_stated_counts(made, context())
    assert (check.status, check.sentence) == ("fail", "card: not as many copies as the draft states")
    assert check.place == place(5)


def test_a_silent_draft_is_not_held_against_the_data():
    assert list(check_stated_counts(game(kind(design())), context())) == []


def test_ids_of_all_kinds_are_unique():
    made = game(kind(design("a", 3), design("b")), kind(design("a", kind="token"), name="token"))
    (check,) = check_unique_ids(made, context())
    assert (check.status, check.figures) == ("pass", "5 pieces of 3 designs")


def test_two_designs_with_one_id_fail_at_the_second():
    made = game(kind(design("a", line=10), design("b", line=11), design("a", line=12)))
    (check,) = check_unique_ids(made, context())
    assert (check.status, check.sentence) == ("fail", "several designs or pieces share an id")
    assert (check.figures, check.place) == ("card/a; card/a#1", place(12))


def test_a_design_with_the_id_of_a_copy_fails():
    """`card/a#2` is the second copy of card/a and nothing else; with one copy only the id is free."""
    named = replace(design("x", line=12), id="card/a#2")
    (check,) = check_unique_ids(game(kind(design("a", 2), named)), context())
    assert (check.status, check.figures, check.place) == ("fail", "card/a#2", place(12))
    assert [check.status for check in check_unique_ids(game(kind(design("a", 1), named)), context())] == ["pass"]


def test_a_game_without_designs_is_undecided():
    assert [check.status for check in check_unique_ids(game(), context())] == ["undecided"]


def test_setup_is_reckoned_for_each_number_of_players():
    """3 cards each and 2 for the table out of 11 do for 2 and for 3 players."""
    made = game(
        kind(design("a", 11)),
        setup=(SetupItem(3, "card", each_player=True, place=place(30)), SetupItem(2, "card", place=place(31))),
    )
    checks = list(check_setup_pieces(made, context()))
    assert [(check.id, check.status, check.figures) for check in checks] == [("setup.2", "pass", "2 players: 8 of 11 card"), ("setup.3", "pass", "3 players: 11 of 11 card")]  # fmt: skip
    assert checks[0].sentence == "the box has what set-up takes for 2 players"


def test_setup_that_takes_too_much_fails_for_those_players_only():
    made = game(
        kind(design("a", 10)),
        kind(design("a", 9, kind="coin"), name="coin"),
        setup=(
            SetupItem(1, "coin", place=place(29)),
            SetupItem(3, "card", each_player=True, place=place(30)),
            SetupItem(2, "card"),
        ),
    )
    two, three = check_setup_pieces(made, context())
    assert two.status == "pass"
    assert (three.status, three.figures, three.place) == ("fail", "3 players: 1 of 9 coin, 11 of 10 card", place(30))
    assert three.sentence == "set-up for 3 players takes more than there is: card"


def test_setup_from_an_unknown_kind_fails_with_a_hint():
    made = game(kind(design("a", 10)), setup=(SetupItem(3, "crad", place=place(30)), SetupItem(1, "card")))
    unknown, two, _ = check_setup_pieces(made, context())
    assert (unknown.status, unknown.sentence) == ("fail", "set-up takes 'crad', but there is no such component")
    assert (unknown.figures, unknown.place) == ("did you mean 'card'?", place(30))
    assert two.figures == "2 players: 1 of 10 card"


def test_a_game_without_setup_has_no_setup_check():
    assert list(check_setup_pieces(game(kind(design())), context())) == []


TEMPLATE = "templates/higher/rulebook.en.md"
QUICK = {lang: f"templates/higher/quickstart.{lang}.md" for lang in ("ja", "en")}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """A game with a rulebook and a quick start in two languages, in the current folder."""
    made = BookProject(tmp_path / "project")
    for name in QUICK.values():
        made.write(name, "```part #play\ntake: text\n```\n")
    monkeypatch.chdir(made.root)
    return made


def books(pnp: Pnp, *options: str) -> tuple[int, list[str]]:
    """The exit code of validating, and what it says of books."""
    ran = pnp("validate", "higher", "--games", "0", "--trust-rules", "--no-cache", *options)
    return ran.code, [line.strip() for line in ran.out.splitlines() if "book." in line]


def test_each_book_is_a_check(project: BookProject, pnp: Pnp) -> None:
    code, lines = books(pnp)
    assert code == 0, lines
    made = [line.split()[0] for line in lines if "can be made" in line]
    assert made == ["book.rulebook.ja", "book.rulebook.en", "book.quickstart.ja", "book.quickstart.en"]
    assert sum(".languages" in line for line in lines) == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("See [there](#nowhere).", "a link leads to 'nowhere', but no heading has this anchor"),
        ("```figure\nof: card/c99\n```", "unknown component 'card/c99'"),
        ("A rare \u2672 sign.", "\u2672"),
        ("```example lowest\n```", "unknown example 'lowest'"),
    ],
)
def test_a_broken_book_fails_at_its_line(project: BookProject, pnp: Pnp, words: str, told: str) -> None:
    """An unknown anchor, component or example, a character without a glyph: with file and line, and exit code 1."""
    text = (project.root / TEMPLATE).read_text(encoding="utf-8")
    project.write(TEMPLATE, f"{text}\n{words}\n")
    code, lines = books(pnp)
    failed = [line for line in lines if "[book.rulebook.en.1]" in line]
    assert code == 1
    assert len(failed) == 1 and failed[0].startswith(f"{TEMPLATE}:") and told in failed[0], lines


def test_a_quick_start_longer_than_its_page_fails(project: BookProject, pnp: Pnp) -> None:
    words = "Play well, play fair, and mind what the others do. " * 400
    project.write(QUICK["en"], f"# All\n\n{words}\n")
    code, lines = books(pnp)
    assert code == 1
    assert [line for line in lines if "[book.quickstart.en.1]" in line and " mm" in line], lines
    assert any(line.startswith("book.rulebook.en ") for line in lines)


def test_a_language_without_its_book_fails(project: BookProject, pnp: Pnp) -> None:
    (project.root / QUICK["ja"]).unlink()
    code, lines = books(pnp)
    assert code == 1
    assert [line for line in lines if "the quick start is missing" in line], lines
