"""The results of all checks as text for a reader and as JSON for a program."""

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from generator.checks.record import STATUSES, Check
from generator.errors import as_lines
from generator.model.game import Game, Reading

Results: TypeAlias = Sequence[tuple[Game, Sequence[Check]]]
"""Each game with what its checks said."""

FORMAT = 1
"""The JSON's version: it grows when a reader of the old one would misread the new."""


def as_json(results: Results, lang: str) -> str:
    """One JSON document, ending in a newline; texts of the data in `lang`."""
    document = {"format": FORMAT, "games": [_game(game, checks, lang) for game, checks in results]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _game(game: Game, checks: Sequence[Check], lang: str) -> dict[str, Any]:
    spoken = _report_language(game, lang)
    return {
        "id": game.id,
        "title": game.title[spoken],
        "draft": game.draft,
        "lang": spoken,
        "summary": _summary(checks),
        "checks": [_check(check) for check in checks],
        "readings": [
            {
                "id": reading.id,
                "passage": reading.passage,
                "problem": reading.problem[spoken],
                "reading": reading.reading[spoken],
                "switch": reading.switch,
                "value": reading.value,
                "choices": list(reading.choices),
            }
            for reading in game.readings.values()
        ],
        "marks": dict(game.marks),
    }


def _check(check: Check) -> dict[str, Any]:
    place = check.place
    return {
        "id": check.id,
        "kind": check.kind,
        "status": check.status,
        "sentence": check.sentence,
        "figures": check.figures,
        "place": {"file": place.file, "line": place.line, "column": place.column} if place else None,
        "reading": check.reading,
        **({"values": dict(check.values)} if check.values else {}),
    }


def _summary(checks: Sequence[Check]) -> dict[str, int]:
    counts = Counter(check.status for check in checks)
    return {status: counts[status] for status in STATUSES}


def _report_language(game: Game, lang: str) -> str:
    return lang if lang in game.languages else game.languages[0]


def as_text(results: Results, lang: str) -> str:
    """Game after game: what fails first, what passes last, then readings and values of our own; texts in `lang`."""
    blocks = [as_lines(_report(game, checks, lang)) for game, checks in results]
    if len(results) > 1:
        everything = [check for _, checks in results for check in checks]
        blocks.append(f"{len(results)} games: {_count_line(everything)}\n")
    return "\n".join(blocks) if blocks else "no games\n"


def _report(game: Game, checks: Sequence[Check], lang: str) -> Iterator[str]:
    spoken = _report_language(game, lang)
    title = game.title[spoken]
    named = title if title.casefold() == game.id.casefold() else f"{title} ({game.id})"
    yield f"{named}, draft {game.draft}: {_count_line(checks)}"
    for status in STATUSES:
        here = [check for check in checks if check.status == status]
        if here:
            yield ""
            yield f"{status} ({len(here)})"
            yield from (
                _aligned([(check.id, _passed_line(check)) for check in here])
                if status == "pass"
                else (f"  {report_line(check)}" for check in here)
            )
    if game.readings:
        yield ""
        yield f"readings in force ({len(game.readings)})"
        yield from _aligned([_reading(reading, spoken) for reading in game.readings.values()])
    if game.marks:
        yield ""
        yield f"not stated by the draft ({len(game.marks)})"
        yield from _aligned([(status, path) for path, status in sorted(game.marks.items(), key=lambda entry: entry[1])])


def _count_line(checks: Sequence[Check]) -> str:
    parts = [
        f"{number} {status}" for status, number in _summary(checks).items() if number or status in ("fail", "pass")
    ]
    return f"{len(checks)} checks, {', '.join(parts)}"


def passed_line(passed: int, doubtful: Sequence[Check]) -> str:
    """Return how many checks passed where none failed, and how many found something or are undecided."""
    if not doubtful:
        return f"{passed} checks passed" if passed != 1 else "1 check passed"
    found = sum(check.status == "finding" for check in doubtful)
    undecided = len(doubtful) - found
    rest = [f"{found} finding{'s' * (found > 1)}"] * bool(found) + [f"{undecided} undecided"] * bool(undecided)
    return f"{passed} of {passed + len(doubtful)} checks passed, {', '.join(rest)}"


def report_line(check: Check) -> str:
    """What needs a reader's eye: `file:line:column: sentence; figures [id, reading]`."""
    place = f"{check.place}: " if check.place else ""
    return f"{place}{check_line(check)} [{', '.join(filter(None, (check.id, check.reading)))}]"


def _passed_line(check: Check) -> str:
    return f"{check_line(check)} [{check.reading}]" if check.reading else check_line(check)


def check_line(check: Check) -> str:
    """Sentence and figures as one clause; sentences of the data end in a full stop, ours don't."""
    return f"{check.sentence.rstrip('.。')}; {check.figures}" if check.figures else check.sentence


def _reading(reading: Reading, lang: str) -> tuple[str, ...]:
    value = str(reading.value).lower() if isinstance(reading.value, bool) else str(reading.value)
    return (reading.id, f"{reading.switch} = {value}" if reading.switch else "", reading.reading[lang])


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Rows of equally many columns, each but the last as wide as its widest entry."""
    widths = [max(map(_columns, column)) for column in list(zip(*rows, strict=True))[:-1]]
    for row in rows:
        cells = [cell + " " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "  ".join([*(cell for cell, width in zip(cells, widths, strict=True) if width), row[-1]])


def _columns(text: str) -> int:
    """How many columns of a terminal the text takes: full-width characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
