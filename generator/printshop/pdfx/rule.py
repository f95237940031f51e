"""What a rule of PDF/X is, and what it says of a file that breaks it."""

from collections.abc import Callable, Iterable, Iterator

from generator.dataclass import dataclass
from generator.printshop.findings import Finding
from generator.printshop.foreign_pdf import UNREAD, reason
from generator.printshop.pdfx.subject import OpenPdf
from generator.printshop.standards import Standard

BOTH: tuple[Standard, ...] = ("pdfx4", "pdfx1a")

Found = tuple[int, str]
"""The page on which something was found (from 1; 0: the file as a whole), and what it is."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One demand of the standards: its name, the clause in our words, whose it is, and what finds breaches."""

    id: str
    says: str
    standards: tuple[Standard, ...]
    find: Callable[[OpenPdf], Iterable[Found]]

    def findings(self, subject: OpenPdf) -> Iterator[Finding]:
        """Every breach of this rule, once."""
        try:
            for page, what in dict.fromkeys(self.find(subject)):
                yield Finding(self.id, "error", page, None, what)
        except UNREAD as error:
            yield Finding(self.id, "error", 0, None, f"this can't be checked: {reason(error)}")


def rule(
    name: str, says: str, standards: tuple[Standard, ...] = BOTH
) -> Callable[[Callable[[OpenPdf], Iterable[Found]]], Rule]:
    """Make a function a rule: what it yields is what breaks it."""
    return lambda find: Rule(name, says, standards, find)
