"""What the files of the lab's results must look like: read strictly, each mistake reported at its line."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from generator.errors import Place, Problem, ProblemsFound
from generator.lab.cards.following import CARD, LEFT, LUCK, TAKEN_BY
from generator.lab.skill.lots import SOURCES
from generator.load.json_source import parse_json, source_of
from generator.load.wording import explain, places_path
from generator.model.source import Source
from generator.shapes.compound import KeyedShape, KeyEntry, ListShape, MapShape, read
from generator.shapes.shape import (
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    ChoiceShape,
    DataShape,
    EitherShape,
    Path,
    PlainShape,
)

_LARGEST, _FAR = 10**15, 10**30
_COUNT = PlainShape("whole number", {"ge": 1, "le": _LARGEST})
_NUMBER_OF = PlainShape("whole number", {"ge": 0, "le": _LARGEST})
_SEATS = PlainShape("whole number", {"ge": 1, "le": 100})
_SHARE = PlainShape("number", {"ge": 0.01, "le": 1 - 1e-9})
_KEY = PlainShape("text", {"pattern": "-?[0-9]{1,18}$"})
_HISTOGRAM = MapShape(_KEY, WHOLE.limited({"ge": -_FAR, "le": _FAR}))
_HISTOGRAMS = MapShape(TEXT, _HISTOGRAM)
_TEXTS = ListShape(TEXT)
_PLAIN = EitherShape({"text": TEXT, "number": NUMBER, "truth": TRUTH})


def _keys(**shapes: DataShape | tuple[DataShape, Any]) -> KeyedShape:
    """Return the shape of a mapping with these keys, and with any others; a pair has a default."""
    entries = [
        KeyEntry(name, name, *(shape if isinstance(shape, tuple) else (shape,))) for name, shape in shapes.items()
    ]
    return KeyedShape("", "", entries, open=True)


_GRID = _keys(
    name=TEXT,
    axes=ListShape(_keys(name=TEXT, values=ListShape(_PLAIN, {"min_length": 1}), times=TRUTH), {"max_length": 50}),
    arms=_TEXTS,
    weights=ListShape(ListShape(PlainShape("number", {"ge": 0, "le": _LARGEST}), {"min_length": 2, "max_length": 2})),
    missing=MapShape(TEXT, TEXT),
    walks=(PlainShape("whole number", {"ge": 0, "le": 1000}), 0),
    run=(_NUMBER_OF, 1),
)
_CARDS = _keys(held=_TEXTS, before=_TEXTS, hidden=_TEXTS, others=_TEXTS, draws=_TEXTS, played=_TEXTS, dominated=_TEXTS)
_EXPERIMENT = _keys(
    arms=MapShape(TEXT, _keys(readings=MapShape(TEXT, _PLAIN), values=MapShape(TEXT, _PLAIN))),
    run=_NUMBER_OF,
    cards=(_CARDS, None),
    grids=(ListShape(_GRID), ()),
)
_ASKED = _keys(
    question=MapShape(TEXT, TEXT),
    labels=MapShape(TEXT, TEXT),
    aims=MapShape(TEXT, _keys(low=NUMBER, high=NUMBER, fair=TRUTH)),
    margins=MapShape(TEXT, PlainShape("number", {"ge": 0})),
    confidence=_SHARE,
)
_CELL = _keys(
    arm=TEXT,
    players=_SEATS,
    bots=ListShape(TEXT, {"min_length": 1}),
    games=_COUNT,
    measures=_HISTOGRAMS,
    identical=(_NUMBER_OF, 0),
    differences=(_HISTOGRAMS, {}),
)
_OF = {"key": TEXT, "game": TEXT, "draft": TEXT}

RESULT = _keys(
    **_OF,
    data=TEXT,
    experiment=_EXPERIMENT,
    arms=ListShape(TEXT, {"min_length": 1}),
    whole=MapShape(TEXT, _COUNT),
    shares=_TEXTS,
    looked=_NUMBER_OF,
    asked=_ASKED,
    cells=ListShape(_CELL),
)
"""A result of an experiment."""

SKILL = _keys(
    **_OF,
    data=TEXT,
    whole=_COUNT,
    skill=_keys(players=ListShape(_SEATS, {"min_length": 1}), bots=ListShape(TEXT, {"min_length": 1}), run=_NUMBER_OF),
    matches=ListShape(
        _keys(
            players=_SEATS,
            one=TEXT,
            others=TEXT,
            seeds=_COUNT,
            wins=MapShape(_KEY, _COUNT, {"min_length": 1}),
            faults=_NUMBER_OF,
            endless=_NUMBER_OF,
        )
    ),
    deals=ListShape(
        _keys(
            players=_SEATS,
            bot=TEXT,
            alike=ChoiceShape(SOURCES),
            deals=ListShape(ListShape(WHOLE.limited({"ge": -_LARGEST, "le": _LARGEST}), {"min_length": 2})),
            faults=_NUMBER_OF,
            endless=_NUMBER_OF,
        )
    ),
)
"""A result of bots against each other."""

SOLVED = _keys(
    **_OF,
    arms=_TEXTS,
    deals=ListShape(
        _keys(
            arm=TEXT,
            deal=_NUMBER_OF,
            moves=(ListShape(_NUMBER_OF), None),
            lost=(TEXT, ""),
            width=(_NUMBER_OF, 0),
            tried=(_NUMBER_OF, 0),
        )
    ),
)
"""Deals that are solved."""


class ResultFile:
    """The JSON of a result's file, of the shape that it must have; ProblemsFound, each at its line, for any other."""

    def __init__(self, text: str, shown: str, shape: DataShape, form: int, hint: str):
        self._text, self._shown, self._hint = text, shown, hint
        self._source: Source | None = None
        try:
            self.data: dict[str, Any] = parse_json(text, shown, hint)
        except ProblemsFound as broken:
            raise ProblemsFound(self._problem(one.place, one.what) for one in broken.problems) from broken
        found = [] if isinstance(self.data, dict) else read(shape, self.data)[1]
        if not found:
            known = self.data.get("format")
            if known != form or isinstance(known, bool):
                place = self._places().place("format")
                what = "'format' is missing" if known is None else f"the format {str(known)[:40]} is not known"
                away = hint if known is None else "move the file away, and run the command again"
                raise ProblemsFound([Problem(place, f"this is no result of the lab: {what}", away)])
            found = read(shape, self.data)[1]
        if found:
            raise ProblemsFound(self._at(*places_path(one), explain(one, shape)[0]) for one in found)

    def check(self, wrong: Iterable[tuple[Path, str]]) -> None:
        """Raise ProblemsFound for what is wrong, each with the path of its value."""
        problems = [self._at(path, False, what) for path, what in wrong]
        if problems:
            raise ProblemsFound(problems)

    def _at(self, path: Path, at_key: bool, what: str) -> Problem:
        source = self._places()
        return self._problem(source.key_place(*path) if at_key and path else source.place(*path), what)

    def _places(self) -> Source:
        if self._source is None:
            self._source = source_of(self._text, self._shown)
        return self._source

    def _problem(self, place: Place | None, what: str) -> Problem:
        return Problem(place or Place(self._shown), f"this is no result of the lab: {what}", self._hint)


