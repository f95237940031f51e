"""Kernels: rules over integer records that run as plain Python or as machine code from numba."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dis import get_instructions
from functools import cache
from inspect import CO_GENERATOR
from keyword import iskeyword
from types import CodeType, FunctionType
from typing import Any, Protocol, TypeAlias, TypeVar

from generator.rules.engine.facts import Codes, to_constants


def make_record_class(fields: Mapping[str, bool]) -> type:
    """Return a class of records with these fields; True marks an integer field, False a row.

    Bots mostly copy states. So the copy method is generated field by field: a quarter of the time of a loop.
    """
    made = type("Record", (), {"__slots__": tuple(fields)})  # rejects invalid names before they become code
    own = {name: "" if single else ".copy()" for name, single in fields.items()}
    lines = [
        f" setattr(twin, {name!r}, getattr(record, {name!r}){copied})"
        if iskeyword(name)
        else f" twin.{name} = record.{name}{copied}"
        for name, copied in own.items()
    ]
    scope: dict[str, Any] = {"new": object.__new__, "made": made}
    exec("\n".join(["def copied(record):", " twin = new(made)", *lines, " return twin"]), scope)  # noqa: S102
    made.__copy__ = scope["copied"]  # type: ignore[attr-defined]
    return made


def copy_row(value: Sequence[Any]) -> list[Any]:
    """Return a copy of a row of numbers, or of rows, as lists."""
    return list(value) if not value or isinstance(value[0], int) else list(map(list, value))


def to_plain(value: Any) -> Any:
    """Return numbers as plain integers, and rows as lists of them."""
    return [to_plain(entry) for entry in value] if isinstance(value, list) else int(value)


# A kernel is a function marked `@kernel`. It takes records with integer fields and rows of integers (`s.turn`,
# `s.hand[i]`), rows to fill, and integers. It calls other kernels by their module-level names, and uses names of
# `Codes` for numbers. It allocates no memory and stores nothing. Everything that differs between games is an argument,
# because a compiled kernel would keep the old value of a global that has changed.

Record: TypeAlias = Any
"""Integer fields and rows of integers by name: a plain object, or an element of a numpy record array if compiled."""

Row: TypeAlias = Any
"""A row of integers with a fixed length."""

Value: TypeAlias = int | Sequence[int] | Sequence[Sequence[int]]
Numbers: TypeAlias = Mapping[str, Value]
"""The fields for a new record; only facts may contain rows of rows."""

Kernel: TypeAlias = Callable[..., Any]
_F = TypeVar("_F", bound=Kernel)

MARK = "_is_kernel"
_M32 = 0xFFFFFFFF


def kernel(function: _F) -> _F:
    """Mark a function as one that can be compiled; return it unchanged."""
    setattr(function, MARK, True)
    return function


@kernel
def _put(table: Row, at: int, other: Row, there: int) -> None:
    """Copy record `there` of `other` to place `at` of `table`."""
    table[at] = other[there]


class Mode(Protocol):
    """A way to run kernels; all modes return the same numbers."""

    name: str

    by_length: bool
    """True if code is compiled for one row length and recompiled for any other."""

    def prepare_kernel(self, function: Kernel) -> Kernel:
        """Return the function as this mode runs it."""

    def bind(self, function: Kernel, name: str, kernels: Mapping[str, Kernel], *, inner: bool = False) -> Kernel:
        """Return a kernel bound to the kernels that its module leaves open, such as a loop over any game's `legal`.

        `name` distinguishes it from the same function bound to other kernels. `inner` means that only kernels call it.
        """

    def make_record(self, numbers: Numbers) -> Record:
        """Return a record with these fields."""

    def make_row(self, length: int) -> Row:
        """Return a row of zeros."""

    def copy(self, record: Record) -> Record:
        """Return an independent copy of a record."""

    def make_table(self, record: Record, length: int = 1) -> Row:
        """Return a row of copies of a record, which `put` can replace."""

    def put(self, table: Row, at: int, other: Row, there: int) -> None:
        """Put a copy of `other[there]` at `table[at]`; read it anew afterwards, as variables may keep the old one."""

    def read_numbers(self, record: Record) -> dict[str, Any]:
        """Return the record's fields as plain integers and lists, for comparing and saving."""


