"""Drawings dressed as the programs write them: the same elements with each program's namespaces, styles and habits."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as Tree

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_STYLED = (
    "fill", "fill-rule", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity", "display",
    "visibility", "stop-color", "stop-opacity", "color", "font-size", "paint-order",
)  # fmt: skip


def features() -> dict[str, str]:
    lines = (Path(__file__).parent / "features.txt").read_text("utf-8").splitlines()
    pairs = [line.split(": ", 1) for line in lines if line and not line.startswith("#")]
    return {pair[0]: pair[1] for pair in pairs}


def _tree(markup: str) -> Tree.Element:
    return Tree.fromstring(f'<g xmlns="{SVG}">{markup}</g>')  # noqa: S314 - our own


def _written(root: Tree.Element, prefix: str = "") -> str:
    """The elements of a tree with plain names, or with a prefix."""
    Tree.register_namespace("", SVG)
    text = "".join(Tree.tostring(child, encoding="unicode") for child in root)
    text = text.replace(f' xmlns="{SVG}"', "")
    return re.sub(r"<(/?)(\w)", rf"<\1{prefix}\2", text) if prefix else text


def _to_style(root: Tree.Element, more: str = "", between: str = ";") -> None:
    """Attributes become the declarations of `style`."""
    for element in root.iter():
        own = [(name, element.attrib.pop(name)) for name in _STYLED if name in element.attrib]
        given = element.attrib.pop("style", "")
        if own or given:
            said = between.join([*([given] if given else []), *[f"{name}:{value}" for name, value in own]])
            painted = element.tag.rpartition("}")[2] not in ("stop", "g", "svg", "feFlood")
            element.attrib["style"] = said + (between + more if more and painted else "")


def by_hand(markup: str) -> str:
    return f'<svg xmlns="{SVG}" viewBox="0 0 100 100">\n{markup}\n</svg>'


def inkscape(markup: str) -> str:
    """Layers, metadata, a view of its own, everything in `style`, with values that nothing needs."""
    root = _tree(markup)
    _to_style(root, "stroke-dashoffset:0;enable-background:new" if "dash" not in markup else "enable-background:new")
    for at, element in enumerate(root.iter()):
        element.attrib.setdefault("id", f"path{1000 + at}")
        if "href" in element.attrib:
            element.attrib["xlink:href"] = element.attrib.pop("href")
    body = _written(root)
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape (http://www.inkscape.org/) -->
<svg xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:cc="http://creativecommons.org/ns#"
   xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:svg="{SVG}" xmlns="{SVG}" xmlns:xlink="{XLINK}"
   xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
   width="100" height="100" viewBox="0 0 100 100" version="1.1" id="svg2" inkscape:version="0.92.4"
   sodipodi:docname="drawing.svg">
  <sodipodi:namedview id="base" pagecolor="#ffffff" inkscape:zoom="2.8" showgrid="false"><inkscape:grid type="xygrid"/>
  </sodipodi:namedview>
  <metadata id="metadata7"><rdf:RDF><cc:Work rdf:about=""><dc:format>image/svg+xml</dc:format></cc:Work></rdf:RDF></metadata>
  <g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" style="display:inline">{body}</g>
</svg>"""


def illustrator(markup: str) -> str:
    """A DOCTYPE with the namespaces as entities, classes in a style sheet, a switch around everything."""
    root = _tree(markup)
    rules: list[str] = []
    for element in root.iter():
        own = [(name, element.attrib.pop(name)) for name in _STYLED if name in element.attrib]
        if own:
            rules.append(f".st{len(rules)}{{{''.join(f'{name}:{value};' for name, value in own)}}}")
            element.attrib["class"] = f"st{len(rules) - 1}"
        if "href" in element.attrib:
            element.attrib["xlink:href"] = element.attrib.pop("href")
    body, sheet = _written(root), "\n\t".join(rules)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator 24.0.1, SVG Export Plug-In . SVG Version: 6.00 Build 0)  -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
    <!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
    <!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
]>
<svg version="1.1" id="Layer_1" xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" xmlns="{SVG}" xmlns:xlink="{XLINK}" x="0px" y="0px"
     width="100px" height="100px" viewBox="0 0 100 100" style="enable-background:new 0 0 100 100;" xml:space="preserve">
<style type="text/css">
    {sheet}
</style>
<switch><foreignObject requiredExtensions="&ns_ai;" x="0" y="0" width="1" height="1"><i:pgfRef xlink:href="#x"/></foreignObject>
<g i:extraneous="self">{body}</g></switch>
</svg>"""


def figma(markup: str) -> str:
    """`fill="none"` on the outermost element, attributes alone, everything clipped at the frame."""
    root = _tree(markup)
    black = {"rect", "circle", "ellipse", "path", "polygon", "polyline", "line"}
    for element in root.iter():
        if element.tag.rpartition("}")[2] in black and "fill" not in element.attrib:
            element.attrib["fill"] = "black"
    body = _written(root)
    return f"""<svg width="100" height="100" viewBox="0 0 100 100" fill="none" xmlns="{SVG}">
<g clip-path="url(#clip0_1_2)">
{body}
</g>
<defs><clipPath id="clip0_1_2"><rect width="100" height="100" fill="white"/></clipPath></defs>
</svg>
"""


def affinity(markup: str) -> str:
    """Millimetres outside, a matrix inside, `style` everywhere, artboards by its own namespace."""
    root = _tree(markup)
    _to_style(root)
    for element in root.iter():
        element.attrib.pop("serif:id", None)
    body = _written(root)
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg width="100%" height="100%" viewBox="0 0 417 417" version="1.1" xmlns="{SVG}" xmlns:xlink="{XLINK}" xml:space="preserve"
 xmlns:serif="http://www.serif.com/">
    <g id="Artboard1" serif:id="Artboard 1" transform="matrix(4.17,0,0,4.17,0,0)"><svg width="100" height="100">{body}</svg></g>
</svg>
"""


DIALECTS: dict[str, Callable[[str], str]] = {"hand": by_hand, "inkscape": inkscape, "illustrator": illustrator, "figma": figma, "affinity": affinity}  # fmt: skip
