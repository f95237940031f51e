"""Names for the whole numbers that kernels know things by: phases, moves, laws, and each reading of a switch.

    @codes
    class Phase:
        DRAW = 0
        ACTION = 1

    @reading("end_pile_exhausted")  # a name for each of the choices that readings.yaml gives
    class EndPileExhausted:
        FINISH_TURN = 0
        IMMEDIATE = 1

Kernels write `s.phase == Phase.DRAW`. `Phase` is one object with a slot for each name: reading an enum's member or a
class's attribute takes several times as long. Compiled kernels are given `constants`, which become numbers.
"""

from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

_C = TypeVar("_C")


class Codes:
    """Numbers by names in capitals; `SWITCH` is the switch whose choices they are, or empty."""

    __slots__ = ("SWITCH",)
    SWITCH: str


def codes(names: type[_C]) -> type[_C]:
    """Makes an object of a class that names whole numbers, each of them once."""
    return _one_object(names, "")


def reading(switch: str) -> Callable[[type[_C]], type[_C]]:
    """The same of the choices of a switch: `ON_FAILED_DRAW` for `on_failed_draw`, `IS_7` for 7, `FALSE` for false."""
    return lambda names: _one_object(names, switch)


def _one_object(names: type[_C], switch: str) -> type[_C]:
    found = {name: value for name, value in vars(names).items() if not name.startswith("_")}
    if not found or len(set(found.values())) < len(found) or not all(type(value) is int for value in found.values()):
        raise TypeError(f"{names.__name__} should name whole numbers, each of them once")
    made = type(names.__name__, (Codes,), {"__slots__": tuple(found), "__doc__": names.__doc__})()
    for name, value in {**found, "SWITCH": switch}.items():
        setattr(made, name, value)
    return cast("type[_C]", made)


def numbers(named: Any) -> Mapping[str, int]:
    """The number of each name of Codes, in the order in which they are written."""
    return {name: getattr(named, name) for name in type(named).__slots__}


def name_of(named: Any, number: int) -> str:
    """The name of a number, in small letters; LookupError for one that has none."""
    for name, value in numbers(named).items():
        if value == number:
            return name.lower()
    raise LookupError(f"{type(named).__name__} has no name for {number}")


def begin_of(named: Any, number: int) -> int:
    """Where names stand for the beginnings of ranges: that of the number's range."""
    return max(begin for begin in numbers(named).values() if begin <= number)


def name_of_choice(choice: Any) -> str:
    """The name that a choice of the data has among the codes of its switch."""
    name = str(choice).upper()
    return name if name.isidentifier() else f"IS_{name}"


def constants(named: Codes) -> Any:
    """The same names with the same numbers, in a form that numba compiles."""
    return namedtuple(type(named).__name__, numbers(named))(**numbers(named))
