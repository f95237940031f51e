"""Space checks: boards have the spaces that the rules need, and pieces fit on them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from generator.base.errors import Place, did_you_mean
from generator.checks.check_report import Check, Status, format_first_entries
from generator.checks.data_checks import Evaluate, NoValue, evaluate_plain, list_expression_names, make_design_namespace
from generator.checks.visible_items import Context, Face, list_distinct_faces
from generator.drawing.svg.face_areas import (
    TOLERANCE,
    Polygon,
    PrintedSpace,
    count_fitting,
    count_places,
    draw_footprint,
    find_printed_spaces,
    format_size,
    measure_outline_box,
)
from generator.game.data_fields import SpaceSpec
from generator.game.model import Design, Game, Kind


def check_spaces(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind with spaces that every space names a kind, and that its pieces fit there.

    A space for several pieces has a place for each, as large as the piece, or is one compartment, painted alone in its
    group, with the pieces in rows. A pile needs room for one piece.
    """
    for kind in game.kinds.values():
        wrong: list[tuple[Face, str]] = []
        looked = piles = taken = 0
        for face in list_distinct_faces(game, kind, context):
            for space in find_printed_spaces(face.drawing):
                looked += 1
                piles += space.holds is None
                taken += space.holds or 0
                fault = space.fault
                if not fault and space.piece in game.kinds:
                    fault = _explain_misfit(game.kinds[space.piece], space)
                elif not fault:
                    hint = did_you_mean(space.piece, game.kinds)
                    fault = f"is for the unknown component '{space.piece}'; {hint}"
                if fault:
                    wrong.append((face, f"the space '{space.id}' {fault}"))
        if not looked:
            continue
        check = f"spaces-fit.{kind.id}"
        if wrong:
            named = [(face, f"{kind.template(face.design, face.face)}.svg", fault) for face, fault in wrong]
            figures = format_first_entries(f"{face} ({template}): {fault}" for face, template, fault in named)
            sentence = f"{kind.id}: pieces don't fit on their spaces"
            yield Check(check, "space", "fail", sentence, figures, wrong[0][0].design.place)
        else:
            figures = f"{looked} spaces with {taken} places and {piles} piles"
            yield Check(check, "space", "pass", f"{kind.id}: pieces fit on their spaces", figures, kind.place)


def _explain_misfit(kind: Kind, space: PrintedSpace) -> str:
    """Return why the pieces of a kind do not fit on a space, or an empty string."""
    piece, wanted = draw_footprint(kind), space.holds or 1
    lost = f"; {space.cut_off} more are cut off" if space.cut_off else ""
    what = f"is for {'a pile of' if space.holds is None else wanted} {kind.id} of {format_size(piece)}"
    if len(space.outlines) == 1:
        found = count_fitting(piece, space.outlines[0], wanted)
        few = f"{what}, but its outline of {format_size(space.outlines[0])} takes {found}{lost}"
        return few if found < wanted else ""
    found = count_places(piece, space.outlines)
    if found >= wanted if space.holds is None else found == wanted:
        return ""
    unfit = [around for around in space.outlines if not count_places(piece, [around])]
    if found < wanted and unfit:
        lost = f"; {format_size(unfit[0])} {_explain_outline(piece, unfit[0])}{lost}"
    return f"{what}, but has {found} places for them{lost}"


def _explain_outline(piece: Polygon, around: Polygon) -> str:
    own, wide = measure_outline_box(piece), measure_outline_box(around)
    longer = max(own.width, own.height) > max(wide.width, wide.height) + TOLERANCE
    broader = min(own.width, own.height) > min(wide.width, wide.height) + TOLERANCE
    return "is too small" if longer or broader else "has another shape"


@dataclass(frozen=True, slots=True)
class SpaceContents:
    """The contents of a space: pieces of a kind, and their number or None for any number."""

    piece: str
    holds: int | None

    def __str__(self) -> str:
        return f"{'a pile of' if self.holds is None else self.holds} {self.piece}"


