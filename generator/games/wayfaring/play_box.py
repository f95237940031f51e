"""What a table of wayfaring plays with: its cards, and everything the kernels read, as numbers from the data."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import kind_of
from generator.games.wayfaring.cards import CHARACTERS
from generator.games.wayfaring.facts import Facts, facts_of
from generator.games.wayfaring.play_codes import MOST_PLAYERS, OPERATIONS
from generator.model.game import Design, Effect, Game

ORDER = ("destination", "trouble", "intervention", "cursed", CHARACTERS)
"""Cards are numbered in this order: first the deck, last all that can lie in an area."""

MARKERS = "pass_marker"

SWITCHES: Mapping[str, tuple[Any, ...]] = {
    "mulligan_order": ("after_all", "per_player"),
    "forced_pass_counts": (False, True),
    "elimination_cards": ("dispose", "stay"),
    "trouble_limit": ("total", "per_opponent"),
    "deed_payment": ("check_both", "as_much_as_possible"),
    "recheck_situation": (False, True),
    "summoning_delay": (False, True),
    "ability_refresh": ("own_turn", "every_turn"),
    "noop_use": ("forbidden", "allowed"),
    "faint_by_own_action": ("allowed", "forbidden"),
    "intervention_resolution": ("stack", "immediate"),
    "intervention_order": ("left_of_declarer", "turn_player_first"),
    "owner_may_peek": (False, True),
    "display_refill": ("end_phase", "immediate", "none"),
    "advanced_on_refill": ("normal", "skip"),
    "deck_out": ("reshuffle", "none"),
    "faint_check": ("settled", "immediate", "end_of_turn"),
    "instant_win": ("no_hand_condition", "needs_hand"),
    "fainting": ("eliminate", "rest"),
}
"""Each switch's values; a kernel sees the place of the one in force. `hand_limit` and `intervention_windows` differ."""

ASK_EVERYONE = "ask_everyone"
"""An option of play, not of the rules: in a window those are asked as well who have nothing to answer with."""

MOMENTS = ("recruit", "intervention", "main_done", "own_turn_ability", "placement", "move")
"""What `rules.windows` may list."""

_MOST = 60
"""Designs of the deck, and cards for areas: the kernels keep sets of them as bits of a whole number."""


def box(game: Game, players: int, options: Options) -> Box:
    """The cards and numbers of a table; ProblemsFound for a wrong number of players, option or card."""
    facts, _ = facts_of(game)
    switches = _switches(game, players, options)
    deck = [design for kind in ORDER[:-1] for design in kind_of(game, kind).designs]
    characters = list(kind_of(game, CHARACTERS).designs)
    cards = tuple(copy for design in (*deck, *characters) for copy in design.copies())
    numbers = _numbers(game, facts, deck, characters)
    _fitting(game, facts, [*deck, *characters], numbers)
    windows = facts.windows[switches["intervention_windows"]]
    limit = switches["hand_limit"]
    read = {name: values.index(switches[name]) for name, values in SWITCHES.items()}
    read |= {f"answers_{moment}": int(moment in windows) for moment in MOMENTS}
    read["hand_limit"] = 0 if limit == "none" else limit
    markers = {design.id: design.count for design in kind_of(game, MARKERS).designs}
    read[ASK_EVERYONE] = int(switches.get(ASK_EVERYONE, False))
    read["markers"] = sum(markers.values())
    return Box(game, players, dict(options), numbers | read, cards, markers)


def _switches(game: Game, players: int, options: Options) -> dict[str, Any]:
    """The readings to play by; ProblemsFound for what there is not."""
    wrong = []
    if players not in game.players:
        fewest, most = game.players.fewest, game.players.most
        wrong.append(Problem(None, f"{game.id} is not for {players} players", f"it is for {fewest} to {most}"))
    known = {reading.switch: reading.choices for reading in game.readings.values() if reading.switch}
    known[ASK_EVERYONE] = (False, True)
    for name, value in options.items():
        if name not in known:
            wrong.append(Problem(None, f"{game.id} has no option '{name}'", did_you_mean(name, known)))
        elif value not in known[name]:
            choices = ", ".join(str(choice) for choice in known[name])
            wrong.append(Problem(None, f"the option {name} can't be '{value}'", f"it can be {choices}"))
    values = {**game.switches, **options}
    wrong += (
        Problem(game.places.place("readings"), f"the rules don't know {name}: {values[name]}", did_you_mean("", texts))
        for name, texts in ((name, tuple(map(str, known))) for name, known in SWITCHES.items())
        if values[name] not in SWITCHES[name] and name not in options
    )
    if wrong:
        raise ProblemsFound(wrong)
    return values


