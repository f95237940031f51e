"""All that the command line prints. Values from data give no orders to terminals, CI runners or readers."""

import os
import re
from typing import Any

import click

from generator.errors import in_one_line

_CODE = os.urandom(8).hex()
"""Stands for the beginning of a terminal's code until a text is printed; data can't contain it."""


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line: a line end or another unprintable character in it becomes a visible escape."""
    _print(f"{in_one_line(line)}\n", err=err)


def say_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines as it is, but for other unprintable characters, which become visible escapes.

    Whoever composes it escapes line ends in values.
    """
    _print("".join(part if part in "\n\t" else in_one_line(part) for part in re.split(r"([\n\t])", text)), err=err)


def say_over(line: str) -> None:
    """Print over the terminal's last line of errors."""
    click.echo(f"\r\x1b[K{in_one_line(line)}", nl=False, err=True)


def clear_terminal() -> None:
    """Empty a terminal, also of what has scrolled away: the next person must not read the last one's hand."""
    click.echo("\x1b[H\x1b[2J\x1b[3J", nl=False)


def _print(text: str, *, err: bool) -> None:
    click.echo(text.replace(_CODE, "\x1b"), nl=False, err=err)


def painted(text: str, **style: Any) -> str:
    """Return the text in a colour for `say`, which shows it on terminals; NO_COLOR and plain terminals are honoured."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text.replace("\x1b", r"\u001b"), **style).replace("\x1b", _CODE)
