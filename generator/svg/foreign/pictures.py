"""Pictures in a drawing: written into it as data, or files beside it; nothing from the network."""

import base64
import binascii
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from generator.errors import ProblemsFound, Unfit
from generator.svg.foreign.desk import Desk, Pictured
from generator.svg.foreign.nodes import Node, natural_size, read_nodes

_MOST_BYTES = 40_000_000


class Shown(NamedTuple):
    """A picture, or a drawing by its bytes, with its width and height."""

    picture: Pictured | None
    data: bytes
    width: float
    height: float


def image(desk: Desk, node: Node, name: str) -> Shown | None:
    """What an <image> shows; None (and a note) where there is nothing to be had."""
    try:
        if name.lower().startswith("data:"):
            return _from_data(desk, node, name)
        if "://" in name or name.startswith("//"):
            shown = name if len(name) <= 60 else f"{name[:57]}..."
            desk.notes.add(node.at, f"the picture {shown} is not fetched: save it into the drawing or beside it")
            return None
        if name.lower().endswith((".svg", ".svgz")):
            return _drawing(desk, node, desk.around.drawing(name))
        made = desk.around.picture(name)
    except Unfit as mistake:
        desk.notes.add(node.at, f"a picture is left out: {mistake}")
        return None
    return Shown(made, b"", float(made.width), float(made.height))


def _from_data(desk: Desk, node: Node, address: str) -> Shown | None:
    head, _, body = address.partition(",")
    if len(body) > _MOST_BYTES:
        raise Unfit("it is too large")
    if head.lower().replace(" ", "").endswith(";base64"):
        try:
            data = base64.b64decode("".join(unquote_to_bytes(body).decode("ascii", "replace").split()) + "==")
        except (binascii.Error, ValueError) as error:
            raise Unfit("its data are damaged") from error
    else:
        data = unquote_to_bytes(body)
    if "svg" in head.lower():
        return _drawing(desk, node, data)
    made = desk.around.kept(data)
    return Shown(made, b"", float(made.width), float(made.height))


def _drawing(desk: Desk, node: Node, data: bytes) -> Shown | None:
    try:
        root = read_nodes(data, lambda _: desk.locate(node.at))
    except ProblemsFound as found:
        raise Unfit(found.problems[0].what) from found
    width, height = natural_size(root)
    if width <= 0 or height <= 0:
        width = height = 100.0
    return Shown(None, data, width, height)
