"""Validate and list games: results of checks and of games between bots, and components."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from generator.base.cache import Store
from generator.base.errors import ProblemsFound, join_lines
from generator.checks.check_report import Check
from generator.checks.validation_games import ValidationPlay
from generator.commands.orders import iter_workshops, load_games
from generator.commands.schema_files import update_schemas
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.game.project import Project
from generator.rules.registry import OWN_SUFFIX, load_checks, trusted_folder

REPORT_LANGUAGE = "en"
"""Language of the data's own texts in reports. A game without it uses its first language."""


class ValidationResult(NamedTuple):
    """Result of validation: the report, whether a check failed, and whether the user stopped it.

    `schemas` are the schema files that were updated. `passed` is the number of checks that passed. `doubtful` are
    checks that found something or are undecided.
    """

    report: str
    failed: bool
    stopped: bool
    schemas: tuple[Path, ...] = ()
    passed: int = 0
    doubtful: tuple[Check, ...] = ()


def validate(
    project: Project,
    names: tuple[str, ...],
    form: str,
    *,
    strict: bool,
    rehearsal: "ValidationPlay",
    store: Store | None = None,
) -> ValidationResult:
    """Run all checks and return the result. If the user stops the games, it covers the checks so far."""
    from generator.checks.check_report import checks_to_json, checks_to_text
    from generator.commands.rulebook import check_books

    results: list[tuple[Game, tuple[Check, ...]]] = []
    games, problems = load_games(project, names)
    stopped = False
    for workshop in iter_workshops(project, games, store):
        try:
            if not stopped:
                checks = run_game_checks(project, workshop, rehearsal)
                books = check_books(project, workshop, trusted=rehearsal.trusted)
                results.append((workshop.game, (*checks, *books)))
                stopped = was_stopped(results[-1][1])
        except ProblemsFound as found:
            problems += found.problems
        del workshop
    if store is not None:
        store.remove_oldest()
    if problems:
        raise ProblemsFound(problems)
    others = [one for _, checks in results for one in checks if one.status != "pass"]
    doubtful = tuple(one for one in others if one.status != "fail")
    passed = sum(len(checks) for _, checks in results) - len(others)
    failed = bool(others) if strict else len(others) > len(doubtful)
    report = checks_to_json if form == "json" else checks_to_text
    schemas = update_schemas(project, games)
    return ValidationResult(report(results, REPORT_LANGUAGE), failed, stopped, schemas, passed, doubtful)


def run_game_checks(project: Project, workshop: Workshop, rehearsal: "ValidationPlay") -> tuple[Check, ...]:
    """Run all checks of a game. Checks that need play are decided by playing it."""
    from generator.checks.validation import has_added_checks, run_checks
    from generator.checks.validation_games import add_game_checks
    from generator.checks.visible_items import Context

    game, folder, kept = workshop.game, project.find_folder(workshop.game.id), workshop.kept
    if game.rules_module.endswith(OWN_SUFFIX) or has_added_checks():
        kept = None  # they may be any program
    known = kept.get("checks", tuple[Check, ...], kept.game, rehearsal.games) if kept is not None else None
    if known:  # every game has some
        return tuple(known)
    functions = load_checks(game, trusted_folder(folder, rehearsal.trusted))
    drawings = workshop.draw_all(game.designs(), game.languages)
    context = Context(dict(drawings), workshop.measure_ink, workshop.measure_advance, cache(workshop.draw_silhouette))
    checks = run_checks(game, context, workshop.compute_value, functions, REPORT_LANGUAGE)
    decided = add_game_checks(game, folder, project.root, rehearsal, checks, kept)
    if kept is not None and not workshop.problems and not was_stopped(decided):  # what is missing has not been noted
        kept.put("checks", decided, kept.game, rehearsal.games)
    return decided


def was_stopped(checks: Iterable[Check]) -> bool:
    """Return True if the user stopped the games that were played for these checks."""
    from generator.checks.game_checks import STOPPED

    return any(check.id == STOPPED for check in checks)


def list_components(project: Project, names: tuple[str, ...], form: str) -> str:
    """Return the games and their components with stated and actual count."""
    games, problems = load_games(project, names)
    if problems:
        raise ProblemsFound(problems)
    if form == "json":
        return (
            json.dumps({"format": 1, "games": [_game_as_json(game) for game in games]}, ensure_ascii=False, indent=2)
            + "\n"
        )
    return join_lines(line for game in games for line in _component_lines(game))


def _game_as_json(game: Game) -> dict[str, object]:
    kinds = [
        {"id": kind.id, "name": dict(kind.name.items()), "stated": kind.stated, "count": kind.count}
        | ({"option": {"switch": kind.option, "on": not kind.left_out}} if kind.option else {})
        | {"designs": [{"id": design.id, "count": design.count} for design in kind.designs]}
        for kind in game.kinds.values()
    ]
    players = {"fewest": game.players.fewest, "most": game.players.most}
    return {
        "id": game.id,
        "title": dict(game.title.items()),
        "draft": game.draft,
        "languages": list(game.languages),
        "players": players,
        "kinds": kinds,
    }


def _component_lines(game: Game) -> Iterable[str]:
    lang = REPORT_LANGUAGE if REPORT_LANGUAGE in game.languages else game.languages[0]
    players = f"{game.players.fewest}-{game.players.most} players"
    yield f"{game.id}: {game.title[lang]}, draft {game.draft}, {players}, {', '.join(game.languages)}"
    for kind in game.kinds.values():
        stated = "not stated" if kind.stated is None else f"{kind.stated} stated"
        designs = "1 design" if len(kind.designs) == 1 else f"{len(kind.designs)} designs"
        facts = [stated, designs, f"{kind.size.width:g} x {kind.size.height:g} mm"]
        if kind.option:
            facts.append(f"option {kind.option}: {'off' if kind.left_out else 'on'}")
        yield f"  {kind.id:<16} {kind.count:>4}  ({', '.join(facts)})  {kind.name[lang]}"
