"""The rooms of README's Architecture section are the rooms of the code, and imports run one way."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator"
FILES = sorted(PACKAGE.rglob("*.py"))

CONFINED = {
    "reportlab": ("draw/cid_font.py", "draw/pdf"),
    "uharfbuzz": ("draw/fonts.py", "draw/cid_font.py", "draw/pdf_font_tables.py"),
    "jinja2": ("draw/templating.py", "draw/template_limits.py"),
    "yaml": ("load/",),
    "openpyxl": ("load/xlsx_rows.py",),
    "pydantic": ("load/",),
    "pydantic_core": ("load/",),
    "pypdfium2": ("draw/png.py",),
    "click": ("cli/",),
    "pyphen": ("draw/",),
    "pikepdf": ("production/",),
    "PIL": ("draw/", "production/", "export/"),
    "markdown_it": ("rulebook/markdown.py",),
    "numba": ("games/kernel.py",),
    "numpy": ("games/kernel.py",),
}


def rooms() -> dict[str, set[str]]:
    """Room -> rooms that it may import, as README states it."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Architecture")[1].split("\n## ")[0]
    allowed: dict[str, set[str]] = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        names = re.findall(r"`(\w+)`", cells[0])
        reach = (
            set(allowed) if cells[2] == "all of the above" else {n for n in re.split(r"[,\s]+", cells[2]) if n != "-"}
        )
        allowed |= {name: reach | set(names) for name in names}
    return allowed


def room_of(path: Path) -> str:
    """The room that a file belongs to."""
    part = path.relative_to(PACKAGE).parts[0]
    return part.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, in functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_readme_names_every_room() -> None:
    """A newcomer finds each room in README, and none that does not exist."""
    found = {room_of(path) for path in FILES} - {"__init__", "__main__"}

    assert len(FILES) > 30, "the test must see the code"
    assert found == set(rooms())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_run_one_way(path: Path) -> None:
    """A room imports only what README allows it, so there can be no cycle between rooms."""
    room = room_of(path)
    if room in ("__init__", "__main__"):
        return
    wanted = {name.split(".")[1] for name in imports(path) if name.startswith("generator.") and name.count(".")}

    assert wanted - {"__version__"} <= rooms()[room]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_libraries_stay_in_their_room(path: Path) -> None:
    """Each library is used in one place, so that it can be replaced there."""
    here = path.relative_to(PACKAGE).as_posix()
    for name in imports(path):
        homes = CONFINED.get(name.split(".")[0])
        assert homes is None or here.startswith(homes), f"{here} imports {name}"


def test_no_cycles_between_modules() -> None:
    """Module imports form no circle, inside a room either."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
    graph = {name: {wanted for wanted in imports(path) if wanted in names} for name, path in names.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name in done:
            return
        for wanted in sorted(graph[name] - {name}):
            visit(wanted, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())

    assert sum(map(len, graph.values())) > 50, "the test must see imports"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_files_and_functions_stay_small(path: Path) -> None:
    """A file has at most 400 lines, a function at most 60; every module says what it is for."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)

    assert ast.get_docstring(tree), "a module begins with its contract"
    assert text.count("\n") <= 400
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno + 1 <= 60, node.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_only_the_command_line_prints_and_exits(path: Path) -> None:
    """Everything but cli.py can be used as a library."""
    if room_of(path) == "cli":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            assert name not in ("print", "sys.exit", "exit", "quit", "os._exit", "breakpoint")
