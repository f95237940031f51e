"""CSV tables of a game's kinds, which can be read back as the same designs."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    gather_problems,
    join_first_words,
    raise_problems,
)
from generator.commands.command_line import say
from generator.commands.options import GAMES, OUT, PROJECT, open_project, run_order
from generator.commands.orders import GameOutput, Job, Order
from generator.game.data_fields import FieldSpec
from generator.game.model import Game, Kind
from generator.game.project import Project, parse_all
from generator.game.source import Map, Source
from generator.game.table_designs import header_from_fields, read_table_designs
from generator.game.table_files import read_csv
from generator.game.table_header import Header
from generator.game.table_rows import MOST_ROWS, parse_cell, protect_text
from generator.game.value_faults import describe_value
from generator.game.yaml_edits import find_lent_anchors

_BEFORE, _AFTER = ("id", "count"), ("front", "back")
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?: [A-Za-z0-9_]+)*\Z")
_SPECIAL = ("true", "false", "null")
_NOWHERE = (0, 0)


def write_kind_table(game: Game, kind: Kind) -> bytes:
    """Return the designs of a kind as a CSV table in UTF-8 with a byte order mark.

    Raise ProblemsFound for too many rows, and for each value that a table would not give back unchanged.
    """
    fields = game.places["components"].value[kind.id].get("fields")
    header = header_from_fields(fields, game.languages)
    single = [name for name, spec in header.specs.items() if spec.type == "words" and len(header.languages) == 1]
    designs = []
    for design in kind.designs:
        told = {field: value for field, value in design.source.value.items() if value is not None}
        only = {field: told[field][header.languages[0]] for field in single if isinstance(told.get(field), Mapping)}
        designs.append(told | only | {"id": str(told["id"])})
    if len(designs) > MOST_ROWS:
        what = f"{kind.id} has {len(designs):,} designs, but a table may have {MOST_ROWS:,}"
        raise ProblemsFound([Problem(kind.place, what, "keep them in YAML")])
    columns = list(_iter_columns(header, designs))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    names = header.names
    for values in designs:
        writer.writerow(_format_cell(values, *names[column], header) for column in columns)
    made = text.getvalue().encode("utf-8-sig")
    _check_roundtrip(made, kind, designs, header)
    return made


def _iter_columns(header: Header, designs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the names of columns: all declared fields; id, count and templates only if any design has them."""
    said = {field for design in designs for field in design}
    declared = [field for field in header.specs if field not in (*_BEFORE, *_AFTER)]
    wanted = [*(f for f in _BEFORE if f in said), *declared, *(f for f in _AFTER if f in said)]
    for field in wanted:
        if header.specs[field].type == "words" and len(header.languages) > 1:
            yield from (f"{field}.{lang}" for lang in header.languages)
        else:
            yield field


def _format_cell(design: Mapping[str, Any], field: str, lang: str, header: Header) -> str:
    value = design.get(field)
    if lang and value is not None:
        return protect_text(value[lang])
    return "" if value is None else cell_text(value, header.specs[field])


def cell_text(value: Any, spec: FieldSpec) -> str:
    """Return a field's value as the text of its cell."""
    if isinstance(value, list):
        return _format_list(value, spec)
    return protect_text(value) if isinstance(value, str) else _format_scalar(value)


def _format_list(values: Sequence[Any], spec: FieldSpec) -> str:
    """Return a list as text: joined with `|` if that can be read back unchanged, else as a YAML list."""
    if spec.type == "effects":
        return _format_flow(values)[1:-1] or "[]"
    if values and all(isinstance(value, (str, int, float)) for value in values):
        simple = " | ".join(cell_text(value, spec) for value in values)
        try:
            if not simple.startswith("[") and is_same(parse_cell(simple, spec, _NOWHERE), values):
                return simple
        except InvalidInput:
            pass  # entries that are empty or contain bars
    return _format_flow(values)


