"""Proofs: every design once, through every eye and under its guides; paints that fall together are named."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from conftest import ROOT, Pnp
from PIL import Image
from shipped_games import SWEPT, workshop
from tests_support import TinyProject, page_count

from generator.base.colour import measure_contrast, measure_differences
from generator.base.display_list import Group, Item, Shape, TextRun, walk_leaves
from generator.base.languages import phrase
from generator.drawing.faces.face_marks import SAFE, TRIM
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_page
from generator.game.load_game import load_game
from generator.game.print_pages import Document
from generator.game.project import find_project
from generator.production.colour_blindness import COLOUR_VISIONS, VisionSimulator
from generator.production.proof import FOLD, PAPER, STRIP_AREA, StripSetter, build_proof, iter_subjects


@cache
def proofed(name: str) -> Document:
    """A game's whole proof in English; its bitmaps go where nobody looks."""
    shop = workshop(name)
    designs = tuple(design for design in shop.game.designs() if not shop.game.kinds[design.kind].left_out)
    return build_proof(shop, designs, "en", ROOT / "output")


def lines(items: tuple[Item, ...]) -> Iterator[str]:
    """Texts in drawing order, runs of one baseline joined."""
    last: tuple[float, float] | None = None
    text = ""
    for leaf, matrix in walk_leaves(items):
        if isinstance(leaf, TextRun) and leaf.angle == 0:
            here = (round(leaf.y * matrix[3] + matrix[5], 2), matrix[0])
            if here != last and text:
                yield text
                text = ""
            text, last = text + leaf.text, here
    if text:
        yield text


@pytest.mark.parametrize("name", SWEPT)
def test_every_design_is_proofed_once(name: str) -> None:
    """Each design's front stands there with its id and count; every unlike back of a kind once."""
    shop = workshop(name)
    designs = [design for design in shop.game.designs() if not shop.game.kinds[design.kind].left_out]
    found = list(iter_subjects(shop, designs, "en"))
    fronts = [subject for subject in found if phrase("back", "en") not in subject.name.split(" · ")]
    assert [(subject.name, subject.note.split()[0]) for subject in fronts] == [
        (design.id, f"×{design.count}") for design in designs
    ]
    backs = [subject for subject in found if subject not in fronts]
    kinds = shop.game.kinds
    unlike = {
        (design.kind, shop.digest_face(back))
        for design in designs
        if design.back
        and kinds[design.kind].form not in ("cube", "standee")
        and (back := shop.draw_face(design, "back", "en")) is not None
    }
    assert len(backs) == len(unlike)


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_pages_hold_all_and_nothing_sticks_out(name: str) -> None:
    """Every strip lies inside the page's room; head and pages are counted through."""
    document = proofed(name)
    for number, page in enumerate(document.pages, start=1):
        assert page.size == PAPER
        assert f"page {number} of {len(document.pages)}" in " ".join(lines(page.items))
        strips = [item for item in page.items if isinstance(item, Group)]
        assert strips
        for strip in strips:
            assert (
                STRIP_AREA.x - 0.01 <= strip.matrix[4] < STRIP_AREA.right
                and STRIP_AREA.y - 0.01 <= strip.matrix[5] < STRIP_AREA.bottom
            )
            lowest = max(
                matrix[5] + leaf.y * matrix[3] for leaf, matrix in walk_leaves((strip,)) if isinstance(leaf, TextRun)
            )
            assert lowest <= STRIP_AREA.bottom + 0.5


def strip_of(name: str, number: int = 0) -> tuple[tuple[Item, ...], Any]:
    """The pictures of a game's design, and the subject."""
    shop = workshop(name)
    subject = list(iter_subjects(shop, list(shop.game.designs()), "en"))[number]
    sights = [VisionSimulator(eye, shop.hex_of_paint, ROOT / "output") for eye in COLOUR_VISIONS]
    captions = ["plain", *(eye.name for eye in COLOUR_VISIONS), "guides"]
    strip = StripSetter(190.0, shop.make_labeller("en"), sights, captions).set_strip(subject)
    return tuple(item for item in strip.items if isinstance(item, Group)), subject


def test_a_strip_shows_the_face_six_times() -> None:
    """As it is, through four eyes with other colours and the same shapes, and under its guides."""
    pictures, subject = strip_of("fortuna")
    assert len(pictures) == 6
    colours = []
    for picture in pictures[:5]:
        shapes = [leaf for leaf, _ in walk_leaves(picture.items) if isinstance(leaf, Shape)]
        colours.append(
            {workshop("fortuna").hex_of_paint(shape.fill) for shape in shapes if isinstance(shape.fill, str)}
        )
        assert (
            len(shapes) == len([leaf for leaf, _ in walk_leaves(subject.drawing.items) if isinstance(leaf, Shape)]) + 1
        )
    for eye, seen in zip(COLOUR_VISIONS, colours[1:], strict=True):
        assert seen == {eye.convert_hex(colour) for colour in colours[0]}, eye.name
    assert len({frozenset(seen) for seen in colours}) == 5


