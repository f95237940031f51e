"""Pieces as Vassal writes them: traits around a name and picture, in sequences whose delimiters are escaped."""

from collections.abc import Sequence
from itertools import accumulate

from generator.dataclass import dataclass

CTRL = 130
"""How its key strokes say that Ctrl is held."""


def keys(letter: str) -> str:
    """The stroke of a letter (A-Z) with Ctrl held."""
    return f"{ord(letter)},{CTRL}"


def sequence(delimiter: str, *tokens: object) -> str:
    """Tokens in one text as Vassal splits them again.

    A delimiter within a token has a backslash before it; a token that a reader would take for an escaped or quoted one
    stands in quotes.
    """
    return delimiter.join(_token(str(token), delimiter) for token in tokens)


def _token(text: str, delimiter: str) -> str:
    escaped = text.replace(delimiter, f"\\{delimiter}")
    quoted = text.startswith("\\") or (text.startswith("'") and text.endswith("'"))
    return f"'{escaped}'" if quoted else escaped


@dataclass(frozen=True, slots=True)
class Trait:
    """What a piece can do or says of itself: the part that never changes, and its state when the game begins."""

    type: str
    state: str = ""


def mask(back: str, command: str, name: str) -> Trait:
    """A card that can lie face down: others see this picture and name, its owner a small one in the card's corner."""
    return Trait("obs;" + sequence(";", keys("F"), back, command, "I", name, "player:"), "null;")


def sides(images: Sequence[str], turn: str, roll: str = "") -> Trait:
    """A piece that shows one of several pictures: the next by one command, any of them by another if it has a name."""
    shown = sequence(",", *images), sequence(",", *("" for _ in images))
    turned = ("", 128, "", turn, 128, "", "", 128, "", "", "", 1, "false", 0, 0, *shown, "true", "")
    rolled = (keys("R") if roll else "", roll, "false", "", 1)
    return Trait("emb2;" + sequence(";", *turned, *rolled, 1, "true", "", keys("F"), "", "", "1.0"), "1")


def back_to(deck: str, command: str) -> Trait:
    """A card that goes back to its deck by a command."""
    return Trait("return;" + sequence(";", command, keys("B"), deck, "", "", 2, "false", deck))


def marks(**values: str) -> Trait:
    """What can be searched and listed of a piece."""
    return Trait("mark;" + sequence(",", *values), sequence(",", *values.values()))


def fixed() -> Trait:
    """What is never selected, moved or stacked."""
    return Trait("immob;" + sequence(";", "nZ", "V", "R", ""))


def clone(command: str) -> Trait:
    """Another of the same by a command."""
    return Trait("clone;" + sequence(";", command, keys("C"), ""))


def delete(command: str) -> Trait:
    """Taken away by a command."""
    return Trait("delete;" + sequence(";", command, keys("D"), ""))


def definition(name: str, image: str, number: int, traits: Sequence[Trait]) -> str:
    """A piece with its traits, the outermost first, as the text of its slot; `number` is its slot's own."""
    basic = Trait("piece;" + sequence(";", "", "", image, name), sequence(";", "null", 0, 0, number, 0))
    *_, whole = accumulate(reversed(traits), _around, initial=basic)
    return "+/" + sequence("/", "null", whole.type, whole.state)


def _around(inner: Trait, outer: Trait) -> Trait:
    """A trait with what it is put around."""
    return Trait(sequence("\t", outer.type, inner.type), sequence("\t", outer.state, inner.state))