def _fitting(game: Game, facts: Facts, designs: Sequence[Design], numbers: Mapping[str, Any]) -> None:
    """ProblemsFound for cards and numbers that the kernels have no room for."""
    place = game.places.place("components")
    names = [design.id.split("/")[1] for design in designs]
    wrong = [
        Problem(place, f"two cards have the id {name}", "give each card of the game an id of its own")
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    for field, what in (("deck_designs", "different cards in the deck"), ("area_cards", "characters and cursed items")):
        if numbers[field] > _MOST:
            wrong.append(Problem(place, f"the rules have no room for {numbers[field]} {what}", f"at most {_MOST}"))
    if game.players.most > MOST_PLAYERS:
        wrong.append(Problem(game.places.place("players"), f"the rules have room for {MOST_PLAYERS} players", ""))
    if facts.moves != 1:
        what = "the rules know one move in the Move phase"
        wrong.append(Problem(game.places.place("rules", "moves"), what, "let effects give more"))
    if wrong:
        raise ProblemsFound(wrong)


def _numbers(game: Game, facts: Facts, deck: list[Design], characters: list[Design]) -> dict[str, Any]:
    """All that comes from the cards and the rules' numbers, readings apart."""
    steps = _Steps(game, facts)
    copies = [number for number, design in enumerate(deck) for _ in range(design.count)]
    cursed = [design for design in deck if design.kind == "cursed" for _ in range(design.count)]
    people = [design for design in characters for _ in range(design.count)]
    area = [*cursed, *people]
    terrains = ["", *facts.terrains]
    numbers: dict[str, Any] = {
        "cards": len(copies) + len(people),
        "deck_cards": len(copies),
        "deck_designs": len(deck),
        "first_area": len(copies) - len(cursed),
        "area_cards": len(area),
        "design": copies + [0] * len(people),
        "first": [sum(design.count for design in deck[:number]) for number in range(len(deck))],
        "last": [sum(design.count for design in deck[: number + 1]) for number in range(len(deck))],
        "terrain": [terrains.index(design.fields.get("terrain", "")) for design in deck],
        "terrains": len(terrains),
        "no_design": -1,  # of a card that is none of the deck; as a literal it would make numba compile twice
        "bit": _bits(),
        **{f"{kind}_designs": _mask(design.kind == kind for design in deck) for kind in ORDER[:-1]},
        "characters": _mask(design.kind == CHARACTERS for design in area),
        "advanced": _mask(bool(design.fields.get("advanced")) for design in area),
        "own_turn": _mask(design.fields["timing"] == "own_turn" for design in area),
        "intervene": _mask(design.fields["timing"] == "intervene" for design in area),
        "of_kind": [0, *(_mask(kind in (design.fields.get("kinds") or ()) for design in area) for kind in facts.kinds)],
        "area_design": [[*deck, *characters].index(design) for design in area],
        "effect": [steps.add(design.fields["effects"]) for design in deck],
        "ability": [steps.add(design.fields["effects"]) for design in area],
        "cost": [steps.add(design.fields.get("cost")) for design in area],
        "situation": [steps.add(design.fields.get("situation")) for design in area],
        "deed": [steps.add(design.fields.get("deed")) for design in area],
        "need_more": [_curse(design, "need_more") for design in area],
        "end_discard": [_curse(design, "end_discard") for design in area],
        "no_vitality": _mask(_curse(design, "no_vitality") > 0 for design in area),
        "plain_discard": steps.add([Effect("discard", {"n": 1})]),
    }
    moving = sum(design.count for design in deck if any(step.op == "move" for step in design.fields["effects"]))
    numbers["most_items"] = 2 + sum(design.count for design in deck if design.kind == "intervention") + len(area)
    numbers["most_frames"] = 3 + moving
    return numbers | steps.rows() | _rules(facts)


def _rules(facts: Facts) -> dict[str, int]:
    names = ("hand", "display", "draw", "passes", "refill", "memories", "turns", "reshuffles")
    return {
        **{f"rule_{name}": getattr(facts, name) for name in names},
        **{f"per_turn_{name}": facts.per_turn[name] for name in ("destination", "trouble", "recruit")},
        "rest_hand": facts.rest.hand,
        "rest_memories": facts.rest.memories,
    }


class _Steps:
    """All steps, costs and conditions of the cards in one table, each list of them closed by an END."""

    def __init__(self, game: Game, facts: Facts):
        self._kinds, self._terrains = ["", *facts.kinds], ["", *facts.terrains]
        self._rows: list[tuple[int, ...]] = [(0, 0, 0, 0, 0, 0, 0)]
        self._game = game

    def add(self, effects: Iterable[Effect] | None) -> int:
        """Where the steps begin; 0 for none."""
        effects = tuple(effects or ())
        if not effects:
            return 0
        start = len(self._rows)
        for effect in effects:
            values = effect.values
            self._rows.append((
                OPERATIONS.index(effect.op),
                values.get("n") or values.get("k") or 1,
                int(values.get("who") in ("each_other", "one_other", "any")),
                self._kinds.index(values.get("kind") or ""),
                int(values.get("type") == "destination"),
                int(bool(values.get("other_design"))),
                self._terrains.index(values.get("of") or ""),
            ))  # fmt: skip
        self._rows.append((0, 0, 0, 0, 0, 0, 0))
        return start

    def rows(self) -> dict[str, list[int]]:
        """The table by columns."""
        names = ("op", "times", "other", "kind", "destination", "other_design", "of")
        return {name: [row[at] for row in self._rows] for at, name in enumerate(names)}


def _curse(design: Design, op: str) -> int:
    curses = design.fields.get("curse") or ()
    return sum(int(curse.values.get("n") or 1) for curse in curses if curse.op == op)


def _mask(members: Iterable[bool]) -> int:
    return sum(1 << at for at, member in enumerate(members) if member)


def _bits() -> list[int]:
    """Which bit a power of two is, by its remainder: 2 has a different power for every remainder of 67."""
    places = [0] * 67
    for bit in range(_MOST + 2):
        places[(1 << bit) % 67] = bit
    return places
