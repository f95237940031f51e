"""The checks of draft 18 about its cards: requests by type, tier and price, skills by colour, sets of companies."""

from collections import Counter
from collections.abc import Sequence

from generator.games.engine.check import Outcome, against, check
from generator.games.engine.facts import kind_of
from generator.games.xanadu.checks import for_players, name_and_place, outcome, short
from generator.games.xanadu.facts import facts_of, limits_of, names_of, request_facts_of
from generator.games.xanadu.figures import steps, worth
from generator.model.game import Design, Game

REQUESTS, SKILLS = "request", "skill"
TYPE_LETTERS = {"furniture": "F", "books": "B", "food": "G", "clothing": "C", "entertainment": "E"}
TIER_LETTERS = {"lower": "L", "upper": "U"}
WHITE = "white"


@check
def colours_agree(game: Game) -> Outcome:
    """Boards, Daily cards, shares and workers are there for the same companies, as many of each for every one."""
    companies = Counter(dict.fromkeys(names_of(game, "companies"), 1))
    faults, figures = [], []
    for kind in ("company_board", "daily_card", "share", "worker"):
        found = Counter[str]()
        for design in kind_of(game, kind).designs:
            found[design.fields["company"]] += design.count
        figures.append(f"{kind} {found.total()}")
        if found.keys() != companies.keys() or len({*found.values()}) != 1:
            faults.append(f"{kind}: {', '.join(f'{found[name]} {name}' for name in {**companies, **found})}")
        faults += [
            f"{kind}: misnamed {name_and_place(d)}"
            for d in kind_of(game, kind).designs
            if short(d) != d.fields["company"]
        ]
    return outcome(f"{len(companies)} companies: {', '.join(figures)}", faults)


