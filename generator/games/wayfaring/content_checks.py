"""The named checks of what wayfaring's cards say: conditions that can be met, operations that may stand there."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from generator.games.engine.check import Outcome, check
from generator.games.engine.facts import kind_of, texts_of
from generator.games.wayfaring.cards import (
    CARDS,
    CHARACTERS,
    DESTINATION,
    KIND_MARKED,
    TROUBLE,
    Part,
    count,
    parts_of,
    printed,
)
from generator.games.wayfaring.facts import Facts, facts_of, limits_of, vocabulary_of
from generator.model.game import Game
from generator.model.text import Words


@check
def situations_satisfiable(game: Game) -> Outcome:
    """The cards that each situation counts are there, and each kind that marks a step is that of a character."""
    terrains = Counter(card.fields["terrain"] for card in printed(game, DESTINATION))
    there = {
        "visited": count(game, DESTINATION),
        "troubles": count(game, TROUBLE),
        "companions": count(game, CHARACTERS) - 1,
        "cursed": count(game, "cursed"),
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
    kinds = Counter(kind for card in printed(game, CHARACTERS) for kind in card.fields["kinds"])
    asked = Counter(str(part.effect.values["kind"]) for part in parts_of(game) if part.effect.values.get("kind"))
    wrong += [f"no character is {kind}" for kind in asked if not kinds[kind]]
    figures = f"asked for at most: {_listed(most)}; steps marked: {_listed(asked)}"
    return Outcome(bool(most) and not wrong, "; ".join([figures, *wrong]))


@check
def deeds_payable(game: Game) -> Outcome:
    """Every cost and deed can be paid by somebody with as many cards as a first hand, and with markers to spare."""
    facts, _ = facts_of(game)
    asking = [part for part in parts_of(game) if part.part in {"cost", "deed"}]
    wrong = [f"{part.card.id} asks for too much" for part in asking if not _affordable(part, facts)]
    most = max((part.effect.values["n"] for part in asking if part.effect.op == "discard"), default=0)
    figures = f"at most {most} of {facts.hand} cards"
    return Outcome(bool(asking) and not wrong, "; ".join([figures, *wrong]))


def _affordable(part: Part, facts: Facts) -> bool:
    """A first hand is sure to hold one destination, no more."""
    values = part.effect.values
    if part.effect.op == "discard":
        return bool(values["n"] <= (1 if values.get("type") else facts.hand))
    if part.effect.op == "mark":
        return bool(0 < values["k"] <= facts.passes)
    return bool(part.effect.op != "bury" or values["who"] == "self")


@check
def vocabulary_kept(game: Game) -> Outcome:
    """Each part of a card keeps to its operations; every operation may stand somewhere and is on some card."""
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
    figures = f"{used.total()} steps, costs and conditions of {len(game.operations)} operations"
    return Outcome(bool(parts) and not wrong, "; ".join([figures, *wrong]))


@check
def every_text_in_all_languages(game: Game) -> Outcome:
    """Each name, each text of a card and each phrase of an operation is there in every language of the game."""
    texts = [(kind.id, kind.name) for kind in game.kinds.values()]
    texts += [(operation.id, operation.says) for operation in game.operations.values()]
    texts += [(design.id, text) for design in game.designs() for text in _texts(design.fields)]
    texts += [("words", text) for text in _texts(game.sections.get("words", {}))]
    wrong = [
        f"{name} has a text without '{lang}'"
        for name, text in texts
        for lang in game.languages
        if not dict(text.items()).get(lang, "").strip()
    ]
    nameless = [card.id for kind in CARDS for card in kind_of(game, kind).designs if not card.fields.get("name")]
    wrong += [f"{name} has no name" for name in nameless]
    figures = f"{len(texts)} texts in {', '.join(game.languages)}"
    return Outcome(bool(texts) and not wrong, "; ".join([figures, *wrong]))


@check
def conditions_split(game: Game) -> Outcome:
    """Each character has a situation or a deed; these, and the timings of abilities, are as many as the limits say."""
    limits = limits_of(game)
    conditions, timings = Counter(dict.fromkeys(limits.conditions, 0)), Counter(dict.fromkeys(limits.timings, 0))
    wrong = []
    for card in printed(game, CHARACTERS):
        has = [part for part in ("situation", "deed") if card.fields.get(part)]
        if len(has) != 1:
            wrong.append(f"{card.id} has {' and '.join(has) or 'no condition'}")
        conditions.update(f"{part}_advanced" if card.fields["advanced"] else part for part in has)
        timings[card.fields["timing"]] += 1
    figures = f"{_listed(conditions)}; {_listed(timings)}"
    if (conditions, timings) != (Counter(limits.conditions), Counter(limits.timings)):
        wrong.append(f"the data say {_listed(limits.conditions)}; {_listed(limits.timings)}")
    return Outcome(not wrong, "; ".join([figures, *wrong]))


@check
def signs_restored(game: Game) -> Outcome:
    """The draft's signs are the second bytes of the circled numbers, as they are written in code page 932."""
    facts, _ = facts_of(game)
    signs, wanted = texts_of(game, "draft", "signs"), [action.sign for action in facts.actions]
    restored = [_restored(sign) for sign in signs]
    return Outcome(restored == wanted, f"{''.join(signs)} restored: {''.join(restored)}, wanted: {''.join(wanted)}")


@check
def counts_given(game: Game) -> Outcome:
    """The draft states how many cards there are of each kind."""
    given = [kind for kind in CARDS if kind_of(game, kind).stated is not None]
    return Outcome(len(given) == len(CARDS), f"stated for {len(given)} of {len(CARDS)} kinds of cards")


def _restored(sign: str) -> str:
    """A character with the byte before it that its circled number begins with; '?' where there is none such."""
    lost = b"\x87"
    return (lost + sign.encode("cp932", "replace")).decode("cp932", "replace").replace("\ufffd", "?")


def _texts(value: Any) -> Iterator[Words]:
    if isinstance(value, Words):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)


def _listed(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n}" for name, n in numbers.items())
