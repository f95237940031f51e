"""Reads content streams: from operators to placed marks, forms in forms, never more than a page can need."""

from typing import Any

import pikepdf

from generator.model.geometry import IDENTITY, Matrix
from generator.printshop.foreign_pdf import BROKEN, PdfTooLarge, reason
from generator.printshop.preflight.geometry import (
    EVERYWHERE,
    Box,
    chain,
    figure,
    intersection,
    matrix_of,
    move_box,
    scale,
    scales,
    upright,
)
from generator.printshop.preflight.lettering import TYPING
from generator.printshop.preflight.marks import PageMark
from generator.printshop.preflight.painting import OVERRIDING, PAINTING, draw_image, draw_inline, tag
from generator.printshop.preflight.settings import SETTINGS, is_off
from generator.printshop.preflight.state import (
    DEEPEST,
    MOST_MARKS,
    SWITCHED_OFF,
    FileFacts,
    GraphicsState,
    Operator,
    ShownForm,
    StreamRun,
    key_of,
)
from generator.units import PT_PER_MM

_MOST_TROUBLES = 1_000  # of a stream: nobody reads more


def page_marks(
    page: Any, resources: Any, base: Matrix, whole: Box, supplies: FileFacts
) -> tuple[list[PageMark], list[str]]:
    """Everything that a page shows within `whole`, in mm through `base`, and what is broken in its content."""
    run = StreamRun(supplies, resources, GraphicsState(base, whole))
    supplies.held, supplies.tiles = supplies.kept, tile_marks
    try:
        _run_operators(run, page)
    except PdfTooLarge as found:
        run.troubles.append(f"{found}: the rest of the page was not looked at")
    supplies.asides = frozenset(run.asides)
    return [_in_points(mark) for mark in run.marks], run.troubles


def _in_points(mark: PageMark) -> PageMark:
    wide, high = mark.across
    return mark._replace(size=mark.size * PT_PER_MM, across=(wide * PT_PER_MM, high * PT_PER_MM))


def _run_operators(run: StreamRun, thing: Any) -> None:
    """Run every operator of a page or form; what one can't do is a trouble, and the next goes on."""
    try:
        with run.supplies.reading.instructions(thing) as instructions:
            for instruction in instructions:
                _follow(run, instruction)
    except BROKEN as error:
        run.troubles.append(f"a content stream can't be read ({reason(error)})")


def _follow(run: StreamRun, instruction: Any) -> None:
    name = "?"
    try:
        if isinstance(instruction, pikepdf.ContentStreamInlineImage):
            name = "BI"
            draw_inline(run, instruction.iimage)
            return
        name = str(instruction.operator)
        operator = OPERATORS.get(name)
        if operator is not None:
            operator(run, list(instruction.operands))
        elif len(run.troubles) < _MOST_TROUBLES:
            run.troubles.append(f"unknown operator {name[:12]!a}")
    except BROKEN as error:
        if len(run.troubles) < _MOST_TROUBLES:
            run.troubles.append(f"the operator {name[:12]!a} can't be done ({reason(error, 60)})")


def _do(run: StreamRun, operands: list[Any]) -> None:
    thing = run.resource("/XObject", operands[0])
    if "/OC" in thing and is_off(run, thing["/OC"]):
        run.asides.add(SWITCHED_OFF)
        return
    if thing.get("/Subtype") == "/Image":
        draw_image(run, thing)
    elif thing.get("/Subtype") == "/Form":
        _form(run, thing)


def _form(run: StreamRun, form: Any) -> None:
    state = run.state
    by = chain(matrix_of(form["/Matrix"]) if "/Matrix" in form else IDENTITY, state.matrix)
    inner = state.copy()
    inner.fill_pattern = inner.stroke_pattern = None
    found = _form_marks(run, form, inner)
    marks = found.marks
    run.troubles += found.troubles[: _MOST_TROUBLES - len(run.troubles)]
    run.asides |= found.asides
    if run.hidden and marks:
        run.asides.add(SWITCHED_OFF)
    if state.clip is None or run.hidden:
        return
    if len(run.marks) + len(marks) > MOST_MARKS:
        raise PdfTooLarge(f"more than {MOST_MARKS} things drawn")
    run.supplies.hold(len(marks))
    # One that is mixed as a whole is see-through in all its parts.
    mixed = state.soft_mask or bool(state.blend)
    wide, high = scales(by)
    outer = tag(run)
    whole = upright(by) and not state.ragged
    type_scale, pen_scale = (wide * high) ** 0.5, scale(by)
    for mark in marks:
        shown = intersection(move_box(mark.box, by), state.clip)
        if shown is None:
            continue
        kind, _, paint, size, font, picture, across, through, over, missing, straight, named, edges, blended, solid = (
            mark
        )
        size *= pen_scale if kind == "stroke" else type_scale
        across = (across[0] * wide, across[1] * high)
        role = outer if outer in OVERRIDING else named or outer
        run.marks.append(
            PageMark(kind, shown, paint, size, font, picture, across, through or mixed, over, missing, straight, role,
                 _place_boxes(edges, by, state.clip), blended or state.blend, solid and whole)
        )  # fmt: skip


def _place_boxes(edges: tuple[Box, ...], by: Matrix, clip: Box) -> tuple[Box, ...]:
    placed = [intersection(move_box(edge, by), clip) for edge in edges]
    return tuple([edge for edge in placed if edge is not None])


def _form_marks(run: StreamRun, form: Any, state: GraphicsState) -> ShownForm:
    """What a form shows in its own coordinates; forms that take over the same state are read once."""
    name = key_of(form)
    if name is not None and name in run.open_forms:
        return ShownForm((), ("a form draws itself",))
    if len(run.open_forms) >= DEEPEST:
        return ShownForm((), (f"forms lie more than {DEEPEST} deep in each other",))
    key = (name, state.inherited())
    found = run.supplies.forms.get(key) if name is not None else None
    if found is None:
        state.matrix, state.clip = IDENTITY, EVERYWHERE
        if "/BBox" in form:
            left, low, right, high = (figure(value) for value in form["/BBox"])
            state.clip = (min(left, right), min(low, high), max(left, right), max(low, high))
        resources = form.get("/Resources", run.resources)
        inner = StreamRun(run.supplies, resources, state, (*run.open_forms, name))
        _run_operators(inner, form)
        found = ShownForm(tuple(inner.marks), tuple(inner.troubles), frozenset(inner.asides))
        if name is not None:
            run.supplies.keep(key, found)
    return found


def tile_marks(run: StreamRun, pattern: Any) -> tuple[PageMark, ...]:
    """What one tile of a pattern shows, in the pattern's own coordinates."""
    state = GraphicsState(IDENTITY)
    if pattern.get("/PaintType") == 2:
        state.fill = state.stroke = run.state.fill
    found = _form_marks(run, pattern, state)
    run.troubles += found.troubles[: _MOST_TROUBLES - len(run.troubles)]
    by = matrix_of(pattern["/Matrix"]) if "/Matrix" in pattern else IDENTITY
    # A pattern's units are those of the page or form around it: near enough to the matrix that is set for a pen.
    factor = scale(by) * scale(run.state.matrix)
    return tuple(mark._replace(size=mark.size * factor, across=(0.0, 0.0)) for mark in found.marks)


OPERATORS: dict[str, Operator] = {**SETTINGS, **PAINTING, **TYPING, "Do": _do}
"""What each operator does."""
