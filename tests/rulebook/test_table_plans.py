"""Plans of the table that contradict themselves or the rules: each mistake is told with its place."""

from pathlib import Path

import pytest
from rulebook_project import GLOSSARY, WORDS, BookProject
from table_plans import PLAN, PLAN_FILE

from generator.base.errors import ProblemsFound
from generator.checks.validation_games import check_table_plan
from generator.play.table_positions import lay_places
from generator.rules.registry import load_rules


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project with a plan, in the current folder."""
    made = BookProject(tmp_path / "project")
    made.write(PLAN_FILE, PLAN)
    monkeypatch.chdir(made.root)
    return made


def load_problems(project: BookProject, old: str, new: str) -> list[str]:
    """What loading says when one thing in the plan is changed."""
    project.change(PLAN_FILE, old, new)
    try:
        project.workshop()
    except ProblemsFound as found:
        return [str(problem) for problem in found.problems]
    return []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("usual: 2", "usual: 9", "2:10: tabletop.usual is 9, but the game needs 2 to 4 players"),
        ("[deck, trick]", "[deck, trik]", "4:14: unknown place 'trik'; did you mean 'trick'?"),
        ("[hand, won]", "[hand, won, deck]", "6:19: 'deck' is twice in the arrangement"),
        ("[deck, trick]", "[deck]", "9:5: the place 'trick' is in no arrangement; write it into `rows` or `seat`"),
        ("room: card", "room: crad", "unknown component 'crad'; did you mean 'card'?"),
        ("face: down", "face: down, on: trik", "unknown place 'trik'; did you mean 'trick'?"),
        ("face: down", "face: down, lines: [2, 3]", "the pieces at 'deck' are not in a row"),
        ("zone: deck, face: down", "pieces: {crad: 1}", "unknown component 'crad'; did you mean 'card'?"),
        (
            "zone: deck, face: down",
            "face: down",
            "the place 'deck' does not say what is there; write `zone:` or `pieces:`",
        ),
        ("face: down", "face: down, players: [9]", "the game is not for 9 players; remove the number"),
        ("face: down", "face: down, turned: 45", "'deck' is turned by 45 degrees; write 0, 90, 180 or 270"),
        ("face: down", "spaces: x", "'deck' has `spaces` but no `on`"),
        ("- [deck, trick]", "- [deck, [[[[[[trick]]]]]]]", "is not an arrangement of places"),
        ("zone: deck, face: down", "pieces: {card: rules.hnd}", "no whole number named 'rules.hnd'; did you mean 'rules.hand'?"),
        ("zone: deck, face: down", "pieces: {card: al}", "'al' is not a number of pieces; write a whole number from 1"),
        ("zone: deck, face: down", "pieces: {card: 0}", "'0' is not a number of pieces"),
    ],
)  # fmt: skip
def test_what_contradicts_itself_is_told(project: BookProject, old: str, new: str, said: str) -> None:
    problems = load_problems(project, old, new)
    assert [problem for problem in problems if said in problem and problem.startswith(f"{PLAN_FILE}:")], problems


def checks(project: BookProject) -> list[tuple[str, str, str]]:
    game, _ = project.workshop()
    found = check_table_plan(game, load_rules(game, project.root / "data" / "higher"))
    return [(check.id, check.status, check.figures) for check in found]


def test_the_plan_is_held_against_every_number_of_players(project: BookProject) -> None:
    assert checks(project) == [
        ("tabletop.2", "pass", "20 pieces at 3 places"),
        ("tabletop.3", "pass", "20 pieces at 4 places"),
        ("tabletop.4", "pass", "20 pieces at 5 places"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("zone: deck,", "zone: trick,", "the zone 'deck' with 14 pieces has no place"),
        ("zone: trick,", "zone: deck,", "the zone 'deck' lies at 'deck' and at 'trick'"),
        ("zone: trick,", "zone: tirck,", "'trick' names the zone 'tirck', but the rules have no such zone"),
        ("zone: deck, face: down", "zone: deck", "the pieces of 'deck' lie `face: up` at 'deck', but no player may see them: write `face: down`"),
        ("lies: fan, face: own", "lies: fan, face: down", "the pieces of 'hand 1' lie `face: down` at 'hand', but players 2 may not see them: write `face: own`"),
        ("  usual: 2", "  usual: 2\n  left_out: [deck]", "the zone 'deck' is left out, and lies at 'deck'"),
        ("zone: trick, lies: row, room: card", "pieces: {card: 1}", "2 of 'card/c0' lie on the table, and 1 are printed"),
        ("zone: trick, lies: row, room: card", "pieces: {card/c1: 3}", "tabletop.yaml places 3 of 'card/c1', but game.yaml has 1: change `card/c1: 3` on line 9"),
        ("  usual: 2", "  usual: 2\n  example: any-{players}", "known: any-card, highest"),
    ],
)  # fmt: skip
def test_a_plan_that_is_not_the_table_fails(project: BookProject, old: str, new: str, said: str) -> None:
    project.change(PLAN_FILE, old, new)
    first = checks(project)[0]
    assert first[:2] == ("tabletop.2", "fail")
    assert said in first[2]


def test_without_rules_the_data_say_what_lies_there(project: BookProject) -> None:
    """The plan is held against `setup`: as many of each kind as it takes, or all of them."""
    plan = PLAN.replace("zone: deck, face: down", "pieces: {card: 5}").replace("zone: trick", "pieces: {card/c9: 1}")
    plan = plan.replace('zone: "hand {seat}"', "pieces: {card/c8: 1}").replace(
        'zone: "won {seat}"', "pieces: {card/c7: 1}"
    )
    project.write(PLAN_FILE, plan)
    game, _ = project.workshop()
    found = [check.figures for check in check_table_plan(game, None)]
    assert "set-up takes 6 of 'card' for 2 players, and 10 lie on the table" in found[0]


def test_a_stale_number_is_blamed_at_its_line(project: BookProject) -> None:
    project.write(PLAN_FILE, PLAN.replace("zone: deck, face: down", "pieces: {card: 18}, face: down"))
    game, _ = project.workshop()
    (first, *_) = check_table_plan(game, None)
    assert str(first.place).startswith(f"{PLAN_FILE}:8:")
    assert first.figures == (
        "tabletop.yaml places 18 of 'card', but game.yaml has 20: change `card: 18` on line 8, or write `card: all`; "
        "set-up takes 6 of 'card' for 2 players, and 18 lie on the table"
    )


def test_counts_come_from_components_and_rules(project: BookProject) -> None:
    """`scan_all` is as many as are printed, `rules.hand` the number of the rules, whatever these are changed to."""
    plan = PLAN.replace("zone: deck,", "pieces: {card: all},")
    project.write(PLAN_FILE, plan.replace('zone: "hand {seat}",', "pieces: {card: rules.hand}, out_of: deck,"))
    for hand in (3, 4):
        game, _ = project.workshop()
        laid = {one.key: one.number for one in lay_places(game, game.tabletop, {}, 2)} if game.tabletop else {}
        assert (laid["deck"], laid["hand 1"], laid["hand 2"]) == (20 - 2 * hand, hand, hand)
        assert [check.status for check in check_table_plan(game, None)] == ["pass"] * 3
        project.write(GLOSSARY, WORDS.replace("hand: 3", "hand: 4").replace("take: 3", "take: 4"))


def test_pieces_beside_a_zone_lie_there_without_rules(project: BookProject) -> None:
    plan = PLAN.replace("zone: deck,", "zone: deck, pieces: {card: 20},")
    project.write(
        PLAN_FILE, plan.replace('zone: "hand {seat}",', 'zone: "hand {seat}", pieces: {card: 3}, out_of: deck,')
    )
    game, _ = project.workshop()
    rules = load_rules(game, project.root / "data" / "higher")
    for played in (None, rules):
        found = [(check.status, check.figures.split(" at ")[0]) for check in check_table_plan(game, played)]
        assert found == [("pass", "20 pieces")] * 3
