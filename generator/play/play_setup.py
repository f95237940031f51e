"""Play setup: sets up a table for people and bots, from options or from a saved game."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean, join_lines, raise_problems
from generator.base.languages import phrase
from generator.base.output_files import deliver_file
from generator.game.data_fields import format_value
from generator.game.data_reader import parse_json, read_json, source_from_text
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import Project
from generator.game.source import Source
from generator.play.bot_registry import assign_bots, find_bot
from generator.play.human_game import Answer, HumanGame, Terminal, Texts, data_texts
from generator.play.table_text import format_heading, result_lines, write_transcript
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.settings import read_choices
from generator.rules.engine.table import SAVE_FORMAT, IllegalMove, Seed, Table
from generator.rules.registry import find_unplayable, load_rules, report_rule_errors, trusted_folder


@dataclass(frozen=True, slots=True)
class Seating:
    """The requested table: number of players (None: the fewest), seats of people (from 1), the bot for all others.

    `bot` may name one for each seat, separated by commas.
    """

    players: int | None = None
    people: tuple[int, ...] = ()
    bot: str = "greedy"
    seed: Seed = field(default_factory=lambda: Seed(1, 0))
    options: Mapping[str, Any] = field(default_factory=dict)


def parse_seed(text: str) -> Seed:
    """Parse `1/17` (run and game, below 2 ** 32; the game is optional) to a Seed. Raise ValueError for other texts."""
    parts = text.split("/")
    if len(parts) > 2 or not all(part.isascii() and part.isdigit() and int(part) < 2**32 for part in parts):
        raise ValueError(f"'{text}' is not a seed; write two whole numbers, such as 1/17")
    return Seed(*map(int, parts))


def parse_option(text: str) -> tuple[str, Any]:
    """Parse `name=value`, with numbers, `true`, `false` and `[lists, of, these]`. Raise ValueError without a value."""
    name, _, value = text.partition("=")
    if not (name and value):
        raise ValueError(f"'{text}' is not an option; write name=value")
    if value.startswith("[") and value.endswith("]"):
        return name, [_parse_value(part.strip()) for part in value[1:-1].split(",") if part.strip()]
    return name, _parse_value(value)


def _parse_value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def load_game_and_rules(project: Project, name: str, trusted: bool) -> tuple[Game, Rules]:
    """Return a game that can be played and its rules. Raise ProblemsFound if it can't be played."""
    (chosen,) = project.choose_games((name,))
    folder = project.find_folder(chosen)
    game = load_game(folder, project.resources)
    return game, load_playable_rules(game, folder, trusted)


def load_playable_rules(game: Game, folder: Path, trusted: bool) -> Rules:
    """Return the rules of a game in a folder. Raise ProblemsFound if the game can't be played."""
    rules = load_rules(game, trusted_folder(folder, trusted))
    if rules is None:
        place = game.places.place("rules_module") or game.places.place("title")
        hint = "name one in game.yaml, as `rules_module: rules.py`; docs/rules.md shows how to write it"
        what = f"{game.id} has no Python rules, so pnp can't play it"
        raise ProblemsFound([Problem(place, what, hint)])
    return rules


def set_up_human_game(game: Game, rules: Rules, seating: Seating) -> HumanGame:
    """Return a new game with the requested seating. Raise ProblemsFound with everything that contradicts the game."""
    players = game.players.fewest if seating.players is None else seating.players
    problems = _find_contradictions(game, rules, seating)
    raise_problems((problem for _, problem in problems))
    with report_rule_errors(game):
        shared = rules.shared if len(set(seating.people)) > 1 else {}
        return _seat_players(rules, _make_box(game, rules, players, {**shared, **seating.options}), seating)


def format_saved_game(sitting: HumanGame) -> str:
    """Return the text of a saved game: seed, moves and players, and digests of them and of the box."""
    document = {
        **sitting.table.save(),
        "people": sorted(seat + 1 for seat in sitting.people),
        "bot": sitting.bot,
        "box": _digest_box(sitting.table.box),
    }
    return json.dumps({**document, "digest": _digest_value(document)}, ensure_ascii=False, indent=1) + "\n"


def write_saved_game(path: Path, sitting: HumanGame) -> None:
    """Save a game; an error leaves the file unchanged. Raise ProblemsFound if it can't be written."""
    try:
        deliver_file(path, format_saved_game(sitting).encode())
    except ProblemsFound as found:
        hint = "name another file with --save"
        raise ProblemsFound(Problem(problem.place, problem.what, hint) for problem in found.problems) from found


def choose_language(game: Game, lang: str) -> str:
    """Return the language to play in, by default the game's first. Raise ProblemsFound if the game lacks it."""
    if lang and lang not in game.languages:
        place, what = game.places.place("languages"), f"{game.id} has no texts in '{lang}'"
        raise ProblemsFound([Problem(place, what, did_you_mean(lang, game.languages))])
    return lang or game.languages[0]


