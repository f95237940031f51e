"""The box of draft 8: the numbers that its kernels read, from the model and the switches, and what a state holds."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.engine.contract import Box, Options
from generator.games.engine.facts import kind_of
from generator.games.engine.kernel import Value
from generator.games.engine.variants import choices, in_force
from generator.games.journey8.effects import worth
from generator.games.journey8.facts import COUNTERS, Facts, Switches, facts_of, key_count_modes
from generator.games.journey8.figures import Deal, deal, longest_row, most_turns
from generator.games.journey8.play_codes import (
    BY_NUMBER,
    EVENT_ORDER,
    MODE_NAMES,
    MOST_CARDS,
    MOST_COLOURS,
    MOST_NUMBERS,
    OPERATIONS,
    PAIR_DISCARD,
    PASSING,
    SIDES,
)
from generator.model.game import Design, Game

BOOKMARKS, JOKERS = "bookmark", "joker"


def box(game: Game, players: int, options: Options) -> Box:
    """The printed cards and counters, and the rules as the options set them; ProblemsFound for what can't be played."""
    problems = list(_wishes(game, players, options))
    if problems:
        raise ProblemsFound(problems)
    played, settings = _with(game, options), {**in_force(game), **options}
    facts, switches = facts_of(played)
    designs = [design for kind in (BOOKMARKS, JOKERS) for design in kind_of(played, kind).designs]
    dealt = deal(players, facts, switches)
    problems = list(_faults(played, facts, dealt, designs))
    if problems:
        raise ProblemsFound(problems)
    numbers: dict[str, Value] = {
        **_measures(facts, switches, dealt),
        **_cards(facts, designs, players),
        **_declarations(facts, switches),
        **_readings(switches),
        **_variants(played, settings),
    }
    cards = tuple(copy for design in designs for copy in design.copies())
    counted = {design.id: design.count for design in kind_of(game, COUNTERS).designs}
    return Box(game, players, options, numbers, cards, counted)


def state(box: Box) -> dict[str, Any]:
    """The fields of a state. Rows hold cards by their places in the box, from their beginning on; 0 beyond the last.

    `hand` has room for all cards for each seat, `held` of them in ascending order. `top` is the place of the deck's
    next card. In `keys` a 1 marks a key of the `story`, `laid` cards long. `said` is 1 + what a joker there was
    declared as, where that lasts. `card` is what is being played or applied, -1 for nothing; `new_*` and `left_*` are
    what is compared. `given_out` was in play at the start, `rises` what larger numbers have brought since. `first` is
    the number of turns that the deck is good for. `done` has a bit for each card whose event has been seen to. For the
    figures, `held_at_end` cards were held when the hands were laid open, and of these so many effects were `applied`,
    `brought` their owners this together, and had `promised` that; `before` is how far the owner was ahead before one.
    """
    cards, seats = len(box.cards), box.game.players.most
    fields: dict[str, Any] = dict.fromkeys(_COUNTS, 0)
    fields |= dict.fromkeys(("deck", "story", "keys", "said", "removed", "discards"), [0] * cards)
    fields |= dict.fromkeys(("held", "sone", "coherence"), [0] * seats)
    return fields | {"rng": [0] * 4, "short": [0], "hand": [0] * (cards * seats)}


_COUNTS = (
    *("players", "seat", "over", "turn", "hole", "phase", "start", "current", "top", "aside", "laid", "thrown"),
    *("keys_laid", "plays", "first_key", "first", "dry", "card", "new_colour", "new_number", "left_colour"),
    *("left_number", "give_left", "give_cap", "give_to", "give_same", "supply", "given_out", "rises", "scoring"),
    *("key_end", "mode", "group", "done", "op", "colour"),
    *("held_at_end", "before", "applied", "brought", "promised"),
)


def _wishes(game: Game, players: int, options: Options) -> Iterator[Problem]:
    """What is wrong with the wishes of whoever plays."""
    if players not in game.players:
        hint = f"{game.players.fewest} to {game.players.most} can play"
        yield Problem(game.places.place("players"), f"{game.id} can't be played by {players}", hint)
    known = choices(game)
    for name, value in options.items():
        if name not in known:
            yield Problem(None, f"{game.id} has no option '{name}'", did_you_mean(name, known))
        elif not any(value == choice and type(value) is type(choice) for choice in known[name]):
            yield Problem(None, f"the option {name} can't be {value}", f"it can be {', '.join(map(str, known[name]))}")


def _with(game: Game, options: Options) -> Game:
    """The game with its switches as the options set them."""
    readings = {
        name: replace(reading, value=options[reading.switch]) if reading.switch in options else reading
        for name, reading in game.readings.items()
    }
    return replace(game, readings=readings)


