"""How many differences are left out of a short list."""

from generator.commands.plain_text import write_lines
from generator.versions.difference_report import DifferenceBlocks
from generator.versions.differences import Difference, VersionState
from generator.versions.sentences import Sentence, SentenceChange


def test_what_is_left_out_is_counted_once() -> None:
    """Of four sentences that came, one is shown and the other three are counted."""
    changes = tuple(SentenceChange("added", None, Sentence(f"Sentence {number}.")) for number in range(4))
    state = VersionState("", "higher", "1", {"en": "Higher"})
    found = Difference(state, state, {}, (0, 0), {}, {("rulebook", "en"): changes})
    lines = list(write_lines(DifferenceBlocks(found, "en", "", 1).iter_books()))
    assert lines == ["", "Rulebook (en):", "  + Sentence 0.", "  + … and 3 more"]
