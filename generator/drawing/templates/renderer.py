"""Render templates with Jinja2: places on start tags, mistakes as problems."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from traceback import walk_tb
from types import TracebackType
from typing import Any, NamedTuple

from jinja2 import BaseLoader, Template, TemplateAssertionError, TemplateNotFound, TemplateSyntaxError, nodes
from jinja2.environment import Environment
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.ext import Extension
from jinja2.lexer import (
    TOKEN_ASSIGN,
    TOKEN_BLOCK_BEGIN,
    TOKEN_BLOCK_END,
    TOKEN_DATA,
    TOKEN_VARIABLE_BEGIN,
    Token,
    TokenStream,
)
from jinja2.meta import find_undeclared_variables
from jinja2.runtime import Undefined
from jinja2.utils import missing

from generator.base.cache import CodeTable
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean
from generator.drawing.templates.functions import NO_TEXT, Budget, BudgetExceeded
from generator.drawing.templates.sandbox import MissingValue, Sandbox
from generator.drawing.templates.template_sources import (
    DRAWN_SIGNS,
    Rendered,
    SyntaxFault,
    TagStamper,
    TemplateFiles,
    blank_tags,
    explain_syntax,
    find_jinja_tags,
    unweave_parts,
)
from generator.drawing.templates.template_values import View
from generator.game.game_cache import ReadLog

_NO_SUCH = re.compile(r"No (filter|test) named '([^']*)'")

_ASK_FIRST = "put what uses it between {% if second is defined %} and {% endif %}"

_Mistakes = (
    *(TemplateError, ArithmeticError, AttributeError, LookupError, RecursionError, SyntaxError, TypeError, ValueError),
)


class RenderedText(NamedTuple):
    """The text of a rendered template, and each line's place in its template (or an included one)."""

    text: str
    places: tuple[Place, ...]


_STAMP_BEGINS, _STAMP_ENDS = "\U000f0000", "\U000f0001"
"""Private characters around the number of a template's line while the template is rendered."""

_LINE_STAMP = re.compile(f"{_STAMP_BEGINS}([0-9]+):([0-9]+){_STAMP_ENDS}")
_AT_START = re.compile(f"(?:{_LINE_STAMP.pattern})+")
_KEPT_TEXT = ("macro", "call", "filter")
"""Blocks whose text is used as a value: stamps in it would be counted and compared."""

_ANCHOR = re.compile(r"\{#([\w.-]+)\}")
_NOTHING = "{{ '' }}"


class _LineStamps(Extension):
    """A filter that puts file and line before each line of a text template. `{#name}` is text there, not a comment."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        marked = re.search(NO_TEXT, source)
        if marked:
            line = source.count("\n", 0, marked.start()) + 1
            what = f"the character U+{ord(marked[0]):04X} has no meaning here"
            raise TemplateAssertionError(what, line, name, filename)
        self.environment.sources[filename or name] = source.split("\n")  # type: ignore[attr-defined]
        return _keep_line_ends(_ANCHOR.sub(r"{:#\1}", source))

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        numbering: Callable[[str], int] = self.environment.file_number  # type: ignore[attr-defined]
        file, kept = numbering(stream.filename or stream.name or ""), 0
        tokens = list(stream)
        for index, token in enumerate(tokens):
            if token.type == TOKEN_BLOCK_BEGIN:
                kept += _count_kept_text(tokens, index + 1)
            if token.type == TOKEN_VARIABLE_BEGIN and not kept:  # comments leave no token
                yield Token(token.lineno, TOKEN_DATA, f"{_STAMP_BEGINS}{file}:{token.lineno}{_STAMP_ENDS}")
            if token.type == TOKEN_DATA and not kept:
                pieces = token.value.split("\n")
                lines = [
                    f"{_STAMP_BEGINS}{file}:{line}{_STAMP_ENDS}{piece}"
                    for line, piece in enumerate(pieces, token.lineno)
                ]
                yield Token(token.lineno, TOKEN_DATA, "\n".join(lines))
            else:
                yield token


def _keep_line_ends(source: str) -> str:
    """Return the template with changed tags and comments: they remove a line's end only if alone on it."""
    tags = list(find_jinja_tags(source, ("{#", "{%")))
    bare = blank_tags(source, tags)
    parts, done = [], 0
    for begin, end in tags:
        start = source.rfind("\n", 0, begin) + 1
        ends_line = source.startswith("\n", end)
        joins_above = source[begin + 2] == "-"  # it removed the line's end before it
        if ends_line and source[end - 3] != "-" and (joins_above or bare[start:end].strip()):
            parts += [source[done:end], _NOTHING]
            done = end
    return "".join([*parts, source[done:]])


