"""The words of the table's page, in the language that is played in."""

from generator.model.phrases import phrase

_WORDS = (
    "middle",
    "table",
    "skip",
    "home",
    "tools",
    "undo",
    "hint",
    "save",
    "new",
    "size",
    "smaller",
    "larger",
    "keys",
    "aside",
    "panel",
    "log",
    "facts",
    "close",
    "curtain_note",
    "i_am",
    "players",
    "seats",
    "seat",
    "person",
    "you",
    "bot",
    "other_bot",
    "seed",
    "any_seed",
    "language",
    "options",
    "as_written",
    "open_file",
    "free",
    "go_on",
    "begin",
    "begin_note",
    "too_large",
    "your_turn",
    "turn_of",
    "waiting_for",
    "choices",
    "points",
    "hint_says",
    "nothing_to_undo",
    "undone",
    "saved",
    "no_answer",
    "again",
    "look_back",
    "looking_back",
    "to_now",
    "key_next",
    "key_enter",
    "key_look",
    "key_arrows",
    "key_moves",
    "key_table",
)

_FILLED = {name: f"{{{name}}}" for name in ("n", "of", "player", "bot", "move", "file")}
"""What the page fills in by itself."""


def table_words(lang: str) -> dict[str, str]:
    """Each of them by its name; what is filled in stands in braces."""
    return {name: phrase(f"table_{name}", lang, **_FILLED) for name in _WORDS}
