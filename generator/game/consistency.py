"""Contradictions in a game's data: unknown names, conflicting numbers, duplicates."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import takewhile
from typing import Any

from generator.base.errors import Place, Problem, did_you_mean, find_similar_name, format_path
from generator.base.languages import iter_unsettable_faults
from generator.game.data_fields import ALL, WISH, PieceCount, TablePlace, TablePlan, format_value, iter_arrangement
from generator.game.fields import suggest_language
from generator.game.model import Design, Game, Reading
from generator.game.rich_text import Words
from generator.game.value_faults import check_blanks, describe_value


def find_designs(game: Game, name: str) -> tuple[Design, ...]:
    """Return the designs whose kind is `name`, or whose id matches it as a pattern (`reel/*`)."""
    if name in game.kinds:
        return tuple(game.kinds[name].designs)
    return tuple(design for design in game.designs() if fnmatchcase(design.id, name))


def count_printed(game: Game, name: str) -> int:
    """Return the number of printed copies of all designs that `find_designs` finds for the name."""
    return sum(design.count for design in find_designs(game, name))


def resolve_count(game: Game, name: str, count: PieceCount) -> int:
    """Return the pieces that `count` means: itself, all printed `name`, or a number of the rules. Raise LookupError."""
    if isinstance(count, int):
        return count
    if count == ALL:
        return count_printed(game, name)
    value: Any = game.sections
    for step in count.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise LookupError(count)
    return value


_MOST_PLACES = 200
_ARRANGEMENTS = ("rows", "seat", "others")


def check_plan(game: Game) -> Iterator[Problem]:
    """Yield a problem for each fault of `tabletop`, the plan of the table. Yield nothing for a game without one."""
    plan = game.tabletop
    if plan is None:
        return
    at = game.places.place
    if len(plan.places) > _MOST_PLACES:
        what = f"the table has {len(plan.places)} places, more than {_MOST_PLACES}"
        yield Problem(at("tabletop", "places"), what, "join some of them")
    if plan.usual not in tuple(game.players):
        what = (
            f"tabletop.usual is {plan.usual}, but the game needs {game.players.fewest} to {game.players.most} players"
        )
        yield Problem(at("tabletop", "usual"), what, "name one of these numbers of players")
    yield from _check_arrangement(game, plan)
    for place in plan.places.values():
        yield from _check_place(game, plan, place)


def _check_arrangement(game: Game, plan: TablePlan) -> Iterator[Problem]:
    """Yield a problem for each place missing, repeated or unknown in the arrangement, or in `others` but not `seat`."""
    seen: set[str] = set()
    for part in _ARRANGEMENTS:
        for name, path in _iter_place_names(getattr(plan, part), ("tabletop", part)):
            where = game.places.place(*path)
            if name not in plan.places:
                yield Problem(where, f"unknown place '{name}'", did_you_mean(name, plan.places))
            elif part == "others":
                if name not in tuple(iter_arrangement(plan.seat)):
                    hint = "add it to `seat` too, or remove it here"
                    yield Problem(where, f"'{name}' is not a place of a seat", hint)
            elif plan.places[name].on:
                hint = "remove it from the arrangement, or remove `on`"
                yield Problem(where, f"'{name}' is on '{plan.places[name].on}', so it has no place of its own", hint)
            elif name in seen:
                yield Problem(where, f"'{name}' is twice in the arrangement", "remove one of them")
            seen.add(name)
    unknown = seen - set(plan.places)
    for name, place in plan.places.items():
        if name not in seen and not place.on and not any(find_similar_name(one, frozenset([name])) for one in unknown):
            where = game.places.key_place("tabletop", "places", name)
            yield Problem(where, f"the place '{name}' is in no arrangement", "write it into `rows` or `seat`")


def _iter_place_names(arrangement: tuple[Any, ...], path: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for number, entry in enumerate(arrangement):
        if isinstance(entry, tuple):
            yield from _iter_place_names(entry, (*path, number))
        else:
            yield str(entry), (*path, number)


def _check_place(game: Game, plan: TablePlan, place: TablePlace) -> Iterator[Problem]:
    path = ("tabletop", "places", place.id)
    at = game.places.place
    if not place.zone and not place.pieces:
        hint = "write `zone:` or `pieces:`"
        yield Problem(place.place, f"the place '{place.id}' does not say what is there", hint)
    for name, count in place.pieces.items():
        if not find_designs(game, name):
            known = [*game.kinds, *(design.id for design in game.designs())]
            yield Problem(at(*path, "pieces", name), f"unknown component '{name}'", did_you_mean(name, known))
        try:
            resolve_count(game, name, count)
        except LookupError:
            numbers = [f"rules.{key}" for key in game.sections["rules"]]
            what = f"the rules have no whole number named '{count}'"
            yield Problem(at(*path, "pieces", name), what, did_you_mean(str(count), numbers))
    if place.turned % 90:
        what = f"'{place.id}' is turned by {place.turned} degrees"
        yield Problem(at(*path, "turned"), what, "write 0, 90, 180 or 270")
    for number in place.players:
        if number not in tuple(game.players):
            yield Problem(at(*path, "players"), f"the game is not for {number} players", "remove the number")
    yield from _check_place_references(game, plan, place)


def _check_place_references(game: Game, plan: TablePlan, place: TablePlace) -> Iterator[Problem]:
    path = ("tabletop", "places", place.id)
    at = game.places.place
    if place.room and place.room not in game.kinds:
        yield Problem(at(*path, "room"), f"unknown component '{place.room}'", did_you_mean(place.room, game.kinds))
    if place.out_of and place.out_of not in plan.places:
        yield Problem(at(*path, "out_of"), f"unknown place '{place.out_of}'", did_you_mean(place.out_of, plan.places))
    if place.on and place.on not in plan.places:
        yield Problem(at(*path, "on"), f"unknown place '{place.on}'", did_you_mean(place.on, plan.places))
    elif place.on and plan.places[place.on].on:
        what = f"'{place.id}' lies on '{place.on}', which lies on '{plan.places[place.on].on}'"
        yield Problem(at(*path, "on"), what, "name a place that is on the table itself")
    if place.spaces and not place.on:
        what = f"'{place.id}' has `spaces` but no `on`"
        yield Problem(at(*path, "spaces"), what, "add `on:` with the place they belong to")
    if place.lines and place.lies != "row":
        hint = "write `lies: row`, or remove `lines`"
        yield Problem(at(*path, "lines"), f"the pieces at '{place.id}' are not in a row", hint)


NO_SPOTS = ("all", "none", "cyan", "magenta", "yellow", "black")
"""Names of plates that have a special meaning in PDF, in lower case."""


def check_contradictions(game: Game) -> Iterator[Problem]:
    """Yield all contradictions of a game whose single values are valid."""
    for rule in _CHECKS:
        yield from rule(game)


def _make_problem(game: Game, what: str, hint: str, *path: Any) -> Problem:
    return Problem(game.places.place(*path), what, hint)


def _check_players(game: Game) -> Iterator[Problem]:
    fewest, most = game.players.fewest, game.players.most
    if fewest > most:
        what = f"players.most is {most}, less than players.fewest, {fewest}"
        yield _make_problem(game, what, "swap them", "players", "most")


def _check_labels(game: Game) -> Iterator[Problem]:
    """Yield a problem for each title or component name, printed as a label, that can't be typeset."""
    titles: list[tuple[tuple[str, ...], Words]] = [(("title",), game.title)]
    titles += [(("components", kind.id, "name"), kind.name) for kind in game.kinds.values()]
    for path, words in titles:
        for lang, text in words.items():
            yield from (_make_problem(game, *slip, *path, lang) for slip in iter_unsettable_faults(text))


