"""Check report: the result of a check, checks of counts, and all results as text and JSON."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from generator.base.errors import Place, did_you_mean, join_lines
from generator.base.languages import count_columns
from generator.game.data_fields import format_value
from generator.game.model import Design, Game, describe_reading

if TYPE_CHECKING:
    from generator.checks.visible_items import Context


REPORT_LANGUAGE = "en"
"""Language of texts that reports take from a game's data. A game without this language uses its first one."""

Status: TypeAlias = Literal["pass", "fail", "finding", "undecided"]
STATUSES: tuple[Status, ...] = ("fail", "finding", "undecided", "pass")
"""All statuses, the most important first."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check: `kind` is the topic, `sentence` says what was checked, `figures` support the status.

    `id` is the same in every run: it comes from the data (`FC-01`), or names the check and its subject
    (`safe-zone.reel`). The status `finding` is a passage at odds with the rest of the draft, and its reading (E-entry).
    Raise ValueError for a finding without the id of a reading. `undecided` means that only a person or more games can
    tell; warnings are undecided too. `values` has figures for programs that don't fit into the sentence.
    """

    id: str
    kind: str
    status: Status
    sentence: str
    figures: str = ""
    place: Place | None = None
    reading: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.status == "finding" and not self.reading:
            raise ValueError(f"the check '{self.id}' reports a finding without its reading")


def require_readings(checks: Iterable[Check], game: Game) -> tuple[Check, ...]:
    """Return the checks unchanged. Raise ValueError if a finding names a reading that the game lacks."""
    found = tuple(checks)
    for check in found:
        if check.status == "finding" and check.reading not in game.readings:
            raise ValueError(
                f"the finding '{check.id}' names the reading '{check.reading}', but {game.id} has no such reading"
            )
    return found


def format_first_entries(entries: Iterable[str], most: int = 5) -> str:
    """Return the first `most` entries, joined by semicolons, and how many more there are."""
    names = list(entries)
    more = f"; and {len(names) - most} more" if len(names) > most else ""
    return "; ".join(names[:most]) + more


def check_stated_counts(game: Game, _context: "Context | None" = None) -> Iterator[Check]:
    """Check that each kind has as many pieces as its `stated` count. Problems point to that number in the data."""
    for kind in game.kinds.values():
        if kind.stated is None:
            continue
        place = game.places.place("components", kind.id, "stated") or kind.place
        if kind.left_out:
            sentence = f"{kind.id}: no copies are printed while the switch {kind.option} is off"
            yield Check(f"count.{kind.id}", "count", "pass", sentence, f"the draft states {kind.stated}", place)
            continue
        agrees = kind.count == kind.stated
        sentence = (
            f"{kind.id}: as many copies as the draft states"
            if agrees
            else f"{kind.id}: not as many copies as the draft states"
        )
        figures = f"{kind.count} of {kind.stated} in {len(kind.designs)} designs"
        yield Check(f"count.{kind.id}", "count", "pass" if agrees else "fail", sentence, figures, place)


def check_unique_ids(game: Game, _context: "Context | None" = None) -> Iterator[Check]:
    """Check that no two designs or copies share an id (`card/a#1`). A failure points to the second design."""
    designs = list(game.designs())
    first: dict[str, Design] = {}
    twice: dict[str, Design] = {}
    for design in designs:
        for name in (design.id, *design.copies()):
            if first.setdefault(name, design) is not design:
                twice.setdefault(name, design)
    sentence = "every design and every piece has an id of its own"
    if not designs:
        yield Check("ids", "count", "undecided", sentence, "there are no designs")
    elif twice:
        place = next(iter(twice.values())).place
        yield Check("ids", "count", "fail", "several designs or pieces share an id", format_first_entries(twice), place)
    else:
        figures = f"{sum(design.count for design in designs)} pieces of {len(designs)} designs"
        yield Check("ids", "count", "pass", sentence, figures)


def check_setup_pieces(game: Game, _context: "Context | None" = None) -> Iterator[Check]:
    """Check for each number of players that the game has all pieces that its set-up takes."""
    unknown = [item for item in game.setup if item.kind not in game.kinds]
    for item in unknown:
        hint = did_you_mean(item.kind, game.kinds)
        sentence = f"set-up takes '{item.kind}', but there is no such component"
        yield Check(f"setup.{item.kind}", "set-up", "fail", sentence, hint, item.place)
    known = [item for item in game.setup if item.kind in game.kinds]
    for players in game.players if known else ():
        taken = Counter[str]()
        for item in known:
            taken[item.kind] += item.take * (players if item.each_player else 1)
        short = [kind for kind, number in taken.items() if number > game.kinds[kind].count]
        sentence = (
            f"set-up for {players} players takes more than there is: {', '.join(short)}"
            if short
            else f"the box has what set-up takes for {players} players"
        )
        parts = (f"{number} of {game.kinds[kind].count} {kind}" for kind, number in taken.items())
        figures = f"{players} players: {', '.join(parts)}"
        place = next((item.place for item in known if item.kind in short), known[0].place)
        yield Check(f"setup.{players}", "set-up", "fail" if short else "pass", sentence, figures, place)


Results: TypeAlias = Sequence[tuple[Game, Sequence[Check]]]
"""Each game with the results of its checks."""

FORMAT = 1
"""Version of the JSON. It increases when a reader of the old format would misread the new one."""


