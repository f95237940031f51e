"""Hostile drawings and style sheets, by chance from a seed: odd numbers, loops, depth, and much of everything."""

import base64
import gzip
from collections.abc import Callable, Mapping, Sequence
from random import Random

from hostile_inputs import ART, BUILD, SHEETS, VALIDATE, Case

NUMBERS = (
    *("0", "-5", "1e9", "1e30", "1e400", "-1e400", "nan", "inf", "1e-9", "300", "9" * 400, "", "5%", "1e400%", "5vw"),
    *("1.2.3", "..", "-.", "+5", "5e", "５", "٣", "calc(1px + 2px)", "var(--x)", "1 2", "0x5", "5PX", "inherit", "1,,2"),
)  # fmt: skip
"""Where a number belongs."""

WHOLE = '<rect width="9" height="9"/>'
SHAPES = (
    '<rect x="{n}" y="{n}" width="{n}" height="{n}" rx="{n}" stroke="red" stroke-width="{n}" opacity="{n}"/>',
    '<circle cx="{n}" r="{n}"/><ellipse rx="{n}" ry="1"/><line x2="{n}" stroke="red"/><polygon points="0 0 {n} {n} 5 1"/>',
    '<rect width="9" height="9" stroke="red" stroke-dasharray="{n} {n}" stroke-dashoffset="{n}" stroke-miterlimit="{n}"/>',
    '<path d="M0 0 L{n} 1 A {n} {n} {n} 0 1 5 5 C{n} 1 2 3 {n} 4Z" stroke="#123"/>',
    '<text x="{n}" dx="{n}" rotate="{n}" font-size="{n}" textLength="{n}" letter-spacing="{n}" font-weight="{n}">a b</text>',
    '<text style="font:{n} x" y="9"><tspan dy="{n}" baseline-shift="{n}">a</tspan></text>',
    '<rect width="9" height="9" transform="translate({n}) scale({n}) rotate({n} {n} {n}) skewX({n})"/>',
    '<g style="transform:rotate({n}) translate({n});transform-origin:{n} {n}"><rect width="9" height="9"/></g>',
    '<svg viewBox="0 0 {n} 1" width="{n}" height="{n}"><rect width="9" height="9"/></svg>',
    '<symbol id="s" viewBox="{n} 0 1 1"><circle r="1"/></symbol><use href="#s" x="{n}" width="{n}" height="5"/>',
    '<image href="photo.png" x="{n}" width="{n}" height="{n}" preserveAspectRatio="{n} slice"/>',
    '<path id="p" d="M0 0L9 {n}"/><text><textPath href="#p" startOffset="{n}">abc</textPath></text>',
)
PAINTS = (
    '<linearGradient id="g" x1="{n}" spreadMethod="reflect" gradientTransform="scale({n})"><stop offset="{n}"/>'
    '<stop offset="1" stop-opacity="{n}"/></linearGradient><rect width="9" height="9" fill="url(#g)"/>',
    '<radialGradient id="g" gradientUnits="userSpaceOnUse" r="{n}" fx="{n}" fr="{n}" spreadMethod="repeat"><stop/>'
    '<stop offset="{n}"/></radialGradient><rect width="9" height="9" fill="url(#g)" stroke="url(#g)"/>',
    '<pattern id="g" width="{n}" height="{n}" x="{n}" patternUnits="userSpaceOnUse" patternTransform="rotate({n})">'
    '<rect width="1" height="1"/></pattern><rect width="9" height="9" fill="url(#g)" stroke="url(#g)"/>',
    '<mask id="g" x="{n}" width="{n}" height="{n}"><circle r="9"/></mask><rect width="9" height="9" mask="url(#g)"/>',
    '<marker id="g" markerWidth="{n}" refX="{n}" orient="{n}" viewBox="0 0 {n} 1"><circle r="1"/></marker>'
    '<path d="M0 0L5 5L5 9" stroke="red" stroke-width="{n}" marker-start="url(#g)" marker-mid="url(#g)"/>',
    '<clipPath id="g" clipPathUnits="objectBoundingBox"><rect width="{n}" height="1"/></clipPath>'
    '<rect width="9" height="9" clip-path="url(#g)"/>',
    '<rect width="9" height="9" fill="rgb({n},{n},{n})" stroke="hsl({n} {n} {n} / {n})"/>',
)
STEPS = (
    *('<feGaussianBlur stdDeviation="{n}"/>', '<feOffset dx="{n}" dy="{n}"/>', '<feFlood x="{n}" width="{n}"/>'),
    '<feDropShadow dx="{n}" stdDeviation="{n}" flood-opacity="{n}"/>',
    '<feMorphology operator="dilate" radius="{n}"/>',
    '<feColorMatrix values="{n} {n} {n} {n} {n} 0 1 0 0 0 0 0 1 0 0 0 0 0 1 {n}"/>',
    '<feColorMatrix type="hueRotate" values="{n}"/>',
    '<feComposite operator="arithmetic" in2="SourceAlpha" k1="{n}" k2="{n}" k3="-{n}" k4="{n}"/>',
    '<feComponentTransfer><feFuncR type="gamma" amplitude="{n}" exponent="{n}" offset="{n}"/>'
    '<feFuncB type="table" tableValues="{n} {n} 0"/><feFuncA type="linear" slope="{n}"/></feComponentTransfer>',
    "<feTile/>",
)
FUNCTIONS = ("blur({n}px)", "drop-shadow({n}px {n}px {n}px red)", "hue-rotate({n}deg)", "opacity({n})", "sepia({n})")

