"""Texts with blanks, `{title} of {kind}`, that are filled in later: read once, with plain names and nothing else."""

from collections.abc import Collection, Iterator
from string import Formatter

from generator.errors import did_you_mean


def blanks(text: str) -> frozenset[str]:
    """The names in a text; ValueError where a brace stands alone."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def blank_slips(noun: str, text: str, known: Collection[str] | None) -> Iterator[tuple[str, str]]:
    """(what, hint) of each blank that nobody can fill in; without `known` names, any plain name may be meant.

    A blank is a name: what Python takes besides (parts of values, widths, conversions) reaches into the program.
    """
    shown = text if len(text) <= 60 else f"{text[:57]}..."
    try:
        parts = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError:
        example = next(iter(known or ()), "name")
        yield f"{noun} '{shown}' has a single brace", f"write names as {{{example}}}"
        return
    for _, name, form, conversion in parts:
        if not str(name).isidentifier() if known is None else name not in known:
            yield f"{noun} names '{{{name}}}'", did_you_mean(str(name), known or ())
        elif form or conversion:
            yield f"{noun} gives '{name}' a form of its own", f"write {{{name}}} and nothing else in the braces"
