"""Reads content streams: runs their operators on the state, and turns text and nested forms into marks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pikepdf

from generator.base.geometry import IDENTITY, PT_PER_MM, Matrix
from generator.production.preflight.pdf_colours import FontFacts, PageMark, read_font_facts, split_codes
from generator.production.preflight.pdf_document import (
    BROKEN_FILE_ERRORS,
    EVERYWHERE,
    PageBox,
    PdfTooLarge,
    chain_matrices,
    float_from_pdf,
    format_reason,
    intersect_boxes,
    is_upright,
    matrix_from_pdf,
    measure_scale,
    measure_scales,
    move_box,
)
from generator.production.preflight.stream_state import (
    DEEPEST_FORM,
    INVISIBLE,
    MOST_MARKS,
    OVERRIDING,
    PAINTING,
    SWITCHED_OFF,
    TRANSFER,
    FileFacts,
    GraphicsState,
    Operator,
    ShownForm,
    StreamRun,
    draw_image,
    draw_inline,
    find_tag,
    object_key,
    paint_box,
)

_MOST_SAVED = 500


def _save_state(run: StreamRun, _operands: list[Any]) -> None:
    if len(run.saved) > _MOST_SAVED:
        raise PdfTooLarge(f"more than {_MOST_SAVED} saved states")
    run.saved.append(replace(run.state))


def _restore_state(run: StreamRun, _operands: list[Any]) -> None:
    run.state = run.saved.pop()


def _concat_matrix(run: StreamRun, operands: list[Any]) -> None:
    run.state.matrix = chain_matrices(matrix_from_pdf(operands), run.state.matrix)


def make_setter(name: str, convert: Callable[[Any], float] = float_from_pdf) -> Operator:
    """Return an operator that sets the field `name` of the graphics state to its first operand, converted."""
    return lambda run, operands: setattr(run.state, name, convert(operands[0]))


def resolve_font(run: StreamRun, font: Any) -> FontFacts:
    """Return the facts of a font dictionary. Read each font of a file only once."""
    key = object_key(font)
    found = run.supplies.fonts.get(key) if key else None
    if found is None:
        found = read_font_facts(font)
        if key:
            run.supplies.fonts[key] = found
    return found


def _set_graphics_state(run: StreamRun, operands: list[Any]) -> None:
    """Apply the entries that matter for print of the graphics state dictionary named by the operand of `gs`."""
    wanted = run.get_resource("/ExtGState", operands[0])
    state = run.state
    if "/LW" in wanted:
        state.pen = abs(float_from_pdf(wanted["/LW"]))
    if "/ca" in wanted:
        state.fill_alpha = float_from_pdf(wanted["/ca"])
    if "/CA" in wanted:
        state.stroke_alpha = float_from_pdf(wanted["/CA"])
    if "/BM" in wanted:
        mode = wanted["/BM"]
        first = mode[0] if isinstance(mode, pikepdf.Array) else mode
        state.blend = "" if str(first) in ("/Normal", "/Compatible") else str(first).removeprefix("/")
    if "/SMask" in wanted:
        state.soft_mask = isinstance(wanted["/SMask"], pikepdf.Dictionary)
    if "/OP" in wanted:
        state.stroke_over = bool(wanted["/OP"])
        state.fill_over = bool(wanted.get("/op", wanted["/OP"]))
    elif "/op" in wanted:
        state.fill_over = bool(wanted["/op"])
    if "/OPM" in wanted:
        state.zeros_leave = wanted["/OPM"] == 1
    curve = wanted.get("/TR2", wanted.get("/TR"))
    if curve is not None and not isinstance(curve, pikepdf.Name):  # Identity and Default change nothing
        run.asides.add(TRANSFER)
    if "/Font" in wanted:
        font, size = wanted["/Font"]
        state.font, state.font_size = resolve_font(run, font), float_from_pdf(size)


def is_off(run: StreamRun, layer: Any) -> bool:
    """Return True if a layer, or each layer of a layer group, is switched off."""
    if not isinstance(layer, pikepdf.Dictionary):
        return False
    if layer.get("/Type") == "/OCMD":
        groups = layer.get("/OCGs")
        members = list(groups) if isinstance(groups, pikepdf.Array) else [groups]
        known = [group for group in members if isinstance(group, pikepdf.Dictionary)]
        return bool(known) and all(group.objgen in run.supplies.hidden for group in known)
    return layer.objgen in run.supplies.hidden


def _begin_marked(run: StreamRun, operands: list[Any]) -> None:
    name = str(operands[0]).removeprefix("/")
    run.tags.append(name)
    if name == "OC" and len(operands) > 1 and run.hidden_from is None:
        layer = operands[1]
        if isinstance(layer, pikepdf.Name):
            layer = run.get_resource("/Properties", layer)
        if is_off(run, layer):
            run.hidden_from = len(run.tags)


def _end_marked(run: StreamRun, _operands: list[Any]) -> None:
    if run.hidden_from == len(run.tags):
        run.hidden_from = None
    run.tags.pop()


SETTINGS: dict[str, Operator] = {
    "q": _save_state, "Q": _restore_state, "cm": _concat_matrix, "gs": _set_graphics_state,
    "w": make_setter("pen", lambda value: abs(float_from_pdf(value))),
    "BMC": _begin_marked, "BDC": _begin_marked, "EMC": _end_marked,
    **dict.fromkeys(
        ("J", "j", "M", "d", "ri", "i", "MP", "DP", "BX", "EX", "d0", "d1", "ET"), lambda _run, _operands: None
    ),
}  # fmt: skip
"""The operators of the graphics state."""


_BELOW, _ABOVE = -0.15, 0.8  # em: extent of type below and above its baseline, except for rare accents
_INVISIBLE = (3, 7)


def _place_text(run: StreamRun, matrix: Matrix) -> None:
    run.text = run.line = matrix


def _set_font(run: StreamRun, operands: list[Any]) -> None:
    run.state.font_size = float_from_pdf(operands[1])
    run.state.font = None  # on an error the earlier font must not stay
    run.state.font = resolve_font(run, run.get_resource("/Font", operands[0]))


def _move_line(run: StreamRun, operands: list[Any]) -> None:
    x, y = (float_from_pdf(value) for value in operands)
    _place_text(run, chain_matrices((1.0, 0.0, 0.0, 1.0, x, y), run.line))


def _move_leading(run: StreamRun, operands: list[Any]) -> None:
    run.state.leading = -float_from_pdf(operands[1])
    _move_line(run, operands)


def _next_line(run: StreamRun, _operands: list[Any]) -> None:
    _move_line(run, [0, -run.state.leading])


def _show_next(run: StreamRun, operands: list[Any]) -> None:
    _next_line(run, [])
    _show_strings(run, [operands[0]])


def _show_spaced(run: StreamRun, operands: list[Any]) -> None:
    run.state.word_space, run.state.char_space = float_from_pdf(operands[0]), float_from_pdf(operands[1])
    _show_next(run, operands[2:])


def _show_strings(run: StreamRun, parts: list[Any]) -> None:
    """Show strings (`parts` also has shifts): add one mark around all visible text, and advance the text position."""
    state = run.state
    font = state.font
    if font is None:
        raise ValueError("text without a font")
    size, pen = state.font_size, 0.0
    first, last = None, 0.0
    missing = False
    for part in parts:
        if not isinstance(part, pikepdf.String):
            pen -= float_from_pdf(part) / 1000 * size
            continue
        for code in split_codes(font, bytes(part)):
            start = pen
            advance = -size if font.vertical else font.widths.get(code, font.wide) * size
            space = state.char_space + (state.word_space if font.code_bytes == 1 and code == 32 else 0.0)
            pen += advance + space
            missing = missing or code in font.missing
            if code not in font.blank:
                first = start if first is None else first
                last = pen
    if first is not None and state.render in _INVISIBLE:
        run.asides.add(INVISIBLE)
    elif first is not None:
        _add_mark(run, font, (first, last), missing)
    along = (0.0, pen) if font.vertical else (pen * state.stretch, 0.0)
    run.text = chain_matrices((1.0, 0.0, 0.0, 1.0, *along), run.text)


def _add_mark(run: StreamRun, font: FontFacts, reach: tuple[float, float], missing: bool) -> None:
    state = run.state
    size = state.font_size
    if font.vertical:
        box = (-size / 2, reach[1], size / 2, reach[0])
    else:
        low, high = _BELOW * size + state.rise, _ABOVE * size + state.rise
        box = (reach[0] * state.stretch, low, reach[1] * state.stretch, high)
    whole = chain_matrices(run.text, state.matrix)
    height = (whole[2] ** 2 + whole[3] ** 2) ** 0.5 * abs(size)
    outlined = state.render in (1, 5)
    paint_box(run, "text", move_box(box, whole), stroke=outlined, size=height, font=font, missing=missing)


TYPING: dict[str, Operator] = {
    "BT": lambda run, _: _place_text(run, IDENTITY),
    "Tm": lambda run, operands: _place_text(run, matrix_from_pdf(operands)),
    "Tf": _set_font, "Tc": make_setter("char_space"), "Tw": make_setter("word_space"),
    "Tz": make_setter("stretch", lambda value: float_from_pdf(value) * 0.01), "TL": make_setter("leading"),
    "Ts": make_setter("rise"), "Tr": make_setter("render", int),
    "Td": _move_line, "TD": _move_leading, "T*": _next_line,
    "Tj": lambda run, operands: _show_strings(run, [operands[0]]), "'": _show_next, '"': _show_spaced,
    "TJ": lambda run, operands: _show_strings(run, list(operands[0])),
}  # fmt: skip
"""The operators of text."""


_MOST_TROUBLES = 1_000  # largest number in a stream


def read_page_marks(
    page: Any, resources: Any, base: Matrix, whole: PageBox, supplies: FileFacts
) -> tuple[list[PageMark], list[str], frozenset[str]]:
    """Return the marks of a page inside the box `whole` (mm; `base` maps points to mm), errors, and other content.

    The last are names of content that leaves no mark, such as invisible type.
    """
    run = StreamRun(supplies, resources, GraphicsState(base, whole))
    supplies.held, supplies.tiles = supplies.kept, read_tile_marks
    try:
        _run_operators(run, page)
    except PdfTooLarge as found:
        run.troubles.append(f"{found}: the rest of the page was not checked")
    marks = [
        mark._replace(size=mark.size * PT_PER_MM, across=(mark.across[0] * PT_PER_MM, mark.across[1] * PT_PER_MM))
        for mark in run.marks
    ]
    return marks, run.troubles, frozenset(run.asides)


def _run_operators(run: StreamRun, thing: Any) -> None:
    """Run every operator of a page or form (`thing`). One that fails adds an error, and the next one continues."""
    try:
        with run.supplies.reading.read_instructions(thing) as instructions:
            for instruction in instructions:
                _run_instruction(run, instruction)
    except BROKEN_FILE_ERRORS as error:
        run.troubles.append(f"a content stream can't be read ({format_reason(error)})")


def _run_instruction(run: StreamRun, instruction: Any) -> None:
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
    except BROKEN_FILE_ERRORS as error:
        if len(run.troubles) < _MOST_TROUBLES:
            run.troubles.append(f"the operator {name[:12]!a} fails ({format_reason(error, 60)})")


def _draw_object(run: StreamRun, operands: list[Any]) -> None:
    thing = run.get_resource("/XObject", operands[0])
    if "/OC" in thing and is_off(run, thing["/OC"]):
        run.asides.add(SWITCHED_OFF)
        return
    if thing.get("/Subtype") == "/Image":
        draw_image(run, thing)
    elif thing.get("/Subtype") == "/Form":
        _draw_form(run, thing)


def _draw_form(run: StreamRun, form: Any) -> None:
    state = run.state
    by = chain_matrices(matrix_from_pdf(form["/Matrix"]) if "/Matrix" in form else IDENTITY, state.matrix)
    inner = replace(state)
    inner.fill_pattern = inner.stroke_pattern = None
    found = _read_form_marks(run, form, inner)
    marks = found.marks
    run.troubles += found.troubles[: _MOST_TROUBLES - len(run.troubles)]
    run.asides |= found.asides
    if run.is_hidden and marks:
        run.asides.add(SWITCHED_OFF)
    if state.clip is None or run.is_hidden:
        return
    if len(run.marks) + len(marks) > MOST_MARKS:
        raise PdfTooLarge(f"more than {MOST_MARKS} things drawn")
    run.supplies.hold_marks(len(marks))
    # If the whole form is blended, all its parts are see-through.
    mixed = state.soft_mask or bool(state.blend)
    wide, high = measure_scales(by)
    outer = find_tag(run)
    whole = is_upright(by) and not state.ragged
    type_scale, pen_scale = (wide * high) ** 0.5, measure_scale(by)
    for mark in marks:
        shown = intersect_boxes(move_box(mark.box, by), state.clip)
        if shown is None:
            continue
        kind, _, paint, size, font, picture, across, through, over, missing, straight, named, edges, blended, solid = (
            mark
        )
        size *= pen_scale if kind == "stroke" else type_scale
        across = (across[0] * wide, across[1] * high)
        role = outer if outer in OVERRIDING else named or outer
        placed = [intersect_boxes(move_box(edge, by), state.clip) for edge in edges]
        run.marks.append(
            PageMark(kind, shown, paint, size, font, picture, across, through or mixed, over, missing, straight, role,
                 tuple([edge for edge in placed if edge is not None]), blended or state.blend, solid and whole)
        )  # fmt: skip


def _read_form_marks(run: StreamRun, form: Any, state: GraphicsState) -> ShownForm:
    """Return what a form draws, in its own coordinates. Read it once for all uses with the same inherited settings."""
    name = object_key(form)
    if name is not None and name in run.open_forms:
        return ShownForm((), ("a form draws itself",))
    if len(run.open_forms) >= DEEPEST_FORM:
        return ShownForm((), (f"forms are nested more than {DEEPEST_FORM} deep",))
    key = (name, state.inherited_settings())
    found = run.supplies.forms.get(key) if name is not None else None
    if found is None:
        state.matrix, state.clip = IDENTITY, EVERYWHERE
        if "/BBox" in form:
            left, low, right, high = (float_from_pdf(value) for value in form["/BBox"])
            state.clip = (min(left, right), min(low, high), max(left, right), max(low, high))
        resources = form.get("/Resources", run.resources)
        inner = StreamRun(run.supplies, resources, state, (*run.open_forms, name))
        _run_operators(inner, form)
        found = ShownForm(tuple(inner.marks), tuple(inner.troubles), frozenset(inner.asides))
        if name is not None:
            run.supplies.keep_form(key, found)
    return found


def read_tile_marks(run: StreamRun, pattern: Any) -> tuple[PageMark, ...]:
    """Return what one tile of a pattern shows, in the pattern's coordinates."""
    state = GraphicsState(IDENTITY)
    if pattern.get("/PaintType") == 2:
        state.fill = state.stroke = run.state.fill
    found = _read_form_marks(run, pattern, state)
    run.troubles += found.troubles[: _MOST_TROUBLES - len(run.troubles)]
    by = matrix_from_pdf(pattern["/Matrix"]) if "/Matrix" in pattern else IDENTITY
    # A pattern uses the units of the page or form around it: close enough to the current matrix for the width of a pen.
    factor = measure_scale(by) * measure_scale(run.state.matrix)
    return tuple(mark._replace(size=mark.size * factor, across=(0.0, 0.0)) for mark in found.marks)


OPERATORS: dict[str, Operator] = {**SETTINGS, **PAINTING, **TYPING, "Do": _draw_object}
"""All operators."""
