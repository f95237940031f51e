"""A game's texts on their way to translators and back: what there is to translate, and what a translation must keep."""
