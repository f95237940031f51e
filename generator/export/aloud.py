"""What the faces of a game say, to be read aloud: each text once, numbers together, icons by their names."""

import html
from collections.abc import Iterator, Sequence
from operator import attrgetter

from generator.dataclass import dataclass
from generator.errors import Problem
from generator.export.archive import plain_key
from generator.faces.words import Called, plain
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing, Group, Item, Placed, TextFrame
from generator.model.game import Design, Game
from generator.model.phrases import count_phrase, phrase
from generator.templates.codes import qr
from generator.writers.web_policy import policy_meta

_ICON = "icon:"
_CODE = 24.0
"""mm of a QR code as it is printed."""

_STYLE = (
    "body{font:1.25rem/1.6 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem}"
    "body{color:#111;background:#fff}"
    "article{border-top:2px solid #111;padding:.5rem 0 1rem;break-inside:avoid}article:target{outline:4px solid #05c}"
    "h1,h2,h3{line-height:1.25}svg{width:24mm;height:24mm;margin:4mm 0}a{color:#04a}"
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What one design says: its anchor on the page, its name, what it is, and lines to be read."""

    anchor: str
    name: str
    kind: str
    count: int
    lines: tuple[str, ...]


def spoken(
    workshop: Workshop, designs: Sequence[Design], lang: str, called: Called, problems: list[Problem]
) -> Iterator[Spoken]:
    """Every design that is printed, kind by kind as in the data; what can't be read goes to the problems."""
    game = workshop.game
    for design in designs:
        if not design.count:
            continue
        kind, name = game.kinds[design.kind], called(design, lang)
        lines: list[str] = []
        for side in kind.faces(design):
            face = workshop.face(design, side, lang)
            if face is None:
                continue  # the workshop's problems say why
            said = [line for line in _lines(workshop, face, lang, called, problems) if line != name]
            if side == "back" and said:
                said = [phrase("aloud_back", lang, said=" ".join(said))]
            lines += (line for line in said if line not in lines)
        kind_name = plain(game, kind.name[lang], lang, called, kind.place, problems)
        yield Spoken(plain_key(design.id), name, kind_name, design.count, tuple(lines))


def _lines(workshop: Workshop, face: Drawing, lang: str, called: Called, problems: list[Problem]) -> Iterator[str]:
    """A face from its title to its numbers; what stands there twice, as on cards that may be turned, is said once."""
    texts: dict[str, None] = {}
    numbers: dict[str, None] = {}
    named: set[str] = set()
    for frame in sorted(
        filter(attrgetter("aloud"), face.frames), key=lambda frame: (frame.text_role != "title", _lesser(frame))
    ):
        marked = _once_named(workshop.game, frame.text, lang)
        text = " ".join(plain(workshop.game, marked, lang, called, None, problems).split()).replace("\u2011", "-")
        named.update(icon for icon in workshop.game.icons if f"{{{icon}}}" in frame.text)
        if text:
            (numbers if frame.text_role == "number" else texts)[text] = None
    yield from texts
    shown = dict.fromkeys(
        workshop.game.icons[icon].name[lang]
        for icon in _icons(face.items)
        if icon in workshop.game.icons and icon not in named
    )
    between = phrase("and", lang)
    new = [name for name in shown if name not in texts]
    if new:
        yield phrase("aloud_shown", lang, said=between.join(new))
    if numbers:
        yield phrase("aloud_numbers", lang, said=between.join(numbers))


def _lesser(frame: TextFrame) -> float:
    """Numbers are told from the largest to the smallest; other texts as they were drawn."""
    return -frame.size if frame.text_role == "number" else 0.0


def _once_named(game: Game, text: str, lang: str) -> str:
    """The text without icons that their own names follow: `{human} Human` is heard once."""
    for icon in game.icons.values():
        for space in (" ", "\u00a0", ""):
            text = text.replace(f"{{{icon.id}}}{space}{icon.name[lang]}", icon.name[lang])
    return text


def _icons(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Placed):
            if item.symbol.name.startswith(_ICON):
                yield item.symbol.name.removeprefix(_ICON)
            else:
                yield from _icons(item.symbol.items)
        elif isinstance(item, Group):
            yield from _icons(item.items)


def as_text(title: str, said: Sequence[Spoken], lang: str) -> bytes:
    """A plain text: a paragraph for each design."""
    parts = [title]
    for one in said:
        head = f"{one.name} – {one.kind}, {count_phrase('aloud_copies', lang, one.count)}"
        parts.append("\n".join((head, *one.lines)))
    return ("\n\n".join(parts) + "\n").encode()


def as_page(title: str, said: Sequence[Spoken], lang: str, address: str = "") -> bytes:
    """A web page with an anchor for each design; with its `address` each has a QR code that leads there.

    ValueError where the address is too long for a code.
    """
    body = [f"<h1>{html.escape(title)}</h1>"]
    kind = ""
    for one in said:
        if one.kind != kind:
            kind = one.kind
            body.append(f"<h2>{html.escape(kind)}</h2>")
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in one.lines)
        copies = html.escape(count_phrase("aloud_copies", lang, one.count))
        body.append(
            f'<article id="{one.anchor}"><h3>{html.escape(one.name)}</h3><p>{copies}</p>{lines}'
            f"{_code(one, address)}</article>"
        )
    head = (
        f'<meta charset="utf-8">{policy_meta()}<meta name="viewport" content="width=device-width">'
        f"<title>{html.escape(title)}</title>"
    )
    page = f'<!doctype html>\n<html lang="{lang}">{head}<style>{_STYLE}</style>\n' + "\n".join(body) + "\n</html>\n"
    return page.encode()


def _code(one: Spoken, address: str) -> str:
    if not address:
        return ""
    path = qr(f"{address}#{one.anchor}", _CODE)
    view = f'viewBox="-4 -4 {_CODE + 8:g} {_CODE + 8:g}"'
    return (
        f'<svg role="img" aria-label="{html.escape(address, quote=True)}#{one.anchor}" {view}><path d="{path}"/></svg>'
    )
