"""Names and docstrings follow the house style: modules are nouns, functions start with a verb, predicates say so."""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))

import house

SHARED_NAMES = 13
"""Modules outside games that share their name: `extension` of the optional packages, and a command with its topic."""
PREPOSITIONS = "about above along at below beside beyond by for from in into of on over to under with"
ADJECTIVES = frozenset(["beyond", "cjk", "cmyk", "clear", "empty", "full", "open", "over", "reading", "straight"])
"""Properties that are true or false and have the name of an adjective, as in `result.empty`."""
NO_VERBS = """a all an any anything as at by each every everything for from how if in it items its itself no nobody none of
on one say so some such that the their these they this those two what when where whether which who whoever
with words"""
"""First words of docstrings that don't start with a verb."""


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the syntax trees of the program."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in house.code_files()}


@cache
def find_names() -> house.Names:
    """Return what is said of the program's names."""
    return house.Names(trees())


def public_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the public functions and methods with their places."""
    for path, tree in trees().items():
        bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
        for node in (node for body in bodies for node in body):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}", node


def test_no_module_or_function_is_named_by_a_participle() -> None:
    """Functions are named after what they do (`keep_places`, not `kept`), modules after what they hold."""
    places = find_names().places

    assert places["function named by a participle"] == []
    assert places["module named by a participle"] == []


FUNCTION = re.compile(r"\b(?:function\*? |const (?=\w+ = (?:async )?(?:\([^()]*\)|\w+) =>))(\w+)")
"""Matches the name of a function in a script."""


def test_no_function_of_a_script_is_named_by_a_participle_or_a_preposition() -> None:
    """The page's and a site's scripts follow the same rule: `listStored`, not `stored`; `findTowards`, not `towards`."""
    wrong = set()
    for path in sorted((ROOT / "generator" / "live").rglob("*.*js")):
        for name in FUNCTION.findall(path.read_text(encoding="utf-8")):
            if name in PREPOSITIONS.split() or (name.islower() and house.is_participle(name) and name not in VERBS):
                wrong.add(f"{path.name}: {name}")
    assert wrong == set()


def test_modules_are_named_by_nouns() -> None:
    """No module's name is a preposition, or a bare gerund but for a trade's word such as `packing`."""
    stems = {path.stem for path in trees()}

    assert stems & set(PREPOSITIONS.split()) == set()
    assert {stem for stem in stems if stem.endswith("ing") and "_" not in stem} <= {"packing"}


def test_modules_outside_games_have_their_own_names() -> None:
    assert find_names().shared <= SHARED_NAMES


def test_predicates_say_that_they_are_predicates() -> None:
    """What returns True or False reads as a statement: `is_empty`, `has_text`, `fits_column`."""
    wrong = []
    for place, node in public_functions():
        if house.is_game(ROOT / place.partition(":")[0]):
            continue
        if not (ast.get_docstring(node) or "").startswith(("Return True if", "True if")):
            continue
        first = house.name_words(node.name)[0]
        if not first.endswith("s") and first not in ("can", "are", "was", "on") and node.name not in ADJECTIVES:
            wrong.append(place)
    assert wrong == []


def test_docstrings_of_functions_begin_with_a_verb() -> None:
    wrong = []
    for place, node in public_functions():
        is_property = any("property" in ast.unparse(mark) for mark in node.decorator_list)
        words = (ast.get_docstring(node) or "Return").split()
        first = words[0].strip(".,:;`'").lower()
        if not is_property and (first in NO_VERBS.split() or (house.is_participle(first) and first not in VERBS)):
            wrong.append(f"{place}: {' '.join(words[:8])}")
    assert wrong == []


VERBS = frozenset({"feed", "embed", "seed", "reseed", "need", "read", "set", "put"})
"""Verbs that look like participles."""


def test_docstrings_name_exceptions_that_exist() -> None:
    used = {
        getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute | ast.ClassDef | ast.alias)
    }
    named = {
        (str(path), name)
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
        for name in re.findall(r"\b[Rr]aises? ([A-Z]\w+)", ast.get_docstring(node) or "")
    }
    assert [(path, name) for path, name in sorted(named) if name not in used and not hasattr(builtins, name)] == []
