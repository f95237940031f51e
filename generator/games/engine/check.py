"""What a named check of a game's rules found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether the data keep the rule, and the figures that show it ("3 players: 21 + 7 + 50 = 78")."""

    ok: bool
    figures: str
