"""Names of bots and of measured results, and numbers with their margins of error, for books and reports."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, isfinite, log10

from generator.base.languages import phrase
from generator.game.model import Game
from generator.rules.engine.contract import Rules
from generator.rules.engine.table import piece_name

WIN = "win of seat "
"""Prefix of the measure that counts the wins of one seat (a player's place at the table); the number follows."""

WIN_IN_TURN = "win of the seat in turn"
"""Measure: wins of a rotating seat (seat 1 in game 0, seat 2 in game 1), or of the player without a tested card."""

_EXACT = (
    *(
        "turns",
        "decisions",
        "moves",
        "choices",
        "widest",
        "ties",
        "endless",
        "best score",
        "worst score",
        "mean score",
        "spread",
    ),
    *("lead changes", "last lead change", WIN_IN_TURN),
)
_LEADING = (("score of seat ", "score"), (WIN, "win"), ("peak: ", "peak"), ("measure: ", "check"))
_SCORES = ("best score", "worst score", "mean score", "spread")
_AT = ("best score", "worst score", "led alone", "leader wins")
"""Names of measures that are followed by a time in the game: `best score: 50%`, `leader wins: end`."""

_BOTS = ("random", "greedy", "look-ahead", "search", "hoard")
_SHARES = ("ties", "endless", WIN_IN_TURN)
_LEADING_SHARES = (WIN, "ran out: ", "hole: ", "led alone: ", "leader wins: ")


def name_bot(bot: str, lang: str) -> str:
    """Return the name of a bot as shown to players, or its internal name if it has none."""
    kind, _, rest = bot.partition(":")
    if kind not in _BOTS:
        return bot
    return phrase(f"lab_bot_{kind.replace('-', '_')}", lang, n=rest)


def name_bots(bots: tuple[str, ...], lang: str) -> str:
    """Return the names of the bots in one game, joined to one text; a name appears once."""
    return phrase("and", lang).join(dict.fromkeys(name_bot(bot, lang) for bot in bots))


def counts_points(name: str) -> bool:
    """Return True if the measure with this internal name counts points."""
    return name in _SCORES or name.startswith(("score of seat ", "best score: ", "worst score: "))


def is_share(name: str) -> bool:
    """Return True if the standard measure of this name is a fraction of all games, such as wins."""
    return name in _SHARES or name.startswith(_LEADING_SHARES)


class MeasureNames:
    """Finds the names that tables show for measures, else internal ones. `alone`: the game is for one player."""

    def __init__(self, game: Game, rules: Rules | None, lang: str, *, alone: bool):
        self._game, self._lang, self._alone = game, lang, alone
        self._supplies: Mapping[str, str] = {one.id: one.pieces for one in rules.supplies} if rules is not None else {}
        self._holes: Mapping[str, str] = {one.id: one.reading for one in rules.holes} if rules is not None else {}

    def get_name(self, name: str, where: str) -> str:
        """Return a measure's name: the long one (`where` is "measure") or one for narrow columns ("brief")."""
        if name in _EXACT:
            return phrase(f"lab_{where}_{name.replace(' ', '_')}", self._lang)
        first, _, rest = name.partition(": ")
        if first in _AT:
            when = "end" if rest == "end" else "at"
            return phrase(f"lab_{where}_{first.replace(' ', '_')}_{when}", self._lang, what=rest)
        if first == "ran out":
            return phrase(f"lab_{where}_ran_out", self._lang, what=self._name_pieces(rest))
        if first == "hole":
            return phrase(f"lab_{where}_hole", self._lang, what=self._holes.get(rest) or rest)
        for begin, kind in _LEADING:
            if name.startswith(begin):
                alone = "_alone" if self._alone and kind in ("win", "score") else ""
                rest = name.removeprefix(begin)
                what = self._name_pieces(rest) if kind == "peak" else rest
                return phrase(f"lab_{where}_{kind}{alone}", self._lang, what=what)
        return name

    def _name_pieces(self, supply: str) -> str:
        pieces = self._supplies.get(supply, "")
        if pieces in self._game.kinds:
            return self._game.kinds[pieces].name[self._lang]
        return piece_name(self._game, pieces, self._lang) if pieces else supply


MINUS = "\u2212"
_MOST = 3
"""Maximum number of decimals."""

_LOPSIDED = 0.2
"""An interval counts as symmetric, and is shown with ±, up to this offset of its middle (share of half its width)."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval from `low` to `high`, both included; `at` is the best estimate."""

    at: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Return half of the interval's width."""
        return (self.high - self.low) / 2

    def divide_by(self, by: float) -> "Interval":
        """Return the interval in units that are `by` times as large."""
        return Interval(self.at / by, self.low / by, self.high / by)

    def excludes_value(self, value: float) -> bool:
        """Return True if the value is outside the interval."""
        return not self.low <= value <= self.high


def count_decimals(half: float) -> int:
    """Return how many decimals a number ± `half` has: up to the first digit of `half` that isn't 0.

    A number with no uncertainty or complete uncertainty has no decimals.
    """
    if not half or not isfinite(half):
        return 0
    return min(_MOST, max(0, -floor(log10(half))))


def format_number(value: float, decimals: int, *, signed: bool = False) -> str:
    """Return a number with this many decimals; a positive one has a + if `signed`. Zero has no minus sign."""
    text = f"{abs(value):,.{decimals}f}"
    zero = not any(digit in text for digit in "123456789")
    sign = "" if zero else MINUS if value < 0 else "+" if signed else ""
    return sign + text


def count_interval_decimals(interval: Interval) -> int:
    """Return the decimals for an interval by its width, or as many as the number needs if the width is 0."""
    if interval.half:
        return count_decimals(interval.half)
    return next((places for places in range(_MOST) if round(interval.at, places) == round(interval.at, _MOST)), _MOST)


def format_change(interval: Interval) -> str:
    """Return a difference with its sign and without its margin, such as +0.9."""
    return format_number(interval.at, count_interval_decimals(interval), signed=True)


def format_margin(interval: Interval, *, signed: bool = True) -> str:
    """Return the margin for a number: ±0.2, `(low … high)` if lopsided, ±∞ if unknown, '' if the width is 0."""
    places = count_interval_decimals(interval)
    if not interval.half:
        return ""
    if not isfinite(interval.half):
        return "±∞"
    if abs((interval.low + interval.high) / 2 - interval.at) > _LOPSIDED * interval.half:
        low, high = (format_number(end, places, signed=signed) for end in (interval.low, interval.high))
        return f"({low} … {high})"
    return f"±{format_number(interval.half, places)}"


def format_with_margin(interval: Interval) -> str:
    """Return a number without a plus sign and with its margin, such as 36.4 ±0.2."""
    number = format_number(interval.at, count_interval_decimals(interval))
    return f"{number} {format_margin(interval, signed=False)}".rstrip()


def format_change_with_margin(found: Interval) -> str:
    """Return a difference with its sign and its margin, such as +0.9 ±0.2."""
    return " ".join(filter(None, (format_change(found), format_margin(found))))