class InterpretedMode:
    """Plain Python mode: needs no extra packages and can be debugged."""

    name = "interpreted"
    by_length = False

    def __init__(self) -> None:
        self._classes: dict[tuple[tuple[str, bool], ...], type] = {}

    def prepare_kernel(self, function: Kernel) -> Kernel:
        """Return the function itself."""
        return function

    def bind(self, function: Kernel, name: str, kernels: Mapping[str, Kernel], *, inner: bool = False) -> Kernel:  # noqa: ARG002 - all modes have the same signature
        """Return a copy of the function that has the kernels among its globals."""
        return _copy_function(function, {**function.__globals__, **kernels}, name)

    def make_record(self, numbers: Numbers) -> Record:
        """Return an object with a slot for each field; rows are lists."""
        fields = tuple((name, isinstance(value, int)) for name, value in numbers.items())
        if fields not in self._classes:
            self._classes[fields] = make_record_class(dict(fields))
        record = self._classes[fields]()
        for name, value in numbers.items():
            setattr(record, name, value if isinstance(value, int) else copy_row(value))
        return record

    def make_row(self, length: int) -> Row:
        """Return a list of zeros."""
        return [0] * length

    def copy(self, record: Record) -> Record:
        """Return a new object; rows are copied, rows of rows are shared."""
        return record.__copy__()

    def make_table(self, record: Record, length: int = 1) -> Row:
        """Return a list of `length` copies of the record."""
        return [self.copy(record) for _ in range(length)]

    def put(self, table: Row, at: int, other: Row, there: int) -> None:
        """Replace `table[at]` by a new object with the numbers of `other[there]`."""
        table[at] = self.copy(other[there])

    def read_numbers(self, record: Record) -> dict[str, Any]:
        """Return each field as plain integers and lists."""
        return {name: to_plain(getattr(record, name)) for name in record.__slots__}


