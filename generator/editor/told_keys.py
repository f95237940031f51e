"""What keys of the data are for, in the reader's language: our schemas say it in English."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from generator.files import entries_of
from generator.load.yaml_source import read_yaml

_FILES = {path.name.split(".")[1]: path for path in entries_of(Path(__file__).parent) if path.suffix == ".yaml"}
"""By language."""


def in_language(told: str, languages: Sequence[str]) -> str:
    """A description in the first of these languages that it is there in, else as it is."""
    for lang in languages:
        if lang == "en":
            break
        found = _told(lang).get(told)
        if found:
            return found
    return told


@cache
def _told(lang: str) -> dict[str, str]:
    path = _FILES.get(lang)
    return {str(name): str(value) for name, value in read_yaml(path, path.name).items()} if path else {}
