"""Every fault that preflight promises to find, planted alone in a deck that has none."""

import pytest
from PIL import Image
from preflight_plantings import PLANTINGS, Planting
from preflight_samples import BLEED, HEIGHT, Card, deck, said

from generator.production.preflight import inspection
from generator.production.preflight.inspection import GENERAL, PreflightRules
from generator.production.preflight.preflight import CHECKS, inspect_pdf


@pytest.mark.parametrize(
    "rules", [GENERAL, PreflightRules(name="shop", shop=True, cmyk=True)], ids=lambda rules: rules.name
)
def test_nothing_is_found_in_a_good_deck(rules: PreflightRules) -> None:
    """What a shop would take as it is gets no finding, not even a note."""
    report = inspect_pdf("good.pdf", deck(), rules)
    assert report.findings == ()
    assert report.pages == 2


def ghostscript_there(monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    """Ghostscript is installed, and its plates hold little ink; or it isn't, whatever this machine has."""
    monkeypatch.setattr(inspection, "find_program", lambda *_names: "gs" if there else None)
    monkeypatch.setattr(inspection, "_run_ghostscript", lambda *_: [Image.new("L", (70, 70), 255)] * 4)


@pytest.mark.parametrize("planting", PLANTINGS, ids=lambda planting: planting.name.replace(" ", "-"))
def test_a_planted_fault_is_found_alone(planting: Planting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A single fault gives a single finding: of its check, that severe, on its page, at its place, in these words.

    It is the same with Ghostscript and without: no fault that is planted here takes a rendering to be found.
    """
    data = deck(planting.draw, planting.change, planting.pages)

    ghostscript_there(monkeypatch, False)
    findings = inspect_pdf("spoilt.pdf", data, planting.rules).findings
    ghostscript_there(monkeypatch, True)

    assert inspect_pdf("spoilt.pdf", data, planting.rules).findings == findings
    assert said(findings) == [(planting.check, planting.severity, planting.page)], findings
    assert planting.words in findings[0].what
    assert findings[0].hint
    if planting.at is None:
        assert findings[0].at is None
    else:
        assert findings[0].at == pytest.approx(planting.at, abs=0.6)


@pytest.mark.parametrize("far", [[-1.0, 0.9, 2.8], [0.9 + 4 * n for n in range(12)]], ids=["goes-on", "lattice"])
def test_a_pattern_of_lines_is_no_frame(far: list[float]) -> None:
    """Lines alike that go on beyond the cut, or that fill the card, don't show where the knife went; one alone does."""

    def lines(card: Card, at: list[float]) -> None:
        for x in at:
            card.line(x, -BLEED, x, HEIGHT + BLEED, 0.7)

    def found(at: list[float]) -> list[str]:
        return [one.check for one in inspect_pdf("lines.pdf", deck(lambda card: lines(card, at))).findings]

    assert found(far) == []
    assert found([0.9]) == ["safe-line"]


def test_every_check_has_its_fault() -> None:
    """No check is left that no planted fault has set off (three are set off where whole files are spoilt)."""
    planted = {planting.check for planting in PLANTINGS}
    assert {check.id for check in CHECKS} - planted == {"damage", "encryption", "standard"}
    assert len({check.id for check in CHECKS}) == len(CHECKS)