class CompiledMode:
    """Machine code mode, cached on disk between runs; needs the extra `fast`.

    `cache` is a folder for the compiled code. Use another folder whenever the source of any kernel changes, because
    numba does not notice changes in functions that a kernel calls.
    """

    name = "compiled"
    by_length = True

    def __init__(self, cache: str = "") -> None:
        import numba
        import numpy

        self._numpy = numpy
        _add_bit_length()
        if cache:
            numba.config.CACHE_DIR = cache  # type: ignore[attr-defined]  # created at run time
        njit: Any = numba.njit  # its types lack some options
        # Without `_nrt` numba counts no references: kernels create no objects.
        outer = {"cache": bool(cache), "nogil": True, "no_cfunc_wrapper": True, "_nrt": False}
        inner_compiler, outer_compiler = _make_compilers()
        inner = {**outer, "no_cpython_wrapper": True, "pipeline_class": inner_compiler}
        self._outer, self._inner = njit(**outer, pipeline_class=outer_compiler), njit(**inner)
        # Numba knows too little of a cached generator to compile the kernels that iterate over it.
        self._walk = njit(**{**inner, "cache": False})
        self._bound: dict[tuple[Any, ...], Kernel] = {}

    def prepare_kernel(self, function: Kernel) -> Kernel:
        """Return the function compiled together with all kernels that it calls; numba compiles at the first call."""
        if not hasattr(function, MARK):
            raise TypeError(f"{function} is not marked @kernel")
        return self._compile_once(function, inner=False)

    def bind(self, function: Kernel, name: str, kernels: Mapping[str, Kernel], *, inner: bool = False) -> Kernel:
        """Return the function compiled together with the kernels, under the name."""
        key = (function, name, inner, *kernels.items())
        if key not in self._bound:
            self._bound[key] = self._compile(function, name, kernels, inner=inner)
        return self._bound[key]

    def _compile_once(self, function: Kernel, *, inner: bool) -> Kernel:
        name = f"{function.__qualname__}_inner" if inner else function.__qualname__
        return self.bind(function, name, {}, inner=inner)

    def _compile(self, function: Kernel, name: str, kernels: Mapping[str, Kernel], *, inner: bool) -> Kernel:
        scope = {**function.__globals__, **kernels}
        for called in _find_global_names(function.__code__):
            value = scope.get(called)
            if isinstance(value, FunctionType) and hasattr(value, MARK):
                scope[called] = self._compile_once(value, inner=True)
            elif isinstance(value, Codes):
                scope[called] = to_constants(value)
        way = self._walk if function.__code__.co_flags & CO_GENERATOR else self._inner if inner else self._outer
        return _widen_constants(way(_copy_function(function, scope, name)))

    def make_record(self, numbers: Numbers) -> Record:
        """Return an element of a numpy record array with 64 bits for each integer."""
        fields = [(name, self._numpy.int64, self._numpy.shape(value)) for name, value in numbers.items()]
        record = self._numpy.zeros(1, self._numpy.dtype(fields)).view(self._numpy.recarray)[0]
        for name, value in numbers.items():
            record[name] = value
        return record

    def make_row(self, length: int) -> Row:
        """Return a numpy array of zeros."""
        return self._numpy.zeros(length, self._numpy.int64)

    def copy(self, record: Record) -> Record:
        """Return a copy of the record in its own memory."""
        twin = self._numpy.zeros(1, record.dtype).view(self._numpy.recarray)[0]
        for name in record.dtype.names:
            twin[name] = record[name]
        return twin

    def make_table(self, record: Record, length: int = 1) -> Row:
        """Return a numpy array of copies of the record."""
        table = self._numpy.zeros(length, record.dtype)
        table[:] = record
        return table

    put = staticmethod(_put)

    def read_numbers(self, record: Record) -> dict[str, Any]:
        """Return each field as plain Python."""
        return {name: record[name].tolist() for name in record.dtype.names}


INTERPRETED = InterpretedMode()


@cache
def _add_bit_length() -> None:
    """Add `int.bit_length` to numba, which lacks it; kernels use it to iterate over sets stored as bits."""
    from numba.core import types
    from numba.cpython.unsafe.numbers import leading_zeros
    from numba.extending import overload_method

    @overload_method(types.Integer, "bit_length")
    def _bit_length(number):  # type: ignore[no-untyped-def]  # numba compares the parameter names
        return lambda number: 64 - leading_zeros(number)  # type: ignore[call-arg]  # numba passes the first argument


def _share_places() -> None:
    """Change numba so that all calls in a kernel share memory for results; numba clears such memory for each call."""
    from numba.core import callconv
    from numba.core.cgutils import alloca_once, get_null_value

    class Calls(callconv.CPUCallConv):
        def call_function(self, builder: Any, callee: Any, result: Any, types: Any, args: Any, attrs: Any = ()) -> Any:
            places = vars(builder.function).setdefault("places", {})
            kinds = self.get_function_type(result, types).args[:2]
            for kind in kinds:
                if str(kind) not in places:
                    places[str(kind)] = alloca_once(builder, kind.pointee)
            value, error = (places[str(kind)] for kind in kinds)
            builder.store(get_null_value(kinds[0].pointee), value)
            args = self._get_arg_packer(types).as_arguments(builder, args)
            code = builder.call(callee, [value, error, *args], attrs=attrs or ())
            status = self._get_return_status(builder, code, builder.load(error))
            return status, self.context.get_returned_value(builder, result, builder.load(value))

    callconv.CPUCallConv = Calls  # type: ignore[misc]  # numba asks for it by this name


