"""How many differences are left out of a short list."""

from generator.versions.diff_games import _book_lines
from generator.versions.sentences import Sentence, SentenceChange


def test_what_is_left_out_is_counted_once() -> None:
    """Of four sentences that came, one is shown and the other three are counted."""
    changes = [SentenceChange("added", None, Sentence(f"Sentence {number}.")) for number in range(4)]
    assert list(_book_lines(changes, 1)) == ["    + Sentence 0.", "  + and 3 more"]
