"""Checks of The Wayfaring Book that need more than a line of arithmetic."""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from generator.game.model import Game
from generator.rules.engine.facts import (
    Outcome,
    check,
    check_each_table,
    count_printed,
    find_kind,
    iter_words,
    make_outcome,
    read_rule_texts,
)
from generator.rules.wayfaring.data import (
    CARDS,
    CHARACTERS,
    DECK,
    DESTINATION,
    KIND_MARKED,
    TROUBLE,
    Facts,
    Part,
    Ratio,
    at_least_once,
    chance_without,
    count_cards,
    facts_of,
    limits_of,
    parts_of,
    printed_designs,
    vocabulary_of,
)


@check
def every_card_distinct(game: Game) -> Outcome:
    """Check that the cards of deck and characters equal the limits, each copy with its own name."""
    names = [copy for kind in CARDS for design in find_kind(game, kind).designs for copy in design.copies()]
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    stated = limits_of(game).cards
    text = f"{_format_finding(len(names), stated)} cards" + (f"; twice: {', '.join(twice)}" if twice else "")
    return Outcome(len(names) == stated and not twice, text)


@check
def terrains_and_kinds(game: Game) -> Outcome:
    """Check that destinations by terrain and characters by kind, or without a kind, equal the rules."""
    facts, _ = facts_of(game)
    terrains = count_printed(game, DESTINATION, "terrain")
    people = list(printed_designs(game, CHARACTERS))
    kinds = Counter(kind for card in people for kind in card.fields["kinds"])
    kindless = sum(not card.fields["kinds"] for card in people)
    doubled = [card.id for card in people if len(set(card.fields["kinds"])) < len(card.fields["kinds"])]
    rows = [
        _format_table(terrains, facts.terrains),
        _format_table(kinds, facts.kinds),
        f"no kind {_format_finding(kindless, facts.kindless)}",
    ]
    rows += [f"a kind twice: {', '.join(doubled)}"] if doubled else []
    agree = (terrains, kinds, kindless) == (Counter(facts.terrains), Counter(facts.kinds), facts.kindless)
    return Outcome(agree and not doubled, "; ".join(rows))


@check
def set_up_deals(game: Game) -> Outcome:
    """Check that set-up takes every card from the box, and that all of its zones equal the limits."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    deck, characters = sum(count_cards(game, kind) for kind in DECK), count_cards(game, CHARACTERS)
    taken = {
        kind: sum(item.take for item in game.setup if item.kind == kind and not item.each_player) for kind in CARDS
    }
    short = [
        f"set-up takes {n} of {count_cards(game, kind)} {kind} cards"
        for kind, n in taken.items()
        if n != count_cards(game, kind)
    ]
    if short:
        return Outcome(False, "; ".join(short))

    def row(players: int) -> tuple[bool, str]:
        hands, stated = players * facts.hand, limits.table[players]
        found = (hands, deck - hands, characters - facts.display)
        told = f"{_format_finding(hands, stated.hands)} + {_format_finding(deck - hands, stated.deck)} = {deck}"
        told += f", {facts.display} + {_format_finding(characters - facts.display, stated.characters)} = {characters}"
        return found == (stated.hands, stated.deck, stated.characters), told

    return check_each_table(game, row)


@check
def destinations_sure(game: Game) -> Outcome:
    """Check how many destinations the deck needs to leave each player one in any deal; the limits state the figures."""
    facts, _ = facts_of(game)
    limits, there = limits_of(game), count_cards(game, DESTINATION)
    most = (there - 1) // facts.hand + 1 if there else 0

    def row(players: int) -> tuple[bool, str]:
        sure, stated = facts.hand * (players - 1) + 1, limits.table[players].sure  # all other hands hold nothing else
        return sure == stated and sure <= there, f"{_format_finding(sure, stated)} of {there}"

    found = check_each_table(game, row)
    text = f"{found.figures}; up to {_format_finding(most, limits.most_players_sure)} players"
    return Outcome(found.ok and most == limits.most_players_sure, text)


@check
def redraws_bounded(game: Game) -> Outcome:
    """Check that set-ups have no more redraws than the limits say, and cards for all of them without returned hands."""
    facts, _ = facts_of(game)
    limits, deck = limits_of(game), sum(count_cards(game, kind) for kind in DECK)
    most = (deck - count_cards(game, DESTINATION)) // facts.hand  # each takes a whole hand of other cards

    def row(players: int) -> tuple[bool, str]:
        left = deck - players * facts.hand
        return most * facts.hand <= left, f"{most * facts.hand} of {left} cards"

    found = check_each_table(game, row)
    return Outcome(
        found.ok and most == limits.most_redraws,
        f"{_format_finding(most, limits.most_redraws)} redraws; {found.figures}",
    )


@check
def redraw_chance(game: Game) -> Outcome:
    """Check that the chances that one first hand, or any at a table, lacks a destination equal the limits."""
    facts, _ = facts_of(game)
    limits, deck = limits_of(game), sum(count_cards(game, kind) for kind in DECK)
    chance = chance_without(deck, count_cards(game, DESTINATION), facts.hand)

    def row(players: int) -> tuple[bool, str]:
        some, stated = round(at_least_once(chance, players) * 10_000), limits.table[players].redraws
        return some == stated, f"{_format_finding(some, stated)} in 10000"

    found, agrees = check_each_table(game, row), chance == _format_fraction(limits.redraw)
    stated = f"{limits.redraw.of}/{limits.redraw.in_}"
    text = f"{stated} = {float(chance):.6f}" if agrees else f"{float(chance):.6f} (the data say {stated})"
    return Outcome(found.ok and agrees, f"{text}; {found.figures}")


@check
def display_possible(game: Game) -> Outcome:
    """Check that ordinary characters fill the display, and that limits say how many advanced ones are set aside."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    advanced = sum(card.fields["advanced"] for card in printed_designs(game, CHARACTERS))
    ordinary = count_cards(game, CHARACTERS) - advanced
    if ordinary < facts.display:
        return Outcome(False, f"{ordinary} ordinary characters for a display of {facts.display}")
    expected = Fraction(facts.display * advanced, ordinary + 1)
    none = Fraction(comb(ordinary, facts.display), comb(ordinary + advanced, facts.display))
    agree = (expected, none, advanced) == (
        _format_fraction(limits.aside_expected), _format_fraction(limits.aside_none), limits.aside_most,
    )  # fmt: skip
    text = (
        f"{ordinary} for a display of {facts.display}; set aside "
        f"{_format_finding(float(expected), float(_format_fraction(limits.aside_expected)))} on average, "
        f"none with {_format_finding(round(float(none), 4), round(float(_format_fraction(limits.aside_none)), 4))}, "
        f"at most {_format_finding(advanced, limits.aside_most)}"
    )
    return Outcome(agree, text)