@cache
def _make_compilers() -> tuple[type, type]:
    """Return numba's compilers for kernels that only kernels call, and for those that Python calls.

    By itself numba makes machine code of each kernel and all that it calls, and again for each of its callers. Here
    only outer kernels become machine code, each for its own use. Numba has no public way to do so.
    """
    from llvmlite.binding import Linkage, parse_assembly
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.registry import cpu_target

    _share_places()

    class InnerCode(JITCodeLibrary):
        def finalize(self) -> None:
            """Build the code to run; keep for callers only the variables that numba fills, not the code once more."""
            for called in dict.fromkeys(self._linking_libraries):
                self._final_module.link_in(called._get_module_for_linking(), preserve=True)
            self._finalize_dynamic_globals()
            self._finalized = True
            self._get_module_for_linking()
            rest = self._codegen._create_empty_module(self.name)
            for variable in self._final_module.global_variables:
                if variable.name.startswith("_ZN08NumbaEnv"):
                    cpu_target.target_context.declare_env_global(rest, variable.name)
            self._final_module = parse_assembly(str(rest))
            self._finalize_final_module()

    class OuterCode(JITCodeLibrary):
        def _optimize_final_module(self) -> None:
            """Make all kernels internal and optimize them for this use alone; their loops are too short for vectors."""
            for function in self._final_module.functions:
                if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                    function.linkage = Linkage.internal
            passes, options = self._codegen._module_pass_manager(loop_vectorize=False)
            passes.run(self._final_module, options)

    class InnerCompiler(Compiler):
        code = InnerCode

        def compile_extra(self, function: Kernel) -> Any:
            self.state.library = self.code(self.state.targetctx.codegen(), function.__qualname__)
            self.state.library.enable_object_caching()
            return super().compile_extra(function)

    return InnerCompiler, type("OuterCompiler", (InnerCompiler,), {"code": OuterCode})


def _widen_constants(compiled: Any) -> Kernel:
    """Let kernels call a compiled kernel; numba would compile it once more for each constant among the arguments."""
    from numba.core.types import unliteral

    find = compiled.get_call_template
    compiled.get_call_template = lambda args, named: find([*map(unliteral, args)], named)
    kernel: Kernel = compiled
    return kernel


def _copy_function(function: Kernel, scope: dict[str, Any], name: str) -> FunctionType:
    """Return a copy of a function with other globals; numba files its machine code under the name."""
    twin = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    twin.__module__, twin.__qualname__ = function.__module__, name
    return twin


