"""Reports as text for people and as JSON for programs."""

import json
import re
from collections import Counter
from collections.abc import Iterable

from generator.errors import Problem, as_lines
from generator.printshop.findings import SEVERITIES, Finding, Report

_FIGURE = re.compile(r"\d[\d.]*")

VERSION = 1
"""Of the JSON: it grows when a reader of the old one would err."""


def text_of(report: Report) -> str:
    """A line for each finding and one that sums up."""
    lines = [_line(report.file, alike) for alike in _alike(report.findings)]
    counts = ", ".join(_many(report.count(severity), severity) for severity in SEVERITIES)
    lines.append(f"{report.file}: {_many(report.pages, 'page')}, {counts} ({report.checks} checks, {report.rules})")
    return as_lines(lines)


def _many(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _alike(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """What is said of several pages, in order of the first: alike but for figures, if it has a place on each."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    on_page: Counter[tuple[object, ...]] = Counter()
    for finding in findings:
        what = finding.what if finding.at is None else _FIGURE.sub("", finding.what)
        kind = (finding.check, finding.severity, what, finding.at is None)
        on_page[finding.page, kind] += 1
        groups.setdefault((kind, on_page[finding.page, kind]), []).append(finding)
    return groups.values()


def _line(file: str, alike: list[Finding]) -> str:
    """A group where it is first, with the numbers of the other pages if it has a place."""
    finding, others = alike[0], [one.page for one in alike[1:]]
    place = f"page {finding.page}" if finding.page else "the whole file"
    if finding.at is not None:
        place += f", {finding.at[0]:.1f} x {finding.at[1]:.1f} mm"
    elif others:
        place += f" and {_many(len(others), 'other')}"
    more = f" (and {finding.times - 1} more)" if finding.times > 1 else ""
    if others and finding.at is not None:
        more += f", and the like on {'pages' if len(others) > 1 else 'page'} {_ranges(others)}"
    return f"{file}: {place}: {finding.severity}: {finding.what}{more}; {finding.hint}"


def _ranges(pages: list[int]) -> str:
    """Rising numbers in short: `2-5, 9`."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page <= runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def json_of(reports: Iterable[Report], problems: Iterable[Problem]) -> str:
    """All reports as one object. Places are mm from the top left corner of a page's trim."""
    files = [
        {
            "file": report.file,
            "pages": report.pages,
            "rules": report.rules,
            "errors": report.count("error"),
            "warnings": report.count("warning"),
            "notes": report.count("note"),
            "findings": [_entry(finding) for finding in report.findings],
        }
        for report in reports
    ]
    unread = [{"file": str(problem.place), "what": problem.what, "hint": problem.hint} for problem in problems]
    whole = {"version": VERSION, "files": files, "unreadable": unread}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def _entry(finding: Finding) -> dict[str, object]:
    return {
        "check": finding.check,
        "severity": finding.severity,
        "page": finding.page or None,
        "at": None if finding.at is None else {"x": finding.at[0], "y": finding.at[1]},
        "what": finding.what,
        "hint": finding.hint,
        "times": finding.times,
    }