def contradictions(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield where a result of an experiment, of the right shape, says one thing here and another there."""
    arms, whole, experiment = data["arms"], data["whole"], data["experiment"]
    yield from ((("arms", at), f"'{arm}' is twice among the arms") for at, arm in enumerate(arms) if arm in arms[:at])
    yield from (
        (("experiment", "arms"), f"the arm '{arm}' is not described") for arm in arms if arm not in experiment["arms"]
    )
    yield from ((("whole",), f"'{name}' is a share and has no whole") for name in data["shares"] if name not in whole)
    cells = {(cell["players"], *cell["bots"], cell["arm"]): cell for cell in data["cells"]}
    for at, cell in enumerate(data["cells"]):
        path = ("cells", at)
        if cell["arm"] not in arms:
            yield (*path, "arm"), f"there is no arm '{cell['arm']}'"
        elif lacking := [arm for arm in arms if (cell["players"], *cell["bots"], arm) not in cells]:
            yield path, f"this table lacks the arm '{lacking[0]}', and every table has all arms"
        elif cells[cell["players"], *cell["bots"], cell["arm"]] is not cell:
            yield path, "this table and arm are there twice"
        else:
            first = cells[cell["players"], *cell["bots"], arms[0]]
            yield from _of_measures(cell, first, whole, path, followed="cards" in experiment)
            if "cards" in experiment:
                yield from _of_cards(cell["measures"], whole, path)
        if len(cell["bots"]) not in (1, cell["players"]):
            yield (*path, "bots"), f"{len(cell['bots'])} bots for {cell['players']} seats"
    for at, grid in enumerate(experiment.get("grids", ())):
        lost = {*grid["arms"]} - grid["missing"].keys() - {*arms}
        yield from ((("experiment", "grids", at, "arms"), f"there is no arm '{arm}'") for arm in sorted(lost))


def _of_measures(
    cell: Mapping[str, Any], first: Mapping[str, Any], whole: Mapping[str, int], path: Path, *, followed: bool
) -> Iterator[tuple[Path, str]]:
    for key in ("measures", "differences"):
        for name, histogram in cell.get(key, {}).items():
            here = (*path, key, name)
            if not histogram and not followed:
                yield here, f"'{name}' has no games"
            if not name.startswith(LUCK):  # which has sums, and no games
                for value, games in histogram.items():
                    if not 0 < games < _LARGEST:
                        yield (*here, value), f"'{name}' is {value} in {games} games"
            if name not in whole and not followed:
                yield here, f"'{name}' has no whole"
            if key == "differences" and not (name in cell["measures"] and name in first["measures"]):
                yield here, f"'{name}' is not measured in both arms"


def _of_cards(measures: Mapping[str, Any], whole: Mapping[str, int], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield what cards that are followed lack: what luck they brought and where they lay at the end."""
    designs = [name.removeprefix(CARD) for name in measures if name.startswith(CARD)]
    for design in designs:
        if not {f"{LUCK}{design}", f"{LEFT}{design}"} <= measures.keys() or f"{LUCK}{design}" not in whole:
            yield (*path, "measures", f"{CARD}{design}"), f"of '{design}' there is not all that is counted of a card"
    for name, histogram in measures.items():
        most = len(designs) ** 2 if name.startswith(TAKEN_BY) else _LARGEST * 1000
        if name.startswith((CARD, LEFT, TAKEN_BY)) and not all(0 <= int(value) < most for value in histogram):
            yield (*path, "measures", name), f"'{name}' has a number that stands for nothing"


def skill_contradictions(data: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield where a result of bots against each other, of the right shape, contradicts itself."""
    bots = data["skill"]["bots"]
    for at, line in enumerate(data["matches"]):
        for key in ("one", "others"):
            if line[key] not in bots:
                yield ("matches", at, key), f"'{line[key]}' is not among the bots"
    for at, line in enumerate(data["deals"]):
        if any(len(row) != line["players"] + 1 for row in line["deals"]):
            yield ("deals", at, "deals"), "a deal has not one number for each seat and one more"
