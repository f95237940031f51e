"""Skills and final-scoring skills as tables of operations: what the kernels know of the cards' effects."""

from collections.abc import Iterable, Iterator
from typing import Any

from generator.errors import Problem, ProblemsFound
from generator.games.engine.codes import name_of_choice, numbers
from generator.games.engine.kernel import Value
from generator.games.xanadu.facts import ACTIONS, GOODS
from generator.games.xanadu.moves import Op, Origin, Tier
from generator.model.game import Design, Effect, Game

CHANGES = {"earn", "gain", "move", "upgrade", "research", "refresh", "hire"}
FITS = {
    "passive": {"more_actions", "carry_more", "hold_more", "upgrade_anywhere"},
    "activated": CHANGES | {"act"},
    "on_fulfil": CHANGES | {"act", "place_share"},
    "install": CHANGES,
    "round_end": {"earn", "gain", "hire"},
    "final": {"score_areas", "score_goods", "score_grades", "score_landmarks", "score_staff", "score_firsts"},
}
"""Which operations can be played at which time: a share needs an area, more actions need a turn."""

AS_THEY_ARE = ("cost", "on_zone", "on_own_area", "optional", "after_placing")
"""Fields of skills that kernels know by the same name: numbers, and truths as 1 or 0."""

WORTHS = ("vp", "fine", "dispatch")
SECOND_WORTHS = ("superb", "skill")
"""What an operation of the final scoring pays for one thing of a kind, and for one of another kind."""


def skill_numbers(game: Game) -> dict[str, Value]:
    """Skills by number, and after them the companies' final-scoring skills; ProblemsFound for what can't be played.

    `op`, `op_a`, `op_b` and `op_n` are the effects of each: what to do, what it takes, and how many. A final score
    is worth `op_a` each and at most `op_n`, `op_b` is the second worth where there are two.
    """
    skills = [design for design in game.kinds["skill"].designs for _ in range(design.count)]
    companies = game.kinds["company_board"].designs
    wrong = [fault for skill in game.kinds["skill"].designs for fault in _faults(skill, skill.fields["timing"])]
    wrong += [fault for company in companies for fault in _faults(company, "final")]
    if wrong:
        raise ProblemsFound(wrong)
    types, colours = list(game.sections["rules"]["types"]), [board.fields["company"] for board in companies]
    cards = [skill.fields for skill in skills]
    return {
        "skills": len(cards),
        "colour": [colours.index(card["colour"]) if card["colour"] in colours else -1 for card in cards],
        "on_type": [1 << types.index(card["on_type"]) if card["on_type"] else 0 for card in cards],
        "on_tier": [numbers(Tier)[name_of_choice(card["on_tier"] or "any")] for card in cards],
        "on_source": [numbers(Origin)[name_of_choice(card["on_source"] or "any")] for card in cards],
        **{name: [int(card[name] or 0) for card in cards] for name in AS_THEY_ARE},
        **{f"{timing}_mask": _those(card["timing"] == timing for card in cards) for timing in FITS},
        **_operations([[_row(effect) for effect in card.fields["effects"]] for card in (*skills, *companies)]),
    }


def _those(are: Iterable[bool]) -> int:
    """The numbers of those that are, as bits."""
    return sum(1 << n for n, one in enumerate(are) if one)


def _operations(cards: list[list[tuple[int, int, int, int]]]) -> dict[str, Value]:
    """The effects of each card, padded to equal lengths."""
    longest = max(map(len, cards))
    padded = [rows + [(0, 0, 0, 0)] * (longest - len(rows)) for rows in cards]
    return {
        "effects": [len(rows) for rows in cards],
        **{
            name: [[row[n] for row in rows] for rows in padded] for n, name in enumerate(("op", "op_a", "op_b", "op_n"))
        },
        "carry_more": sum(row[3] for rows in cards for row in rows if row[0] == Op.CARRY_MORE),
    }


def _row(effect: Effect) -> tuple[int, int, int, int]:
    """An effect as operation, what it takes or is worth, its second worth, and its number or cap."""
    values = effect.values
    if "grade" in values:
        takes = GOODS.index(values["grade"])
    elif "action" in values:
        takes = ACTIONS.index(values["action"])
    else:
        takes = _first(values, WORTHS)
    return numbers(Op)[effect.op.upper()], takes, _first(values, SECOND_WORTHS), _first(values, ("n", "cap"))


def _first(values: Any, names: tuple[str, ...]) -> int:
    return next((int(values[name]) for name in names if name in values), 0)


def _faults(card: Design, timing: str) -> Iterator[Problem]:
    for effect in card.fields["effects"]:
        if effect.op not in FITS[timing]:
            what = f"{card.id} is {timing}, and '{effect.op}' can't be played then"
            yield Problem(card.place, what, f"it can do {', '.join(sorted(FITS[timing]))}")