def _check_blanks(game: Game) -> Iterator[Problem]:
    """Yield a problem for each `{name}` in a text that pnp can't replace by a value."""
    for name, move in game.moves.items():
        yield from _check_text_blanks(game, move, None, "moves", name)
    for name, zone in game.zones.items():
        written = game.places["zones"].value[name]
        inner = ("name",) if isinstance(written, dict) and "name" in written else ()
        yield from _check_text_blanks(game, zone.name, ("n", "m"), "zones", name, *inner)
    for kind in game.kinds.values():
        if kind.called:
            yield from _check_text_blanks(game, kind.called, ("id", *kind.fields), "components", kind.id, "called")


def _check_text_blanks(game: Game, words: Words, known: Collection[str] | None, *path: Any) -> Iterator[Problem]:
    for lang, text in words.items():
        for slip in check_blanks(format_path(path), text, known):
            yield _make_problem(game, *slip, *path, lang)


def _check_icons(game: Game) -> Iterator[Problem]:
    for icon in game.icons.values():
        if icon.colour not in game.palette:
            known = [name for name in game.palette if name != "ink"]
            what = f"unknown colour '{icon.colour}'"
            yield _make_problem(game, what, did_you_mean(icon.colour, known), "icons", icon.id, "colour")
    for row, names in enumerate(game.told_apart):
        for column, name in enumerate(names):
            if name not in game.icons:
                hint = did_you_mean(name, game.icons)
                yield _make_problem(game, f"unknown icon '{name}'", hint, "told_apart", row, column)


