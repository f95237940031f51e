"""Data classes and named tuples as those of the standard library, but quick to define.

The standard ones compile up to ten functions for each class before anyone needs them. Here classes share these
functions. The code of a `__new__` serves all tuples of a size; an `__init__` is compiled for classes of many objects.
"""

import dataclasses
import operator
from _collections import _tuplegetter  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, asdict, field, fields, is_dataclass, replace
from functools import cache
from reprlib import recursive_repr
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, dataclass_transform

__all__ = ["MISSING", "NamedTuple", "asdict", "dataclass", "field", "fields", "is_dataclass", "replace"]

_FEW = 50
"""Objects of a class that are made without compiling its `__init__`."""

Kind = TypeVar("Kind", bound=type)


class _TupleFunctions(tuple[Any, ...]):
    """What named tuples share."""

    __slots__ = ()
    _fields = tuple[str, ...]()  # without a hint, which would count as that of a field

    @classmethod
    def _make(cls, values: Iterable[Any]) -> Any:
        made = tuple.__new__(cls, values)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
        return made

    def _replace(self, /, **changes: Any) -> Any:
        made = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"{type(self).__name__} has no fields {list(changes)}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        values = ", ".join([f"{name}={value!r}" for name, value in self._asdict().items()])
        return f"{type(self).__name__}({values})"


