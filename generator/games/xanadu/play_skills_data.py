"""Skills and final-scoring skills as tables of operations: what the kernels know of the cards' effects."""

from collections.abc import Iterator, Mapping
from typing import Any

from generator.games.engine.kernel import Value
from generator.games.xanadu import play_codes as c
from generator.games.xanadu.facts import ACTIONS
from generator.model.game import Design, Effect, Game

TIMINGS = ("passive", "activated", "on_fulfil", "install", "round_end", "final")
ONCE = {
    "earn": c.OP_EARN,
    "gain": c.OP_GAIN,
    "move": c.OP_MOVE,
    "upgrade": c.OP_UPGRADE,
    "research": c.OP_RESEARCH,
    "refresh": c.OP_REFRESH,
    "act": c.OP_ACT,
    "hire": c.OP_HIRE,
    "place_share": c.OP_SHARE,
}
ALWAYS = {
    "more_actions": c.OP_MORE,
    "carry_more": c.OP_CARRY,
    "hold_more": c.OP_HOLD,
    "upgrade_anywhere": c.OP_ANYWHERE,
}
SCORES = {
    "score_areas": c.OP_AREAS,
    "score_goods": c.OP_GOODS,
    "score_grades": c.OP_GRADES,
    "score_landmarks": c.OP_LANDMARKS,
    "score_staff": c.OP_STAFF,
    "score_firsts": c.OP_FIRSTS,
}
FITS = {
    "passive": set(ALWAYS),
    "activated": set(ONCE) - {"place_share"},
    "on_fulfil": set(ONCE),
    "install": set(ONCE) - {"place_share", "act"},
    "round_end": {"earn", "gain", "hire"},
    "final": set(SCORES),
}
"""Which operations can be played at which time: a share needs an area, more actions need a turn."""


def skill_numbers(game: Game) -> dict[str, Value]:
    """Skills by number, and after them the companies' final-scoring skills; ValueError for what can't be played.

    `op`, `op_a`, `op_b` and `op_n` are the effects of each: what to do, what it takes, and how many. A final score
    is worth `op_a` each and at most `op_n`, `op_b` is the second worth where there are two.
    """
    skills = [design for design in game.kinds["skill"].designs for _ in range(design.count)]
    companies = game.kinds["company_board"].designs
    wrong = [fault for skill in game.kinds["skill"].designs for fault in _faults(skill, skill.fields["timing"])]
    wrong += [fault for company in companies for fault in _faults(company, "final")]
    if wrong:
        raise ValueError("; ".join(wrong))
    types, colours = list(game.sections["rules"]["types"]), [board.fields["company"] for board in companies]
    effects = [_table(game, card.fields["effects"]) for card in (*skills, *companies)]
    longest = max(map(len, effects))
    padded = [rows + [(0, 0, 0, 0)] * (longest - len(rows)) for rows in effects]
    fields = [skill.fields for skill in skills]
    timings = [TIMINGS.index(card["timing"]) for card in fields]
    return {
        "skills": len(skills),
        "colour": [colours.index(card["colour"]) if card["colour"] in colours else -1 for card in fields],
        "timing": timings,
        "cost": [card["cost"] or 0 for card in fields],
        "on_type": [1 << types.index(card["on_type"]) if card["on_type"] else 0 for card in fields],
        "on_tier": [("lower", "upper").index(card["on_tier"]) if card["on_tier"] else -1 for card in fields],
        "on_source": [_source(card["on_source"]) for card in fields],
        "on_zone": [card["on_zone"] or 0 for card in fields],
        "on_own": [1 if card["on_own_area"] else 0 for card in fields],
        "optional": [1 if card["optional"] else 0 for card in fields],
        "after_placing": [1 if card["after_placing"] else 0 for card in fields],
        **{f"{name}_mask": _mask(timings, n) for n, name in enumerate(TIMINGS)},
        "effects": [len(rows) for rows in effects],
        "op": [[row[0] for row in rows] for rows in padded],
        "op_a": [[row[1] for row in rows] for rows in padded],
        "op_b": [[row[2] for row in rows] for rows in padded],
        "op_n": [[row[3] for row in rows] for rows in padded],
        "carry_more": sum(row[3] for rows in effects for row in rows if row[0] == c.OP_CARRY),
    }


def _table(game: Game, effects: tuple[Effect, ...]) -> list[tuple[int, int, int, int]]:
    """Each effect as operation, two worths, and number or cap."""
    grades = list(game.sections["rules"]["grades"])
    rows = []
    for effect in effects:
        values = effect.values
        code = {**ONCE, **ALWAYS, **SCORES}[effect.op]
        worth = next((values[name] for name in ("vp", "fine", "dispatch") if name in values), 0)
        if "grade" in values:
            worth = grades.index(values["grade"])
        if "action" in values:
            worth = ACTIONS.index(values["action"])
        second = next((values[name] for name in ("superb", "skill") if name in values), 0)
        rows.append((code, worth, second, values.get("n", values.get("cap", 0))))
    return rows


def _faults(card: Design, timing: str) -> Iterator[str]:
    for effect in card.fields["effects"]:
        if effect.op not in FITS[timing]:
            yield f"{card.place}: {card.id} is {timing}, and '{effect.op}' can't be played then"


def _source(name: Any) -> int:
    named: Mapping[Any, int] = {None: c.FROM_ANY, "market": c.FROM_MARKET, "daily": c.FROM_DAILY}
    return named[name]


def _mask(timings: list[int], timing: int) -> int:
    return sum(1 << n for n, time in enumerate(timings) if time == timing)