def _count_kept_text(tokens: list[Token], index: int) -> int:
    """Return 1 if the token names a block whose text is used as a value, -1 if it names the end of one, else 0."""
    name = tokens[index].value
    if name in _KEPT_TEXT:
        return 1
    if name == "set":
        rest = takewhile(lambda token: token.type != TOKEN_BLOCK_END, tokens[index:])
        return 0 if any(token.type == TOKEN_ASSIGN for token in rest) else 1
    return -1 if name in ("endset", *(f"end{kept}" for kept in _KEPT_TEXT)) else 0


class _PlaceStamps(Extension):
    """A filter that puts each template's file number, line and column on its start tags."""

    _source = ""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002
        self._source = source
        return source

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        numbering: Callable[[str], int] = self.environment.file_number  # type: ignore[attr-defined]
        stamper = TagStamper(numbering(stream.filename or stream.name or ""), self._source)
        tokens = list(stream)
        for index, token in enumerate(tokens):
            if token.type == TOKEN_DATA:
                text = stamper.stamp_tags(token.value, token.lineno, _is_name_complete(tokens, index))
                yield Token(token.lineno, TOKEN_DATA, text)
            else:
                yield token


def _is_name_complete(tokens: list[Token], index: int) -> bool:
    """Return True if a tag's name at the end of piece `index` is complete: `<g{% if x %} id="a"{% endif %}>`."""
    if index + 1 < len(tokens) and tokens[index + 1].type != TOKEN_BLOCK_BEGIN:
        return False
    for token, previous in zip(tokens[index + 2 :], tokens[index + 1 :], strict=False):
        if token.type == TOKEN_VARIABLE_BEGIN:
            return False
        if token.type == TOKEN_DATA and previous.type == TOKEN_BLOCK_END:
            return bool(token.value[0] in " \t\r\n/>")
    return False


class _TemplateLoader(BaseLoader):
    def __init__(self, files: TemplateFiles):
        self._files = files
        self.sources: dict[str, str] = {}

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, None]:  # noqa: ARG002
        found = self._files.read_source(template)
        if found is None:
            raise TemplateNotFound(template)
        text, file = found
        if DRAWN_SIGNS.search(text):
            from generator.drawing.svg.drawing_layout import adapt_layout  # most templates are written by hand

            self.sources[file], text = text, adapt_layout(text)
        return text, file, None


