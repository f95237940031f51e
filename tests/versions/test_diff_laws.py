"""Laws of comparing values and sentences, whatever they are."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from generator.books.page.blocks import BlockGroup, Book, Cover, Heading, Paragraph
from generator.game.rich_text import RING, Icon, Plain, Words
from generator.versions.differences import MISSING, is_equal_value, iter_value_changes, plain_from_value, shorten_runs
from generator.versions.sentences import Sentence, SentenceChange, compare_sentences, read_sentences, word_runs

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([1.0, 0.5]) | st.text("ab", max_size=2)
WORDS = st.dictionaries(st.sampled_from(["ja", "en"]), st.text("ab札", max_size=3), min_size=1).map(Words)
NAMES = st.sampled_from(["id", "a", "b", "c"])
VALUES = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)

TEXTS = st.sampled_from(
    ["Draw 1 card.", "Draw 2 cards.", "Then play a card.", "札を1枚引く。", "札を2枚引く。", "The end.", "Draw.", "Play on."]
)  # fmt: skip
BOOKS = st.lists(st.builds(Sentence, TEXTS, st.sampled_from(["Turn", "End"])), max_size=8)
LINES = st.text("ab札 1.。", max_size=24)


def told(old: Any, new: Any) -> list[tuple[Any, ...]]:
    return sorted((one.path, one.lang, repr(one.old), repr(one.new)) for one in iter_value_changes(old, new))


@given(VALUES)
def test_a_value_does_not_differ_from_itself(value: Any) -> None:
    """Nothing is told where nothing changed."""
    assert told(value, value) == []


@given(VALUES, VALUES)
def test_values_that_differ_are_told(old: Any, new: Any) -> None:
    """No difference is missed: two values with nothing told between them are the same, but for empty maps and texts."""
    if not told(old, new):
        assert is_equal_value(_bare(plain_from_value(old)), _bare(plain_from_value(new)))


def _bare(value: Any) -> Any:
    """A value without what an absent one can't be told from."""
    return value if value not in ({}, [], "") else None


@given(VALUES, VALUES)
def test_values_mirror(old: Any, new: Any) -> None:
    """The way back tells the same with old and new exchanged."""
    assert told(old, new) == sorted((path, lang, was, now) for path, lang, now, was in told(new, old))


@given(st.dictionaries(NAMES, SCALARS, max_size=3))
def test_what_there_was_not_is_missing(value: dict[str, Any]) -> None:
    """Against nothing, every value of a map is told as one that came."""
    assert [one.new for one in iter_value_changes(MISSING, value) if value] == [
        plain_from_value(part) for part in value.values()
    ]
    assert all(one.old is MISSING for one in iter_value_changes(MISSING, value))


def halves(changes: tuple[SentenceChange, ...]) -> list[tuple[str, str, str]]:
    return [(one.sort, one.old.text if one.old else "", one.new.text if one.new else "") for one in changes]


@given(BOOKS)
def test_a_book_does_not_differ_from_itself(book: list[Sentence]) -> None:
    """The same sentences in the same order are no difference, whatever headings they stand under."""
    assert compare_sentences(book, [Sentence(one.text) for one in book]) == ()


@given(BOOKS, BOOKS)
def test_books_mirror(old: list[Sentence], new: list[Sentence]) -> None:
    """The way back tells the same: what came goes, what changed changes back."""
    turned = {"added": "removed", "removed": "added"}
    back = [(turned.get(sort, sort), b, a) for sort, a, b in halves(compare_sentences(new, old))]
    assert sorted(halves(compare_sentences(old, new))) == sorted(back)


@given(BOOKS, BOOKS)
def test_every_sentence_is_accounted_for(old: list[Sentence], new: list[Sentence]) -> None:
    """The old book without what went and with what came has the sentences of the new one, each as often."""
    there = [one.text for one in old]
    for sort, was, now in halves(compare_sentences(old, new)):
        if sort == "moved":
            assert was == now
            continue
        if was:
            there.remove(was)
        if now:
            there.append(now)
    assert sorted(there) == sorted(one.text for one in new)


@given(BOOKS, BOOKS)
def test_changes_stand_in_the_order_of_the_new_book(old: list[Sentence], new: list[Sentence]) -> None:
    """A reader can follow them page by page."""
    at = {id(one): number for number, one in enumerate(new)}
    order = [at[id(one.new)] for one in compare_sentences(old, new) if one.new is not None]
    assert order == sorted(order)


@given(LINES, LINES)
def test_words_that_differ_are_marked_and_no_others(old: str, new: str) -> None:
    """Without the new runs the old text remains, without the old ones the new; and the way back is the mirror."""
    runs = word_runs(old, new)
    assert "".join(run.text for run in runs if run.sort != "new") == old
    assert "".join(run.text for run in runs if run.sort != "old") == new
    turned = {"old": "new", "new": "old", "same": "same"}
    assert sorted((run.sort, run.text) for run in runs) == sorted((turned[r.sort], r.text) for r in word_runs(new, old))


@given(LINES, LINES)
def test_what_differs_is_never_cut(old: str, new: str) -> None:
    """Only what both texts share is shortened."""
    runs = word_runs(f"{old * 9}{'so ' * 60}{new}", f"{new * 9}{'so ' * 60}{old}")
    assert [run for run in shorten_runs(runs) if run.sort != "same"] == [run for run in runs if run.sort != "same"]


def test_numbers_change_as_a_whole_and_japanese_by_character() -> None:
    """`18` to `17` marks the number, not its last digit; in Japanese only the characters that differ are marked."""
    assert [(run.sort, run.text) for run in word_runs("deal 18 cards", "deal 17 cards")] == [("same", "deal "), ("old", "18"), ("new", "17"), ("same", " cards")]  # fmt: skip
    assert [(run.sort, run.text) for run in word_runs("手札は3枚。", "手札は12枚。")] == [("same", "手札は"), ("old", "3"), ("new", "12"), ("same", "枚。")]  # fmt: skip


def test_a_sentence_that_only_moved_is_told_as_moved() -> None:
    """A sentence in another place is neither lost nor new."""
    a, b, c = (Sentence(text) for text in ("Draw 1 card.", "Then play.", "Score at once."))
    assert halves(compare_sentences([a, b, c], [b, c, a])) == [("moved", a.text, a.text)]


def test_what_went_stands_where_it_was() -> None:
    """A sentence that went is told between what came before its place and what came into it."""
    first, lost, last, early, late = (Sentence(text) for text in ("One.", "Lost words.", "Two.", "Early.", "Later on."))
    assert halves(compare_sentences([first, lost, last], [early, first, late, last])) == [("added", "", early.text), ("removed", lost.text, ""), ("added", "", late.text)]  # fmt: skip


def test_numbers_of_pictures_are_no_words() -> None:
    """A place's number follows its picture: where another comes before it, no sentence has changed."""
    before, after = (
        Book("g", "en", Cover("G", "", ()), (Paragraph((Plain("The deck "), Icon(f"{RING}{number}"), Plain("."))),), ())
        for number in (1, 2)
    )
    assert read_sentences(before) == read_sentences(after)
    assert [one.text for one in read_sentences(before)] == ["G", "The deck ."]


def test_a_sentence_on_facing_pages_has_the_heading_above_it() -> None:
    spread = BlockGroup((Heading(1, (Plain("Set-up"),), "setup"), Paragraph((Plain("Shuffle."),))), manner="spread")
    book = Book("g", "en", Cover("G", "", ()), (Heading(1, (Plain("Box"),), "box"), spread), ())
    assert [(one.text, one.heading) for one in read_sentences(book)][-1] == ("Shuffle.", "Set-up")
