"""In which languages something is printed: `ja` alone, or `ja+en`, a first language with a second beside it."""


def first_language(edition: str) -> str:
    """The language that leads: stamps, labels and titles are in it, and so is what has no room for a second."""
    return edition.partition("+")[0]


def second_language(edition: str) -> str:
    """The language beside it; empty where there is none."""
    return edition.partition("+")[2]
