"""Our data classes and named tuples behave as those of the standard library."""

import copy
import dataclasses
import pickle
import typing
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, ClassVar

import pytest

from generator.base import data_classes
from generator.base.data_classes import NamedTuple, dataclass, field

Decorator = Callable[..., Any]


def define(decorate: Decorator) -> tuple[Any, Any, Any]:
    """Return a frozen class, its heir, and a class whose objects change."""

    @decorate(frozen=True, slots=True, order=True)
    class Card:
        """A card."""

        name: str
        cost: int = 0
        marks: list[str] = field(default_factory=list)
        side: str = field(default="front", kw_only=True)
        sort: ClassVar[str] = "paper"

    @decorate(frozen=True, slots=True)
    class Token(Card):
        """A token."""

        width: float = 2.0
        cost: int = 7

    @decorate(slots=True, eq=False)
    class Pile:
        """A pile."""

        cards: list[Any]
        size: int = field(init=False)

        def __post_init__(self) -> None:
            self.size = len(self.cards)

    return Card, Token, Pile


def observe(what: Callable[[], Any]) -> str:
    """Return what a call returns, or how it fails."""
    try:
        return repr(what())
    except (TypeError, AttributeError) as error:
        return type(error).__name__


@pytest.mark.parametrize("few", [50, 0])
def test_they_do_what_the_standard_ones_do(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """Also if `__init__` is compiled for the first object."""
    monkeypatch.setattr(data_classes, "_FEW", few)
    cases: list[Callable[[Any, Any, Any], Any]] = [
        lambda card, token, pile: (card("a"), token("a", 1, ["x"], 3.0, side="back"), pile([1, 2]), token("b")),
        lambda card, token, pile: (card("a") == card("a"), card("a") == card("b"), card("a") == token("a")),
        lambda card, token, pile: (card("a") < card("a", 1), card("b") <= card("a"), card("c") > card("b")),
        lambda card, token, pile: pile([]) == pile([]),
        lambda card, token, pile: hash(card("a", 1, marks=())) == hash(card("a", 1, marks=())),
        lambda card, token, pile: hash(card("a")),
        lambda card, token, pile: card("a") < token("a"),
        lambda card, token, pile: card(),
        lambda card, token, pile: card("a", side="back", colour="red"),
        lambda card, token, pile: card("a", 1, [], "back"),
        lambda card, token, pile: pile([], 3),
        lambda card, token, pile: setattr(card("a"), "cost", 3),
        lambda card, token, pile: setattr(pile([]), "cost", 3),
        lambda card, token, pile: delattr(card("a"), "cost"),
        lambda card, token, pile: dataclasses.replace(token("a", 4), width=1.0),
        lambda card, token, pile: dataclasses.asdict(token("a")),
        lambda card, token, pile: [(one.name, one.type, one.kw_only, one.init) for one in dataclasses.fields(token)],
        lambda card, token, pile: (dataclasses.is_dataclass(card), card.__match_args__, card.sort, token.__doc__),
        lambda card, token, pile: [copy.copy(token("a")), copy.deepcopy(token("a", 1))],
        lambda card, token, pile: (card.__slots__, token.__slots__, hasattr(card("a"), "__dict__")),
        lambda card, token, pile: card("a").marks is card("a").marks,
        lambda card, token, pile: dataclasses.dataclass(frozen=True)(type("Heir", (card,), {}))("a"),
    ]
    ours, theirs = define(dataclass), define(dataclasses.dataclass)
    for case in cases:
        found, wanted = (observe(lambda case=case, kinds=kinds: case(*kinds)) for kinds in (ours, theirs))  # type: ignore[misc]
        assert found == wanted


class Spot(NamedTuple):
    """A place on a sheet."""

    x: int
    y: int = 2

    def move(self) -> "Spot":
        return self._replace(x=self.x + 1)


class TheirSpot(typing.NamedTuple):
    """A place on a sheet."""

    x: int
    y: int = 2

    def move(self) -> "TheirSpot":
        return self._replace(x=self.x + 1)


def test_named_tuples_do_what_the_standard_ones_do() -> None:
    cases: list[Callable[[Any], Any]] = [
        lambda kind: [*kind(1, y=3), *kind(1), kind(1) == (1, 2), hash(kind(1)) == hash((1, 2))],
        lambda kind: kind(),
        lambda kind: kind(1, 2, 3),
        lambda kind: [*kind(1).move(), *kind._make([3, 4]), kind(1)._asdict(), kind._fields, kind._field_defaults],
        lambda kind: kind._make([3]),
        lambda kind: setattr(kind(1), "x", 3),
        lambda kind: [kind(5).x, kind(5)[-1], hasattr(kind(1), "__dict__"), kind.__match_args__, kind.__doc__],
        lambda kind: [type(found) is kind and [*found] for found in (pickle.loads(pickle.dumps(kind(7))),)],  # noqa: S301
        lambda kind: repr(kind(1)).removeprefix("Their"),
        typing.get_type_hints,
    ]
    for case in cases:
        assert observe(partial(case, Spot)) == observe(partial(case, TheirSpot))


@dataclass(frozen=True, slots=True)
class Kept:
    """One that is stored, in a class of this module."""

    name: str
    cost: int = 0


@dataclass(frozen=True)
class Counted:
    """One without slots keeps what it has worked out."""

    name: str

    @cached_property
    def length(self) -> int:
        return len(self.name)


def test_they_are_stored_and_have_properties() -> None:
    assert pickle.loads(pickle.dumps(Kept("a", 3))) == Kept("a", 3)  # noqa: S301 - our own bytes
    assert (Counted("abc").length, Counted("abc"), Counted("abc").__dict__) == (3, Counted("abc"), {"name": "abc"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        Counted("abc").name = "d"  # type: ignore[misc]
