"""Directions of text: the level and the order of characters, by Unicode's algorithm (UAX #9).

No library with a permissive licence returns the levels of single characters. Without them, icons and colours can't be
placed. The rules have the annex's names; Unicode's own test file verifies them.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_DEEPEST = 125  # levels: BD2
_MOST_OPEN = 63  # brackets that wait for their partners: BD16
_EMBEDDINGS = {"LRE": (0, ""), "RLE": (1, ""), "LRO": (0, "L"), "RLO": (1, "R")}
_ISOLATES = ("LRI", "RLI", "FSI")
_REMOVED = frozenset((*_EMBEDDINGS, "PDF", "BN"))
_NEUTRAL = frozenset(("B", "S", "WS", "ON", "PDI", *_ISOLATES))
_BLANK = frozenset(("WS", "PDI", *_ISOLATES)) | _REMOVED
_STRONG = {"L": 0, "R": 1, "AL": 1}
_DIRECTIONS = {"L": "L", "R": "R", "EN": "R", "AN": "R"}  # numbers count as right-to-left among neutrals
_CANONICAL = {"\u2329": "\u3008", "\u232a": "\u3009"}
_PAIRS = (
    "()[]{}\u0f3a\u0f3b\u0f3c\u0f3d\u169b\u169c\u2045\u2046\u207d\u207e\u208d\u208e\u2308\u2309\u230a\u230b\u2329\u232a"
    "\u2768\u2769\u276a\u276b\u276c\u276d\u276e\u276f\u2770\u2771\u2772\u2773\u2774\u2775\u27c5\u27c6\u27e6\u27e7\u27e8"
    "\u27e9\u27ea\u27eb\u27ec\u27ed\u27ee\u27ef\u2983\u2984\u2985\u2986\u2987\u2988\u2989\u298a\u298b\u298c\u298d\u2990"
    "\u298f\u298e\u2991\u2992\u2993\u2994\u2995\u2996\u2997\u2998\u29d8\u29d9\u29da\u29db\u29fc\u29fd\u2e22\u2e23\u2e24"
    "\u2e25\u2e26\u2e27\u2e28\u2e29\u2e55\u2e56\u2e57\u2e58\u2e59\u2e5a\u2e5b\u2e5c\u3008\u3009\u300a\u300b\u300c\u300d"
    "\u300e\u300f\u3010\u3011\u3014\u3015\u3016\u3017\u3018\u3019\u301a\u301b\ufe59\ufe5a\ufe5b\ufe5c\ufe5d\ufe5e\uff08"
    "\uff09\uff3b\uff3d\uff5b\uff5d\uff5f\uff60\uff62\uff63"
)
_CLOSES = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_CLOSING = frozenset(_CLOSES.values())


def resolve_levels(text: str, base: int) -> list[int]:
    """Return the level of each character of a paragraph with level `base` (1: right to left); odd levels run leftwards.

    Direction marks, which are never shown, have the level of the character before them. Blanks at the paragraph's end
    have its own level; those at the end of a line get it when the line is set.
    """
    kinds = [unicodedata.bidirectional(char) or "L" for char in text]
    found, resolved = _resolve_explicit(kinds, base)
    shown = [at for at, kind in enumerate(kinds) if kind not in _REMOVED]
    for row in _iter_sequences(kinds, found, shown):
        _Sequence(text, kinds, resolved, row, _find_sides(kinds, found, shown, row, base), found[row[0]]).resolve()
    for at in shown:
        rises = {"R": 0} if found[at] % 2 else {"R": 1, "AN": 2, "EN": 2}  # I1, I2
        found[at] += rises.get(resolved[at], found[at] % 2)
    _reset_blanks(kinds, found, base)
    for at, kind in enumerate(kinds):
        if kind in _REMOVED:
            found[at] = found[at - 1] if at else base
    return found


def order_visually(row: Sequence[int]) -> list[int]:
    """Return the indices of a line's items, given the level of each, in order from left to right."""
    order = list(range(len(row)))
    least = min((level for level in row if level % 2), default=0)
    for level in range(max(row, default=0), least - 1 if least else 0, -1):  # L2
        at = 0
        while at < len(order):
            end = at
            while end < len(order) and row[order[end]] >= level:
                end += 1
            order[at:end] = order[at:end][::-1]
            at = end + 1
    return order


def _reset_blanks(kinds: list[str], found: list[int], base: int) -> None:
    """Set levels in `found` to the paragraph's `base` for separators, for blanks before them and at the end (L1)."""
    trailing = True
    for at in range(len(kinds) - 1, -1, -1):
        if kinds[at] in ("B", "S"):
            found[at], trailing = base, True
        elif kinds[at] not in _BLANK:
            trailing = False
        elif trailing:
            found[at] = base


def _find_partner(kinds: Sequence[str], at: int) -> int:
    """Return the end of the isolate that begins at `at` (BD9), or the length of `kinds` (bidi classes) if none does."""
    depth = 1
    for end in range(at + 1, len(kinds)):
        depth += (kinds[end] in _ISOLATES) - (kinds[end] == "PDI")
        if not depth:
            return end
    return len(kinds)


