"""The command `lab cards`: who has which card, and who wins with it."""

from collections.abc import Iterator

from generator.commands.laboratory.experiments import LabGame
from generator.errors import Problem, ProblemsFound, did_you_mean
from generator.games.registry import mending
from generator.lab.arms import Arm
from generator.lab.cards.dominated import dominated_designs
from generator.lab.cards.findings import follows_cards
from generator.lab.cards.following import CardPlan, CardWishes, designs_of
from generator.lab.cards.told import cards_text
from generator.lab.cards.whereabouts import find_whereabouts
from generator.lab.cards.without import Without
from generator.lab.cards.without_told import goes_without, without_text
from generator.lab.chunks import Cell
from generator.lab.experiment import as_it_is
from generator.lab.results import Result
from generator.lab.side_by_side import both_text, same_game
from generator.lab.sweeps.told import sweep_text
from generator.model.game import Kind


def card_plan(of: LabGame, cells: tuple[Cell, ...], wishes: CardWishes) -> CardPlan:
    """Where the cards of a game can lie, found in a few games, and which designs the data say others are better than.

    ProblemsFound for a game without cards, one in which no seat ever has a card, zones and fields that there are not.
    """
    numbers = {cell.players for cell in cells}
    if numbers != {1}:
        numbers = (numbers | {of.game.players.fewest, of.game.players.most}) - {1}
    with mending(of.game):
        boxes = [of.rules.box(of.game, number, {}) for number in sorted(numbers)]
    if not any(box.cards for box in boxes):
        hint = "`box` of its rules lists the copies that can be told from each other as `cards`: docs/rules.md"
        raise ProblemsFound([Problem(None, f"the rules of {of.game.id} play with no cards", hint)])
    where = find_whereabouts(of.rules, boxes)
    if not where.held and not where.before:
        what = f"no seat of {of.game.id} ever has a card: its cards lie in {', '.join(where.kinds)}"
        hint = "a seat's own are zones named `hand`, with the seat's number, or which it alone sees"
        raise ProblemsFound([Problem(None, what, hint)])
    kinds = dict.fromkeys(copy.split("/")[0] for box in boxes for copy in box.cards)
    numbers_of = dict.fromkeys(name for kind in kinds for name in _numbers_in(of.game.kinds[kind]))
    problems = [
        Problem(None, f"no cards of {of.game.id} lie in '{zone}'", did_you_mean(zone, where.kinds))
        for zone in wishes.played
        if zone not in where.kinds
    ]
    problems += [
        Problem(None, f"no cards of {of.game.id} have a number '{name}'", did_you_mean(name, numbers_of))
        for name in (*wishes.better, *wishes.worse)
        if name not in numbers_of
    ]
    if problems:
        raise ProblemsFound(problems)
    dominated = dominated_designs(of.game, kinds, wishes.better, wishes.worse)
    return CardPlan(where, wishes.played or where.out, tuple(dominated))


def _numbers_in(kind: Kind) -> Iterator[str]:
    """The fields of a kind that are numbers in any of its designs."""
    for design in kind.designs:
        for name, value in design.fields.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield name


def arms_without(of: LabGame, asked: tuple[str, ...], may: tuple[str, ...], players: int) -> tuple[Arm, ...]:
    """The game as it is, and an arm without each of these: designs, kinds, or `each` for all designs by themselves.

    ProblemsFound for cards that the rules play with none of, and for phrases that there are not.
    """
    with mending(of.game):
        designs = designs_of(of.rules.box(of.game, players, {}))
    kinds = dict.fromkeys(design.split("/")[0] for design in designs)
    brief = {design.split("/")[1]: design for design in reversed(designs)}
    problems = [
        Problem(None, f"no move of {of.game.id} is called '{phrase}'", did_you_mean(phrase, of.game.moves))
        for phrase in may
        if phrase not in of.game.moves
    ]
    cards: list[str] = []
    for name in asked:
        if name == "each":
            cards += designs
        elif name in designs or name in kinds:
            cards.append(name)
        elif name in brief:
            cards.append(brief[name])
        else:
            known = (*designs, *kinds, *brief)
            problems.append(Problem(None, f"{of.game.id} has no card '{name}'", did_you_mean(name, known)))
    if problems:
        raise ProblemsFound(problems)
    return (*as_it_is(), *(Arm(f"without {one}", without=Without(one, may)) for one in dict.fromkeys(cards)))


def told_result(result: Result) -> str:
    """What a result says, of whichever kind it is."""
    if follows_cards(result):
        return cards_text(result)
    return without_text(result) if goes_without(result) else sweep_text(result)


def told_beside(first: Result, second: Result) -> str:
    """What differs between two results; ProblemsFound for those of cards, which are told one by one."""
    if follows_cards(first) or follows_cards(second):
        what = "results of `pnp lab cards` can't be shown beside others"
        raise ProblemsFound([Problem(None, what, "show one at a time")])
    same_game(first, second)
    return both_text(first, second)