class JinjaTemplates:
    """The templates of one game. Renders faces and fills in texts, or raises ProblemsFound with file and line."""

    def __init__(self, game: str, sources: TemplateFiles, budget: Budget, reads: ReadLog | None):
        self._game, self._sources, self._budget = game, sources, budget
        self._loader = _TemplateLoader(self._sources)
        self._faces = Sandbox(self._budget, reads, autoescape=True, loader=self._loader)
        self._faces.file_number = sources.number_file
        self._faces.add_extension(_PlaceStamps)
        self._words = Sandbox(self._budget, reads, autoescape=False)
        # An included text ends its own last line, so the line's end after its tag is removed.
        self._pages = Sandbox(self._budget, reads, autoescape=False, loader=self._loader, keep_trailing_newline=True)
        self._pages.file_number = sources.number_file
        self._pages.sources = {}  # type: ignore[attr-defined]
        self._pages.add_extension(_LineStamps)
        self._texts: dict[str, Template] = {}

    def note_variables(self, note: Callable[[str, str], None]) -> None:
        """Call `note` with the language and the name of each variable that a template or a text uses from now on."""
        for sandbox in (self._faces, self._words, self._pages):
            sandbox.note_variable, sandbox.notes_values = note, True

    def use_code(self, codes: CodeTable) -> None:
        """Take templates compiled in earlier runs from a table, and add new ones to it."""
        for sandbox in (self._faces, self._words, self._pages):
            sandbox.codes = codes

    def note_card_use(self) -> None:
        """Note that the current text depends on the card."""
        self._faces.card_used = True

    def render_face(self, name: str, variables: dict[str, Any], asked_at: Callable[[], Place | None]) -> Rendered:
        """Return the markup, never blank, of template file `name`; `asked_at` returns the place that names it."""
        self._budget.restart()
        self._faces.card_used = self._faces.second_used = False
        try:
            template = self._faces.get_template(name)
            context = template.new_context(variables, shared=True)
            pieces = self._budget.pay_parts(template.root_render_func(context))
        except _Mistakes as mistake:
            raise ProblemsFound([self._explain_mistake(mistake, name, asked_at, variables)]) from mistake
        file = template.filename or name
        if not any(piece and not piece.isspace() for piece in pieces):
            source = self._sources.read_source(name)
            what = "the template produces no output here" if source and source[0].strip() else "the template is empty"
            raise ProblemsFound([Problem(Place(file), what, "draw an <svg> in it")])
        return Rendered(unweave_parts(pieces), file, self._faces.card_used, self._faces.second_used)

    def render_changed(self, name: str, source: str, variables: dict[str, Any]) -> str:
        """Return the markup of a changed source of template file `name`, without stamps of its own places."""
        self._budget.restart()
        try:
            template = self._faces.from_string(source)
            return self._budget.join_parts(template.root_render_func(template.new_context(variables, shared=True)))
        except _Mistakes as mistake:
            raise ProblemsFound([self._explain_mistake(mistake, name, lambda: None, variables)]) from mistake

    def list_names_in(self, expression: str) -> set[str]:
        """Return the names that template code uses and doesn't define. Raise TemplateSyntaxError if it is wrong."""
        return find_undeclared_variables(self._words.parse(expression))

    def render_text(self, name: str, variables: dict[str, Any]) -> RenderedText:
        """Return the text of a template file with the place of each line, without lines that rendering makes empty."""
        self._budget.restart()
        try:
            template = self._pages.get_template(name)
            stamped = self._budget.join_parts(template.root_render_func(template.new_context(variables, shared=True)))
        except _Mistakes as mistake:
            raise ProblemsFound([self._explain_mistake(mistake, name, lambda: None, variables)]) from mistake
        place = Place(template.filename or name, 1)
        lines, places = [], []
        for line in stamped.split("\n"):
            # Lines that begin within a value of several lines get the place of that value.
            first, stamps, text = _AT_START.match(line), _LINE_STAMP.findall(line), _LINE_STAMP.sub("", line)
            here = self._line_place(first.groups()) if first else place
            place = self._line_place(stamps[-1]) if stamps else place
            written: list[str] = self._pages.sources[here.file]  # type: ignore[attr-defined]
            if text.strip() or not first or not written[here.line - 1].strip():
                places.append(here)
                lines.append(text)
        return RenderedText("\n".join(lines), tuple(places) or (place,))

    def _line_place(self, stamp: Sequence[str]) -> Place:
        return Place(self._sources.numbered[int(stamp[0])], int(stamp[1]))

    def read_texts(self) -> dict[str, str]:
        """Return the sources by file of all text templates rendered so far, including included and imported ones."""
        sources: dict[str, list[str]] = self._pages.sources  # type: ignore[attr-defined]
        return {file: "\n".join(lines) for file, lines in sources.items()}

    def expand_text(self, text: str, variables: Mapping[str, Any], place: Place | None) -> str:
        """Return a text of the data with its `{{ ... }}` filled in. Problems refer to `place`."""
        try:
            template = self._texts.get(text)
            if template is None:
                template = self._texts[text] = self._words.from_string(text)
            context = template.new_context(dict(variables))
            with self._budget.begin_text():
                return self._budget.join_parts(template.root_render_func(context))
        except _Mistakes as mistake:
            what, hint = self._explain_reason(mistake, variables)
            if isinstance(mistake, TemplateSyntaxError):
                hint = ", or ".join(filter(None, [hint, r"write \{\{ for braces in the text"]))
            shown = text if len(text) <= 40 else f"{text[:40]}..."
            raise ProblemsFound([Problem(place, f"in the text '{shown}': {what}", hint)]) from mistake

    def compute_value(self, expression: str, names: Mapping[str, Any]) -> Any:
        """Return the value of an expression of the data. Raise ValueError with a message if it is wrong."""
        self._budget.restart()
        try:
            value = self._words.compile_expression(expression, undefined_to_none=False)(**names)
            if isinstance(value, Iterator):
                value = list(value)  # a mistake inside is raised only on iteration
            return str(value) if isinstance(value, Undefined) else value  # an undefined value raises its error here
        except _Mistakes as mistake:
            raise ValueError("; ".join(filter(None, self._explain_reason(mistake, names)))) from mistake

    def _explain_mistake(
        self, mistake: Exception, name: str, asked_at: Callable[[], Place | None], variables: Mapping[str, Any]
    ) -> Problem:
        what, hint = self._explain_reason(mistake, variables)
        if isinstance(mistake, TemplateSyntaxError):
            fault = _syntax_fault(mistake)
            line, column = (fault.line, fault.column) if fault else (mistake.lineno, 0)
            wrong = Place(mistake.filename or mistake.name or "", line, column)
            return Problem(wrong, self._name_object(wrong, what), hint)
        place = _template_place(mistake.__traceback__)
        if place is None and not isinstance(mistake, TemplateNotFound):  # raised before or after its lines
            place = Place(found[1]) if (found := self._sources.read_source(name)) else None
        return Problem(place or asked_at(), self._name_object(place, what), hint)

    def _name_object(self, place: Place | None, what: str) -> str:
        """Return `what` is wrong, after the name of the object there if a drawing program saved the template."""
        source = self._loader.sources.get(place.file, "") if place is not None else ""
        if place is None or not place.line or not source:
            return what
        from generator.drawing.svg.drawing_layout import name_object

        named = name_object(source, place.line)
        return f"{named}: {what}" if named else what

    def _explain_reason(self, mistake: Exception, variables: Mapping[str, Any]) -> tuple[str, str]:
        """Return what is wrong in a template, and a hint or "". Raise errors again that are bugs of this program."""
        if isinstance(mistake, TemplateNotFound):
            name = str(mistake.name)
            if self._sources.leads_out(name):
                return f"the template '{name}' is a link that leads out of the folder", "copy the file there"
            # Endings would make all names similar.
            known = [other.removesuffix(".svg") for other in self._sources.list_names()]
            hint = did_you_mean(name.removesuffix(".svg"), known)
            return f"there is no template '{name}' in templates/{self._game} or templates/common", hint
        if isinstance(mistake, MissingValue):
            return _explain_missing(mistake, variables)
        if isinstance(mistake, (InvalidInput, SecurityError)):
            return str(mistake), getattr(mistake, "hint", "")
        unknown = _NO_SUCH.match(str(mistake)) if isinstance(mistake, TemplateError) else None
        if unknown:
            names = self._faces.filters if unknown[1] == "filter" else self._faces.tests
            return f"there is no {unknown[1]} '{unknown[2]}'", did_you_mean(unknown[2], names)
        if isinstance(mistake, TemplateSyntaxError) and (fault := _syntax_fault(mistake)):
            return fault.what, fault.hint
        if isinstance(mistake, (RecursionError, SyntaxError)):
            return "the template is nested too deeply or calls itself without end", ""
        if "integer string conversion" in str(mistake):
            return "the number has too many digits", ""
        if not isinstance(mistake, (TemplateError, BudgetExceeded)) and _is_program_error(mistake.__traceback__):
            raise mistake
        if isinstance(mistake, ZeroDivisionError):
            return "a division by zero", ""
        told = mistake.message if isinstance(mistake, TemplateError) else str(mistake)
        message = (told or type(mistake).__name__).rstrip(".")
        kind = "values of the wrong kind: " if isinstance(mistake, TypeError) else ""
        return kind + (message if kind else message[:1].lower() + message[1:]), ""


