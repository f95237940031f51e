"""What to do with the print sheets, in order: only the steps that a game's pieces need."""

from collections.abc import Iterator, Sequence

from generator.checklist.inventory import Inventory, KindOfParts
from generator.model.phrases import phrase
from generator.model.sheet import Backs

_PRINT: dict[Backs, str] = {"long": "print_long", "short": "print_short", "separate": "print_separate"}


def steps(inventory: Inventory, lang: str, file: str, paper: str) -> Iterator[str]:
    """The sentences, each a step; `file` is the print sheets' name, `paper` what they are printed on."""
    kinds = inventory.kinds
    rows = [kind for kind in kinds if kind.lie != "packed" and kind.tiles == 1]
    packed = [kind for kind in kinds if kind.lie == "packed"]
    tiled = [kind for kind in kinds if kind.lie != "packed" and kind.tiles > 1]

    yield phrase(_PRINT.get(inventory.backs, "print_one_side"), lang, file=file, paper=paper)
    yield phrase("measure", lang)
    if any(group.sides == "folded" for group in inventory.groups):
        yield phrase("fold_sheets", lang)
    if rows:
        yield phrase("cut_rows", lang, names=_names(rows, lang))
    if tiled:
        parts = [phrase("in_parts", lang, title=kind.kind.name[lang], n=kind.tiles) for kind in tiled]
        yield phrase("join_boards", lang, names=phrase("and", lang).join(parts))
    if packed:
        yield phrase("cut_round", lang, names=_names(packed, lang))
    if any(group.sides == "separate" for group in inventory.groups):
        yield phrase("glue_backs", lang)
    yield from _corners(rows, lang)
    for form, words in (("cube", "fold_cubes"), ("standee", "fold_standees")):
        folded = [kind for kind in packed if kind.kind.form == form]
        if folded:
            yield phrase(words, lang, names=_names(folded, lang))
    yield phrase("sort", lang, n=inventory.count)


def _corners(rows: Sequence[KindOfParts], lang: str) -> Iterator[str]:
    """Cards alone: they are shuffled and drawn, so their corners suffer."""
    radii = {kind.kind.corner for kind in rows if kind.kind.form == "card"}
    if any(radii):
        yield phrase("round_corners", lang, radius=f"{max(radii):g}")


def _names(kinds: Sequence[KindOfParts], lang: str) -> str:
    return phrase("and", lang).join(kind.kind.name[lang] for kind in kinds)