def _check_palette(game: Game) -> Iterator[Problem]:
    """Yield faults of the palette: a redefined ink, a process plate as a spot ink, a spot ink with two looks."""
    palette = game.palette
    if "palette" in game.places and "ink" in game.places["palette"].value:
        what = "'ink' is reserved and always means black only"
        yield Problem(game.places.key_place("palette", "ink"), what, "choose another name")
    first: dict[str, str] = {}
    for name, colour in palette.items():
        if colour.spot.lower() in NO_SPOTS:
            what = f"'{colour.spot}' is not a spot ink, but a name for standard plates"
            hint = "name the ink as its maker does, such as DIC 156, or leave `spot:` out"
            yield _make_problem(game, what, hint, "palette", name, "spot")
        same = palette[first.setdefault(colour.spot, name)] if colour.spot else colour
        if (same.srgb, same.cmyk) != (colour.srgb, colour.cmyk):
            what = f"the spot ink '{colour.spot}' has other values in '{first[colour.spot]}'"
            yield _make_problem(game, what, "give both the same `srgb:` and `cmyk:`", "palette", name, "spot")


def _check_fonts(game: Game) -> Iterator[Problem]:
    for name, family in game.fonts.items():
        for lang in game.languages:
            if lang not in family.regular:
                what = f"the font family '{name}' has no files for '{lang}'"
                yield Problem(game.places.key_place("fonts", name), what, f"add `{lang}: {{regular: [...]}}`")
        for lang in family.regular:
            if lang not in game.languages:
                what = f"fonts.{name}.{lang} is not a language of this game"
                yield Problem(game.places.key_place("fonts", name, lang), what, suggest_language(lang, game.languages))


def _check_readings(game: Game) -> Iterator[Problem]:
    seen: set[str] = set()
    switches: dict[str, str] = {}
    for n, raw in enumerate(game.places["readings"].value if "readings" in game.places else ()):
        name, switch, value, choices = raw["id"], raw.get("switch"), raw.get("value"), raw.get("choices")
        if name in seen:
            what = f"the reading {name} is given twice"
            yield _make_problem(game, what, "give one of them a new number", "readings", n, "id")
        seen.add(name)
        if switch and switch in switches:
            what = f"the switch '{switch}' already belongs to {switches[switch]}"
            yield _make_problem(game, what, "give each switch to one reading", "readings", n, "switch")
        if switch and choices and value not in choices:
            what = f"the switch '{switch}' is set to '{format_value(value)}', which is not one of its choices"
            hint = did_you_mean(format_value(value), map(format_value, choices))
            yield _make_problem(game, what, hint, "readings", n, "value")
        switches.setdefault(switch or "", name)
        yield from _check_choice_words(game, n, game.readings[name])