def test_guides_show_trim_with_round_corners_safe_zone_and_folds() -> None:
    """Over a card its rounded trim and its safe zone; over a net its outline and each of its folds."""
    card, subject = strip_of("fortuna")
    guides = [leaf for leaf, _ in walk_leaves(card[5].items) if isinstance(leaf, Shape) and leaf.role == "guide"]
    (trim,) = [guide for guide in guides if guide.stroke == TRIM]
    assert " C " in trim.path and trim.path.startswith(f"M {subject.piece.corner:g} 0")
    assert [guide.path[:7] for guide in guides if guide.stroke == SAFE] == ["M 3 3 L"]
    designs = list(workshop("journey18").game.designs())
    cube = next(at for at, design in enumerate(designs) if design.kind == "letter")
    found = [s.name for s in iter_subjects(workshop("journey18"), designs, "en")]
    net, subject = strip_of("journey18", found.index(designs[cube].id))
    folds = [leaf for leaf, _ in walk_leaves(net[5].items) if isinstance(leaf, Shape) and leaf.stroke == FOLD]
    printed = [
        leaf for leaf, _ in walk_leaves(subject.drawing.items) if isinstance(leaf, Shape) and leaf.role == "fold"
    ]
    assert folds and {fold.path for fold in folds} == {fold.path for fold in printed}
    assert not [leaf for leaf, _ in walk_leaves(card[5].items) if isinstance(leaf, Shape) and leaf.stroke == FOLD]


def is_seen_by_all(tiny: TinyProject, colour: str, steps: int) -> None:
    """A colour is on the proof's paper as each eye sees it, to so many steps."""
    shown = render_page(tiny.root / "output/tiny/proof.en.pdf", 0, 150).getcolors(1 << 22) or ()
    for seen in (colour, *(eye.convert_hex(colour) for eye in COLOUR_VISIONS)):
        wanted = bytes.fromhex(seen[1:])
        assert any(all(abs(a - b) < steps for a, b in zip(pixel, wanted, strict=True)) for _, pixel in shown), seen


def test_other_eyes_are_seen_on_paper(tiny: TinyProject, pnp: Pnp) -> None:
    """In the PDF of a red star there is its red, and that red as each eye sees it."""
    assert pnp("proof", code=0).out == "output/tiny/proof.en.pdf\n"
    is_seen_by_all(tiny, "#c02020", 2)


@pytest.mark.slow
def test_bitmaps_are_written_while_their_files_exist(tiny: TinyProject, pnp: Pnp) -> None:
    """A picture on a card is in the proof for each eye, although the converted files are gone afterwards."""
    image = Image.new("RGB", (8, 8), (0x10, 0xA0, 0x30))
    path = tiny.root / "templates/tiny/art/leaf.png"
    path.parent.mkdir(parents=True)
    image.save(path)
    tiny.change(
        "templates/tiny/card.svg", "</svg>", '<image href="art/leaf.png" x="5" y="42" width="30" height="15"/></svg>'
    )
    pnp("proof", code=0)
    is_seen_by_all(tiny, "#10a030", 5)


def test_pairs_that_fall_together_are_named(tiny: TinyProject, pnp: Pnp) -> None:
    """A rust and an olive that only normal eyes part are listed; two paints that every eye parts are not."""
    rust, olive = "#b04a00", "#6f6a00"
    figures = measure_differences(rust, olive)
    assert figures["normal sight"] > 20 and min(figures["protanopia"], figures["deuteranopia"]) < 5, "the example holds"
    tiny.change(
        "data/tiny/game.yaml",
        'red: "#c02020"',
        f'red: "#c02020"\n  rust: "{rust}"\n  olive: "{olive}"\n  sky: "#a0d0ff"',
    )
    assert pnp("proof").code == 0
    project = find_project(tiny.root, None)
    shop = Workshop(load_game(project.find_folder("tiny"), project.resources), project.resources)
    text = list(lines(tuple(item for page in build_proof(shop, [], "en", tiny.root).pages for item in page.items)))
    title = phrase("proof_pairs", "en")
    start = next(at for at, line in enumerate(text) if line.startswith(title))
    end = next(at for at, line in enumerate(text) if line.startswith(phrase("proof_grey_pairs", "en")))
    listed = [line for line in text[start:end] if " / " in line]
    assert any(line.startswith("rust / olive") for line in listed)
    assert not any("sky" in line for line in listed)


def test_contrasts_are_those_of_the_checks() -> None:
    """Each paint stands with its contrast to white and to ink, and with the grade that it reaches."""
    shop = workshop("fortuna")
    text = list(lines(tuple(item for page in proofed("fortuna").pages for item in page.items)))
    for name, colour in shop.game.palette.items():
        row = next(line for line in text if line.startswith(name + colour.srgb))
        white, ink = (measure_contrast(colour.srgb, ground) for ground in ("#ffffff", "#000000"))
        assert f"{white:.1f} " in row and f"{ink:.1f} " in row, row
        assert row.count("●") == (white >= 4.5) + (ink >= 4.5)


def test_a_selection_has_a_file_of_its_own(tiny: TinyProject, pnp: Pnp) -> None:
    """--only proofs those designs in proof-selection and leaves the whole proof alone; the same bytes each time."""
    assert pnp("proof", "--only", "card/one").out == "output/tiny/proof-selection.en.pdf\n"
    path = tiny.root / "output/tiny/proof-selection.en.pdf"
    first = path.read_bytes()
    assert pnp("proof", "--only", "card/one").code == 0
    assert path.read_bytes() == first and page_count(path) >= 1
    assert not (tiny.root / "output/tiny/proof.en.pdf").exists()


def test_a_broken_template_is_said_with_its_line(tiny: TinyProject, pnp: Pnp) -> None:
    """What can't be drawn can't be proofed: the problem of the template, not a traceback."""
    tiny.change("templates/tiny/card.svg", "<text x=", "<txt x=")
    ran = pnp("proof")
    assert ran.code == 1 and "templates/tiny/card.svg:3" in ran.err
