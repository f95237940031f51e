"""Rewrites the source of a template for a drawing program: keeps constant parts, and names the variable ones."""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.drawing.templates.renderer import Templates
from generator.drawing.templates.template_sources import SourceMap, blank_tags, find_jinja_tags

NAME = "data-name"
"""Attribute for the name of an object; drawing programs keep it."""

_CHANGING = frozenset(["card", "lang", "second", "face", "words", "game"])
"""Variables whose value differs between the cards or languages that a template draws."""

_OPENING = re.compile(r"<([A-Za-z][\w:.-]*)([^<>]*)>")
_WORD = re.compile(r"\{%[-+]?\s*(\w+)")
_PLAIN_IF = re.compile(r"\{%[-+]?\s*if\s+(card\.\w+)\s*[-+]?%\}")
_SET = re.compile(r"\{%[-+]?\s*set\s+([\w\s,]+?)\s*(?:=(.*?))?[-+]?%\}", re.DOTALL)
_NAMED = re.compile(r"\{%[-+]?\s*(?:macro\s+(\w+)|import\b.*?\bas\s+(\w+)|from\b.*?\bimport\s+([\w\s,]+?))", re.DOTALL)
_BLOCKS = frozenset(["if", "for", "macro", "call", "filter", "with", "raw", "autoescape", "block"])
_BOUND = re.compile(r"""href=["'](icon:|[\w/.-]*)\{\{\s*(card\.\w+)\s*\}\}["']""")


@dataclass
class LayoutSource:
    """A template's rewritten source, and a note (`line:column: what`) for each part that can't be edited."""

    text: str
    in_code: list[str] = field(default_factory=list)


class _Tag(NamedTuple):
    """A Jinja tag: its place in the source, its text, and the keyword of a statement (`output` for a value)."""

    start: int
    end: int
    text: str
    word: str