class TerminalHost:
    """Connects a person's typed lines with a game, and saves it to a file on request."""

    def __init__(self, sitting: HumanGame, lang: str, file: Path | None = None, texts: Texts = data_texts):
        self._terminal = Terminal(sitting, lang, texts, saves=file is not None)
        self._sitting, self._lang, self._file = sitting, lang, file

    def show_opening(self) -> Answer:
        """Return the first output."""
        return self._run(self._terminal.show_opening)

    def answer(self, typed: str) -> Answer:
        """Return the response to a typed line. The game continues if it can't be saved before leaving."""
        return self._run(lambda: self._terminal.answer(typed))

    def leave(self) -> Answer:
        """End the game even if it can't be saved."""
        return replace(self._run(self._terminal.leave), end=True)

    def _run(self, ask: Callable[[], Answer]) -> Answer:
        with report_rule_errors(self._sitting.table.box.game):
            answer = ask()
        if not answer.save:
            return answer
        if self._file is None:
            return answer if answer.end else Answer((phrase("play_no_file", self._lang),))
        try:
            write_saved_game(self._file, self._sitting)
        except ProblemsFound as found:
            return Answer(tuple(map(str, found.problems)))
        return replace(answer, lines=(phrase("play_saved", self._lang, file=self._file.as_posix()), *answer.lines))


def describe_bot_game(sitting: HumanGame, lang: str, *, whole: bool) -> str:
    """Let the bots finish the game. Return the transcript as people saw it (`whole`), or its heading and result."""
    with report_rule_errors(sitting.table.box.game):
        for _ in sitting.play_bots(lang):
            pass
        table = sitting.table
        if whole:
            return write_transcript(table, lang, sorted(sitting.people))
        results = (f"  {line}" for line in result_lines(table, lang))
        return join_lines([*format_heading(table.box, table.seed, lang), *results])


def resume_saved_game(game: Game, rules: Rules, path: Path) -> HumanGame:
    """Return the game saved in a file. Raise ProblemsFound if it is damaged, changed, or belongs to other data."""
    shown = path.as_posix()
    with _report_bad_save():
        saved, text = read_json(path, shown, "saved game", _A_FILE)
    return _resume_read_game(game, rules, saved, text, shown)


def resume_saved_text(game: Game, rules: Rules, text: str, shown: str) -> HumanGame:
    """Return the game saved in a text; `shown` names its file. Raise ProblemsFound as `resume_saved_game` does."""
    with _report_bad_save():
        saved = parse_json(text, shown, _A_FILE)
    return _resume_read_game(game, rules, saved, text, shown)


_A_FILE = "name a file that --save wrote"


@contextmanager
def _report_bad_save() -> Iterator[None]:
    try:
        yield
    except ProblemsFound as found:
        what = "this is not a complete saved game"
        told = (one.what if one.what.startswith("the file") else f"{what}: {one.what}" for one in found.problems)
        raise ProblemsFound(Problem(found.problems[0].place, each, _A_FILE) for each in told) from found


def _resume_read_game(game: Game, rules: Rules, read: Any, text: str, shown: str) -> HumanGame:
    saved, source = _check_saved_game(read, text, shown)

    def refuse(what: str, hint: str, name: str) -> ProblemsFound:
        return ProblemsFound([Problem(source.place(name), what, hint)])

    if saved["game"] != game.id:
        what = f"this is a saved game of {saved['game']}, not of {game.id}"
        raise refuse(what, f"run `pnp play {saved['game']}`", "game")
    if saved["draft"] != game.draft:
        what = f"the saved game uses draft {saved['draft']}, but the data is now draft {game.draft}"
        raise refuse(what, "finish it with the old data, or start a new game", "draft")
    seating = Seating(saved["players"], tuple(saved["people"]), saved["bot"], Seed(*saved["seed"]), saved["options"])
    wrong = _find_contradictions(game, rules, seating)
    raise_problems((Problem(source.place(name), problem.what, problem.hint) for name, problem in wrong))
    box = _make_box(game, rules, saved["players"], saved["options"])
    if saved["box"] != _digest_box(box):
        what = "the numbers, readings or components have changed since this game was saved"
        raise refuse(what, "finish it with the old data, or start a new game", "box")
    with report_rule_errors(game):
        sitting = _seat_players(rules, box, seating)
    try:
        with report_rule_errors(game, but=IllegalMove):
            sitting.replay_moves(saved["moves"])
    except IllegalMove as error:
        raise refuse(
            f"the rules have changed since this game was saved: {error}", "start a new game", "moves"
        ) from error
    return sitting