@check
def victory_feasible(game: Game) -> Outcome:
    """Check that path cards suffice for a victory while all others lack one memory, also with every curse out."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    cards = count_cards(game, DESTINATION) + count_cards(game, TROUBLE)
    more = sum(
        curse.values["n"] * copies_of
        for card, part, curse, copies_of in parts_of(game)
        if part == "curse" and curse.op == "need_more"
    )

    def row(players: int) -> tuple[bool, str]:
        stated = limits.table[players]
        used = players * (facts.memories - 1) + 1  # all others are one memory short
        masked = used + more
        ok = (used, masked) == (stated.path, stated.masked) and masked <= cards
        return ok, f"{_format_finding(used, stated.path)} or {_format_finding(masked, stated.masked)}"

    found = check_each_table(game, row)
    text = f"of {_format_finding(cards, limits.path_cards)} path cards: {found.figures}"
    return Outcome(found.ok and cards == limits.path_cards, text)


def _format_finding(found: object, stated: object) -> str:
    """Format what was computed, and what the data state if they differ."""
    return str(found) if found == stated else f"{found} (the data say {stated})"


def _format_table(found: Mapping[str, int], stated: Mapping[str, int]) -> str:
    names: Iterable[str] = dict.fromkeys([*stated, *found])
    return ", ".join(f"{name} {_format_finding(found.get(name, 0), stated.get(name, 0))}" for name in names)


def _format_fraction(ratio: Ratio) -> Fraction:
    return Fraction(ratio.of, ratio.in_)


# What cards say


@check
def situations_satisfiable(game: Game) -> Outcome:
    """Check that the cards counted by each situation exist, and that each kind on a step has a character."""
    terrains = count_printed(game, DESTINATION, "terrain")
    there = {
        "visited": count_cards(game, DESTINATION),
        "troubles": count_cards(game, TROUBLE),
        "companions": count_cards(game, CHARACTERS) - 1,
        "cursed": count_cards(game, "cursed"),
    }
    most: dict[str, int] = {}
    wrong = []
    for card, part, effect, _ in parts_of(game):
        if part != "situation":
            continue
        n, name = effect.values["n"], " ".join(filter(None, (effect.op, effect.values.get("of"))))
        most[name] = max(most.get(name, 0), n)
        enough = n >= 1 if effect.op == "hand_max" else n <= there.get(effect.op, terrains[effect.values.get("of")])
        wrong += [] if enough else [f"{card.id} asks for {name} {n}"]
    kinds = Counter(kind for card in printed_designs(game, CHARACTERS) for kind in card.fields["kinds"])
    asked = Counter(str(part.effect.values["kind"]) for part in parts_of(game) if part.effect.values.get("kind"))
    wrong += [f"no character is {kind}" for kind in asked if not kinds[kind]]
    text = f"asked for at most: {_join_numbers(most)}; steps marked: {_join_numbers(asked)}"
    return Outcome(bool(most) and not wrong, "; ".join([text, *wrong]))


@check
def deeds_payable(game: Game) -> Outcome:
    """Check that every cost and deed can be paid with a first hand's number of cards and spare markers."""
    facts, _ = facts_of(game)
    asking = [part for part in parts_of(game) if part.part in {"cost", "deed"}]
    wrong = [f"{part.card.id} asks for too much" for part in asking if not _is_affordable(part, facts)]
    most = max((part.effect.values["n"] for part in asking if part.effect.op == "discard"), default=0)
    text = f"at most {most} of {facts.hand} cards"
    return Outcome(bool(asking) and not wrong, "; ".join([text, *wrong]))


