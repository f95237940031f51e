"""A change that is planted in a project is told once, where it belongs, and nothing else is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from diff_project import DiffProject, differences, lines
from tests_support import quick

from generator.game.project import find_project
from generator.versions.compare_games import find_pairs
from generator.versions.diff import DiffOrder, open_comparison

Plant = Callable[[DiffProject], object]

GAME, GLOSSARY = "data/higher/game.yaml", "data/higher/glossary.yaml"
EXAMPLES, MORE, CARD = "data/higher/examples.yaml", "data/higher/more.yaml", "templates/higher/card.svg"


def put(name: str, old: str, new: str) -> Plant:
    """The project with another text in one place of a file."""
    return lambda project: project.change(name, old, new)


PLANTED: dict[str, tuple[Plant, list[str]]] = {
    "count": (
        put(GAME, "{id: c7, count: 1,", "{id: c7, count: 3,"),
        [
            "components changed card/c7 count: 1 -> 3",
            "book(ja) changed 札は20枚。 -> 札は22枚。",
            "book(en) changed There are 20 cards. -> There are 22 cards.",
        ],
    ),
    "field": (
        put(GAME, "{id: c7, count: 1, strength: 7}", "{id: c7, count: 1, strength: 70}"),
        [
            "components changed card/c7 strength: 7 -> 70",
            "components changed card/c7 looks front(ja)",
            "components changed card/c7 looks front(en)",
        ],
    ),
    "added design": (
        put(GAME, "      - {id: c7, ", "      - {id: new, count: 1, strength: 40}\n      - {id: c7, "),
        [
            "components added card/new",
            "book(ja) changed 札は20枚。 -> 札は21枚。",
            "book(en) changed There are 20 cards. -> There are 21 cards.",
        ],
    ),
    "removed design": (
        put(GAME, "      - {id: c19, count: 1, strength: 19}\n", ""),
        [
            "components removed card/c19",
            "book(ja) changed 札は20枚。 -> 札は19枚。",
            "book(en) changed There are 20 cards. -> There are 19 cards.",
        ],
    ),
    "renamed design": (put(GAME, "{id: c19, ", "{id: last, "), ["components renamed card/last"]),
    "template": (
        put(CARD, 'font-size="12pt">{{ card.strength }}', 'font-size="12pt">{{ card.strength }}{{ "!" * (card.strength == 5) }}'),
        ["components changed card/c5 looks front(ja)", "components changed card/c5 looks front(en)"],
    ),
    "size without a look": (put(GAME, "    front: card\n", "    safe: 2\n    front: card\n"), ["kinds changed card safe: 3 -> 2"]),
    "kind's name": (
        put(GAME, "name: {ja: 札, en: Cards}", "name: {ja: 札, en: Playing cards}"),
        ["kinds changed card name(en): Cards -> Playing cards"],
    ),
    "rule": (put(GLOSSARY, "gold: 2", "gold: 5"), ["rules changed rules.costs.gold : 2 -> 5"]),
    "list": (put(GLOSSARY, "silver: [1, 2]", "silver: [1, 3]"), ["rules changed rules.costs.silver : [1, 2] -> [1, 3]"]),
    "entry of a list by its id": (
        put(GLOSSARY, "    - {id: one, worth: 4}\n", "    - {id: zero, worth: 1}\n    - {id: one, worth: 4}\n"),
        ["rules added rules.rows.zero.id :  -> zero", "rules added rules.rows.zero.worth :  -> 1"],
    ),
    "removed rule": (put(GLOSSARY, "gold: 2, ", ""), ["rules removed rules.costs.gold : 2 -> "]),
    "true is no 1": (
        put(GLOSSARY, "worth: 1", "worth: true"),
        ["rules changed rules.rows.two.worth : 1 -> True"],
    ),
    "entry of a list by its number": (
        put(GLOSSARY, "steps: [{a: 1}, {a: 2}]", "steps: [{a: 1}, {a: 3}, {a: 2}]"),
        ["rules added rules.steps.1.a :  -> 3"],
    ),
    "a list made a map": (
        put(GLOSSARY, "steps: [{a: 1}, {a: 2}]", "steps: {first: {a: 1}}"),
        [
            "rules added rules.steps.first.a :  -> 1",
            "rules removed rules.steps.0.a : 1 -> ",
            "rules removed rules.steps.1.a : 2 -> ",
        ],
    ),
    "mark": (
        put(GLOSSARY, "provisional: [rules.hand]", "provisional: [rules.hand, rules.costs.gold]"),
        ["marks added rules.costs.gold :  -> provisional"],
    ),
    "value that came with its mark": (
        lambda project: (
            project.change(GLOSSARY, "  hand: 3\n", "  hand: 3\n  more: {a: 1}\n"),
            project.change(GLOSSARY, "provisional: [rules.hand]", "provisional: [rules.hand, rules.more]"),
        ),
        ["rules added rules.more.a :  -> 1"],
    ),
    "reading": (
        put(GLOSSARY, "passage: 同じ強さ", "passage: 引き分け"),
        ["readings changed E1 passage: 同じ強さ -> 引き分け"],
    ),
    "switch": (
        put(GLOSSARY, "value: first", "value: last"),
        [
            "switches changed tie : first -> last",
            "book(ja) removed 同じなら先の人。 -> ",
            "book(en) removed Of equal ones the first. -> ",
        ],
    ),
    "setup": (put(GLOSSARY, "take: 3", "take: 2"), ["setup changed card for each player : 3 -> 2"]),
    "term": (
        put(GLOSSARY, "says: {ja: \"各自が札を1枚ずつ出すこと。\", en: One card from each player.}",
            "says: {ja: \"各自が札を1枚ずつ出すこと。\", en: One card from everybody.}"),
        [
            "glossary changed trick says(en): One card from each player. -> One card from everybody.",
            "book(en) changed trick | One card from each player. -> trick | One card from everybody.",
        ],
    ),
    "move": (
        put(GAME, 'en: "play {card}"', 'en: "lay out {card}"'),
        ["moves changed play (en): play {card} -> lay out {card}"],
    ),
    "zone": (put(GAME, "deck: {ja: 山札, en: deck}", "deck: {ja: 山, en: deck}"), ["zones changed deck name(ja): 山札 -> 山"]),
    "check": (put(MORE, 'expected: "20"', 'expected: "21 - 1"'), ["checks changed C1 expected: 20 -> 21 - 1"]),
    "example": (
        put(EXAMPLES, "    expect:\n      seat: 2\n", "    expect:\n      over: false\n      seat: 2\n"),
        ["examples changed highest expected.over:  -> False"],
    ),
    "word": (put(MORE, "en: Strength", "en: Might"), ["words changed words.rank (en): Strength -> Might"]),
    "icon": (put(MORE, "en: Star}, colour", "en: Sun}, colour"), ["icons changed star name(en): Star -> Sun"]),
    "effect": (put(MORE, "en: Draw a card.", "en: Take a card."), ["operations changed draw says(en): Draw a card. -> Take a card."]),
    "colour": (put(GAME, 'red: "#c02020"', 'red: "#c02021"'), ["palette changed red srgb: #c02020 -> #c02021"]),
    "credit": (put(MORE, "en: Art}", "en: Drawings}"), ["facts changed credits.0.role (en): Art -> Drawings"]),
    "fact": (put(GAME, "draft: 3", "draft: 4"), ["facts changed draft : 3 -> 4"]),
    "whose it is": (
        put(GAME, "credit: Somebody", "credit: {ja: だれか, en: Somebody}"),
        ["facts changed credit (ja): Somebody -> だれか"],
    ),
    "sentence": (
        put("templates/higher/rulebook.en.md", "Play a card from your", "Now play a card from your"),
        [
            "book(en) changed Play a card from your hand; the best card takes the trick."
            " -> Now play a card from your hand; the best card takes the trick."
        ],
    ),
}  # fmt: skip

QUIET: dict[str, Plant] = {
    "comment in the data": put(GAME, "draft: 3\n", "draft: 3  # the third\n"),
    "comment above the credits": put(MORE, "credits:\n", "# Who made it.\ncredits:\n"),
    "comment in a template": put(CARD, "  <text", "  <!-- the number --><text"),
    "comment in the rulebook": put("templates/higher/rulebook.en.md", "# How to play", "{# rules #}\n# How to play"),
    "another order of keys": put(GLOSSARY, "{gold: 2, silver: [1, 2]}", "{silver: [1, 2], gold: 2}"),
    "another spelling of a number": put(GLOSSARY, "worth: 4", "worth: 4.0"),
    "another file": lambda project: (
        project.change(MORE, "words:\n  rank: {ja: 強さ, en: Strength}\n", ""),
        project.write("data/higher/words.yaml", "words:\n  rank: {ja: 強さ, en: Strength}\n"),
    ),
}


@pytest.fixture
def both(tmp_path: Path) -> tuple[DiffProject, DiffProject]:
    return DiffProject(tmp_path / "since"), DiffProject(tmp_path / "until")


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_change_is_told_once(name: str, both: tuple[DiffProject, DiffProject]) -> None:
    """One change of each sort is told in its place, with what it does to faces and sentences, and nothing else."""
    since, until = both
    plant, expected = PLANTED[name]
    plant(until)
    found = differences(since.root, until.root)
    assert lines(found) == expected
    assert found.not_compared == ()


@pytest.mark.parametrize(
    "name", quick(PLANTED, "count", "renamed design", "removed rule", "a list made a map", "sentence")
)
def test_the_way_back_is_the_mirror(name: str, both: tuple[DiffProject, DiffProject]) -> None:
    """What came on the way there goes on the way back: nothing is told in one direction alone."""
    since, until = both
    PLANTED[name][0](until)
    there = differences(since.root, until.root)
    back = differences(until.root, since.root)
    turned = {"added": "removed", "removed": "added"}

    for group in {*there.groups, *back.groups}:
        forth = [
            (e.sort, e.id, sorted((v.path, v.lang, str(v.old), str(v.new)) for v in e.values))
            for e in there.groups[group]
        ]
        again = [
            (
                turned.get(e.sort, e.sort),
                e.was or e.id,
                sorted((v.path, v.lang, str(v.new), str(v.old)) for v in e.values),
            )
            for e in back.groups[group]
        ]
        ids = {e.id: e.was for e in back.groups[group] if e.was}
        assert sorted(forth) == sorted(again), (group, ids)
    assert there.pieces == back.pieces[::-1]


@pytest.mark.parametrize("name", QUIET)
def test_what_nobody_sees_is_no_difference(name: str, both: tuple[DiffProject, DiffProject]) -> None:
    """Comments, the order of keys, the way a number is written and the file it stands in change nothing."""
    since, until = both
    QUIET[name](until)
    assert differences(since.root, until.root).is_empty


def test_a_value_is_told_with_its_marks(both: tuple[DiffProject, DiffProject]) -> None:
    """A value that changed together with its mark is one difference, which says both."""
    since, until = both
    until.change(GLOSSARY, "gold: 2", "gold: 4")
    until.change(GLOSSARY, "provisional: [rules.hand]", "provisional: [rules.hand, rules.costs]")
    found = differences(since.root, until.root)
    (entry,) = found.groups["rules"]
    assert [(value.old_mark, value.new_mark) for value in entry.values] == [("", "provisional")]
    assert [entry.id for entry in found.groups["marks"]] == ["rules.costs"]
    until.change(GLOSSARY, "provisional: [rules.hand, rules.costs]", "provisional: [rules.hand, rules.costs.gold]")
    assert lines(differences(since.root, until.root)) == ["rules changed rules.costs.gold : 2 -> 4"]


def test_languages_that_were_not_asked_for_are_left_out(both: tuple[DiffProject, DiffProject]) -> None:
    """With --lang, texts, faces and rulebooks of other languages are not told; what has no language is."""
    since, until = both
    until.change(GAME, 'en: "play {card}"', 'en: "lay out {card}"')
    until.change(GAME, "{id: c7, count: 1, strength: 7}", "{id: c7, count: 1, strength: 70}")
    assert lines(differences(since.root, until.root, "ja")) == ["components changed card/c7 strength: 7 -> 70", "components changed card/c7 looks front(ja)"]  # fmt: skip


def test_pairs_of_pictures_are_those_of_one_language(both: tuple[DiffProject, DiffProject]) -> None:
    """A side that looks different in one language alone is shown there alone, and a side of several designs once."""
    since, until = both
    until.change(CARD, "{{ card.strength }}", "{{ card.strength if lang == 'en' else 'X' }}")
    order = DiffOrder(str(since.root), str(until.root), "higher", trusted=lambda _root: True)
    with open_comparison(find_project(since.root), order, lambda _doing: None) as states:
        shown = {lang: find_pairs(states.found, states.since, states.until, lang) for lang in ("ja", "en")}
    assert [(pair.entry.id, pair.face, pair.also) for pair in shown["ja"]] == [
        (f"card/c{number}", "front", ()) for number in range(20)
    ]
    assert len({pair.new for pair in shown["ja"]}) == 1
    assert shown["en"] == ()


def test_totals_follow_the_counts(both: tuple[DiffProject, DiffProject]) -> None:
    """Pieces before and after are counted, and kinds whose number is another are named."""
    since, until = both
    until.change(GAME, "{id: c7, count: 1,", "{id: c7, count: 3,")
    found = differences(since.root, until.root)
    assert found.pieces == (20, 22)
    assert found.totals == {"card": (20, 22)}


def test_notes_and_quick_starts_are_compared(both: tuple[DiffProject, DiffProject]) -> None:
    """Each book's own sentences; what the quick start takes from the rulebook is told there alone."""
    for project in both:
        for lang in ("ja", "en"):
            project.write(f"templates/higher/notes.{lang}.md", "# Open\n\nWho begins?\n")
            part = "```part #play\ntake: text\n```\n\nHave fun.\n"
            project.write(f"templates/higher/quickstart.{lang}.md", part)
    since, until = both
    until.change("templates/higher/rulebook.en.md", "Play a card from your", "Now play a card from your")
    until.change("templates/higher/notes.en.md", "Who begins?", "Who begins, and why?")
    until.change("templates/higher/quickstart.en.md", "Have fun.", "Have much fun.")

    assert lines(differences(since.root, until.root)) == [
        "book(en) changed Play a card from your hand; the best card takes the trick."
        " -> Now play a card from your hand; the best card takes the trick.",
        "notes(en) changed Who begins? -> Who begins, and why?",
        "quickstart(en) changed Have fun. -> Have much fun.",
    ]


def test_a_book_that_one_state_lacks_is_told(both: tuple[DiffProject, DiffProject]) -> None:
    """Notes that came are not compared, and it says so."""
    since, until = both
    for lang in ("ja", "en"):
        until.write(f"templates/higher/notes.{lang}.md", "# Open\n\nWho begins?\n")
    found = differences(since.root, until.root)
    assert lines(found) == []
    assert [note.to_sentence("en").partition(" has ")[2] for note in found.not_compared] == [
        "no notes for the designer"
    ]