class SourceRewriter:
    """Rewrites one template: texts keep their placeholders, and code that no drawing can hold is left out.

    `known` are the variables that every template has. `fixed` is a phrase for notes: how such parts are drawn instead.
    """

    def __init__(self, source: str, templates: Templates, known: frozenset[str], fixed: str):
        self._source, self._templates, self._known, self._fixed = source, templates, known, fixed
        self._places = SourceMap(source)
        self._blank = blank_tags(source, find_jinja_tags(source))
        self._tags = [
            _Tag(start, end, text, found[1] if (found := _WORD.match(text)) else "output")
            for start, end in find_jinja_tags(source)
            if not (text := source[start:end]).startswith("{#")
        ]
        self._changing, self._of_card = set(_CHANGING), {"card"}
        self._own: set[str] = set()
        self._edits: list[tuple[int, int, str]] = []
        self._result = LayoutSource("")

    def rewrite(self) -> LayoutSource:
        """Return the rewritten source."""
        inside = list(self._find_markup())
        index = 0
        while index < len(self._tags):
            tag = self._tags[index]
            within = next(((start, end, name) for start, end, name in inside if start <= tag.start < end), None)
            if within is not None:
                last = index
                while last + 1 < len(self._tags) and self._tags[last + 1].start < within[1]:
                    last += 1
                used = self._tags[index : last + 1]
                if within[2]:
                    self._read_words(within[0], within[1], used)
                else:
                    self._read_attributes(within[0], within[1], used)
                index = last + 1
            else:
                index = self._read_tag(index)
        parts, done = [], 0
        for start, end, text in sorted(self._edits):
            parts += [self._source[done:start], text]
            done = max(done, end)
        self._result.text = "".join([*parts, self._source[done:]])
        return self._result

    def _find_markup(self) -> Iterator[tuple[int, int, bool]]:
        """Yield start and end of each opening XML tag (with False), and of the words in each text (with True)."""
        for found in _OPENING.finditer(self._blank):
            yield found.start(), found.end(), False
            if found[1] in ("text", "textbox") and not found[2].endswith("/"):
                yield found.end(), self._blank.find(f"</{found[1]}", found.end()), True

    def _read_tag(self, index: int) -> int:
        """Process a Jinja tag between elements. Return the index of the next tag to process."""
        tag = self._tags[index]
        if tag.word.startswith("end") or tag.word in ("else", "elif"):
            return index + 1
        end = self._find_end(index) if tag.word in _BLOCKS or self._is_set_block(tag) else index
        if tag.word in ("output", "include"):
            if tag.word == "include" or self._uses(tag.text, self._changing):
                self._leave_out(tag.start, tag.end, tag)
            return index + 1
        if tag.word in ("macro", "import", "from", "set"):
            self._note_names(tag, self._tags[end].end)
            return end + 1
        branches = [tag, *self._find_branches(index, end)]
        plain = _PLAIN_IF.fullmatch(tag.text)
        inside = self._tags[index:end]
        if "<" not in self._blank[tag.end : self._tags[end].start] and all(each.word != "output" for each in inside):
            sets = (self._changing, self._of_card)
            asked = {id(names) for names in sets if any(self._asks_for(each, names) for each in branches)}
            for each in inside:
                if each.word == "set":
                    self._note_names(each, each.end, asked)
            return end + 1
        if end == index or not any(self._asks_for(each, self._changing) for each in branches):
            if tag.word == "for":
                self._own |= set(re.findall(r"\w+", tag.text.partition(" in ")[0]))
            return index + 1
        if plain and len(branches) == 1:
            self._edits += [
                (tag.start, tag.end, f'<g {NAME}="if:{plain[1]}">'),
                (self._tags[end].start, self._tags[end].end, "</g>"),
            ]
            return index + 1
        if tag.word == "if" and not any(self._asks_for(each, self._of_card) for each in branches):
            self._tell(tag.start, " ".join(tag.text.split()), self._fixed)
            return index + 1
        self._leave_out(tag.start, self._tags[end].end, tag)
        return end + 1

    def _find_end(self, index: int) -> int:
        """Return the index of the tag that closes the block which the tag at `index` opens."""
        depth = 0
        for at in range(index, len(self._tags)):
            tag = self._tags[at]
            if tag.word in _BLOCKS or self._is_set_block(tag):
                depth += 1
            elif tag.word.startswith("end"):
                depth -= 1
            if depth == 0:
                return at
        return index

    def _find_branches(self, index: int, end: int) -> Iterator[_Tag]:
        depth = 0
        for tag in self._tags[index + 1 : end]:
            if tag.word in _BLOCKS or self._is_set_block(tag):
                depth += 1
            elif tag.word.startswith("end"):
                depth -= 1
            elif depth == 0 and tag.word in ("elif", "else"):
                yield tag

    def _is_set_block(self, tag: _Tag) -> bool:
        found = _SET.fullmatch(tag.text) if tag.word == "set" else None
        return found is not None and found[2] is None

    def _note_names(self, tag: _Tag, end: int, asked: Container[int] = ()) -> None:
        """Record the names that a statement defines, and whether they depend on the card or the language.

        `asked` are the ids of the sets (`_changing`, `_of_card`) to which the names belong in any case.
        """
        found = _SET.fullmatch(tag.text) or _NAMED.match(tag.text)
        if found is None:
            return
        given = found.groups()[: 1 if tag.word == "set" else 3]
        names = {name.strip() for group in given if group for name in group.split(",")}
        self._own |= names
        for group in (self._changing, self._of_card):
            used = tag.word in ("macro", "set") and self._uses(self._source[tag.start : end], group)
            group.difference_update(names)
            group.update(names if used or id(group) in asked else ())

    def _uses(self, code: str, names: set[str]) -> bool:
        return not names.isdisjoint(self._templates.list_names_in(code))

    def _asks_for(self, tag: _Tag, names: set[str]) -> bool:
        """Return True if the condition of a block's tag (`if`, `elif`, `for` ...) uses one of these names."""
        if tag.word == "else":
            return False
        code, word = (tag.text.replace("elif", "if", 1), "if") if tag.word == "elif" else (tag.text, tag.word)
        return self._uses(f"{code}{{% end{word} %}}", names)

    def _read_words(self, start: int, end: int, tags: list[_Tag]) -> None:
        """Keep the placeholders in a text if every template has their variables; otherwise note the text."""
        words = self._source[start:end]
        if not self._uses(words, self._changing):
            return
        used = self._templates.list_names_in(words)
        if used <= self._known - self._own:
            for tag in tags:  # drawing programs write " as &quot;
                if "'" not in tag.text:
                    words = words.replace(tag.text, tag.text.replace('"', "'"))
            self._edits.append((start, end, f"{{% raw %}}{words.strip()}{{% endraw %}}"))
        else:
            frozen = not self._uses(words, self._of_card)
            if not frozen:  # one card's text on all cards would be wrong
                self._edits.append((start, end, ""))
            self._tell(start, f"the text {' '.join(words.split())}", self._fixed if frozen else "")

    def _read_attributes(self, start: int, end: int, tags: list[_Tag]) -> None:
        """Name an element that shows a picture or icon of the card. Note attributes that depend on the card."""
        element = self._source[start:end]
        bound = _BOUND.search(element)
        if bound is not None:
            at = start + len(_OPENING.match(self._blank, start)[1]) + 1  # type: ignore[index]
            self._edits.append((at, at, f' {NAME}="{bound[2]}"'))
        name = self._blank[start + 1 : end].split(None, 1)[0].rstrip("/>")
        attributes: dict[str, _Tag] = {}
        for tag in tags:
            inside = bound is not None and start + bound.start() <= tag.start < start + bound.end()
            if inside or tag.word.startswith(("end", "el")):
                continue
            if self._asks_for(tag, self._changing) if tag.word in _BLOCKS else self._uses(tag.text, self._changing):
                before = re.search(r"([\w:-]+)\s*=\s*[\"'][^\"']*$", self._blank[start : tag.start])
                attributes.setdefault(before[1] if before else tag.text, tag)
        if attributes:
            first = next(iter(attributes.values()))
            code = f": {first.text}" if len(attributes) == 1 else ""
            self._tell(first.start, f"{', '.join(attributes)} of <{name}>{code}", self._fixed)

    def _leave_out(self, start: int, end: int, tag: _Tag) -> None:
        inside = [each for each in self._tags if start <= each.start < end and each.word not in ("output", "include")]
        kept = "".join([each.text for each in inside]) if any(each.word == "set" for each in inside) else ""
        self._edits.append((start, end, kept))  # later code may use the names that it sets
        self._tell(start, " ".join(tag.text.split()))

    def _tell(self, offset: int, what: str, drawn: str = "") -> None:
        shown = what if len(what) <= 80 else f"{what[:77]}..."
        end = f" ({drawn})" if drawn else ""
        self._result.in_code.append(f"{self._places.find_position(offset)}: stays in code: {shown}{end}")
