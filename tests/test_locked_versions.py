"""The versions that are installed are pinned by the hashes of their files, and fit what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = [line for extra in PROJECT["optional-dependencies"].values() for line in extra]


def locked(name: str) -> dict[str, str]:
    """The versions that a file pins, by the names of their packages."""
    text = re.sub(r"\s*\\\n\s*", " ", (ROOT / name).read_text("utf-8"))
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[^ ]+( ; .*?)?( --hash=sha256:[0-9a-f]{64})+", line) for line in lines)
    return {canonicalize_name(line.split("==")[0]): line.split("==")[1].split()[0] for line in lines}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("constraints.txt", [*PROJECT["dependencies"], "hatchling>=1.27"]),
        ("constraints-dev.txt", [*PROJECT["dependencies"], *EXTRAS]),
    ],
)
def test_every_dependency_is_pinned_by_hash(name: str, wanted: list[str]) -> None:
    """Within the bounds of pyproject.toml; `make lock` writes the file."""
    versions = locked(name)
    assert len(versions) > 15
    assert [
        line
        for line in map(Requirement, wanted)
        if versions.get(canonicalize_name(line.name), "0") not in line.specifier
    ] == []


def test_both_files_pin_the_same_versions() -> None:
    dev = locked("constraints-dev.txt")
    assert [name for name, version in locked("constraints.txt").items() if dev.get(name) != version] == []
