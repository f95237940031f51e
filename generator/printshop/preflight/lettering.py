"""Operators of text: where the pen goes, and the box of what each string shows."""

from typing import Any

import pikepdf

from generator.model.geometry import IDENTITY
from generator.printshop.preflight.fonts import codes_of
from generator.printshop.preflight.geometry import chain, figure, intersection, matrix_of, move_box
from generator.printshop.preflight.marks import FontFacts, PageMark
from generator.printshop.preflight.painting import fill_pattern, tag
from generator.printshop.preflight.settings import font_of
from generator.printshop.preflight.state import INVISIBLE, Operator, StreamRun

_BELOW, _ABOVE = -0.15, 0.8  # em: what type takes up under and over its baseline, but for rare accents
_INVISIBLE = (3, 7)


def _begin(run: StreamRun, _operands: list[Any]) -> None:
    run.text = run.line = IDENTITY


def _end(_run: StreamRun, _operands: list[Any]) -> None:
    pass


def _font(run: StreamRun, operands: list[Any]) -> None:
    run.state.font_size = figure(operands[1])
    run.state.font = None  # whatever follows must not count as the font before
    run.state.font = font_of(run, run.resource("/Font", operands[0]))


def _number(name: str, factor: float = 1.0) -> Operator:
    def chosen(run: StreamRun, operands: list[Any]) -> None:
        setattr(run.state, name, figure(operands[0]) * factor)

    return chosen


def _mode(run: StreamRun, operands: list[Any]) -> None:
    run.state.render = int(operands[0])


def _move(run: StreamRun, operands: list[Any]) -> None:
    x, y = (figure(value) for value in operands)
    run.text = run.line = chain((1.0, 0.0, 0.0, 1.0, x, y), run.line)


def _move_leading(run: StreamRun, operands: list[Any]) -> None:
    run.state.leading = -figure(operands[1])
    _move(run, operands)


def _next_line(run: StreamRun, _operands: list[Any]) -> None:
    _move(run, [0, -run.state.leading])


def _matrix(run: StreamRun, operands: list[Any]) -> None:
    run.text = run.line = matrix_of(operands)


def _show(run: StreamRun, operands: list[Any]) -> None:
    _string(run, [operands[0]])


def _show_next(run: StreamRun, operands: list[Any]) -> None:
    _next_line(run, [])
    _string(run, [operands[0]])


def _show_spaced(run: StreamRun, operands: list[Any]) -> None:
    run.state.word_space, run.state.char_space = figure(operands[0]), figure(operands[1])
    _show_next(run, operands[2:])


def _show_adjusted(run: StreamRun, operands: list[Any]) -> None:
    _string(run, list(operands[0]))


def _string(run: StreamRun, parts: list[Any]) -> None:
    """Show strings and moves between them: one mark for all that shows, and the pen behind it."""
    state = run.state
    font = state.font
    if font is None:
        raise ValueError("text without a font")
    size, pen = state.font_size, 0.0
    first, last = None, 0.0
    missing = False
    for part in parts:
        if not isinstance(part, pikepdf.String):
            pen -= figure(part) / 1000 * size
            continue
        for code in codes_of(font, bytes(part)):
            start = pen
            pen += _advance(run, font, code, size)
            missing = missing or code in font.missing
            if code not in font.blank:
                first = start if first is None else first
                last = pen
    if first is not None and state.render in _INVISIBLE:
        run.asides.add(INVISIBLE)
    elif first is not None:
        _mark(run, font, (first, last), missing)
    along = (0.0, pen) if font.vertical else (pen * state.stretch, 0.0)
    run.text = chain((1.0, 0.0, 0.0, 1.0, *along), run.text)


def _advance(run: StreamRun, font: FontFacts, code: int, size: float) -> float:
    state = run.state
    space = state.char_space + (state.word_space if font.code_bytes == 1 and code == 32 else 0.0)
    if font.vertical:
        return -size + space
    return font.widths.get(code, font.wide) * size + space


def _mark(run: StreamRun, font: FontFacts, reach: tuple[float, float], missing: bool) -> None:
    state = run.state
    size = state.font_size
    if font.vertical:
        box = (-size / 2, reach[1], size / 2, reach[0])
    else:
        low, high = _BELOW * size + state.rise, _ABOVE * size + state.rise
        box = (reach[0] * state.stretch, low, reach[1] * state.stretch, high)
    whole = chain(run.text, state.matrix)
    shown = intersection(move_box(box, whole), state.clip) if state.clip is not None else None
    if shown is None:
        return
    outlined = state.render in (1, 5)
    pattern = state.stroke_pattern if outlined else state.fill_pattern
    if pattern is not None:
        fill_pattern(run, shown, pattern)
        return
    height = (whole[2] ** 2 + whole[3] ** 2) ** 0.5 * abs(size)
    through = (state.stroke_alpha if outlined else state.fill_alpha) < 1 or bool(state.blend) or state.soft_mask
    paint, over = (state.stroke, state.stroke_over) if outlined else (state.fill, state.fill_over)
    mark = PageMark(
        "text", shown, paint, height, font=font, see_through=through, overprint=state.over(over), missing=missing
    )
    run.add(mark._replace(tag=tag(run)))


TYPING: dict[str, Operator] = {
    "BT": _begin, "ET": _end, "Tf": _font, "Tc": _number("char_space"), "Tw": _number("word_space"),
    "Tz": _number("stretch", 0.01), "TL": _number("leading"), "Ts": _number("rise"), "Tr": _mode,
    "Td": _move, "TD": _move_leading, "T*": _next_line, "Tm": _matrix,
    "Tj": _show, "'": _show_next, '"': _show_spaced, "TJ": _show_adjusted,
}  # fmt: skip
"""What each operator of text does."""
