"""Dataclasses that write their methods at first use, not at import.

`dataclasses` writes and compiles half a dozen methods for each class. With hundreds of small classes, this would take a
command longer than its own work. Here the standard library still finds the fields and makes the slots. But all classes
share the methods, and `__init__` is written when the first value of its class is created. `field`, `fields`
and `replace` work as usual, and type checkers see the standard library's own decorator.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from dataclasses import dataclass as with_fields
from operator import attrgetter, ge, gt, le, lt
from operator import eq as same
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

_ORDER = {"__lt__": lt, "__le__": le, "__gt__": gt, "__ge__": ge}
_AFTER = "__post_init__"
_ANEW: Any = object()
"""The mark of an argument that was not given, if its default is created for each value."""


def _make_decorator(
    *, frozen: bool = False, slots: bool = False, order: bool = False, kw_only: bool = False, eq: bool = True
) -> Callable[[type], type]:
    """Return the equivalent of `dataclasses.dataclass` with the same options."""
    if not slots:
        raise TypeError("a dataclass has slots here")

    def decorate(kind: Any) -> type:
        made: type = with_fields(kind, init=False, repr=False, eq=False, slots=True, kw_only=kw_only)
        for name, method in _build_methods(made, frozen=frozen, order=order, eq=eq).items():
            setattr(made, name, method)
        return made

    return decorate


if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    dataclass = _make_decorator


def _build_methods(kind: Any, *, frozen: bool, order: bool, eq: bool) -> dict[str, Any]:
    """Return the methods of a class by name, according to its options."""
    every = fields(kind)

    def first(self: Any, *values: Any, **named: Any) -> None:
        kind.__init__ = _write_init(kind, every, frozen)
        kind.__init__(self, *values, **named)

    methods: dict[str, Any] = {"__init__": first}
    if "__repr__" not in kind.__dict__:
        methods["__repr__"] = _format_fields
    if eq:
        compared = _make_getter([one.name for one in every if one.compare])
        methods["__eq__"] = _make_comparison(compared, same)
        hashed = _make_getter([one.name for one in every if (one.compare if one.hash is None else one.hash)])
        methods["__hash__"] = (lambda self: hash(hashed(self))) if frozen else None
        if order:
            methods |= {name: _make_comparison(compared, how) for name, how in _ORDER.items()}
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
        methods |= {"__getstate__": _get_state, "__setstate__": _set_state}
    return methods


def _make_getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of these fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple([getattr(self, name) for name in names])


def _make_comparison(compared: Callable[[Any], Any], how: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return how(compared(self), compared(other)) if other.__class__ is self.__class__ else NotImplemented

    return method


@recursive_repr()
def _format_fields(self: Any) -> str:
    parts = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({parts})"


def _refuse_to_set(_self: Any, name: str, _value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _write_init(kind: Any, every: tuple[Field[Any], ...], frozen: bool) -> Callable[..., None]:
    """Return the class's `__init__`, which sets the slots one by one."""
    known: dict[str, Any] = {"_anew": _ANEW}
    lines = []
    for one in every:
        value = one.name
        if one.default_factory is not MISSING:
            known[f"_new_{one.name}"] = one.default_factory
            value = f"_new_{one.name}() if {one.name} is _anew else {one.name}" if one.init else f"_new_{one.name}()"
        elif one.default is not MISSING:
            known[f"_default_{one.name}"] = one.default
            value = one.name if one.init else f"_default_{one.name}"
        if one.init or value != one.name:
            known[f"_set_{one.name}"] = getattr(kind, one.name).__set__
            lines.append(f"_set_{one.name}(self, {value})" if frozen else f"self.{one.name} = {value}")
    lines += [f"self.{_AFTER}()"] if hasattr(kind, _AFTER) else []
    taken = [one for one in every if one.init]
    plain, named = ([_format_parameter(one) for one in taken if one.kw_only is late] for late in (False, True))
    listed = ", ".join(["self", *plain, *(["*", *named] if named else [])])
    exec(f"def __init__({listed}):\n " + "\n ".join(lines or ["pass"]), known)  # noqa: S102 - names of fields alone
    written: Callable[..., None] = known["__init__"]
    written.__qualname__ = f"{kind.__qualname__}.__init__"
    return written


def _format_parameter(one: Field[Any]) -> str:
    if one.default_factory is not MISSING:
        return f"{one.name}=_anew"
    return one.name if one.default is MISSING else f"{one.name}=_default_{one.name}"
