"""Our rules of PDF/X: a file to the standard breaks none, and each planted fault is found by exactly its rule."""

import io

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfx_cases import Planting, good, plain
from pdfx_harmless import HARMLESS
from pdfx_plantings import CASES, IDS, PLANTINGS

from generator.production.finish_pdf import Standard
from generator.production.preflight.pdfx_rules import PDFX_RULES
from generator.production.preflight.preflight import CHECKS, find_pdfx_faults

STANDARDS: tuple[Standard, ...] = ("pdfx4", "pdfx1a")


@pytest.mark.parametrize("standard", STANDARDS)
def test_a_good_file_breaks_no_rule(standard: Standard) -> None:
    """What is written to the standard is not found fault with."""
    assert find_pdfx_faults(good(standard), standard) == ()


@pytest.mark.parametrize(("planting", "standard"), CASES, ids=IDS)
def test_each_planted_fault_is_found_by_its_rule_alone(planting: Planting, standard: Standard) -> None:
    """A fault is named by the rule that forbids it, on its page, and by no other."""
    faults = find_pdfx_faults(planting.broken(standard), standard)
    assert [(fault.check, fault.page) for fault in faults] == [(planting.rule, planting.page)]


@pytest.mark.parametrize(
    ("change", "standard"),
    [(change, standard) for change in HARMLESS for standard in change.standards],
    ids=lambda value: getattr(value, "rule", value),
)
def test_what_is_allowed_is_no_fault(change: Planting, standard: Standard) -> None:
    """What looks like something forbidden but isn't passes: a rule that cries wolf is turned off."""
    assert find_pdfx_faults(change.broken(standard), standard) == ()


def test_each_rule_has_a_planted_fault() -> None:
    """No rule goes untried, for any standard that it belongs to; names are given once."""
    tried = {(planting.rule, standard) for planting in PLANTINGS for standard in planting.standards}
    needed = {(rule.id, standard) for rule in PDFX_RULES for standard in rule.standards}
    assert len({rule.id for rule in PDFX_RULES}) == len(PDFX_RULES)
    assert tried <= needed
    assert needed - tried == {("condition-known", "pdfx1a")}, "there an unregistered condition needs a profile too"


def test_each_rule_names_a_check_that_exists() -> None:
    """A rule of PDF/X is left out of a report only if a check for all files reports the same breach."""
    assert {rule.check for rule in PDFX_RULES} - {check.id for check in CHECKS} == {""}


@pytest.mark.parametrize("standard", STANDARDS)
def test_the_other_standard_is_told_apart(standard: Standard) -> None:
    """X-1a is no X-4, nor the other way round; a file to no standard is neither."""
    other = good("pdfx1a" if standard == "pdfx4" else "pdfx4")
    assert {fault.page for fault in find_pdfx_faults(other, standard)} == {0}
    assert "output-intent" in {fault.check for fault in find_pdfx_faults(plain(), standard)}


def said_of(rule: str) -> set[tuple[int, str, str]]:
    """What is said of the X-4 files in which this rule is broken."""
    broken = [planting.broken("pdfx4") for planting in PLANTINGS if planting.rule == rule]
    return {(fault.page, fault.what, fault.check) for data in broken for fault in find_pdfx_faults(data, "pdfx4")}


def test_a_fault_reads_as_a_sentence() -> None:
    """Page, what, and the rule to look up; fonts by name, and why content can't be read."""
    assert (2, "content is in DeviceRGB, which the output intent doesn't define", "device-colours") in said_of(
        "device-colours"
    )
    assert (2, "the font Ryumin is not embedded", "fonts-embedded") in said_of("fonts-embedded")
    assert any("parsing inline" in what for _, what, _ in said_of("readable"))


VALUES = st.sampled_from(
    (b"true", b"7", b"-1.5", b"(x)", b"/Name", b"[]", b"[1 [2] /X]", b"<<>>", b"<</A 1>>", b"99 0 R", b"3 0 R")
)


@given(standard=st.sampled_from(STANDARDS), at=st.integers(0, 400), value=VALUES)
def test_anything_in_place_of_anything_is_at_most_a_fault(standard: Standard, at: int, value: bytes) -> None:
    """A file where any value is another one is judged, never a crash."""
    with pikepdf.open(io.BytesIO(good(standard))) as pdf:
        holders = [thing for thing in pdf.objects if isinstance(thing, (pikepdf.Dictionary, pikepdf.Stream))]
        slots = [(holder, key) for holder in holders for key in sorted(pikepdf.Object.keys(holder)) if key != "/Length"]
        holder, key = slots[at % len(slots)]
        holder[key] = pikepdf.Object.parse(value) if b" R" not in value else holders[at % len(holders)]
        out = io.BytesIO()
        try:
            pdf.save(out, fix_metadata_version=False)
            pikepdf.open(out).close()
        except (pikepdf.PdfError, TypeError, ValueError):
            return  # so broken that it can't be written or opened
    assert isinstance(find_pdfx_faults(out.getvalue(), standard), tuple)