class _TupleMaker(type):
    """Makes a tuple class of the body of a class."""

    def __new__(cls, name: str, _bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        """Return the class."""
        fields = tuple(body.get("__annotations__", ()))
        defaults = {one: body[one] for one in fields if one in body}
        if tuple(defaults) != fields[len(fields) - len(defaults) :]:
            raise TypeError(f"{name} has fields without a default behind those with one")

        body |= {one: _tuplegetter(at, None) for at, one in enumerate(fields)}
        body |= {"__slots__": (), "_fields": fields, "_field_defaults": defaults, "__match_args__": fields}
        code = _compile_new(len(fields)).replace(co_varnames=("kind", *fields))
        new = FunctionType(code, {"make": tuple.__new__}, "__new__", tuple(defaults.values()))
        return type(name, (_TupleFunctions,), {"__new__": new, **body})


@cache
def _compile_new(count: int) -> CodeType:
    """Return the code of a `__new__` with this number of fields, whose names it doesn't know."""
    names = "".join(f"v{at}," for at in range(count))
    new: FunctionType = eval(f"lambda kind, {names}: make(kind, ({names}))")  # noqa: S307 - our own text
    return new.__code__


if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class NamedTuple:
        """The base that a class of named tuples names."""

    NamedTuple = NamedTuple()
    NamedTuple.__mro_entries__ = lambda _bases: (type.__new__(_TupleMaker, "NamedTuple", (), {}),)


class _Options(NamedTuple):
    """What the standard decorator asks the classes that one of its own inherits from."""

    frozen: bool


@dataclass_transform(field_specifiers=(field,))
def dataclass(
    *,
    frozen: bool = False,
    slots: bool = False,
    kw_only: bool = False,
    eq: bool = True,
    order: bool = False,
    repr: bool = True,  # noqa: A002 - as in the standard library
) -> Callable[[Kind], Kind]:
    """Return a decorator that makes a class a data class. The options do what those of `dataclasses.dataclass` do."""

    def define(kind: Kind) -> Kind:
        body = dict(kind.__dict__)
        known = _collect_fields(kind, kw_only)

        ordered = tuple(name for name, one in known.items() if one.init and not one.kw_only)
        objects = 0

        def set_or_compile(self: Any, *values: Any, **named: Any) -> None:
            nonlocal objects
            objects += 1
            given = dict(zip(ordered, values, strict=False)) | named
            new = objects <= _FEW and len(given) == len(values) + len(named)
            if not (new and _set_fields(self, known, given)):  # wrong arguments too, which Python itself then refuses
                made.__init__ = _compile_init(made, frozen, slots)
                made.__init__(self, *values, **named)

        for name in (*known, "__dict__", "__weakref__"):
            body.pop(name, None)
        methods: dict[str, Any] = {
            "__init__": set_or_compile,
            "__dataclass_fields__": known,
            "__dataclass_params__": _Options(frozen),
            "__match_args__": ordered,
        }
        if frozen:
            methods |= {"__setattr__": _refuse_change, "__delattr__": _refuse_change}
        if eq:
            methods |= _compare_fields(known, frozen, order)
        if repr:
            methods["__repr__"] = _format_fields
        if slots:
            inherited = {name for base in kind.__mro__ for name in getattr(base, "__slots__", ())}
            methods["__slots__"] = tuple(name for name in known if name not in inherited)
            if frozen:
                methods |= {"__getstate__": _get_state, "__setstate__": _set_state}
        made: Any = type(kind)(kind.__name__, kind.__bases__, methods | body)
        made.__qualname__ = kind.__qualname__
        return cast(Kind, made)

    return define


def _collect_fields(kind: Any, kw_only: bool) -> dict[str, Any]:
    """Return the fields of a class, those of its bases first."""
    known: dict[str, Any] = {}
    for base in reversed(kind.__mro__[1:]):
        known |= base.__dict__.get("__dataclass_fields__", {})
    for name, hint in kind.__annotations__.items():
        if getattr(hint, "__origin__", None) is not ClassVar:
            default = kind.__dict__.get(name, MISSING)
            one: Any = default if isinstance(default, Field) else field(default=default)
            one.name, one.type = name, hint
            one.kw_only = kw_only if one.kw_only is MISSING else one.kw_only
            one._field_type = dataclasses._FIELD  # type: ignore[attr-defined]
            known[name] = one
    return known


def _set_fields(self: Any, known: Mapping[str, Any], given: dict[str, Any]) -> bool:
    """Set the fields of a new object to the given values or their defaults. Return False if the values don't fit."""
    for name, one in known.items():
        if one.init and name in given:
            value = given.pop(name)
        elif one.default_factory is not MISSING:
            value = one.default_factory()
        elif one.default is not MISSING:
            value = one.default
        elif one.init:
            return False
        else:
            continue  # `__post_init__` sets it
        object.__setattr__(self, name, value)
    if not given and hasattr(self, "__post_init__"):
        self.__post_init__()
    return not given


def _compile_init(kind: Any, frozen: bool, slots: bool) -> Callable[..., None]:
    """Return the `__init__` of a class."""
    scope: dict[str, Any] = {"MISSING": MISSING}
    lines = ["pass"]
    ordered: list[str] = []
    named: list[str] = []
    for one in fields(kind):
        name, value = one.name, one.name
        default = one.default if one.default_factory is MISSING else one.default_factory
        scope |= {f"default_{name}": default, f"set_{name}": getattr(getattr(kind, name, None), "__set__", None)}
        if one.default_factory is not MISSING:
            value = f"default_{name}() if {name} is MISSING else {name}" if one.init else f"default_{name}()"
        elif not one.init and default is MISSING:
            continue
        elif not one.init:
            value = f"default_{name}"
        if one.init:
            start = "MISSING" if one.default_factory is not MISSING else f"default_{name}"
            (named if one.kw_only else ordered).append(name if default is MISSING else f"{name}={start}")
        if frozen:
            lines.append(f"set_{name}(self, {value})" if slots else f"self.__dict__[{name!r}] = {value}")
        else:
            lines.append(f"self.{name} = {value}")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    head = ", ".join(("self", *ordered, *(("*", *named) if named else ())))
    exec(f"def __init__({head}):\n " + "\n ".join(lines), scope)  # noqa: S102 - only names of our own classes
    made: Callable[..., None] = scope["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _compare_fields(known: Mapping[str, Any], frozen: bool, order: bool) -> dict[str, Any]:
    """Return the functions that compare objects of one class by their fields, and hash frozen ones."""
    names = [name for name, one in known.items() if one.compare]
    # of one name alone, `attrgetter` would return no tuple
    get: Any = operator.attrgetter(*(names * 2 if len(names) == 1 else names)) if names else lambda _one: ()

    def compare(way: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
        return lambda one, other: way(get(one), get(other)) if other.__class__ is one.__class__ else NotImplemented

    found = {"__eq__": compare(operator.eq), "__hash__": (lambda one: hash(get(one))) if frozen else None}
    if order:
        found |= {f"__{way}__": compare(getattr(operator, way)) for way in ("lt", "le", "gt", "ge")}
    return found


def _refuse_change(self: Any, name: str, _value: Any = None) -> None:
    raise FrozenInstanceError(f"{type(self).__name__}.{name} can't change")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__dataclass_fields__]


def _set_state(self: Any, values: list[Any]) -> None:
    for name, value in zip(self.__dataclass_fields__, values, strict=True):
        object.__setattr__(self, name, value)


@recursive_repr()
def _format_fields(self: Any) -> str:
    values = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({values})"
