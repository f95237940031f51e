"""Upright pages as a template has them: paragraphs parted by empty lines, with a title."""

from collections.abc import Iterator

from generator.errors import Place
from generator.pages.blocks import Origin, Text, Upright
from generator.rulebook.inline import InlineReader
from generator.rulebook.markdown import Fence, Manuscript


def upright_page(fence: Fence, manuscript: Manuscript, inline: InlineReader) -> Upright:
    """Paragraphs parted by empty lines; a first line with a # is their title."""
    title: Text = ()
    paragraphs: list[Text] = []
    parts: list[Place] = []
    for line, text in _paragraphs(fence):
        places = [manuscript.place(line + at) for at in range(text.count("\n") + 1)]
        if text.startswith("# "):
            title = inline.read(text[2:], places)
        else:
            paragraphs.append(inline.read(text, places))
            parts.append(manuscript.begins(line))
    if not paragraphs:
        manuscript.problem(fence.line, "an upright page without a paragraph", "write some text into it")
    return Upright(tuple(paragraphs), title, Origin(manuscript.begins(fence.line), tuple(parts)))


def _paragraphs(fence: Fence) -> Iterator[tuple[int, str]]:
    """The paragraphs of a block of text with the line on which each begins."""
    start, lines = fence.first, list[str]()
    for at, line in enumerate([*fence.body.split("\n"), ""]):
        if lines and (not line.strip() or lines[0].startswith("# ")):
            yield start, "\n".join(lines)
            lines = []
        if line.strip():
            start = start if lines else fence.first + at
            lines.append(line)