def checks_to_json(results: Results, lang: str) -> str:
    """Return one JSON document that ends in a newline. Texts of the data are in `lang` if the game has it."""
    document = {"format": FORMAT, "games": [_game_to_json(game, checks, lang) for game, checks in results]}
    import json

    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _game_to_json(game: Game, checks: Sequence[Check], lang: str) -> dict[str, Any]:
    spoken = choose_language(game, lang)
    readings = [
        {
            "id": reading.id, "passage": reading.passage, "problem": reading.problem[spoken],
            "reading": describe_reading(reading, spoken), "switch": reading.switch, "value": reading.value,
            "choices": list(reading.choices),
        }
        for reading in game.readings.values()
    ]  # fmt: skip
    return {
        "id": game.id, "title": game.title[spoken], "draft": game.draft, "lang": spoken,
        "summary": _count_by_status(checks), "checks": [check_to_json(check) for check in checks],
        "readings": readings, "marks": dict(game.marks),
    }  # fmt: skip


def check_to_json(check: Check) -> dict[str, Any]:
    """Return a check as data for JSON."""
    return {
        "id": check.id, "kind": check.kind, "status": check.status, "sentence": check.sentence,
        "figures": check.figures, "place": asdict(check.place) if check.place else None, "reading": check.reading,
        **({"values": dict(check.values)} if check.values else {}),
    }  # fmt: skip


def _count_by_status(checks: Sequence[Check]) -> dict[str, int]:
    counts = Counter(check.status for check in checks)
    return {status: counts[status] for status in STATUSES}


def choose_language(game: Game, lang: str) -> str:
    """Return the language if the game has it, else the game's first one."""
    return lang if lang in game.languages else game.languages[0]


def checks_to_text(results: Results, lang: str) -> str:
    """Return the reports of all games as text: checks by status, failures first, then readings and unstated values.

    Texts of the data are in `lang` if the game has it.
    """
    blocks = [join_lines(_write_report(game, checks, lang)) for game, checks in results]
    if len(results) > 1:
        everything = [check for _, checks in results for check in checks]
        blocks.append(f"{len(results)} games: {_format_counts(everything)}\n")
    return "\n".join(blocks) if blocks else "no games\n"


_HEADS = {"finding": ": the draft disagrees with itself, or is silent. → is how we read it: decide, and say it there"}
"""The advice after each status, above its checks."""


def _write_report(game: Game, checks: Sequence[Check], lang: str) -> Iterator[str]:
    spoken = choose_language(game, lang)
    title = game.title[spoken]
    named = title if title.casefold() == game.id.casefold() else f"{title} ({game.id})"
    yield f"{named}, draft {game.draft}: {_format_counts(checks)}"
    for status in STATUSES:
        here = [check for check in checks if check.status == status]
        if here:
            yield ""
            yield f"{status} ({len(here)}){_HEADS.get(status, '')}"
            if status == "pass":
                readings = [f" [{check.reading}]" if check.reading else "" for check in here]
                lines = map(format_check_line, here)
                rows = zip(here, lines, readings, strict=True)
                yield from _align_rows([(check.id, line + reading) for check, line, reading in rows])
            else:
                yield from (f"  {format_report_line(check)}" for check in here)
    if game.readings:
        yield ""
        yield f"readings in force ({len(game.readings)})"
        switches = [one.switch and f"{one.switch} = {format_value(one.value)}" for one in game.readings.values()]
        told = zip(game.readings.values(), switches, strict=True)
        yield from _align_rows([(one.id, switch, describe_reading(one, spoken)) for one, switch in told])
    if game.marks:
        yield ""
        yield f"not stated by the draft ({len(game.marks)})"
        by_status = sorted(game.marks.items(), key=lambda entry: entry[1])
        yield from _align_rows([(status, path) for path, status in by_status])


def _format_counts(checks: Sequence[Check]) -> str:
    counts = [(status, number) for status, number in _count_by_status(checks).items()]
    parts = [f"{number} {status}" for status, number in counts if number or status in ("fail", "pass")]
    return f"{len(checks)} checks, {', '.join(parts)}"


def format_passed_line(passed: int, doubtful: Sequence[Check]) -> str:
    """Return a line that counts the checks that passed, and those in `doubtful`: findings and undecided ones."""
    if not doubtful:
        return f"{passed} checks passed" if passed != 1 else "1 check passed"
    found = sum(check.status == "finding" for check in doubtful)
    undecided = len(doubtful) - found
    rest = [f"{found} finding{'s' * (found > 1)}"] * bool(found) + [f"{undecided} undecided"] * bool(undecided)
    return f"{passed} of {passed + len(doubtful)} checks passed, {', '.join(rest)}"


def format_report_line(check: Check) -> str:
    """Return `file:line:column: sentence; figures [id, reading]` for a check that needs attention."""
    place = f"{check.place}: " if check.place else ""
    return f"{place}{format_check_line(check)} [{', '.join(filter(None, (check.id, check.reading)))}]"


def format_check_line(check: Check) -> str:
    """Return `sentence; figures`. The full stop of a sentence from the data is dropped before the figures."""
    return f"{check.sentence.rstrip('.。')}; {check.figures}" if check.figures else check.sentence


def _align_rows(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield each row as an indented line, with all columns but the last padded to equal width."""
    widths = [max(map(count_columns, column)) for column in list(zip(*rows, strict=True))[:-1]]
    for row in rows:
        cells = [cell + " " * (width - count_columns(cell)) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "  ".join([*(cell for cell, width in zip(cells, widths, strict=True) if width), row[-1]])
