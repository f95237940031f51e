"""What the lab found of a game's open passages, kept beside its data for the designer's book."""

import json
from collections.abc import Iterator
from pathlib import Path

from generator.commands.laboratory.experiments import FINDINGS, LabGame
from generator.delivery import delivery
from generator.lab.results import Result
from generator.model.data_fields import value_name
from generator.model.game import Reading
from generator.playtest.state import state_of
from generator.reports.findings import Findings, LabTable

_MOST = 3
"""Measures told of each reading: the greatest changes."""

_HEAD = """\
# What other readings do to games between bots: `pnp lab readings {game} --keep-findings` writes this file.
# The book of notes prints it beside the entries; `pnp validate` tells when rules or numbers are others by now.

findings:
"""


def keep_findings(of: LabGame, result: Result) -> tuple[Path, ...]:
    """Writes what a result of readings found beside the game's data; its file. ProblemsFound for no games."""
    text = _HEAD.format(game=of.game.id) + "".join(
        line + "\n" for table in Findings(result).tables for line in _table(of, table)
    )
    with delivery() as files:
        files.put(of.project.folder(of.game.id) / FINDINGS, text.encode(), at_home=True)
        return files.hand_over()


def _table(of: LabGame, table: LabTable) -> Iterator[str]:
    cell, asked = table.cell, table.result.about["experiment"]
    yield f"  - state: {json.dumps(state_of(of.game, of.rules, cell.players))}"
    yield f"    run: {asked['run']}"
    yield f"    games: {table.games}"
    yield f"    players: {cell.players}"
    bots = list(dict.fromkeys(cell.bots)) if len(set(cell.bots)) == 1 else list(cell.bots)
    yield f"    bots: {json.dumps(bots)}"
    yield "    entries:"
    for arm in table.result.arms[1:]:
        readings = asked["arms"][arm]["readings"]
        for name, value in readings.items():
            if name in of.game.readings and (table.cell, arm) in table.result.cells:
                yield f"      - {_finding(of.game.readings[name], value, table, arm)}"


def _finding(reading: Reading, value: object, table: LabTable, arm: str) -> str:
    found = [one for name in table.units if (one := table.effect(arm, name)) is not None and one.stands and one.clear]
    found.sort(key=lambda one: -one.strength)
    changes = {one.measure: [_rounded(end) for end in (one.by.at, one.by.low, one.by.high)] for one in found[:_MOST]}
    written = next((one for one in reading.choices if value_name(one) == value_name(value)), value)
    told = {"reading": reading.id, "value": written, "same": _rounded(100 * table.identical(arm)), "changes": changes}
    return json.dumps(told, ensure_ascii=False)


def _rounded(number: float) -> float:
    """As exact as anybody wants it, and the same on every machine."""
    return float(f"{number:.4g}")