def _check_choice_words(game: Game, n: int, reading: Reading) -> Iterator[Problem]:
    """Yield a problem for each key of `means` that is no choice of the reading `n`, and for each choice it lacks."""
    names = [format_value(choice) for choice in reading.choices]
    for name in reading.means:
        if name not in names:
            what = f"'{name}' is not a choice of {reading.id}"
            yield _make_problem(game, what, did_you_mean(name, names), "readings", n, "means", name)
    for name in names if reading.means else ():
        if name not in reading.means:
            what = f"the choice '{name}' of {reading.id} has no description"
            yield _make_problem(game, what, f"add it to `means`: {{{name}: ...}}", "readings", n, "means")


def _check_strategies(game: Game) -> Iterator[Problem]:
    """Yield strategies that say nothing, and wishes that name no move, or a word that the move does not have."""
    fields = {name for kind in game.kinds.values() for name in kind.fields}
    for name, one in game.strategies.items():
        if not one.prefer and not one.avoid:
            what = f"the strategy '{name}' names no move"
            yield _make_problem(game, what, "add `prefer` or `avoid`", "strategies", name)
        for part, at, wish in [("prefer", *wish) for wish in enumerate(one.prefer)] + [
            ("avoid", *wish) for wish in enumerate(one.avoid)
        ]:
            found = WISH.fullmatch(wish)
            if found is None:
                what, hint = f"'{wish}' names no move", "write `pass`, `play least number` or `play number is 3`"
            elif found[1] not in game.moves:
                what, hint = f"{game.id} has no move '{found[1]}'", did_you_mean(found[1], game.moves)
            else:
                word = found[3] or found[4]
                known = re.findall(r"\{(\w+)\}", game.moves[found[1]][game.languages[0]])
                blank, dot, inner = (word or "").partition(".")
                if not blank or (blank in known and (not dot or inner in fields)):
                    continue
                what, hint = f"the move '{found[1]}' has no placeholder '{blank}'", did_you_mean(blank, known)
                if blank in known:
                    what, hint = f"no piece has a field '{inner}'", did_you_mean(inner, fields)
            yield _make_problem(game, what, hint, "strategies", name, part, at)


def _check_findings(game: Game) -> Iterator[Problem]:
    hint = "remove it, or run pnp lab readings GAME --keep-findings again"
    for at, table in enumerate(game.findings):
        for n, one in enumerate(table.entries):
            reading = game.readings.get(one.reading)
            if reading is None:
                what = f"a finding names {one.reading}, but {game.id} has no such reading"
                yield _make_problem(game, what, hint, "findings", at, "entries", n, "reading")
            elif one.value not in reading.choices:
                what = f"a finding names '{one.value}', which is not a choice of {one.reading}"
                yield _make_problem(game, what, hint, "findings", at, "entries", n, "value")


def _check_checks(game: Game) -> Iterator[Problem]:
    seen: set[str] = set()
    for n, check in enumerate(game.checks):
        if check.id in seen:
            yield _make_problem(game, f"the check {check.id} is given twice", "rename one of them", "checks", n, "id")
        seen.add(check.id)
        if [bool(check.function), bool(check.computed and check.expected), check.undecided].count(True) != 1:
            what = f"the check {check.id} needs `computed` and `expected`, or `function`, or `undecided: true`"
            yield _make_problem(game, what, "give one of them", "checks", n)
        if check.reading and check.reading not in game.readings:
            hint = did_you_mean(check.reading, game.readings)
            yield _make_problem(game, f"unknown reading '{check.reading}'", hint, "checks", n, "reading")
        if check.finding and (check.undecided or not check.reading):
            what = f"the check {check.id} has a `finding`, but no `reading` that describes the draft's problem"
            yield _make_problem(game, what, "name the reading, or remove `finding`", "checks", n, "finding")