def _syntax_fault(mistake: TemplateSyntaxError) -> "SyntaxFault | None":
    if isinstance(mistake, TemplateAssertionError):
        return None
    return explain_syntax(mistake.message or "", mistake.source or "", mistake.lineno)


def _explain_missing(mistake: MissingValue, variables: Mapping[str, Any]) -> tuple[str, str]:
    if mistake.of is missing:
        if mistake.name in variables:
            return (f"'{mistake.name}' is not known in an imported file", "import it 'with context', or pass the value")
        if mistake.name == "second":
            return "'second' is defined only when you print two languages together", _ASK_FIRST
        return f"'{mistake.name}' is not known here", did_you_mean(mistake.name, variables)
    if isinstance(mistake.of, View):
        return f"{mistake.of} has no field '{mistake.name}'", did_you_mean(mistake.name, map(str, mistake.of))
    if isinstance(mistake.of, Undefined):
        return str(mistake), ""
    kind = {str: "a text", int: "a number", float: "a number", tuple: "a list", list: "a list", type(None): "nothing"}
    return f"{kind.get(type(mistake.of), 'this value')} has no '{mistake.name}'", ""


def _template_place(trace: TracebackType | None) -> Place | None:
    place = None
    for frame, line in walk_tb(trace):
        template = frame.f_globals.get("__jinja_template__")
        if isinstance(template, Template) and template.filename:
            place = Place(template.filename, template.get_corresponding_lineno(line))
    return place


