"""The scripts of the pages: each imports what it uses, and nothing else."""

import re
from pathlib import Path

import pytest

from generator.live.routes import PAGE
from generator.live.site import OWN_PAGE

SCRIPTS = sorted([*PAGE.glob("*.js"), *OWN_PAGE.glob("*.js"), *OWN_PAGE.glob("*.mjs")])
_IMPORTS = re.compile(r"^import (?:\* as (\w+)|\{([^}]*)\}) from [^;]+;", re.MULTILINE)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_uses_all_that_it_imports(script: Path) -> None:
    """A name that is imported stands somewhere else in the script, too."""
    text = script.read_text(encoding="utf-8")
    rest = _IMPORTS.sub("", text)
    names = [
        one.split(" as ")[-1].strip()
        for whole, some in _IMPORTS.findall(text)
        for one in ([whole] if whole else some.split(","))
    ]
    unused = [
        name for name in names if not re.search(rf"(?<![\w$])(?<!(?<!\.\.)\.){re.escape(name)}(?![\w$\{{])", rest)
    ]
    assert unused == []
