"""The templates of a game. Those that only put a card's fields into markup need no Jinja2, whose import takes time."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.base.cache import CodeTable
from generator.base.errors import Place
from generator.base.files import Resources
from generator.drawing.templates.functions import FUNCTIONS, Budget
from generator.drawing.templates.template_sources import DRAWN_SIGNS, Rendered, TagStamper, TemplateFiles
from generator.drawing.templates.template_values import ABSENT, look_up
from generator.game.game_cache import ReadLog

if TYPE_CHECKING:
    from generator.drawing.templates.renderer import JinjaTemplates

_FIELD = r"\{\{ *card\.([A-Za-z_]\w*) *\}\}"


class PlainTemplate(NamedTuple):
    """A template without code: its markup, and the fields of the card by their places in `pieces`."""

    file: str
    pieces: tuple[str, ...]
    fields: tuple[tuple[int, str], ...]


class Templates:
    """The templates of one game. Renders faces and fills in texts, or raises ProblemsFound with file and line."""

    functions = FUNCTIONS
    """The functions that every template can call, as variables."""

    def __init__(self, game: str, resources: Resources, reads: ReadLog | None = None):
        self._game, self._reads = game, reads
        self._budget = Budget()
        self._sources = TemplateFiles(game, resources, reads)
        self._plain: dict[str, PlainTemplate | None] = {}
        self._note_variable: Callable[[str, str], None] | None = None
        self._codes: CodeTable | None = None

    @cached_property
    def jinja(self) -> "JinjaTemplates":
        """What renders templates with code, and other texts."""
        from generator.drawing.templates.renderer import JinjaTemplates

        made = JinjaTemplates(self._game, self._sources, self._budget, self._reads)
        if self._note_variable is not None:
            made.note_variables(self._note_variable)
        if self._codes is not None:
            made.use_code(self._codes)
        return made

    def locate_stamp(self, face: Rendered, stamp: str) -> Place:
        """Return the place of an element of a face, or its template if it has no stamp."""
        try:
            number, line, column = map(int, stamp.split(":"))
            return Place(self._sources.numbered[number], line, column)
        except (ValueError, KeyError):  # no stamp, or one forged by the template
            return Place(face.file)

    def note_variables(self, note: Callable[[str, str], None]) -> None:
        """Call `note` with the language and the name of each variable that a template or a text uses from now on."""
        self._note_variable = note
        if "jinja" in self.__dict__:
            self.jinja.note_variables(note)

    def use_code(self, codes: CodeTable) -> None:
        """Take templates compiled in earlier runs from a table, and add new ones to it."""
        self._codes = codes
        if "jinja" in self.__dict__:
            self.jinja.use_code(codes)

    def note_card_use(self) -> None:
        """Note that the current text depends on the card."""
        if "jinja" in self.__dict__:
            self.jinja.note_card_use()

    def find_source(self, name: str) -> tuple[str, str] | None:
        """Return the source of a template and its file, or None if there is no such template."""
        return self._sources.read_source(name)

    def expand_text(self, text: str, variables: Mapping[str, Any], place: Place | None) -> str:
        """Return a text of the data with its `{{ ... }}` filled in. Problems refer to `place`."""
        return self.jinja.expand_text(text, variables, place)

    def render_face(self, name: str, variables: dict[str, Any], asked_at: Callable[[], Place | None]) -> Rendered:
        """Return the markup, never blank, of template file `name`; `asked_at` returns the place that names it."""
        if name not in self._plain:
            self._plain[name] = self._read_plain(name)
        plain = self._plain[name]
        pieces = self._fill_in(name, plain, variables) if plain is not None else None
        if plain is None or pieces is None:
            return self.jinja.render_face(name, variables, asked_at)
        return Rendered(pieces, plain.file, bool(plain.fields), False)

    def _read_plain(self, name: str) -> PlainTemplate | None:
        """Return a template if it has no code but fields of the card."""
        source, file = self._sources.read_source(name) or ("", "")
        parts = re.split(_FIELD, source.removesuffix("\n"))
        if "<" not in source or any(sign in part for part in parts[::2] for sign in ("{{", "{%", "{#")):
            return None
        if DRAWN_SIGNS.search(source):
            return None
        stamper, line = TagStamper(self._sources.number_file(file), source), 1
        pieces: list[str] = []
        fields: list[tuple[int, str]] = []
        for at, part in enumerate(parts):
            if at % 2:
                fields.append((len(pieces), part))
                pieces.append("")
            elif part:
                pieces.append(stamper.stamp_tags(part, line, tag_may_end=False))
                line += part.count("\n")
        return PlainTemplate(file, tuple(pieces), tuple(fields))

    def _fill_in(self, name: str, plain: PlainTemplate, variables: Mapping[str, Any]) -> tuple[str, ...] | None:
        """Return the pieces of a face, or None if a field is missing or no text, which the renderer explains."""
        if self._reads is not None:
            self._reads.note_reads([("template", name)])
        if self._note_variable is not None and plain.fields:
            self._note_variable(variables["lang"], "card")
        self._budget.restart()
        pieces, card = list(plain.pieces), variables["card"]
        for at, field in plain.fields:
            value = look_up(card, field)
            if value is ABSENT:
                return None
            try:
                pieces[at] = self._budget.escape_value(value)
            except ValueError:
                return None
        return tuple(pieces)
