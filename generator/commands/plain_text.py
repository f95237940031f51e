"""Plain text: writes a book's blocks as lines for the terminal."""

from collections.abc import Iterable, Iterator, Sequence

from generator.base.languages import count_columns
from generator.books.page.blocks import Block, Box, Figure, Heading, Listing, Paragraph, Table, Text, dissolve_groups
from generator.books.page.text_setter import plain_from_text
from generator.game.rich_text import Plain

_STEP = "  "


def write_lines(blocks: Iterable[Block], indent: str = "") -> Iterator[str]:
    """Yield the lines of blocks, indented below their headings. Blocks that need pages are left out."""
    for block in dissolve_groups(blocks):
        if isinstance(block, Heading):
            words, above, indent = _write_text(block.text), _STEP * (block.level - 1), _STEP * block.level
            yield from ["", f"{words}:"] if block.level == 1 else [above + words]
        elif isinstance(block, Paragraph):
            yield indent + _write_text(block.text)
        elif isinstance(block, Listing):
            for number, entry in enumerate(block.entries, 1):
                mark = f"{number}. " if block.ordered else f"{block.sign} " if block.sign else _STEP
                first, *others = write_lines(entry)
                yield f"{indent}{mark}{first}"
                yield from (f"{indent}{_STEP}{line}" for line in others)
        elif isinstance(block, Table):
            rows = [block.head, *block.rows] if any(block.head) else block.rows
            yield from align_columns([list(map(_write_text, row)) for row in rows], indent)
        elif isinstance(block, Figure):
            yield indent + (_write_text(block.caption) or block.alt)
        elif isinstance(block, Box):
            yield from write_lines(block.blocks, indent)


def align_columns(rows: Iterable[Sequence[str]], indent: str = "") -> Iterator[str]:
    """Yield the rows as indented lines with aligned columns."""
    known = list(rows)
    widths = [max(map(count_columns, column)) for column in zip(*known, strict=True)]
    for row in known:
        cells = (part + " " * (width - count_columns(part)) for part, width in zip(row, widths, strict=True))
        yield indent + "  ".join(cells).rstrip()


def _write_text(text: Text) -> str:
    """Return the characters of a text. Struck words are in `[-...-]`, underlined ones in `{+...+}`."""
    parts = []
    for inline in text:
        words = plain_from_text((inline,))
        if isinstance(inline, Plain) and inline.manner.struck:
            words = f"[-{words}-]"
        elif isinstance(inline, Plain) and inline.manner.underlined:
            words = f"{{+{words}+}}"
        parts.append(words)
    return "".join(parts)
