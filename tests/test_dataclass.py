"""`generator.base.dataclass` makes what the standard library's decorator makes, only later."""

import dataclasses
import pickle
from collections.abc import Callable
from copy import deepcopy
from dataclasses import FrozenInstanceError, field, fields, is_dataclass, replace
from itertools import product
from typing import Any

import pytest

from generator.base import dataclass as ours
from generator.base.errors import Place, Problem
from generator.game.model import Kind

Decorator = Callable[..., Any]


def classes(dataclass: Decorator) -> dict[str, Any]:
    """Classes of every make that the program has."""

    @dataclass(frozen=True, slots=True)
    class Plain:
        a: int
        b: str = "b"
        c: tuple[int, ...] = field(default=(), kw_only=True)
        d: dict[str, int] = field(default_factory=dict)

        def of_its_own(self) -> int:
            return self.a + 1

    @dataclass(frozen=True, slots=True)
    class Heir(Plain):
        b: str = "other"
        e: float = 0.0

    @dataclass(slots=True)
    class Mutable:
        a: list[int] = field(default_factory=list)
        made: int = field(init=False, default=3)

        def __post_init__(self) -> None:
            self.a.append(1)

    @dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        a: float
        b: int = field(default=0, repr=False)

    @dataclass(frozen=True, slots=True, kw_only=True, eq=False)
    class Same:
        a: int
        b: int = 2

    @dataclass(frozen=True, slots=True)
    class Partly:
        a: int
        b: dict[str, int] = field(default_factory=dict, hash=False)
        c: int = field(default=0, compare=False, repr=False)

    @dataclass(frozen=True, slots=True)
    class One:
        a: float

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    return {one.__name__: one for one in (Plain, Heir, Mutable, Ordered, Same, Partly, One, Empty)}


NAMES = tuple(classes(ours.dataclass))
ARGUMENTS: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
    ((), {}),
    ((1,), {}),
    ((2, 5), {}),
    ((1, "b", {"x": 1}), {}),
    ((1, "b", {}), {"c": (1,)}),
    ((float("nan"),), {}),
    ((), {"a": [4]}),
    ((), {"a": 1, "b": 7}),
    ((), {"no": 1}),
    ((1, 2, 3, 4, 5, 6), {}),
)


def outcome(call: Callable[[], Any]) -> Any:
    """What a call answers, or the error that it ends in."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whichever it is, both must end in it
        return type(error), str(error)


def told(kind: Any, values: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """All that can be asked of a value of a class."""
    one = outcome(lambda: kind(*values, **named))
    if isinstance(one, tuple):
        return list(one)
    return [
        outcome(lambda: repr(one)),
        [getattr(one, each.name) for each in fields(one)],
        outcome(lambda: one == kind(*values, **named)),
        outcome(lambda: one == replace(one)),
        outcome(lambda: one == 5),
        outcome(lambda: hash(one)) if kind.__name__ != "Same" else hash(one) == object.__hash__(one),
        outcome(lambda: one < replace(one, a=0)),
        outcome(lambda: one >= replace(one, a=0)),
        *([outcome(lambda: setattr(one, "a", 1)), outcome(lambda: delattr(one, "a"))] if fields(one) else []),
        outcome(one.__getstate__),
        hasattr(one, "__dict__"),
    ]


@pytest.mark.parametrize(("name", "arguments"), list(product(NAMES, ARGUMENTS)))
def test_it_makes_what_the_standard_library_makes(name: str, arguments: Any) -> None:
    """The same values, comparisons, hashes, texts and errors, whatever a value is made of."""
    mine, theirs = classes(ours.dataclass)[name], classes(dataclasses.dataclass)[name]

    assert told(mine, *deepcopy(arguments)) == told(theirs, *deepcopy(arguments))


@pytest.mark.parametrize("name", NAMES)
def test_its_classes_say_the_same_of_themselves(name: str) -> None:
    """Fields, slots and the places in a `match` are those that the standard library gives."""
    mine, theirs = classes(ours.dataclass)[name], classes(dataclasses.dataclass)[name]

    assert is_dataclass(mine)
    assert mine.__slots__ == theirs.__slots__
    assert mine.__match_args__ == theirs.__match_args__
    assert [(one.name, one.type, one.default, one.kw_only) for one in fields(mine)] == [
        (one.name, one.type, one.default, one.kw_only) for one in fields(theirs)
    ]


def test_an_init_is_written_when_it_is_first_needed() -> None:
    """Before the first value there is one for all classes; afterwards the class has its own."""
    kind = classes(ours.dataclass)["Plain"]
    before = kind.__init__

    assert kind(1).of_its_own() == 2
    assert kind.__init__ is not before
    assert kind.__init__.__code__.co_varnames[: kind.__init__.__code__.co_argcount] == ("self", "a", "b", "d")


def test_values_of_the_model_travel_between_processes() -> None:
    """A frozen value is pickled and made again, with the state that kept files have."""
    problem = Problem(Place("a.yaml", 1, 2), "is wrong")

    assert pickle.loads(pickle.dumps(problem)) == problem  # noqa: S301 - made a line above
    assert problem.__getstate__() == [Place("a.yaml", 1, 2), "is wrong", ""]  # type: ignore[attr-defined]
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'what'"):
        problem.what = "is right"  # type: ignore[misc]


def test_the_model_is_made_so() -> None:
    """The largest class of the model has no code written for it at import."""
    assert Kind.__setattr__ is Place.__setattr__


def test_without_slots_it_says_no() -> None:
    """What it does not make it refuses, so that nobody believes otherwise."""
    with pytest.raises(TypeError, match="has slots"):
        ours.dataclass(frozen=True)