def _find_global_names(code: CodeType) -> set[str]:
    """Return the global names that a function's code uses; field names do not count."""
    inner = (const for const in code.co_consts if isinstance(const, CodeType))
    used = {str(step.argval) for step in get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    return used.union(*map(_find_global_names, inner))


# Chance: sfc32 (Chris Doty-Humphrey's small fast counting generator) on the first four 32-bit numbers of a row, which
# every state has as `rng`. It needs no wider integers than both modes have, so both return the same numbers.
#
# A longer row is a set of streams: after the four numbers come the key of the game, then the number of streams begun
# for each purpose. Draws for one purpose never affect another. So two games of one seed under different rules get the
# same deck, and the same second shuffle of a pile, as far as the rules allow.

_KEY = 4
PURPOSES = 7
"""The index in the row where the counts of streams begin."""


@kernel
def seed_chance(rng: Row, run: int, game: int) -> None:
    """Seed the random numbers of one game of a run; equal arguments give equal games for all players and modes."""
    for purpose in range(PURPOSES, len(rng)):
        rng[purpose] = 0
    reseed_chance(rng, run, game)


@kernel
def next_chances(rng: Row, purpose: int) -> Row:
    """Start the next stream of a purpose and return the row, for example to `shuffle` with it."""
    rng[PURPOSES + purpose] += 1
    begin_stream(rng, ((purpose + 1) << 20) + rng[PURPOSES + purpose])
    return rng


@kernel
def begin_stream(rng: Row, stream: int) -> None:
    """Start one of the row's 2 ** 32 streams; the choice does not depend on numbers drawn before."""
    _start_chance(rng, rng[_KEY], rng[_KEY + 1], rng[_KEY + 2], stream & _M32)


@kernel
def reseed_chance(rng: Row, run: int, game: int) -> None:
    """Reseed from another game of a run: what was dealt stays, later draws differ, no stream that has begun repeats."""
    if len(rng) > _KEY:
        rng[_KEY], rng[_KEY + 1], rng[_KEY + 2] = run & _M32, (run >> 32) & _M32, game & _M32
    _start_chance(rng, run & _M32, (run >> 32) & _M32, game & _M32, 1)


@kernel
def _start_chance(rng: Row, a: int, b: int, c: int, count: int) -> None:
    """Seed a row with these four words and skip 12 numbers. It is done every turn, so it is inline, as in `shuffle`."""
    for _ in range(12):
        drawn, count = (a + b + count) & _M32, (count + 1) & _M32
        a, b = b ^ (b >> 9), (c + (c << 3)) & _M32
        c = ((((c << 21) & _M32) | (c >> 11)) + drawn) & _M32
    rng[0], rng[1], rng[2], rng[3] = a, b, c, count


@kernel
def draw_chance32(rng: Row) -> int:
    """Return the next of 2 ** 32 equally likely numbers."""
    drawn: int = (rng[0] + rng[1] + rng[3]) & _M32
    rng[3] = (rng[3] + 1) & _M32
    rng[0] = rng[1] ^ (rng[1] >> 9)
    rng[1] = (rng[2] + (rng[2] << 3)) & _M32
    rng[2] = ((((rng[2] << 21) & _M32) | (rng[2] >> 11)) + drawn) & _M32
    return drawn


@kernel
def draw_below(rng: Row, number: int) -> int:
    """Return a random number from 0 to number - 1; its bias is below number / 2 ** 32."""
    return (draw_chance32(rng) * number) >> 32


@kernel
def shuffle(rng: Row, cards: Row, start: int, end: int) -> None:
    """Shuffle cards[start:end] (Fisher and Yates) with the numbers that `draw_below` would return.

    It goes upwards: one more card at the end swaps with one other card, and all other cards stay in place. Bots shuffle
    before every choice, so this loop draws its random numbers inline: calls of `draw_below` take three times as long.
    """
    a, b, c, count = rng[0], rng[1], rng[2], rng[3]
    for last in range(start + 1, end):
        drawn, count = (a + b + count) & _M32, (count + 1) & _M32
        a, b = b ^ (b >> 9), (c + (c << 3)) & _M32
        c = ((((c << 21) & _M32) | (c >> 11)) + drawn) & _M32
        other = start + ((drawn * (last - start + 1)) >> 32)
        cards[last], cards[other] = cards[other], cards[last]
    rng[0], rng[1], rng[2], rng[3] = a, b, c, count


@kernel
def sort(cards: Row, start: int, end: int) -> None:
    """Sort cards[start:end] in ascending order; meant for the few cards of a hand."""
    for i in range(start + 1, end):
        insert(cards, start, i, cards[i])


# Sets: a number whose bits are the members.


@kernel
def iter_members(bits: int) -> Iterator[int]:
    """Yield the members of a set in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@kernel
def insert(cards: Row, start: int, end: int, card: int) -> None:
    """Insert a card into the ascending cards[start:end]; the row then extends to `end`."""
    at = end
    while at > start and cards[at - 1] > card:
        cards[at] = cards[at - 1]
        at -= 1
    cards[at] = card


@kernel
def remove(cards: Row, start: int, end: int, card: int) -> None:
    """Remove a card from cards[start:end], as `take_out` does."""
    at = start
    while cards[at] != card:
        at += 1
    take_out(cards, at, end)


@kernel
def take_at(cards: Row, at: int) -> int:
    """Take and return the card at a place, such as the top of a pile; it leaves a 0."""
    card: int = cards[at]
    cards[at] = 0
    return card


@kernel
def take_out(cards: Row, at: int, end: int) -> int:
    """Take and return the card at a place before `end`; later cards close the gap, and a 0 follows them."""
    card: int = cards[at]
    for i in range(at, end - 1):
        cards[i] = cards[i + 1]
    cards[end - 1] = 0
    return card