def _faults(game: Game, facts: Facts, dealt: Deal, designs: list[Design]) -> Iterator[Problem]:
    """What the data ask for and these rules can't play."""
    place = game.places.place("components")
    number = sum(design.count for design in designs)
    for what, found, most in (
        ("cards", number, MOST_CARDS),
        ("colours", len(facts.colours), MOST_COLOURS),
        ("numbers", len(facts.numbers), MOST_NUMBERS),
    ):
        if found > most:
            yield Problem(place, f"there are {found} {what}, and these rules can play with {most}", "take some out")
    if number != facts.cards:
        what = f"the box has {number} cards, and rules.colours and rules.jokers make {facts.cards}"
        yield Problem(place, what, "make them agree")
    if dealt.deck < 1:
        what = f"{dealt.removed} cards laid aside, {dealt.hands} in hands and {dealt.story} in the story leave no deck"
        yield Problem(game.places.place("rules", "removed"), what, "lay fewer aside")
    if len(kind_of(game, COUNTERS).designs) != 1:
        yield Problem(
            kind_of(game, COUNTERS).place, "these rules need one design of counters", "keep one, with a count"
        )
    for design in designs:
        for name, known in (("colour", facts.colours), ("number", facts.numbers)):
            if design.kind == BOOKMARKS and design.fields[name] not in known:
                what = f"{design.id} has the {name} {design.fields[name]}, which rules.{name}s does not have"
                yield Problem(design.place, what, "add it there, or change the card")
        for effect in design.fields["effects"]:
            if effect.op not in OPERATIONS:
                what = f"these rules don't know what '{effect.op}' does"
                yield Problem(design.place, what, did_you_mean(effect.op, OPERATIONS))


def _measures(facts: Facts, switches: Switches, dealt: Deal) -> Mapping[str, Value]:
    """The numbers of the rules, and what follows from them for so many players."""
    return {
        "cards": facts.cards,
        "removed": dealt.removed,
        "hand": facts.hand,
        "story": dealt.story,
        "sone": facts.sone,
        "counters": facts.counters,
        "draw": facts.draw,
        "gift": facts.gift,
        "extra_plays": facts.extra_plays,
        "hand_limit": facts.hand_limit,
        "run": facts.run,
        "turns": most_turns(dealt.deck, facts),
        "longest": longest_row(dealt, facts, switches),
    }


def _cards(facts: Facts, designs: list[Design], players: int) -> Mapping[str, Value]:
    """For each card of the box: colour, number, whether it is a joker, its effects, and which card it is just like.

    Of cards that nothing in the rules tells apart, `alike` names the first; they lie next to each other.
    """
    colours = list(facts.colours)
    ops = max(len(design.fields["effects"]) for design in designs)
    rows: list[tuple[Any, ...]] = []
    first: dict[tuple[Any, ...], int] = {}
    for design in designs:
        effects = design.fields["effects"]
        steps = [_step(effect.op, effect.values) for effect in effects]
        flat = [number for step in steps for number in step] + [0] * (3 * (ops - len(steps)))
        joker = 1 if design.kind == JOKERS else 0
        colour = -1 if joker else colours.index(design.fields["colour"])
        number = 0 if joker else design.fields["number"]
        rank = len(facts.numbers) if joker else facts.numbers.index(number)
        row = (colour, number, joker, rank, len(steps), flat, worth(effects, players))
        for _ in range(design.count):
            rows.append((*row, first.setdefault((colour, number, joker, tuple(flat)), len(rows))))
    names = ("colour", "number", "joker", "rank", "steps", "effect", "worth", "alike")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def _step(op: str, values: Mapping[str, Any]) -> tuple[int, int, int]:
    """An operation as three numbers: which one, on which side of the counters, how many."""
    return OPERATIONS[op], SIDES[values.get("side") or "sone"], values.get("n") or 0


def _declarations(facts: Facts, switches: Switches) -> Mapping[str, Value]:
    """What a joker may be declared as. `pair[n][m]` is 1 where a joker as number n beside a joker as m is offered.

    Of two jokers that are declared for one play only their difference matters: each is offered once.
    """
    numbers = facts.numbers
    pair = [[0] * len(numbers) for _ in numbers]
    seen: set[int] = set()
    for new in sorted(range(len(numbers)), key=lambda at: (at != 0, -at)):
        for left in range(len(numbers)):
            if numbers[new] - numbers[left] not in seen:
                seen.add(numbers[new] - numbers[left])
                pair[new][left] = 1
    return {
        "numbers": list(numbers),
        "count": len(numbers),
        "colours": len(facts.colours),
        "pair": pair,
        "opens": [max(row) for row in pair],
        "always_same": int(switches.joker_colour == "always_same"),
        "lasts": int(switches.joker_memory == "keep_declared"),
    }


def _readings(switches: Switches) -> Mapping[str, Value]:
    """The switches that the kernels ask for."""
    return {
        "events": int(switches.events != "none"),
        "event_order": EVENT_ORDER[switches.event_order],
        "by_number": int(EVENT_ORDER[switches.event_order] == BY_NUMBER),
        "optional": int(switches.event_optional),
        "key_end": 0 if switches.key_end == "off" else switches.key_end,
        "immediate": int(switches.end_check == "immediate"),
        "extra_after_end": int(switches.extra_after_third),
        "pairs_count": int(switches.run_count == "adjacent_pairs"),
        "finite": int(switches.supply == "finite"),
        "passing": PASSING[switches.passing],
    }


def _variants(game: Game, settings: Mapping[str, Any]) -> Mapping[str, Value]:
    """The options of the rules that the kernels ask for; the others change what is printed or said."""
    modes = sorted(key_count_modes(game).items())
    target = settings["target"]
    return {
        "reverse": int(settings["reverse"] == "on"),
        "pair_discard": PAIR_DISCARD[settings["pair_discard"]],
        "by_count": int(settings["mode_by"] == "key_count"),
        "ignored": int(settings["hand_value"] == "ignored"),
        "aimed": int(target != "off"),
        "target": 0 if target == "off" else target,
        "mode_keys": [keys for keys, _ in modes],
        "mode_names": [MODE_NAMES.index(mode) for _, mode in modes],
        "modes": len(modes),
    }
