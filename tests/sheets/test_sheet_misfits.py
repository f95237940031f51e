"""Pieces that the paper can't take: all named at once, with the largest size that fits."""

import pytest
from sheet_cases import deck, lay, on, piece, typeset

from generator.base.geometry import Size
from generator.sheets.place_pieces import DoesNotFit
from generator.sheets.sheet_pages import iter_sheet_pages


def test_all_pieces_too_large_are_named_at_once_with_what_fits():
    pieces = [*deck(2, 300, 300), piece("b", 63, 88), piece("board", 200, 290)]
    with pytest.raises(DoesNotFit) as caught:
        lay(pieces, on("A4"))
    first, second = caught.value.misfits
    assert first.ids == ("c#1", "c#2")
    assert (second.ids, second.size, second.paper_name) == (("board",), Size(200, 290), "A4")
    assert str(second) == "board is 200 x 290 mm: A4 takes at most 190 x 270 mm with bleed, cut marks and rulers"
    assert str(caught.value).splitlines() == [str(first), str(second)]


@pytest.mark.parametrize("backs", ["none", "fold"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_largest_piece_that_is_named_fits_and_no_larger_one(backs, turned):
    """`room` is exact: that size is laid out, a tenth of a millimetre more in either direction is not."""
    chosen = on("A4", backs=backs)
    with pytest.raises(DoesNotFit) as caught:
        lay(deck(1, 400, 400), chosen)
    room = caught.value.misfits[0].room
    assert room is not None
    width, height = (room.height, room.width) if turned else (room.width, room.height)
    assert len(lay(deck(1, width, height), chosen)[0].placements) >= 1
    for larger in ((width + 0.1, height), (width, height + 0.1)):
        with pytest.raises(DoesNotFit):
            lay(deck(1, *larger), chosen)


def test_a_label_without_room_is_said_to_be_the_trouble():
    """Where the card would fit but not a very long label, the message shows the label."""
    chosen = on("Hagaki", backs="none")
    with pytest.raises(DoesNotFit) as caught:
        list(iter_sheet_pages(deck(1), chosen, lambda *_: "word " * 200, typeset, lambda drawing: drawing.title))
    assert "has no room beside it for rulers and the sheet's label 'word word" in str(caught.value)