def _find_first_strong(kinds: Sequence[str], at: int, end: int) -> int:
    """Return 1 if the first strong character outside isolates in a range runs leftwards, else 0 (P2, P3)."""
    while at < end:
        if kinds[at] in _STRONG:
            return _STRONG[kinds[at]]
        at = _find_partner(kinds, at) + 1 if kinds[at] in _ISOLATES else at + 1
    return 0


class _Status(NamedTuple):
    """An entry of the stack of X1: a level, the kind forced on its characters (or ""), whether it is an isolate."""

    level: int
    override: str = ""
    isolate: bool = False


class _Stack:
    """The stack of rules X1 to X8, with counters of open isolates and of what was too deep for it."""

    def __init__(self, base: int):
        self.entries = [_Status(base)]
        self.lost_isolates = self.lost_embeddings = self.isolates = 0

    def push(self, direction: int, override: str, isolate: bool) -> None:
        """Add an entry (X2 to X5c; see _Status) with the next level in a direction (0, 1); count it if too deep."""
        level = self.entries[-1].level + 1
        level += level % 2 != direction
        if level <= _DEEPEST and not self.lost_isolates and not self.lost_embeddings:
            self.isolates += isolate
            self.entries.append(_Status(level, override, isolate))
        elif isolate:
            self.lost_isolates += 1
        elif not self.lost_isolates:
            self.lost_embeddings += 1

    def end_isolate(self) -> None:
        """End the innermost isolate (X6a), with all embeddings in it, or uncount one that was too deep."""
        if self.lost_isolates:
            self.lost_isolates -= 1
        elif self.isolates:
            self.lost_embeddings = 0
            while not self.entries[-1].isolate:
                self.entries.pop()
            self.entries.pop()
            self.isolates -= 1

    def end_embedding(self) -> None:
        """End the innermost embedding (X7) unless it is an isolate, or uncount one that was too deep."""
        if self.lost_isolates:
            return
        if self.lost_embeddings:
            self.lost_embeddings -= 1
        elif not self.entries[-1].isolate and len(self.entries) > 1:
            self.entries.pop()


def _resolve_explicit(kinds: list[str], base: int) -> tuple[list[int], list[str]]:
    """Return each character's level set by direction marks, and its kind after overrides (X1 to X8)."""
    stack, found, resolved = _Stack(base), list[int](), [*kinds]
    for at, kind in enumerate(kinds):
        if kind == "PDI":
            stack.end_isolate()
        elif kind == "PDF":
            stack.end_embedding()
        last = stack.entries[-1]
        found.append(base if kind == "B" else last.level)
        if last.override and kind not in _REMOVED and kind != "B":
            resolved[at] = last.override
        if kind in _EMBEDDINGS:
            stack.push(*_EMBEDDINGS[kind], isolate=False)
        elif kind in _ISOLATES:
            right = _find_first_strong(kinds, at + 1, _find_partner(kinds, at)) if kind == "FSI" else int(kind == "RLI")
            stack.push(right, "", isolate=True)
    return found, resolved


def _iter_sequences(kinds: list[str], found: list[int], shown: list[int]) -> Iterator[list[int]]:
    """Yield the isolating run sequences (BD13) of `shown`, the characters that X9 keeps; `found` are the levels."""
    runs: list[list[int]] = []
    for at in shown:
        if runs and found[runs[-1][-1]] == found[at]:
            runs[-1].append(at)
        else:
            runs.append([at])
    begins = {run[0]: run for run in runs}
    followers = set()
    for run in runs:
        if kinds[run[-1]] in _ISOLATES and (after := _find_partner(kinds, run[-1])) in begins:
            followers.add(after)
    for run in runs:
        if run[0] in followers and kinds[run[0]] == "PDI":
            continue
        row = [*run]
        while kinds[row[-1]] in _ISOLATES and (after := _find_partner(kinds, row[-1])) in begins:
            row += begins[after]
        yield row


def _find_sides(kinds: list[str], found: list[int], shown: list[int], row: list[int], base: int) -> tuple[str, str]:
    """Return the directions before and after a sequence `row` (sos, eos; X10), "L" or "R". `found` are the levels."""
    place = {at: number for number, at in enumerate(shown)}
    first, last = place[row[0]], place[row[-1]]
    before = found[shown[first - 1]] if first else base
    open_end = kinds[row[-1]] in _ISOLATES or last + 1 == len(shown)
    after = base if open_end else found[shown[last + 1]]
    level = found[row[0]]
    return _direction_from_level(max(before, level)), _direction_from_level(max(after, level))


def _direction_from_level(level: int) -> str:
    return "R" if level % 2 else "L"


