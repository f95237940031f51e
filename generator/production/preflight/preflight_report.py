"""The preflight report: findings and the rules used, as text and JSON."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Literal

from generator.base.errors import Problem, join_lines
from generator.game.presets import Product, Shop

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: place, problem and remedy.

    `page` counts from 1, 0 for the whole file; `at` is mm from the top left corner of the page's trim, None for the
    whole page; `times` counts equal findings on that page, the first of which is at `at`.
    """

    check: str
    severity: Severity
    page: int
    at: tuple[float, float] | None
    what: str
    hint: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one file in page order, and the rules used."""

    file: str
    pages: int
    rules: str
    checks: int
    findings: tuple[Finding, ...]

    def count(self, severity: Severity) -> int:
        """Return the number of findings with that severity."""
        return sum(1 for finding in self.findings if finding.severity == severity)


def sort_findings(findings: list[Finding]) -> tuple[Finding, ...]:
    """Sort by page (the whole file first), severity and place, and merge equal findings of a page."""
    groups: dict[tuple[str, str, int, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.check, finding.severity, finding.page, finding.what), []).append(finding)
    merged = [replace(min(alike, key=_place_key), times=sum(one.times for one in alike)) for alike in groups.values()]
    merged.sort(key=lambda one: (one.page, SEVERITIES.index(one.severity), _place_key(one), one.check, one.what))
    return tuple(merged)


def _place_key(finding: Finding) -> tuple[float, float]:
    return (finding.at[1], finding.at[0]) if finding.at else (-1e9, -1e9)


@dataclass(frozen=True, slots=True)
class PreflightRules:
    """The limits of a preflight: lengths in mm, sizes of type and lines in points, ink in percent.

    `shop` is True if somebody else cuts the pages. Pictures are compared with `dpi`: under three quarters they are
    poor, under half unusable. `flat` forbids transparency. `ink_stated`: the ink limit is the shop's own.
    """

    name: str = "general rules"
    shop: bool = False
    products: tuple[Product, ...] = ()
    bleed: float = 3.0
    safe: float = 3.0
    dpi: float = 300.0
    bitmap_dpi: float = 550.0
    ink_limit: float = 330.0
    ink_stated: bool = False
    cmyk: bool = False
    spots: bool = True
    standard: str = ""
    flat: bool = False
    marks: bool = True
    alternating: bool = False
    pictures_only: bool = False
    line: float = 0.25
    type: float = 5.0
    reversed_type: float = 6.0
    rich_black_type: float = 14.0
    inks_type: float = 7.0


GENERAL = PreflightRules()


def rules_from_shop(shop: Shop) -> PreflightRules:
    """Return the rules of a print shop's preset."""
    return PreflightRules(
        name=shop.id, shop=True, products=shop.products, bleed=shop.bleed, safe=shop.safe, dpi=shop.dpi,
        ink_limit=shop.ink_limit or GENERAL.ink_limit, ink_stated=shop.ink_limit is not None,
        cmyk=shop.colour == "cmyk", spots=shop.spots, standard=shop.standard, flat=shop.standard == "pdfx1a",
        marks=shop.marks != "none", alternating=shop.order == "alternating" and shop.copies == "each",
        pictures_only=shop.upload == "png",
    )  # fmt: skip


_FIGURE = re.compile(r"\d[\d.]*")

VERSION = 1
"""Version of the JSON. It increases when old readers would misread the output."""


def preflight_to_text(report: Report) -> str:
    """Return one line for each finding, and a summary."""
    lines = [_format_line(report.file, alike) for alike in _group_alike(report.findings)]
    counts = ", ".join(_format_count(report.count(severity), severity) for severity in SEVERITIES)
    lines.append(
        f"{report.file}: {_format_count(report.pages, 'page')}, {counts} ({report.checks} checks, {report.rules})"
    )
    return join_lines(lines)


def _format_count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _group_alike(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """Group findings that differ only in numbers and occur once on each page; findings without a place stay apart."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    on_page: Counter[tuple[object, ...]] = Counter()
    for finding in findings:
        what = finding.what if finding.at is None else _FIGURE.sub("", finding.what)
        kind = (finding.check, finding.severity, what, finding.at is None)
        on_page[finding.page, kind] += 1
        groups.setdefault((kind, on_page[finding.page, kind]), []).append(finding)
    return groups.values()


def _format_line(file: str, alike: list[Finding]) -> str:
    """Return a group as one line: the first finding, followed by the other pages' numbers."""
    finding, others = alike[0], [one.page for one in alike[1:]]
    place = f"page {finding.page}" if finding.page else "the whole file"
    if finding.at is not None:
        place += f", {finding.at[0]:.1f} x {finding.at[1]:.1f} mm"
    elif others:
        place += f" and {_format_count(len(others), 'other')}"
    more = f" (and {finding.times - 1} more)" if finding.times > 1 else ""
    if others and finding.at is not None:
        more += f", and the like on {'pages' if len(others) > 1 else 'page'} {_format_ranges(others)}"
    return f"{file}: {place}: {finding.severity}: {finding.what}{more}; {finding.hint}"


def _format_ranges(pages: list[int]) -> str:
    """Shorten ascending numbers: `2-5, 9`."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page <= runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def preflight_to_json(reports: Iterable[Report], problems: Iterable[Problem]) -> str:
    """Return all reports as one JSON object. Places are in mm from the top left corner of a page's trim."""
    files = [
        {
            "file": report.file,
            "pages": report.pages,
            "rules": report.rules,
            **{f"{severity}s": report.count(severity) for severity in SEVERITIES},
            "findings": [
                asdict(one) | {"page": one.page or None, "at": one.at and {"x": one.at[0], "y": one.at[1]}}
                for one in report.findings
            ],
        }
        for report in reports
    ]
    unread = [{"file": str(problem.place), "what": problem.what, "hint": problem.hint} for problem in problems]
    whole = {"version": VERSION, "files": files, "unreadable": unread}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"