def _is_program_error(trace: TracebackType | None) -> bool:
    module = [frame.f_globals.get("__name__", "") or "" for frame, _ in walk_tb(trace)][-1]
    own = (".templates.renderer", ".templates.sandbox", ".templates.functions")
    return module.startswith("generator.") and not module.endswith(own)


_BUILT_IN = ("id", "count", "kind", "fields")
"""Values of each card that its table does not declare as fields."""


def find_drawn_fields(source: str) -> dict[str, str]:
    """Return the type of each field that a drawing shows, by name, in the order of the drawing.

    A field that is asked for by a condition is optional. Without fields, or with a broken tag, return an empty dict.
    """
    from generator.drawing.svg.drawing_layout import adapt_layout  # few templates are drawn

    try:
        tree = Environment().parse(adapt_layout(source))
    except TemplateSyntaxError:
        return {}
    pictures = set()
    for test in tree.find_all(nodes.Compare):  # what adapt_layout writes asks `card.picture in icons`
        if any(isinstance(each.expr, nodes.Name) and each.expr.name == "icons" for each in test.ops):
            pictures.add(_name_field(test.expr))
    asked = {_name_field(one) for test in tree.find_all(nodes.If) for one in test.test.find_all(nodes.Getattr)}
    asked |= {_name_field(test.test) for test in tree.find_all(nodes.If)}
    copies = {_name_field(one.expr1) for one in tree.find_all(nodes.CondExpr)}  # `cost_2`, which stands for `cost`
    names = dict.fromkeys(map(_name_field, tree.find_all(nodes.Getattr)))
    types = {
        name: "picture" if name in pictures else "text" for name in names if name and name not in {*_BUILT_IN, *copies}
    }
    return {
        name: f"{{type: {kind}, optional: true}}" if name in asked or kind == "picture" else "words"
        for name, kind in types.items()
    }


def _name_field(node: nodes.Node) -> str:
    """Return `title` for `card.title`, or an empty string for anything else."""
    own = isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "card"
    return node.attr if isinstance(node, nodes.Getattr) and own else ""
