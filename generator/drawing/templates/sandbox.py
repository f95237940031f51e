"""The sandbox of templates: Jinja2 without access to Python, with limits of time and memory."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from math import isfinite
from typing import Any, cast

from jinja2 import StrictUndefined, Template
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError, TemplateRuntimeError, UndefinedError
from jinja2.filters import FILTERS, do_float, do_join, make_attrgetter
from jinja2.nodes import Concat, Const, Dict, EvalContext, Expr, For, List, Node, Output, TemplateData, Tuple
from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace, missing, pass_environment, pass_eval_context
from markupsafe import Markup

from generator.base.cache import CodeTable, RecentValues
from generator.drawing.templates import functions
from generator.drawing.templates.template_sources import WovenText, weave_text
from generator.drawing.templates.template_values import ABSENT, View, list_entries, look_up
from generator.game.game_cache import ReadLog, Reads

_FILTERS = (
    *("abs", "capitalize", "dictsort", "e", "escape", "groupby", "int", "list", "lower", "map", "max", "min"),
    *("reject", "rejectattr", "reverse", "select", "selectattr", "sort", "string", "title", "trim", "unique", "upper"),
)
_FREE_FILTERS = ("count", "d", "default", "first", "last", "length")
"""Filters that never look through their argument."""

_TEXT_METHODS = ("capitalize", "count", "endswith", "find", "lower", "split", "startswith", "strip", "title", "upper")
_MAPPING_METHODS = ("get", "items", "keys", "values")


class MissingValue(UndefinedError):
    """A template used an undefined name; `of` is the value that was asked for it, or `missing` if it is a variable."""

    def __init__(self, of: Any, name: Any, message: str):
        super().__init__(message)
        self.of = of
        self.name = str(name)


class Missing(StrictUndefined):
    """The value of an undefined name. Using it raises MissingValue."""

    __slots__ = ()

    def __init__(
        self,
        hint: str | None = None,
        obj: Any = missing,
        name: str | None = None,
        exc: type[TemplateRuntimeError] = UndefinedError,
    ):
        if exc is UndefinedError and hint is None:
            exc = cast("type[TemplateRuntimeError]", partial(MissingValue, obj, name))
        super().__init__(hint, obj, name, exc)


class _CodeWriter(CodeGenerator):
    """Generates code that formats values by our rules, and that counts loops, lists and `~`, as no sandbox does."""

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._loops: dict[Node, int] = {}

    def visit(self, node: Node, *args: Any, **kwargs: Any) -> Any:
        pieces = self._loops.pop(node, None) if self._loops else None
        if pieces is None:
            return super().visit(node, *args, **kwargs)
        self.write("environment.budget.pay_iteration(")
        super().visit(node, *args, **kwargs)
        return self.write(f", {pieces})")

    def visit_For(self, node: For, frame: Frame) -> None:  # noqa: N802 - jinja's name
        self._loops[node.iter] = 1 + sum(len(output.nodes) for output in node.find_all(Output))
        super().visit_For(node, frame)

    def visit_List(self, node: List, frame: Frame) -> None:  # noqa: N802
        self._pay_list(partial(super().visit_List, node, frame))

    def visit_Tuple(self, node: Tuple, frame: Frame) -> None:  # noqa: N802
        if node.ctx == "load":
            self._pay_list(partial(super().visit_Tuple, node, frame))
        else:
            super().visit_Tuple(node, frame)

    def visit_Dict(self, node: Dict, frame: Frame) -> None:  # noqa: N802
        self._pay_list(partial(super().visit_Dict, node, frame))

    def _pay_list(self, visit: Callable[[], None]) -> None:
        self.write("environment.budget.pay_container(")
        visit()
        self.write(")")

    def visit_Const(self, node: Const, frame: Frame) -> None:  # noqa: N802
        self._check_constant(node.value, node)
        super().visit_Const(node, frame)

    def _output_child_to_const(self, node: Expr, frame: Frame, finalize: Any) -> str:
        if not isinstance(node, TemplateData):
            self._check_constant(node.as_const(frame.eval_ctx), node)
        return super()._output_child_to_const(node, frame, finalize)

    def _check_constant(self, value: Any, node: Expr) -> None:
        """Fail at `node`'s line for an infinite number, or for a text with characters that can't be printed."""
        if isinstance(value, float) and not isfinite(value):
            self.fail("the number is too large or not a number", node.lineno)
        if isinstance(value, str) and not value.isprintable() and re.search(functions.NO_TEXT, value):
            self.fail(functions.NOT_A_TEXT, node.lineno)

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escape_value(" if frame.eval_ctx.autoescape else "environment.printed(")

    def visit_Concat(self, node: Concat, frame: Frame) -> None:  # noqa: N802 - jinja's name
        self.write("environment.budget.pay_text(")
        super().visit_Concat(node, frame)
        self.write(")")


class _WatchedContext(Context):
    """Notes if a template uses the card or `second`. Otherwise all cards of a kind share the face."""

    def resolve_or_missing(self, key: str) -> Any:
        sandbox = cast("Sandbox", self.environment)
        if key == "card":
            sandbox.card_used = True
        elif key == "second":
            sandbox.second_used = True
        if sandbox.notes_values:
            sandbox.note_variable(self.parent.get("lang", ""), key)
        return super().resolve_or_missing(key)


class _SandboxTemplate(Template):
    """A template whose macros depend only on their arguments when imported without context."""

    _grounds: Reads

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        known, reads = self._module, cast("Sandbox", self.environment).reads
        if known is not None:
            reads.note_reads(self._grounds)
            return known
        with reads.record() as self._grounds:
            module = super()._get_default_module(ctx)
        macros = [value for value in vars(module).values() if type(value) is Macro]
        if not any(_keeps_count(macro, set()) for macro in macros):
            cast("Sandbox", self.environment).pure.update(macros)
        return module


def _keeps_count(macro: Macro, seen: set[Macro]) -> bool:
    """Return True if a macro, or one that it calls, uses a namespace of its file, which keeps values."""
    seen.add(macro)
    for cell in macro._func.__closure__ or ():
        try:
            value = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
        if isinstance(value, Namespace):
            return True
        if type(value) is Macro and value not in seen and _keeps_count(value, seen):
            return True
    return False


_SCALARS = frozenset([str, Markup, WovenText, int, float, bool, type(None)])

_COMPILED: RecentValues[tuple[Any, ...], Any] = RecentValues(500)
"""Compiled templates by all that they depend on."""


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment that templates run in.

    `card_used` and `second_used` are True if a template used these names since they were reset. `reads` notes the
    templates that are used, and `note_variable` is called with the language and the name of each variable. With
    `notes_values`, views note each value that is read. `codes` are templates compiled in earlier runs.
    """

    intercepted_binops = frozenset(["+", "*", "**", "%"])
    context_class = _WatchedContext
    template_class = _SandboxTemplate
    code_generator_class = _CodeWriter
    printed = staticmethod(functions.format_value)
    file_number: Callable[[str], int]
    """Function that returns the number of a file in the stamps of extensions; set if there are extensions."""

    def __init__(self, budget: functions.Budget, reads: ReadLog | None = None, **options: Any):
        self.budget = budget
        self.reads = reads or ReadLog()
        self.note_variable: Callable[[str, str], None] = lambda _lang, _name: None
        self.notes_values = False
        self.codes: CodeTable | None = None
        self.concat = budget.join_parts  # type: ignore[method-assign]
        self.escape_value = budget.escape_value
        super().__init__(undefined=Missing, trim_blocks=True, lstrip_blocks=True, auto_reload=False, **options)
        self.card_used = self.second_used = False
        self.pure: set[Macro] = set()
        self._asked: dict[str, Template] = {}
        self._results: RecentValues[tuple[Any, ...], tuple[Any, Reads]] = RecentValues(4000)
        self.filters = {name: self._make_paid(function) for name, function in _OWN_FILTERS.items()}
        self.filters |= {name: self._make_paid(FILTERS[name]) for name in _FILTERS}
        self.filters |= {name: FILTERS[name] for name in _FREE_FILTERS}
        self.globals = dict(functions.FUNCTIONS)

    def _make_paid(self, function: Callable[..., Any]) -> Callable[..., Any]:
        at, taken = int(hasattr(function, "jinja_pass_arg")), self.budget.pay_value

        @wraps(function)
        def pay_and_call(*args: Any, **kwargs: Any) -> Any:
            return function(*args[:at], *map(taken, args[at:]), **kwargs)

        return pay_and_call

    def get_template(self, name: Any, *args: Any, **kwargs: Any) -> Template:
        """Return a template by its name, and count it as a step. Names are looked up once for each face."""
        self.budget.pay_steps()
        if args or kwargs:
            return super().get_template(name, *args, **kwargs)
        known = self._asked.get(name)  # once for each face: jinja would check each time for changes
        if known is None:
            known = self._asked[name] = super().get_template(name)
        if self.notes_values:
            self.reads.note_reads([("template", name)])
        return known

    def _load_template(self, name: str, *args: Any) -> Template:
        self.reads.note_reads([("template", name)])
        return super()._load_template(name, *args)

    def compile(self, source: Any, name: str | None = None, filename: str | None = None, *args: Any) -> Any:
        """Compile the text of a template or the tree of an expression once, however often its game is opened."""
        number = self.file_number(filename or name or "") if self.extensions else 0
        kind = (tuple(self.extensions), self.autoescape, self.keep_trailing_newline)
        key = (source if isinstance(source, str) else repr(source), name, filename, number, kind, args)
        known = _COMPILED.get(key)
        code = known or (self.codes.get(key) if self.codes else None)
        if code is None:
            code = super().compile(source, name, filename, *args)
            if self.codes:
                self.codes.put(key, code)
        elif isinstance(source, str):
            self.preprocess(source, name, filename)  # the extensions keep the current text
        if known is None:
            _COMPILED.put(key, code)
        return code

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return `obj.attribute`; views have only fields."""
        if type(obj) is View:
            read = None if self.notes_values else obj._read.get(attribute)
            value = read if type(read) is str else look_up(obj, attribute)
            return self.undefined(obj=obj, name=attribute) if value is ABSENT else value
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return `obj[argument]`."""
        if type(obj) is View:
            value = look_up(obj, argument)
            return self.undefined(obj=obj, name=argument) if value is ABSENT else value
        return super().getitem(obj, argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Return True if templates may read an attribute: plain values, and methods that can't enlarge texts."""
        if isinstance(obj, (LoopContext, Macro, Namespace, TemplateModule)):
            return super().is_safe_attribute(obj, attr, value)
        if not callable(value):
            return super().is_safe_attribute(obj, attr, value)
        if isinstance(obj, str):
            return attr in _TEXT_METHODS
        return isinstance(obj, Mapping) and attr in _MAPPING_METHODS

    def unsafe_undefined(self, obj: Any, attribute: str) -> Missing:
        """Return a value for a forbidden attribute. Using it raises SecurityError with a message."""
        hint = f"templates cannot use '.{attribute}' here"
        if attribute in self.filters:
            hint += f"; write ' | {attribute}'"
        return Missing(hint, obj, attribute, SecurityError)

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:  # noqa: ARG002
        """Return None: no text's `format` is safe, because it pads without limit."""
        return None

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as jinja has it
        """Call a function or macro. Macros without side effects cache their results."""
        __self.budget.pay_steps()
        if type(__obj) is not Macro:
            return super().call(__context, __obj, *__self._pay_arguments(__obj, args), **kwargs)
        if __obj not in __self.pure:
            return __self._weave_result(super().call(__context, __obj, *args, **kwargs))
        # The same macro with the same arguments returns the same text. 1, 1.0 and True are equal but print differently.
        named = tuple([pair for pair in kwargs.items() if pair[0] not in ("_loop_vars", "_block_vars")])
        values = [*args, *(value for _, value in named)]
        kinds = tuple(map(type, values))
        if not _SCALARS.issuperset(kinds):
            return __self._weave_result(super().call(__context, __obj, *args, **kwargs))
        key = (__obj, args, named, kinds, __context.eval_ctx.autoescape)
        known = __self._results.get(key)
        if known is not None:
            __self.reads.note_reads(known[1])
            return known[0]
        with __self.reads.record() as reads:
            result = __self._weave_result(super().call(__context, __obj, *args, **kwargs))
        __self._results.put(key, (result, reads))
        return result

    def _weave_result(self, given: Any) -> Any:
        """Return a macro's result; if it is markup, as text that knows its pieces, the parts that were joined last."""
        return weave_text(given, self.budget.together) if type(given) is Markup else given

    def _pay_arguments(self, function: Any, args: tuple[Any, ...]) -> Iterable[Any]:
        if type(function) is LoopContext:
            return map(self.budget.pay_iteration, args)
        self.budget.pay_value(getattr(function, "__self__", None))
        return map(self.budget.pay_value, args)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002
        """Return `left operator right`. Refuse it if the result would be huge."""
        if type(left) is not float or type(right) is str:
            self.budget.check_operation(operator, left, right)
        return self.binop_table[operator](left, right)


@pass_eval_context
def _join_values(eval_ctx: EvalContext, value: Iterable[Any], d: str = "", attribute: str | int | None = None) -> str:
    pieces = list(value)
    length = sum(len(str(piece)) for piece in pieces) + len(d) * len(pieces)
    functions.check_length(length)
    cast("Sandbox", eval_ctx.environment).budget.pay_characters(length)
    return cast("str", do_join(eval_ctx, pieces, d, attribute))


@pass_environment
def _replace_text(environment: "Sandbox", text: str, old: str, new: str) -> str:
    return environment.budget.pay_text(functions.replace_text(text, old, new))


@pass_environment
def _sum_values(
    environment: "Sandbox", value: Iterable[Any], attribute: str | int | None = None, start: Any = 0
) -> Any:
    total = start
    for part in map(make_attrgetter(environment, attribute), value) if attribute is not None else value:
        environment.budget.check_operation("+", total, part)
        total = total + part
    return total


_OWN_FILTERS: dict[str, Callable[..., Any]] = {
    "items": list_entries, "join": _join_values, "replace": _replace_text, "round": functions.round_number,
    "sum": _sum_values, "float": lambda value, default=0.0: functions.check_finite(do_float(value, default)),
}  # fmt: skip
