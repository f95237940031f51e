"""Named sizes: figures of the trade, unique names, sources that disagree kept apart."""

import pytest

from generator.base.geometry import CARD_SIZES, PAPER_SIZES, Size, card_size, paper_size


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [
        ("jp-poker", 63, 88),
        ("us-poker", 63.5, 88.9),
        ("us-bridge", 57.15, 88.9),
        ("half-poker-62", 44.45, 62.23),
        ("us-tarot", 69.85, 120.65),
        ("jp-business", 91, 55),
    ],
)
def test_cards_have_the_trade_s_figures(name, width, height):
    assert card_size(name) == Size(width, height)


@pytest.mark.parametrize(
    ("name", "width", "height"),
    [("A4", 210, 297), ("A3", 297, 420), ("B5", 182, 257), ("B4", 257, 364), ("Letter", 215.9, 279.4)],
)
def test_papers_have_their_sizes_and_b_sizes_are_the_japanese_ones(name, width, height):
    """B4 and B5 are JIS, as sold in Japan, not the smaller ISO sheets."""
    assert paper_size(name) == Size(width, height)


def test_unknown_names_are_key_errors():
    with pytest.raises(KeyError, match="poker-jp"):
        card_size("poker-jp")
    with pytest.raises(KeyError, match="A9"):
        paper_size("A9")


def test_every_size_is_plausible_and_says_who_uses_it():
    """Between a token and a sheet, papers upright, each with a note, no size twice under two names."""
    for name, named in CARD_SIZES.items():
        assert named.name == name == name.lower()
        assert 40 <= min(named.size.width, named.size.height) <= max(named.size.width, named.size.height) <= 125
        assert named.note
    assert len({named.size for named in CARD_SIZES.values()}) == len(CARD_SIZES) >= 25
    for named in PAPER_SIZES.values():
        assert named.size.width < named.size.height
        assert named.note


def test_sources_that_disagree_have_names_of_their_own():
    sizes = {card_size(name) for name in ("euro-mini", "euro-mini-44x68", "euro-mini-44x67")}
    assert len(sizes) == 3
    assert "44 x 67" in CARD_SIZES["euro-mini"].note
