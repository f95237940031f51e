"""What a look at a print file says: findings with page and place, and the report of one file."""

from typing import Literal

from generator.dataclass import dataclass

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check found: where, what is wrong, what to do.

    `page` counts from 1, 0 for the file as a whole; `at` is mm from the top left corner of the page's trim, None for
    the page as a whole; `times` says how many alike there are on that page, the first of which is at `at`.
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
    """The findings of one file in the order of its pages, and what it was held against."""

    file: str
    pages: int
    rules: str
    checks: int
    findings: tuple[Finding, ...]

    def count(self, severity: Severity) -> int:
        """How many findings are that severe."""
        return sum(1 for finding in self.findings if finding.severity == severity)


def in_page_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """By page (the whole file first), then severity, then place; alike ones of a page put together."""
    groups: dict[tuple[str, str, int, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.check, finding.severity, finding.page, finding.what), []).append(finding)
    merged = [_first(alike) for alike in groups.values()]
    return tuple(sorted(merged, key=_order))


def _first(alike: list[Finding]) -> Finding:
    first = min(alike, key=_place)
    return Finding(
        first.check, first.severity, first.page, first.at, first.what, first.hint, sum(one.times for one in alike)
    )


def _place(finding: Finding) -> tuple[float, float]:
    return (finding.at[1], finding.at[0]) if finding.at else (-1e9, -1e9)


def _order(finding: Finding) -> tuple[int, int, tuple[float, float], str, str]:
    return (finding.page, SEVERITIES.index(finding.severity), _place(finding), finding.check, finding.what)
