"""What no command reaches is not kept: who mends it would mend nothing, and its tests would turn green."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields

import pytest
from conftest import ROOT

from generator import library
from generator.base.extensions import Extension, find_additions
from generator.commands.command_line import COMMANDS
from generator.lab.commands.lab_group import COMMAND_MODULES
from generator.live import pillow_stand_in
from generator.rules.registry import PACKAGE, list_program_rules

GAMES = ROOT.joinpath(*PACKAGE.split("."))

ADDED = [kind.name for kind in fields(Extension)]
BEGINNINGS = (
    ("generator.__main__", ""),
    *(("generator.library", name) for name in library.__all__),
    ("generator.live.browser_bridge", "Inside"),
    ("generator.live.browser_bridge", "begin_project"),
    ("generator.live.browser_bridge", "unpack_project"),
    *(
        ("generator.live.pillow_stand_in", name)
        for name, kind in vars(pillow_stand_in).items()
        if getattr(kind, "__module__", "") == pillow_stand_in.__name__
    ),
    ("generator.live.pillow_stand_in", "PILLOW_VERSION"),
    ("generator.live.pillow_stand_in", "STANDS_IN"),
    *(tuple(entry.target.split(":")) for entry in COMMANDS.values()),
    *((f"generator.{path.parent.name}.extension", "EXTENSION") for path in ROOT.glob("generator/*/extension.py")),
    *(tuple(one.entry.target.split(":")) for kind in ADDED for one in find_additions(kind).entries.values()),
    *((f"generator.lab.commands.{module}", command) for command, module in COMMAND_MODULES.items()),
    *((f"{PACKAGE}.{name}.rules", "RULES") for name in list_program_rules()),
    *((f"{PACKAGE}.{path.parent.name}.{path.stem}", "") for path in GAMES.glob("*/*checks.py")),
)
"""The command, what programs in Python may use, what a site's worker.js and Pillow call, and what is imported by name."""

FOR_STRANGERS = {"generator.rules.engine.contract", "generator.rules.engine.facts.switch_codes"}
"""What their rules may import, though no game of ours does."""

PLAIN = {
    "cache", "cached_property", "classmethod", "contextmanager", "dataclass", "kernel", "lru_cache", "overload",
    "property",
}  # fmt: skip
"""Decorators that hand a function on and tell nobody of it."""

OVERRIDES = {
    *("call_binop", "filter_stream", "get_source", "preprocess", "unsafe_undefined", "wrap_str_format"),  # Jinja2's
    *("get_command", "list_commands", "format_commands"),  # click's
    *(
        "log_message",
        "send_error",
        "server_bind",
        "service_actions",
        "verify_request",
        "version_string",
    ),  # http.server's
    *("get_code", "prepare", "reducer_override"),  # importlib's, ReportLab's, pickle's
    *("get_chunk", "get_info", "reset"),  # Pillow's
    *("_optimize_final_module", "call_function", "finalize"),  # numba's
}
"""Methods that libraries call."""


@dataclass
class Module:
    """A module: where each name is defined, what it imports, and what runs as it is imported."""

    defined: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    begun: list[ast.AST] = field(default_factory=list)


def read(source: str) -> Module:
    """A module's names."""
    tree = ast.parse(source)
    module = Module()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            module.imported |= {one.asname or one.name: (node.module, one.name) for one in node.names}
        elif isinstance(node, ast.Import):
            module.imported |= {one.asname or one.name: (one.name, "") for one in node.names}
    for statement in tree.body:
        names = list(_defined(statement))
        for name in names:
            module.defined[name].append(statement)
        if not names:
            module.begun.append(statement)
        elif _is_registered(statement):
            module.begun += (ast.Name(name) for name in names)
    return module