@check
def requests_types(game: Game) -> Outcome:
    """Each type has as many cards as the limits say, half of them in each tier, numbered from 1; ids say all this."""
    stated, types = limits_of(game).of_type, names_of(game, "types")
    cards = kind_of(game, REQUESTS).designs
    found = Counter[tuple[str, str]]()
    for card in cards:
        found[card.fields["type"], card.fields["tier"]] += card.count
    faults = []
    for name in types:
        lower, upper = found[name, "lower"], found[name, "upper"]
        if lower != upper or lower + upper != stated:
            faults.append(f"{name}: {lower} + {upper}, not {stated} in equal parts")
    numbers = {str(number) for number in range(1, stated // 2 + 1)}
    faults += [
        f"not foreseen: {name_and_place(card)}"
        for card in cards
        if short(card)[:2] != _letters(card) or short(card)[2:] not in numbers or card.count != 1
    ]
    return outcome(f"{sum(found.values())} cards of {len(types)} types", faults)


@check
def requests_templates(game: Game) -> Outcome:
    """Cards of one template ask for the same goods, whatever their type, so that no type is worth more."""
    cards: dict[str, list[Design]] = {}
    for card in kind_of(game, REQUESTS).designs:
        cards.setdefault(short(card)[1:], []).append(card)
    faults = []
    for template, alike in cards.items():
        usual = Counter(map(_cost, alike)).most_common(1)[0][0]
        faults += [
            f"{name_and_place(card)} asks for {_goods(_cost(card))}, other {template} for {_goods(usual)}"
            for card in alike
            if _cost(card) != usual
        ]
    return outcome(f"{len(cards)} templates", faults)


@check
def requests_formula(game: Game) -> Outcome:
    """Each request is worth what the formula says, and each tier costs and brings in all what the limits say."""
    facts, limits = request_facts_of(game), limits_of(game).decks
    cards = kind_of(game, REQUESTS).designs
    due = {card.id: worth(_cost(card), facts.worth, facts.further) for card in cards if _fits(card, facts.worth)}
    faults = [f"{name_and_place(card)} asks for {len(_cost(card))} grades" for card in cards if card.id not in due]
    faults += [
        f"{name_and_place(card)}: {card.fields['vp']} VP, not {due[card.id]}"
        for card in cards
        if card.id in due and due[card.id] != card.fields["vp"]
    ]
    figures = []
    for tier in TIER_LETTERS:
        of_tier = [card for card in cards if card.fields["tier"] == tier and card.id in due]
        vp = sum(card.fields["vp"] * card.count for card in of_tier)
        goods = tuple(sum(_cost(card)[grade] * card.count for card in of_tier) for grade in range(len(facts.worth)))
        figures.append(f"{tier} {_goods(goods)} resources, {vp} VP")
        if (goods, vp) != (limits[tier].goods, limits[tier].vp):
            faults.append(f"the limits say {tier} {_goods(limits[tier].goods)}, {limits[tier].vp} VP")
    return outcome("; ".join(figures), faults)


@check
def requests_tier_quality(game: Game) -> Outcome:
    """Upper requests need better goods: lower ones no more upgrade steps than allowed, upper ones no fewer."""
    facts = request_facts_of(game)
    cards = [card for card in kind_of(game, REQUESTS).designs if _fits(card, facts.steps)]
    needed = [(card, steps(_cost(card), facts.steps)) for card in cards]
    lower = [number for card, number in needed if card.fields["tier"] == "lower"]
    upper = [number for card, number in needed if card.fields["tier"] == "upper"]
    faults = [
        f"{name_and_place(card)}: {number} steps"
        for card, number in needed
        if not (number <= facts.lower_most if card.fields["tier"] == "lower" else number >= facts.upper_least)
    ]
    return outcome(f"lower {max(lower, default=0)} at most, upper {min(upper, default=0)} at least", faults)


@check
def requests_fit_limit(game: Game) -> Outcome:
    """Every request fits into a warehouse at its largest, and as many as the limits say into one that never grew."""
    facts = facts_of(game)
    stated = limits_of(game).without_expansion
    growth, cards = facts.growth, kind_of(game, REQUESTS).designs
    largest, smallest = growth.limit[growth.lids["warehouse"]], growth.limit[0]
    faults = [f"{name_and_place(card)}: {sum(_cost(card))} pieces" for card in cards if sum(_cost(card)) > largest]
    first = sum(card.count for card in cards if sum(_cost(card)) <= smallest)
    faults += [f"within {smallest}: {against(first, stated)}"] if first != stated else []
    fit = sum(card.count for card in cards if sum(_cost(card)) <= largest)
    return outcome(f"within {largest}: {fit}, within {smallest}: {first}", faults)


@check
def requests_setup_lower(game: Game) -> Outcome:
    """The lower deck holds the Daily rows and the Market."""
    return _set_up(game, "lower")


@check
def requests_setup_upper(game: Game) -> Outcome:
    """The upper deck holds the Daily rows and the Market."""
    return _set_up(game, "upper")


@check
def requests_market_never_short(game: Game) -> Outcome:
    """With all Daily rows dealt, what circulates of each tier fills the Market."""
    facts = facts_of(game)

    def row(players: int) -> tuple[bool, str]:
        rest = {tier: _cards(game, tier) - players * facts.daily_row[tier] for tier in TIER_LETTERS}
        ok = all(rest[tier] >= facts.market[tier] for tier in rest)
        return ok, ", ".join(f"{number} {tier}" for tier, number in rest.items())

    return for_players(game, row)


@check
def skills_named(game: Game) -> Outcome:
    """Each skill's id says its colour, and what it asks for and costs fits when it works."""
    faults = []
    for card in kind_of(game, SKILLS).designs:
        fields = card.fields
        if not short(card).startswith(fields["colour"][0].upper()):
            faults.append(f"misnamed {name_and_place(card)}")
        if (
            any(fields[name] is not None for name in fields if name.startswith("on_"))
            and fields["timing"] != "on_fulfil"
        ):
            faults.append(f"{name_and_place(card)} looks for requests, but is {fields['timing']}")
        if fields["cost"] and fields["timing"] not in {"activated", "on_fulfil"}:
            faults.append(f"{name_and_place(card)} has a cost, but is {fields['timing']}")
        if fields["cost"] and fields["timing"] == "on_fulfil" and not fields["optional"]:
            faults.append(f"{name_and_place(card)} has a cost that cannot be refused")
        if not fields["effects"]:
            faults.append(f"{name_and_place(card)} does nothing")
    return outcome(f"{kind_of(game, SKILLS).count} skills", faults)


@check
def skills_split(game: Game) -> Outcome:
    """Each company has the skills that Standard deals, and the rest are white; or as many as white ones (E16)."""
    facts = facts_of(game)
    colours = (*names_of(game, "companies"), WHITE)
    found = _by_colour(game)
    equal = kind_of(game, SKILLS).count // len(colours)
    own = facts.skills["standard"] if facts.switches["skill_split"] == "4x5+10" else equal
    faults = [f"{name}: {found[name]}, not {own}" for name in colours if name != WHITE and found[name] != own]
    faults += [f"{name} is no company" for name in found if name not in colours]
    return outcome(", ".join(f"{name} {found[name]}" for name in colours), faults)


@check
def skills_even_split(game: Game) -> Outcome:
    """Six colours share the skills equally, and a company's are just those that Standard deals."""
    facts = facts_of(game)
    colours, stated = len(names_of(game, "companies")) + 1, kind_of(game, SKILLS).stated
    dealt = facts.skills["standard"]
    figures = f"{colours} x {dealt} = {colours * dealt} of {stated}"
    return Outcome(colours * dealt == stated, figures)


@check
def skills_draft_supply(game: Game) -> Outcome:
    """There are skills enough for every hand of the Advanced draft."""
    facts = facts_of(game)
    cards = kind_of(game, SKILLS).count

    def row(players: int) -> tuple[bool, str]:
        dealt = players * facts.skills["draft"]
        return dealt <= cards, f"{dealt} of {cards}, {cards - dealt} left over"

    return for_players(game, row)


def _set_up(game: Game, tier: str) -> Outcome:
    facts = facts_of(game)
    cards = _cards(game, tier)

    def row(players: int) -> tuple[bool, str]:
        dealt = players * facts.daily_row[tier] + facts.market[tier]
        return dealt <= cards, f"{dealt} of {cards}"

    return for_players(game, row)


def _cards(game: Game, tier: str) -> int:
    return sum(card.count for card in kind_of(game, REQUESTS).designs if card.fields["tier"] == tier)


def _by_colour(game: Game) -> Counter[str]:
    found = Counter[str]()
    for card in kind_of(game, SKILLS).designs:
        found[card.fields["colour"]] += card.count
    return found


def _cost(card: Design) -> tuple[int, ...]:
    return tuple(card.fields["cost"])


def _goods(goods: Sequence[int]) -> str:
    return "/".join(map(str, goods))


def _fits(card: Design, grades: Sequence[int]) -> bool:
    return len(_cost(card)) == len(grades)


def _letters(card: Design) -> str:
    return TYPE_LETTERS.get(card.fields["type"], "?") + TIER_LETTERS.get(card.fields["tier"], "?")