def _is_affordable(part: Part, facts: Facts) -> bool:
    """Return True if a first hand pays for a cost or deed; it surely holds one destination, but no more."""
    values = part.effect.values
    if part.effect.op == "discard":
        return bool(values["n"] <= (1 if values.get("type") else facts.hand))
    if part.effect.op == "mark":
        return bool(0 < values["k"] <= facts.passes)
    return bool(part.effect.op != "bury" or values["who"] == "self")


@check
def vocabulary_kept(game: Game) -> Outcome:
    """Check that each part of a card has only its operations; every operation is allowed somewhere and in use."""
    vocabulary = vocabulary_of(game)
    parts = list(parts_of(game))
    wrong = [
        f"{part.card.id} has {part.effect.op} as {part.part}"
        for part in parts
        if part.effect.op not in vocabulary.get(part.part, ())
    ]
    wrong += [
        f"{part.card.id} marks its {part.part} with a kind"
        for part in parts
        if part.effect.values.get("kind") and part.part not in KIND_MARKED
    ]
    allowed = {op for ops in vocabulary.values() for op in ops}
    used = Counter(part.effect.op for part in parts)
    wrong += [f"{op} may stand nowhere" for op in game.operations if op not in allowed]
    wrong += [f"{op} is on no card" for op in game.operations if not used[op]]
    text = f"{used.total()} steps, costs and conditions of {len(game.operations)} operations"
    return Outcome(bool(parts) and not wrong, "; ".join([text, *wrong]))


@check
def every_text_in_all_languages(game: Game) -> Outcome:
    """Check that each name, text of a card and phrase of an operation exists in every language of the game."""
    texts = [(kind.id, kind.name) for kind in game.kinds.values()]
    texts += [(operation.id, operation.says) for operation in game.operations.values()]
    texts += [(design.id, text) for design in game.designs() for _, text in iter_words("", design.fields)]
    texts += [("words", text) for _, text in iter_words("", game.sections.get("words", {}))]
    wrong = [
        f"{name} has a text without '{lang}'"
        for name, text in texts
        for lang in game.languages
        if not dict(text.items()).get(lang, "").strip()
    ]
    nameless = [card.id for kind in CARDS for card in find_kind(game, kind).designs if not card.fields.get("name")]
    wrong += [f"{name} has no name" for name in nameless]
    text = f"{len(texts)} texts in {', '.join(game.languages)}"
    return Outcome(bool(texts) and not wrong, "; ".join([text, *wrong]))


@check
def conditions_split(game: Game) -> Outcome:
    """Check that each character has a situation or a deed; these, and the timings, are as many as in the limits."""
    limits = limits_of(game)
    conditions, timings = Counter(dict.fromkeys(limits.conditions, 0)), Counter(dict.fromkeys(limits.timings, 0))
    wrong = []
    for card in printed_designs(game, CHARACTERS):
        has = [part for part in ("situation", "deed") if card.fields.get(part)]
        if len(has) != 1:
            wrong.append(f"{card.id} has {' and '.join(has) or 'no condition'}")
        conditions.update(f"{part}_advanced" if card.fields["advanced"] else part for part in has)
        timings[card.fields["timing"]] += 1
    text = f"{_join_numbers(conditions)}; {_join_numbers(timings)}"
    if (conditions, timings) != (Counter(limits.conditions), Counter(limits.timings)):
        wrong.append(f"the data say {_join_numbers(limits.conditions)}; {_join_numbers(limits.timings)}")
    return make_outcome(text, wrong)


@check
def signs_restored(game: Game) -> Outcome:
    """Check that the draft's signs are the second bytes of the circled numbers in code page 932."""
    facts, _ = facts_of(game)
    signs, wanted = read_rule_texts(game, "draft", "signs"), [action.sign for action in facts.actions]
    lost = [b"\x87" + sign.encode("cp932", "replace") for sign in signs]
    restored = [sign.decode("cp932", "replace").replace("\ufffd", "?") for sign in lost]
    return Outcome(restored == wanted, f"{''.join(signs)} restored: {''.join(restored)}, wanted: {''.join(wanted)}")


@check
def counts_given(game: Game) -> Outcome:
    """Check that the draft states the number of cards of each kind."""
    given = all(find_kind(game, kind).stated is not None for kind in CARDS)
    return Outcome(given, "every number is given" if given else "the draft leaves numbers out")


def _join_numbers(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in numbers.items())