def check_needed_spaces(game: Game, context: Context, evaluate: Evaluate) -> Iterator[Check]:
    """Check for each kind the spaces that the data require; the place is the design's or the bad statement's.

    Faces that could not be drawn are left to the check that reports them.
    """
    names = list_expression_names(game)
    for kind in game.kinds.values():
        if not kind.spaces:
            continue
        wrong: list[tuple[str, Place | None]] = []
        designs = spaces = 0
        for design in kind.designs:
            try:
                needed = _evaluate_spaces(kind, {**names, "card": make_design_namespace(design)}, evaluate)
            except _InvalidStatement as unclear:
                wrong.append((f"{design.id}: {unclear}", unclear.place))
                continue
            faults: dict[str, list[str]] = {}
            for lang, printed in _iter_face_spaces(kind, design, context, game.languages):
                designs += lang == game.languages[0]
                spaces += len(printed)
                for fault in _list_differences(needed, printed):
                    faults.setdefault(fault, []).append(lang)
            for fault, langs in faults.items():
                where = design.id if len(langs) == len(game.languages) else f"{design.id} ({', '.join(langs)})"
                wrong.append((f"{where}: {fault}", design.place))
        status: Status = "fail" if wrong else "pass" if designs else "undecided"
        sentence = f"{kind.id}: every design has the spaces that the rules need"
        figures, place = f"{spaces} spaces on {designs} designs, all languages", kind.place
        if wrong:
            sentence = f"{kind.id}: designs lack spaces that the rules need, or have others"
            figures, place = format_first_entries(told for told, _ in wrong), wrong[0][1]
        yield Check(f"spaces.{kind.id}", "space", status, sentence, figures, place)


class _InvalidStatement(Exception):
    """Error: a statement about spaces has no usable value for a design."""

    def __init__(self, told: str, place: Place | None):
        super().__init__(told)
        self.place = place


def _evaluate_spaces(kind: Kind, names: Mapping[str, Any], evaluate: Evaluate) -> dict[str, SpaceContents]:
    """Return the spaces of one design by id. Raise _Unclear if an expression fails."""
    needed: dict[str, SpaceContents] = {}
    for spec in kind.spaces:
        try:
            stated = {
                spec.id.replace("*", each): _evaluate_contents(spec, {**names, "each": each}, evaluate)
                for each in _expand_names(spec, names, evaluate)
            }
        except (NoValue, ValueError) as error:
            raise _InvalidStatement(f"the space '{spec.id}' can't be computed: {error}", spec.place) from error
        for name, lies in stated.items():
            if name in needed:
                raise _InvalidStatement(f"the space '{name}' is declared twice", spec.place)
            if lies is not None:
                needed[name] = lies
    return needed


def _expand_names(spec: SpaceSpec, names: Mapping[str, Any], evaluate: Evaluate) -> list[str]:
    """Return the values for the * of the id, or one empty string if it has no *."""
    if not spec.each:
        return [""]
    value = evaluate_plain(spec.each, evaluate, names)
    if not isinstance(value, (list, dict)) or not all(isinstance(name, str) and name for name in value):
        raise ValueError(f"'{spec.each}' is not a list of names")
    return list(value)


def _evaluate_contents(spec: SpaceSpec, names: Mapping[str, Any], evaluate: Evaluate) -> SpaceContents | None:
    pile = evaluate_plain(spec.pile, evaluate, names) if spec.pile else None
    if pile is not None and not isinstance(pile, bool):
        raise ValueError(f"'{spec.pile}' is neither true nor false")
    if pile:
        return SpaceContents(spec.piece, None)
    holds = evaluate_plain(spec.holds, evaluate, names) if spec.holds else 0
    if isinstance(holds, bool) or not isinstance(holds, int) or holds < 0:
        raise ValueError(f"'{spec.holds}' is not a whole number of 0 or more")
    return SpaceContents(spec.piece, holds) if holds else None


def _iter_face_spaces(
    kind: Kind, design: Design, context: Context, languages: tuple[str, ...]
) -> Iterator[tuple[str, list[tuple[str, SpaceContents]]]]:
    for lang in languages:
        drawings = [context.drawings.get((design.id, face, lang)) for face in kind.faces(design)]
        whole = [drawing for drawing in drawings if drawing is not None]
        if len(whole) == len(drawings):
            spaces = (space for drawing in whole for space in find_printed_spaces(drawing))
            yield lang, [(space.id, SpaceContents(space.piece, space.holds)) for space in spaces]


def _list_differences(needed: Mapping[str, SpaceContents], printed: list[tuple[str, SpaceContents]]) -> Iterator[str]:
    found = dict(printed)
    for name, lies in needed.items():
        if name not in found:
            yield f"there is no space '{name}' for {lies}"
        elif found[name] != lies:
            yield f"the space '{name}' is for {found[name]}, but must be for {lies}"
    for name in found:
        if name not in needed:
            yield f"the space '{name}' is printed, but `spaces:` of its kind doesn't have it"
    for name in found:
        if [other for other, _ in printed].count(name) > 1:
            yield f"the space '{name}' is printed twice"