class _Sequence:
    """An isolating run sequence whose kinds are resolved in place."""

    def __init__(
        self, text: str, kinds: list[str], resolved: list[str], row: list[int], sides: tuple[str, str], level: int
    ):
        self._text, self._original, self._kinds, self._row = text, kinds, resolved, row
        self._before, self._after = sides
        self._direction = _direction_from_level(level)

    def resolve(self) -> None:
        """Replace every weak or neutral kind by the one that gives its direction (W1 to N2)."""
        self._resolve_marks_and_letters()
        self._resolve_numbers()
        self._resolve_brackets()
        self._resolve_neutrals()

    def _resolve_marks_and_letters(self) -> None:
        """Apply W1 to W3: marks are like their base, numbers behind Arabic letters Arabic, these letters leftward."""
        kinds, before, strong = self._kinds, self._before, self._before
        for at in self._row:
            if kinds[at] == "NSM":
                kinds[at] = "ON" if before in ("PDI", *_ISOLATES) else before
            before = kinds[at]
            if before in _STRONG:
                strong = before
            elif before == "EN" and strong == "AL":
                kinds[at] = "AN"
                before = "EN"  # until W2, a mark behind it has the original kind of the number
            if self._original[at] == "NSM" and kinds[at] == "EN" and strong == "AL":
                kinds[at] = "AN"
        for at in self._row:
            if kinds[at] == "AL":
                kinds[at] = "R"

    def _resolve_numbers(self) -> None:
        """Apply W4 to W7: signs in or at numbers belong to them, and numbers behind Latin letters run with these."""
        kinds, row = self._kinds, self._row
        for before, at, after in zip(row, row[1:], row[2:], strict=False):
            if kinds[before] == kinds[after] and (
                (kinds[at] == "ES" and kinds[after] == "EN") or (kinds[at] == "CS" and kinds[after] in ("EN", "AN"))
            ):
                kinds[at] = kinds[after]
        for start, end in self._iter_stretches(frozenset(("ET",))):
            beside = {kinds[row[start - 1]] if start else "", kinds[row[end]] if end < len(row) else ""}
            for at in row[start:end]:
                kinds[at] = "EN" if "EN" in beside else "ON"
        for at in row:
            if kinds[at] in ("ES", "CS"):
                kinds[at] = "ON"
        strong = self._before
        for at in row:
            if kinds[at] in ("L", "R"):
                strong = kinds[at]
            elif kinds[at] == "EN" and strong == "L":
                kinds[at] = "L"

    def _resolve_brackets(self) -> None:
        """Apply N0: brackets around text get the level's direction, unless it and the text before have the other."""
        for start, end in self._find_pairs():
            inside = {_DIRECTIONS.get(self._kinds[at], "") for at in self._row[start + 1 : end]} - {""}
            if not inside:
                continue
            if self._direction not in inside:
                before = next(
                    (way for at in self._row[:start][::-1] if (way := _DIRECTIONS.get(self._kinds[at]))), self._before
                )
                self._set_direction(start, before if before in inside else self._direction)
                self._set_direction(end, before if before in inside else self._direction)
            else:
                self._set_direction(start, self._direction)
                self._set_direction(end, self._direction)

    def _set_direction(self, number: int, direction: str) -> None:
        """Set the direction of the bracket at place `number` of the sequence, and of the marks on it."""
        self._kinds[self._row[number]] = direction
        for at in self._row[number + 1 :]:
            if self._original[at] != "NSM":
                break
            self._kinds[at] = direction

    def _find_pairs(self) -> list[tuple[int, int]]:
        """Return pairs of brackets (BD16) as places in the sequence: (opening, closing), in order."""
        waiting: list[tuple[str, int]] = []
        pairs: list[tuple[int, int]] = []
        for number, at in enumerate(self._row):
            char = self._text[at]
            if self._kinds[at] != "ON":
                continue
            if char in _CLOSES:
                if len(waiting) == _MOST_OPEN:
                    return []
                waiting.append((_to_canonical(_CLOSES[char]), number))
            elif char in _CLOSING:
                for depth in range(len(waiting) - 1, -1, -1):
                    if waiting[depth][0] == _to_canonical(char):
                        pairs.append((waiting[depth][1], number))
                        del waiting[depth:]
                        break
        return sorted(pairs)

    def _resolve_neutrals(self) -> None:
        """Apply N1 and N2: neutral characters have the direction of both sides, if equal, else that of their level."""
        kinds, row = self._kinds, self._row
        for start, end in self._iter_stretches(_NEUTRAL):
            before = _DIRECTIONS[kinds[row[start - 1]]] if start else self._before
            after = _DIRECTIONS[kinds[row[end]]] if end < len(row) else self._after
            for at in row[start:end]:
                kinds[at] = before if before == after else self._direction

    def _iter_stretches(self, wanted: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Yield ranges of adjacent characters of these kinds: the first index, and that behind the last."""
        start = 0
        while start < len(self._row):
            end = start
            while end < len(self._row) and self._kinds[self._row[end]] in wanted:
                end += 1
            if end > start:
                yield start, end
            start = end + 1


def _to_canonical(char: str) -> str:
    return _CANONICAL.get(char, char)