def _defined(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
    elif isinstance(statement, ast.If | ast.Try):  # a name that depends on the platform
        for inner in (*statement.body, *statement.orelse):
            yield from _defined(inner)


def _is_registered(statement: ast.stmt) -> bool:
    decorators = getattr(statement, "decorator_list", [])
    names = {re.split(r"[(.]", ast.unparse(one).removeprefix("functools."))[0] for one in decorators}
    return bool(names - PLAIN)


def unreached(modules: dict[str, Module], beginnings: Iterable[tuple[str, str]]) -> list[str]:
    """Top-level names that nothing leads to from the modules in which all begins, `module.name` each."""
    seen: set[tuple[str, str]] = set()
    waiting = list(beginnings)
    while waiting:
        place = waiting.pop()
        name, what = place
        if place in seen or name not in modules:
            continue
        seen.add(place)
        module = modules[name]
        if what:
            waiting.append((name, ""))
        nodes = module.defined.get(what, []) if what else module.begun
        if not what:
            waiting += [(wanted, "") for wanted, _ in module.imported.values()]
            waiting += [(f"{wanted}.{one}", "") for wanted, one in module.imported.values()]
            waiting.append((name, "__all__"))
        elif what in module.imported and what not in module.defined:
            waiting.append(module.imported[what])
        for node in nodes:
            waiting += _mentioned(name, module, modules, node)
    return sorted(
        f"{name}.{what}"
        for name, module in modules.items()
        for what in module.defined
        if (name, what) not in seen and not (what.startswith("__") or {name, f"{name}.{what}"} & FOR_STRANGERS)
    )


def _mentioned(name: str, module: Module, modules: dict[str, Module], node: ast.AST) -> Iterator[tuple[str, str]]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield name, part.id
        elif isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value.isidentifier():
            yield name, part.value  # in __all__, or an annotation in quotes
        elif isinstance(part, ast.Attribute):
            home = _home(module, modules, part.value)
            if home:
                yield home, part.attr


def _home(module: Module, modules: dict[str, Module], node: ast.expr) -> str:
    """The module that an expression names; nothing where it names none."""
    if not isinstance(node, ast.Name) or node.id not in module.imported:
        return ""
    home, one = module.imported[node.id]
    whole = f"{home}.{one}" if one else home
    return whole if whole in modules else ""


def sources() -> dict[str, str]:
    """The text of each module of the program."""
    found = {}
    for path in sorted((ROOT / "generator").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


@pytest.mark.slow
def test_a_command_leads_to_every_name() -> None:
    modules = {name: read(source) for name, source in sources().items()}
    assert len(modules) > 300, "the test must see the code"
    assert not unreached(modules, BEGINNINGS)


@pytest.mark.slow
def test_every_method_is_called() -> None:
    texts = sources()
    mentioned: set[str] = set()
    methods: set[str] = set()
    for source in texts.values():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute):
                mentioned.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                mentioned |= set(re.findall(r"\w+", node.value)) if len(node.value) < 80 else set()
            elif isinstance(node, ast.ClassDef):
                methods |= {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    callers = (ROOT / "docs" / "library.md", ROOT / "generator" / "live" / "site_page" / "worker.js")
    for path in (*(ROOT / "templates").rglob("*.*"), *(ROOT / "generator").rglob("*.svg"), *callers):
        mentioned |= set(re.findall(rb"\w+", path.read_bytes())) and {
            word.decode() for word in re.findall(rb"\w+", path.read_bytes()) if word.isascii()
        }
    unused = {name for name in methods - mentioned - OVERRIDES if not name.startswith(("__", "do_", "visit_"))}

    assert len(methods) > 300, "the test must see the code"
    assert not unused, sorted(unused)


def test_what_nothing_leads_to_is_found() -> None:
    """A name is missed though a namesake is used, though it uses itself, and though a dead one uses it."""
    modules = {
        "a": read("from b import used\nused()\n"),
        "b": read(
            "def used(): return helper()\ndef helper(): pass\ndef dead(): return dead() + other()\ndef other(): pass\n"
        ),
        "c": read("def used(): pass\n"),
    }
    assert unreached(modules, [("a", "")]) == ["b.dead", "b.other", "c.used"]
