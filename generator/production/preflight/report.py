"""Reports as text for people and as JSON for programs."""

import json
from collections.abc import Iterable

from generator.errors import Problem
from generator.production.preflight.findings import SEVERITIES, Finding, Report

VERSION = 1
"""Of the JSON: it grows when a reader of the old one would err."""


def text_of(report: Report) -> str:
    """A line for each finding and one that sums up."""
    pages = _pages_of(report)
    lines = [
        _line(report.file, finding, pages[_whole(finding)]) for finding in report.findings if _is_first(finding, pages)
    ]
    counts = ", ".join(_many(report.count(severity), severity) for severity in SEVERITIES)
    lines.append(f"{report.file}: {_many(report.pages, 'page')}, {counts} ({report.checks} checks, {report.rules})")
    return "".join(f"{line}\n" for line in lines)


def _many(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _whole(finding: Finding) -> tuple[str, str, str]:
    return (finding.check, finding.severity, finding.what)


def _pages_of(report: Report) -> dict[tuple[str, str, str], list[int]]:
    """On which pages the same is said of the page as a whole: it is said once."""
    pages: dict[tuple[str, str, str], list[int]] = {}
    for finding in report.findings:
        pages.setdefault(_whole(finding), []).append(finding.page)
    return pages


def _is_first(finding: Finding, pages: dict[tuple[str, str, str], list[int]]) -> bool:
    return finding.at is not None or finding.page == pages[_whole(finding)][0]


def _line(file: str, finding: Finding, pages: list[int]) -> str:
    place = f"page {finding.page}" if finding.page else "the whole file"
    if finding.at is not None:
        place += f", {finding.at[0]:.1f} x {finding.at[1]:.1f} mm"
    elif len(pages) > 1:
        place += f" and {_many(len(pages) - 1, 'other')}"
    more = f" (and {finding.times - 1} more)" if finding.times > 1 else ""
    return f"{file}: {place}: {finding.severity}: {finding.what}{more}; {finding.hint}"


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