_SAVED: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "format": ("a number", lambda value: type(value) is int),
    "game": ("a text", lambda value: isinstance(value, str)),
    "draft": ("a text", lambda value: isinstance(value, str)),
    "players": ("a whole number from 1", lambda value: type(value) is int and value >= 1),
    "options": ("a mapping of plain values", lambda value: isinstance(value, dict) and all(
        isinstance(part, (str, int))
        for one in value.values() for part in (one if isinstance(one, list) else (one,))
    )),
    "seed": ("two whole numbers below 2 ** 32", lambda value: _is_whole_list(value, 0, 2**32 - 1) and len(value) == 2),
    "moves": ("a list of whole numbers", lambda value: _is_whole_list(value, 0, 2**53)),
    "people": ("a list of seats", lambda value: _is_whole_list(value, 1, 100)),
    "bot": ("a text", lambda value: isinstance(value, str)),
    "box": ("a text", lambda value: isinstance(value, str)),
}  # fmt: skip
"""The keys of a saved game, each with what it must be and a test. Anybody can write one, so it is untrusted."""


def _is_whole_list(value: Any, least: int, most: int) -> bool:
    return isinstance(value, list) and all(type(one) is int and least <= one <= most for one in value)


def _check_saved_game(read: Any, text: str, shown: str) -> tuple[dict[str, Any], Source]:
    """Return the parsed game `read`, and the lines of its values in `text`. Raise ProblemsFound for any error in it."""
    saved, hint = read, _A_FILE
    digest = saved.pop("digest", "") if isinstance(saved, dict) else ""
    if not digest:
        raise ProblemsFound([Problem(Place(shown, 1), "this is not a saved game", hint)])
    source = source_from_text(text, shown)
    if digest != _digest_value(saved):
        what = "the saved game was edited"
        raise ProblemsFound([Problem(source.place("digest"), what, "restore the file, or start a new game")])
    problems = [
        Problem(source.place(name), f"{name} is missing" if name not in saved else f"{name} must be {wanted}", hint)
        for name, (wanted, fits) in _SAVED.items()
        if name not in saved or not fits(saved[name])
    ]
    if not problems and saved["format"] != SAVE_FORMAT:
        what = f"the saved game's format {saved['format']} is not known"
        problems.append(Problem(source.place("format"), what, "start a new game"))
    raise_problems(problems)
    return dict(saved), source


def _find_contradictions(game: Game, rules: Rules, seating: Seating) -> list[tuple[str, Problem]]:
    """Return the problems of a seating, each with the key that a saved game uses for it."""
    players = game.players.fewest if seating.players is None else seating.players
    fits = game.players.fewest <= players <= game.players.most
    found = [("people" if fits else "players", problem) for problem in _find_wrong_seats(game, players, seating)]
    found += [("options", problem) for problem in _find_wrong_options(game, seating.options)]
    try:
        for bot in assign_bots(seating.bot.split(","), players):
            find_bot(bot, rules)
    except ValueError as error:
        found.append(("bot", Problem(None, str(error))))
    return found


def _seat_players(rules: Rules, box: Box, seating: Seating) -> HumanGame:
    return HumanGame(Table(rules, box, seating.seed), (seat - 1 for seat in seating.people), seating.bot)


def _find_wrong_seats(game: Game, players: int, seating: Seating) -> list[Problem]:
    fewest, most = game.players.fewest, game.players.most
    if not fewest <= players <= most:
        numbers = f"{fewest} to {most} players" if fewest < most else "1 player" if most == 1 else f"{most} players"
        what = f"{game.id} is a game for {numbers}, not for {players}"
        return [Problem(game.places.place("players"), what, "change --players")]
    return [
        Problem(None, f"there is no seat {seat} with {players} players", f"seats are 1 to {players}")
        for seat in seating.people
        if seat > players
    ]


def _find_wrong_options(game: Game, options: Mapping[str, Any]) -> list[Problem]:
    """Return problems for options with an impossible value, and for unknown options of a game's own rules."""
    known = read_choices(game)
    problems = []
    for name, value in options.items():
        if name in known and known[name] and value not in known[name]:
            choice = ", ".join(map(format_value, known[name]))
            problems.append(Problem(None, f"the option {name} does not allow '{value}'", f"it can be {choice}"))
        elif name not in known and game.has_own_rules:
            problems.append(Problem(None, f"{game.id} has no option '{name}'", did_you_mean(name, known)))
    return problems


def _make_box(game: Game, rules: Rules, players: int, options: Mapping[str, Any]) -> Box:
    """Return the game box for a number of players. Turn a ValueError of the rules into ProblemsFound."""
    reasons = [] if options.keys() - rules.shared.keys() else find_unplayable(game, rules)
    if reasons:
        place = game.places.place("readings")
        raise ProblemsFound(Problem(place, f"{reason}", "choose another value") for reason in reasons)
    with report_rule_errors(game):
        try:
            return rules.box(game, players, options)
        except ValueError as error:
            if game.has_own_rules:
                raise
            raise ProblemsFound([Problem(None, str(error))]) from error


def _digest_box(box: Box) -> str:
    return _digest_value([dict(box.numbers), box.cards, dict(box.counted)])


def _digest_value(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, default=list).encode()).hexdigest()[:16]