def _check_examples(game: Game) -> Iterator[Problem]:
    names = [example.id for example in game.examples]
    for n, example in enumerate(game.examples):
        if example.id in names[:n]:
            what = f"'{example.id}' is given twice in examples"
            yield _make_problem(game, what, "rename one of them", "examples", n, "id")
        if not game.players.fewest <= example.players <= game.players.most:
            what = f"the example {example.id} has {example.players} players"
            hint = f"this game is for {game.players.fewest} to {game.players.most}"
            yield _make_problem(game, what, hint, "examples", n, "players")


def _check_glossary(game: Game) -> Iterator[Problem]:
    for name, entry in game.glossary.items():
        for lang, text in entry.term.items():
            earlier = takewhile(lambda other, name=name: other != name, game.glossary)  # type: ignore[misc]
            twin = next((other for other in earlier if game.glossary[other].term[lang] == text), None)
            if twin:
                what = f"the term '{text}' already belongs to '{twin}'"
                yield _make_problem(game, what, "keep one of them", "glossary", name, "term", lang)


def _check_setup(game: Game) -> Iterator[Problem]:
    for n, item in enumerate(game.setup):
        if item.kind not in game.kinds:
            what = f"unknown component '{item.kind}'"
            yield _make_problem(game, what, did_you_mean(item.kind, game.kinds), "setup", n, "from")


def _check_designs(game: Game) -> Iterator[Problem]:
    first: dict[str, Place] = {}
    for design in game.designs():
        if design.id in first:
            what = f"the id '{design.id}' is given twice (first in line {first[design.id].line})"
            yield Problem(design.source.place("id"), what, "give each design a unique id")
        first.setdefault(design.id, design.place)


def _check_spaces(game: Game) -> Iterator[Problem]:
    for kind in game.kinds.values():
        for n, space in enumerate(kind.spaces):
            path = ("components", kind.id, "spaces", n)
            if space.piece not in game.kinds:
                hint = did_you_mean(space.piece, game.kinds)
                yield _make_problem(game, f"unknown component '{space.piece}'", hint, *path, "for")
            if not space.holds and not space.pile:
                what = f"the space '{space.id}' has neither `holds` nor `pile`"
                yield _make_problem(game, what, "add `holds:` or `pile: true`", *path)
            if space.id.count("*") != bool(space.each):
                what = f"the space '{space.id}' " + (
                    "has `each` but not exactly one *" if space.each else "has a * but no `each`"
                )
                yield _make_problem(game, what, "write one * and `each:`, or neither", *path, "id")
            if space.id in [known.id for known in kind.spaces[:n]]:
                what = f"the space '{space.id}' of {kind.id} is given twice"
                yield _make_problem(game, what, "remove one of them", *path, "id")


def _check_options(game: Game) -> Iterator[Problem]:
    values = game.switches
    for kind in game.kinds.values():
        value = values.get(kind.option)
        if not kind.option or isinstance(value, bool):
            continue
        found = describe_value(value)
        what = f"the switch '{kind.option}' is {found}, but {kind.id} needs a switch that is true or false"
        slip = (what, "name such a switch")
        if kind.option not in values:
            slip = (f"unknown switch '{kind.option}'", did_you_mean(kind.option, values))
        yield _make_problem(game, *slip, "components", kind.id, "option")


_CHECKS: tuple[Callable[[Game], Iterable[Problem]], ...] = (
    _check_players, _check_labels, _check_blanks, _check_icons, _check_palette, _check_fonts, _check_readings,
    _check_strategies, _check_findings, _check_checks, _check_examples, _check_glossary, _check_setup, _check_designs,
    _check_spaces, _check_options, check_plan,
)  # fmt: skip