SELECTORS = (
    *("[*|href]", ":not(" * 500 + "a" + ")" * 500, " ".join(f"a{n}" for n in range(200)), "* " * 12, "* ~ * ~ * ~ x"),
    *(".a" * 20_000, ":nth-child(" + "9" * 5000 + ")", ":has(* * x)", ":is(* * * *)", ":nth-of-type(n of a)", "a|rect"),
    *("::before", "\\", "\\0", '"', "/*", "<!--", "[a='x' i]", ":lang(é)", ":empty:root", "rect:last-of-type", "a," * 999),
)  # fmt: skip
SHEETS_OF_STYLE = (
    "@media all{" * 3000 + "rect{fill:red}" + "}" * 3000,
    *("(" * 5000, "{" * 5000, "rect{fill:" + "(" * 3000 + "}", "@import url(x);", "@font-face{src:url(http://x)}"),
    "rect{" + "".join(f"--a{n}:var(--a{n + 1})var(--a{n + 1});" for n in range(60)) + "fill:var(--a0)}",
    "rect{" + "".join(f"--v{n}:red;" for n in range(3000)) + "}",
    "rect{fill:red}" * 90_000,
    ".b{fill:red}" * 60_000,
)
PROLOGUES = (
    *(f'<?xml version="1.0" encoding="{name}"?>' for name in ("shift_jis", "nope", "punycode", "utf-16", "base64", "hz")),
    *('<?xml version="1.1"?>', '<?xml-stylesheet href="http://x/x.css"?>', '<!DOCTYPE svg SYSTEM "http://x/x.dtd">'),
    *('<!DOCTYPE svg [<!ENTITY a SYSTEM "/etc/passwd">]>', '<!DOCTYPE svg [<!ENTITY % a "x"> %a;]>', "\0", "x"),
    "<!DOCTYPE svg [<!ATTLIST rect " + " ".join(f'a{n} CDATA "x"' for n in range(9000)) + ">]>",
)  # fmt: skip


def _many(pick: Random) -> str:
    """A few of one thing, or more than any drawing has."""
    count = pick.choice([40, 110, 119, 300, 3000])
    ways: Sequence[Callable[[], str]] = (
        lambda: '<g opacity=".9">' * count + WHOLE + "</g>" * count,
        lambda: '<g filter="blur(1px)" opacity=".9">' * count + WHOLE + "</g>" * count,
        lambda: '<svg width="40" height="40" viewBox="0 0 50 50">' * count + "<circle r='300'/>" + "</svg>" * count,
        lambda: "<text>" + '<tspan fill="red">' * count + "a" + "</tspan>" * count + "</text>",
        lambda: "".join(f'<text x="{n % 70}" y="{n % 50}">a</text>' for n in range(4 * count)),
        lambda: "<text>" + "".join(f'<tspan x="{n % 70}" y="9">a</tspan>' for n in range(6 * count)) + "</text>",
        lambda: ('<linearGradient id="g">' + '<stop offset=".5"/>' * 5 * count + "</linearGradient>" + '<rect width="9" height="9" fill="url(#g)"/>' * count),
        lambda: ('<filter id="f"><feGaussianBlur stdDeviation="1"/></filter>' + '<rect width="9" height="9" filter="url(#f)"/>' * count),
        lambda: ('<rect width="9" height="9" filter="' + "blur(1px) " * count + '" transform="' + "scale(1)" * count + '"/>'),
        lambda: '<polygon points="' + "1-.5 " * 200 * count + '"/>',
        lambda: '<rect width="9" height="9" stroke="red" stroke-dasharray="' + "1 " * count + '"/>',
        lambda: ('<marker id="m"><circle r="1"/></marker><path marker-mid="url(#m)" stroke="red" d="M0 0' + "l1 1" * 3 * count + '"/>'),
    )  # fmt: skip
    return pick.choice(ways)()