def _format_flow(value: Any) -> str:
    """Return a value as YAML on one line. Everything but plain words is in double quotes."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_format_flow(key)}: {_format_flow(part)}' for key, part in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_format_flow, value))}]"
    if not isinstance(value, str):
        return _format_scalar(value)
    if _PLAIN.match(value) and value.lower() not in _SPECIAL:
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return "".join(
        letter if letter.isprintable() or letter == "\u3000" or ord(letter) > 0xFFFF else f"\\u{ord(letter):04x}"
        for letter in quoted
    )


def _format_scalar(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def _check_roundtrip(table: bytes, kind: Kind, designs: Iterable[Mapping[str, Any]], header: Header) -> None:
    """Read the written table and compare each design. Raise ProblemsFound if anything was lost."""
    try:
        rows = read_csv(table, f"{kind.id}.csv", header)
        found = {design["id"]: design for design in read_table_designs(rows, header)}
    except ProblemsFound as unread:
        what = f"{kind.id} can't be stored in a table: {unread.problems[0].what}"
        raise ProblemsFound([Problem(kind.place, what, "keep this kind in YAML")]) from unread
    problems = list(rows.problems)
    for design, wanted in zip(kind.designs, designs, strict=True):
        read = found.get(wanted["id"], {})
        for field in wanted.keys() | read.keys():
            if not is_same(read.get(field), wanted.get(field)):
                value = describe_value(wanted.get(field))
                what = f"{field} of {design.id} is {value}, which no cell of a table can hold"
                problems.append(Problem(design.source.place(field), what, "change it, or keep this kind in YAML"))
    raise_problems(problems)


def is_same(first: Any, second: Any) -> bool:
    """Return True if two values are equal in value and type: 1, 1.0 and true are different."""
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(is_same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_same, first, second))
    return type(first) is type(second) and bool(first == second)


_SHOWN = 6
"""Maximum number of line numbers that a note lists."""


@click.command(name="csv")
@GAMES
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND", help="Kind of component to export (default: all); repeatable."
)
@OUT
@PROJECT
@click.pass_obj
def csv_(obj: Path | None, /, **options: Any) -> None:
    """Export component tables to edit in a spreadsheet.

    pnp writes OUT/<game>/csv/<kind>.csv. To use a table, move it next to the YAML file and write its name after
    `designs:` in place of the list.
    """
    project = open_project(obj, options)
    data = project.resources.display_path(project.root / "data")
    run_order(project, options, CsvOrder, languages=(), data=data)
    say("Put one beside the YAML file and write its name after `designs:` in place of the list.", err=True)


@dataclass(frozen=True, slots=True)
class CsvOrder(Order):
    """The kinds to write to OUT/<game>/csv/<kind>.csv, all if empty; `data` is the folder with the games."""

    kinds: tuple[str, ...] = ()
    data: str = ""

    def missing_problems(self, games: Sequence[Game], _made: Sequence[GameOutput]) -> Iterable[Problem]:
        """Yield a problem for each requested kind that no game has, whatever was made."""
        known = {kind for game in games for kind in game.kinds}
        for kind in self.kinds:
            if kind not in known:
                yield Problem(Place(self.data), f"no game has the component kind '{kind}'", did_you_mean(kind, known))

    def make(self, job: Job) -> GameOutput:
        """Make the tables of one game. Raise ProblemsFound with everything that prevents it."""
        game, problems, notes = job.workshop.game, list[Problem](), list[str]()
        for kind in game.kinds.values():
            if not self.kinds or kind.id in self.kinds:
                with gather_problems(problems):
                    table = write_kind_table(game, kind)
                    job.files.put(self.out / game.id / "csv" / f"{kind.id}.csv", table)
                    notes += _warn_anchors(job.project, game, kind)
        raise_problems(problems)
        return GameOutput(notes=tuple(notes))


def _warn_anchors(project: Project, game: Game, kind: Kind) -> Iterator[str]:
    """Yield a warning if other lines use YAML anchors of this list, which would be lost if a table replaced it."""
    for path, root in parse_all(project.find_folder(game.id), project.resources):
        listed = root.get("components")
        if isinstance(listed, Map) and kind.id in listed and isinstance(listed[kind.id].get("designs"), list):
            lent = find_lent_anchors(path, kind.id)
            used = ", ".join(
                f"*{name} (line{'s' * (len(lines) > 1)} {join_first_words([*map(str, lines)], _SHOWN)})"
                for name, lines in lent.items()
            )
            if used:
                place = Source(project.resources.display_path(path), listed[kind.id]).place("designs")
                hint = "before the table takes its place, write these values out where they are used"
                yield f"{place}: other lines use anchors of the list of {kind.id}; {hint}: {used}"
