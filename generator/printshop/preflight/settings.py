"""Operators that set the graphics state: matrix, pen, external states; and layers and tags around content."""

from typing import Any

import pikepdf

from generator.printshop.foreign_pdf import PdfTooLarge
from generator.printshop.preflight.fonts import font_facts
from generator.printshop.preflight.geometry import chain, figure, matrix_of
from generator.printshop.preflight.marks import FontFacts
from generator.printshop.preflight.state import TRANSFER, Operator, StreamRun, key_of

_MOST_SAVED = 500


def _save(run: StreamRun, _operands: list[Any]) -> None:
    if len(run.saved) > _MOST_SAVED:
        raise PdfTooLarge(f"more than {_MOST_SAVED} saved states")
    run.saved.append(run.state.copy())


def _restore(run: StreamRun, _operands: list[Any]) -> None:
    run.state = run.saved.pop()


def _matrix(run: StreamRun, operands: list[Any]) -> None:
    run.state.matrix = chain(matrix_of(operands), run.state.matrix)


def _pen(run: StreamRun, operands: list[Any]) -> None:
    run.state.pen = abs(figure(operands[0]))


def font_of(run: StreamRun, font: Any) -> FontFacts:
    """The facts of a font, read once."""
    key = key_of(font)
    found = run.supplies.fonts.get(key) if key else None
    if found is None:
        found = font_facts(font)
        if key:
            run.supplies.fonts[key] = found
    return found


def _external(run: StreamRun, operands: list[Any]) -> None:
    """The entries of a graphics state dictionary that matter to print."""
    wanted = run.resource("/ExtGState", operands[0])
    state = run.state
    if "/LW" in wanted:
        state.pen = abs(figure(wanted["/LW"]))
    if "/ca" in wanted:
        state.fill_alpha = figure(wanted["/ca"])
    if "/CA" in wanted:
        state.stroke_alpha = figure(wanted["/CA"])
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
        state.font, state.font_size = font_of(run, font), figure(size)


def is_off(run: StreamRun, layer: Any) -> bool:
    """Whether a layer, or every layer of a membership, is switched off."""
    if not isinstance(layer, pikepdf.Dictionary):
        return False
    if layer.get("/Type") == "/OCMD":
        groups = layer.get("/OCGs")
        members = list(groups) if isinstance(groups, pikepdf.Array) else [groups]
        known = [group for group in members if isinstance(group, pikepdf.Dictionary)]
        return bool(known) and all(group.objgen in run.supplies.hidden for group in known)
    return layer.objgen in run.supplies.hidden


def _begin(run: StreamRun, operands: list[Any]) -> None:
    name = str(operands[0]).removeprefix("/")
    run.tags.append(name)
    if name == "OC" and len(operands) > 1 and run.hidden_from is None:
        layer = operands[1]
        if isinstance(layer, pikepdf.Name):
            layer = run.resource("/Properties", layer)
        if is_off(run, layer):
            run.hidden_from = len(run.tags)


def _end(run: StreamRun, _operands: list[Any]) -> None:
    if run.hidden_from == len(run.tags):
        run.hidden_from = None
    run.tags.pop()


def _nothing(_run: StreamRun, _operands: list[Any]) -> None:
    pass


SETTINGS: dict[str, Operator] = {
    "q": _save, "Q": _restore, "cm": _matrix, "w": _pen, "gs": _external, "BMC": _begin, "BDC": _begin, "EMC": _end,
    **dict.fromkeys(("J", "j", "M", "d", "ri", "i", "MP", "DP", "BX", "EX", "d0", "d1"), _nothing),
}  # fmt: skip
"""What each operator of the graphics state does."""
