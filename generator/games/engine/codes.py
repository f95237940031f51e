"""Names for the whole numbers that kernels know things by: phases, moves, laws, and each reading of a switch.

    class Phase(Codes):
        DRAW = 0
        ACTION = 1

    class Exhausted(Codes, switch="end_pile_exhausted"):  # a name for each of the choices that readings.yaml gives
        FINISH_TURN = 0
        IMMEDIATE = 1

Kernels write `s.phase == Phase.DRAW`. Interpreted that is a class's attribute, which takes a third of the time of an
enum's member; compiled kernels are given `constants`, of which numba makes plain numbers.
"""

from collections import namedtuple
from collections.abc import Mapping
from typing import Any, ClassVar


class Codes:
    """Numbers by names in capitals, each number once. `SWITCH` is the switch whose choices they are, or empty."""

    SWITCH: ClassVar[str] = ""

    def __init_subclass__(cls, switch: str = "") -> None:
        numbers = list(cls.numbers().values())
        if not numbers or len(set(numbers)) < len(numbers) or not all(type(number) is int for number in numbers):
            raise TypeError(f"{cls.__qualname__} should name whole numbers, each of them once")
        cls.SWITCH = switch

    @classmethod
    def numbers(cls) -> Mapping[str, int]:
        """The number of each name, in the order in which they are written."""
        return {name: value for name, value in vars(cls).items() if name.isupper() and name != "SWITCH"}

    @classmethod
    def name_of(cls, number: int) -> str:
        """The name of a number; LookupError for one that has none."""
        for name, value in cls.numbers().items():
            if value == number:
                return name
        raise LookupError(f"{cls.__qualname__} has no name for {number}")

    @classmethod
    def begin_of(cls, number: int) -> int:
        """Where names stand for the beginnings of ranges: that of the number's range."""
        return max(begin for begin in cls.numbers().values() if begin <= number)

    @classmethod
    def of_choice(cls, choice: Any) -> int:
        """The number of a choice as the data write it: `ON_FAILED_DRAW` for `on_failed_draw`, `IS_7` for 7."""
        return cls.numbers()[name_of_choice(choice)]

    @classmethod
    def constants(cls) -> Any:
        """The same names with the same numbers, in a form that numba compiles."""
        return namedtuple(cls.__name__, cls.numbers())(**cls.numbers())


def name_of_choice(choice: Any) -> str:
    """The name that a choice of the data has among Codes."""
    name = str(choice).upper()
    return name if name.isidentifier() else f"IS_{name}"