def _loops(pick: Random) -> str:
    """Things that show each other, ten times each, or themselves."""
    tag, use = pick.choice(
        [
            ("g", '<use href="#a{0}"/>'),
            ("symbol", '<use href="#a{0}"/>'),
            ("clipPath", '<rect width="9" height="9" clip-path="url(#a{0})"/>'),
            ("mask", '<rect width="9" height="9" mask="url(#a{0})"/>'),
            ("pattern", '<rect width="9" height="9" fill="url(#a{0})"/>'),
            ("marker", '<path d="M0 0L5 5L9 0" marker-mid="url(#a{0})"/>'),
            ("linearGradient", '<rect width="9" height="9" fill="url(#a{0})"/>'),
        ]
    )
    times, long, round_about = pick.choice([1, 2, 10]), pick.choice([3, 20, 60]), pick.random() < 0.5
    parts = [
        f'<{tag} id="a{n}" href="#a{n + 1}" width="1" height="1">{use.format((n + 1) % long if round_about else n + 1) * times}</{tag}>'
        for n in range(long)
    ]
    return f"<defs>{''.join(parts)}</defs>{use.format(0)}"


def _nested(pick: Random) -> str:
    """Drawings in drawings by data addresses, and addresses that are none."""
    inner = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{WHOLE * pick.choice([1, 500])}</svg>'
    for _ in range(pick.choice([1, 5, 15])):
        data = base64.b64encode(inner.encode()).decode()
        inner = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image width="9" height="9" href="data:image/svg+xml;base64,{data}"/></svg>'
    odd = pick.choice(
        ["data:,", "data:image/png;base64,é%", "hill.svg", "../../x.png", "data:image/svg+xml,%3Csvg", "c:x.png"]
    )
    return inner + f'<image width="9" height="9" href="{odd}"/>' * pick.choice([1, 3])


def _numbered(pick: Random, *forms: Sequence[str]) -> str:
    text = "".join(pick.choice(pick.choice(forms)) for _ in range(pick.choice([1, 2, 4])))
    return text.replace("{n}", pick.choice(NUMBERS))


def _filtered(pick: Random) -> str:
    steps = "".join(pick.choice(STEPS) for _ in range(pick.choice([1, 3, 55])))
    region = ' x="{n}" width="{n}" height="{n}" filterUnits="userSpaceOnUse"' if pick.random() < 0.4 else ""
    functions = " ".join(pick.choice(FUNCTIONS) for _ in range(3))
    made = f'<filter id="f"{region}>{steps}</filter><rect width="9" height="9" filter="url(#f)"/>'
    return f'{made}<rect width="9" height="9" filter="{functions}"/>'.replace("{n}", pick.choice(NUMBERS))


def _styled(pick: Random) -> str:
    sheet = pick.choice(SHEETS_OF_STYLE) if pick.random() < 0.4 else pick.choice(SELECTORS) + "{fill:red;stroke:blue}"
    body = "<g>" * 50 + WHOLE * pick.choice([1, 3000]) + "</g>" * 50
    return f"<style>{sheet.replace('<', '&lt;')}</style>{body}"


def drawing(pick: Random, files: Mapping[str, bytes]) -> Case:
    """A drawing of another program that asks for too much, or for what nobody can mean."""
    made = pick.choice([_many, _loops, _nested, _filtered, _styled, _styled, lambda by: _numbered(by, SHAPES, PAINTS)])(
        pick
    )
    number = pick.choice(NUMBERS)
    box = pick.choice(["0 0 70 50"] * 4 + [f"0 0 {number} {number}", f"{number} 0 9 9"])
    prologue = pick.choice(PROLOGUES) if pick.random() < 0.15 else ""
    size = pick.choice(["", "", f' width="{number}" height="{number}mm"'])
    head = f'{prologue}<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{size}>'
    data = f'{head}{made}<rect width="5px" height="5"/></svg>'.encode("utf-8", "surrogatepass")
    if pick.random() < 0.05:
        data = gzip.compress(data) if pick.random() < 0.5 else data.decode().encode("utf-16")
    commands = (pick.choice([SHEETS, SHEETS, SHEETS, BUILD, VALIDATE, ("images", "--dpi", "100")]),)
    return Case("drawing", head[-60:] + made[:60], {f"{ART}/art/hill.svg": data}, commands)
