"""What the marks of texts ask of a face: lists and tables laid out, fonts and sizes that there are."""

from collections.abc import Callable

from generator.errors import did_you_mean
from generator.model.layout import ListItem, TextLines, TextTable, laid_out
from generator.model.markup import MarkupError
from generator.model.text import LineBreak, RichText
from generator.svg.scene import Scene
from generator.text.marks.blocks import Block, TextGrid, set_blocks
from generator.text.marks.variable import has_weight
from generator.text.textbox import IconFinder, SetText, TextBox


def slips_of_manner(scene: Scene, rich: RichText, lang: str, family: str) -> list[tuple[str, str]]:
    """What is wrong with the manners of a text's words, and what to do."""
    slips: list[tuple[str, str]] = []
    families = scene.studio.game.fonts
    manners = dict.fromkeys(inline.manner for inline in rich if not isinstance(inline, LineBreak))
    for manner in manners:
        own = manner.family or family
        if manner.family and own not in families:
            what = f"the text of {scene.subject} names the unknown font family '{own}'"
            slips.append((what, did_you_mean(own, families)))
        elif own and manner.weight not in (0, 400, 700) and (slip := slip_of_weight(scene, own, lang, manner.weight)):
            slips.append((f"the text of {scene.subject} has a weight that is not there: {slip[0]}", slip[1]))
    return slips


def slip_of_weight(scene: Scene, family: str, lang: str, weight: int) -> tuple[str, str] | None:
    """What is wrong with a weight that a family lacks in a language, and what to do."""
    entry = scene.studio.game.fonts[family]
    book = scene.studio.fonts
    book.chain(family, lang, weight=weight)
    if has_weight(entry, lang, weight, book.varying):
        return None
    spans = [book.varying[file] for file in entry.regular.get(lang, ()) if file in book.varying]
    own = entry.weights.get(lang, {})
    known = sorted({400, *own, *([700] if entry.bold.get(lang) else ())})
    has = [*map(str, known), *(f"{lightest} to {heaviest}" for lightest, heaviest in spans)]
    hint = f"it has {', '.join(has)}; add `weights: {{{weight}: [file]}}` beside its `regular:`"
    return f"the font family '{family}' has no weight {weight} for '{lang}'", hint


def set_listed(
    scene: Scene,
    words: str,
    box: TextBox,
    icon: IconFinder,
    read: Callable[[str], RichText | None],
    complain: Callable[[str, str], None],
) -> SetText | None:
    """A text with lists and tables in its box; None where there is something to complain of.

    `read` makes rich text of a part; it gives None where it has complained.
    """
    text = words.strip("\n")
    try:
        parts = laid_out(text)
    except MarkupError as mistake:
        near = text[mistake.offset :][:12]
        complain(f"the text of {scene.subject} has wrong markup near '{near}': {mistake.what}", "")
        return None
    if box.vertical and any(isinstance(part, TextTable) for part in parts):
        complain(f"the text of {scene.subject} has a table, which can't be set in columns", "write a list instead")
        return None
    blocks: list[Block | TextGrid] = []
    for part in parts:
        if isinstance(part, (TextLines, ListItem)):
            rich = read(part.words)
            if rich is None:
                return None
            mark, depth = (part.mark, part.depth) if isinstance(part, ListItem) else ("", 0)
            blocks.append(Block(rich, mark, depth, part.fresh))
            continue
        cells = [[read(cell) for cell in row] for row in part.rows]
        rows = tuple(tuple(cell for cell in row if cell is not None) for row in cells)
        if any(len(row) < len(part.sides) for row in rows):
            return None
        blocks.append(TextGrid(rows, part.headed, part.sides, part.fresh))
    return set_blocks(blocks, box, scene.studio.fonts, icon)
