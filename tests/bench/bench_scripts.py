"""The bench's scripts for tests: `bench` loads one as a module."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Loads one of the bench's scripts as a module; it finds its neighbours as when it is run."""
    monkeypatch.syspath_prepend(str(BENCH))

    def module(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, f"bench_{name}", loaded)
        spec.loader.exec_module(loaded)
        return loaded

    return module
