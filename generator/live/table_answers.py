"""Table answers: what the page shows of a game that is being played, with its words."""

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from generator.base.errors import Problem, ProblemsFound
from generator.base.languages import count_phrase, list_phrases, phrase
from generator.books.rulebook.piece_pictures import PieceFaces
from generator.books.rulebook.table_layout import BoardSpaces
from generator.checks.check_report import choose_language
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.model import Game
from generator.live.show_views import list_books
from generator.live.table_places import PlaceMaker
from generator.live.table_request import CountingRules, Gone, Party, Query, TableRequest, is_never_gone, parse_request
from generator.live.table_view import list_choices, view_table
from generator.play.bot_registry import find_bot, list_bot_names
from generator.play.play_setup import format_saved_game, load_playable_rules, resume_saved_text, set_up_human_game
from generator.play.table_text import format_ending, player_name, result_lines
from generator.rules.engine.contract import ALL_SEEN, Message, Observation, Rules
from generator.rules.engine.settings import read_choices as settings
from generator.rules.engine.table import IllegalMove, Table, move_text
from generator.rules.registry import report_rule_errors

Answered = TypeVar("Answered")

_FILLED = {name: f"{{{name}}}" for name in ("n", "of", "player", "bot", "move", "file")}
"""Placeholders that stay in phrases, because the page's script fills them in."""


def list_table_words(lang: str) -> dict[str, str]:
    """Return the phrases for the page's table by name; placeholders are in braces."""
    one = {"points_one": count_phrase("table_points", lang, 1)}
    return {name: phrase(f"table_{name}", lang, **_FILLED) for name in list_phrases("table_")} | one


# The cache of parties avoids replaying a game from its deal for each request. Answers are the same without it.

MOST_KEPT = 8
"""Maximum number of games in progress kept in memory."""


@dataclass(frozen=True, slots=True)
class PlayableGame:
    """A game with its rules. `turn` runs a function that has the workshop alone; `gone` tells if the client left."""

    game: Game
    rules: Rules
    workshop: Workshop
    turn: Callable[[Callable[[], Any]], Any]
    gone: Gone = is_never_gone


class PartyCache:
    """Cache of the latest games in progress. A game that is in use is removed from it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._parties: OrderedDict[str, tuple[Game, Party]] = OrderedDict()
        self._spots: dict[tuple[str, str], tuple[Workshop, BoardSpaces]] = {}

    def take_party(self, key: str, game: Game) -> Party | None:
        """Remove and return the game in progress under a key, or None if the game's data have changed since."""
        with self._lock:
            of, party = self._parties.pop(key, (None, None))
        return party if of is game else None

    def put_party(self, key: str, game: Game, party: Party) -> None:
        """Store a game in progress under a key for the next request. Drop the least recently used beyond MOST_KEPT."""
        with self._lock:
            self._parties[key] = (game, party)
            self._parties.move_to_end(key)
            while len(self._parties) > MOST_KEPT:
                self._parties.popitem(last=False)

    def find_spots(self, workshop: Workshop, lang: str) -> BoardSpaces:
        """Return the spaces on a game's boards, found once for each workshop."""
        key = (workshop.game.id, lang)
        of, spots = self._spots.get(key, (None, None))
        if spots is None or of is not workshop:
            spots = BoardSpaces(PieceFaces(workshop, lang, []))
            self._spots[key] = (workshop, spots)
        return spots


def describe_setup(
    workshop: Workshop, rules: Rules | None, problems: Sequence[Problem], query: Query
) -> dict[str, Any]:
    """Return what the page needs before a game starts: players, bots, sizes of pieces, phrases."""
    game = workshop.game
    lang = choose_language(game, query.get("lang", [""])[0])
    return {
        "id": game.id, "title": game.title[lang], "draft": game.draft, "lang": lang,
        "languages": list(game.languages), "players": [game.players.fewest, game.players.most],
        "bots": list(list_bot_names(rules)) if rules is not None else [], "playable": rules is not None,
        "settings": {name: [_setting_text(value) for value in values] for name, values in settings(game).items()},
        "problems": [str(problem) for problem in problems],
        "accent": workshop.hex_of_paint(find_accent(game.palette)),
        "kinds": {kind.id: {
            "name": kind.name[lang], "w": round(kind.size.width, 3), "h": round(kind.size.height, 3),
            "corner": kind.corner if kind.form == "card" and not kind.outline else 0, "outlined": bool(kind.outline),
            "form": kind.form,
        } for kind in game.kinds.values()},
        "words": list_table_words(lang), "books": list_books(workshop, lang),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at a table: the seat `eyes` (from 1; 0: none). Shown is what all the seats `readers` (from 0) may see.

    `called` is the seat (from 1) that must come to the screen first, or 0.
    """

    eyes: int
    readers: tuple[int, ...]
    called: int = 0


def show_table(hosted: PlayableGame, shelf: PartyCache, query: Query) -> dict[str, Any]:
    """Return the table as one viewer sees it, after the request's moves and the bots' next moves."""
    asked = parse_request(query)

    def describe_party(party: Party) -> dict[str, Any]:
        party.play_bots(asked.most)
        return describe_table(hosted, shelf, party, _find_viewer(party, asked.eyes))

    return with_party(hosted, shelf, asked, describe_party)


def give_hint(hosted: PlayableGame, shelf: PartyCache, query: Query) -> dict[str, Any]:
    """Return the move that a bot would make for the current player. Raise ProblemsFound if no person has to choose."""
    asked = parse_request(query)
    try:
        find_bot(asked.bot, hosted.rules)
    except ValueError as error:
        raise ProblemsFound([Problem(None, str(error))]) from error

    def choose_move(party: Party) -> dict[str, Any]:
        if not party.sitting.is_waiting:
            raise ProblemsFound([Problem(None, "no player has to choose now", "ask when it is a person's turn")])
        move, table = party.choose_hint(asked.bot), party.table
        text = table.describe_move(move, party.lang)
        return {"move": move, "short": table.write_move(move), "text": text, "bot": asked.bot}

    return with_party(hosted, shelf, asked, choose_move)


def save_table(hosted: PlayableGame, shelf: PartyCache, query: Query) -> dict[str, Any]:
    """Return the game as the text of a file for `pnp play --resume`, and a name for it."""
    asked = parse_request(query)

    def save_game(party: Party) -> dict[str, Any]:
        name = f"{hosted.game.id}-{len(party.table.moves)}.json"
        return {"name": name, "text": format_saved_game(party.sitting)}

    return with_party(hosted, shelf, asked, save_game)


def resume_table(hosted: PlayableGame, _shelf: PartyCache, query: Query) -> dict[str, Any]:
    """Return setup and moves of the query's saved game, to continue it. Raise ProblemsFound if that is impossible."""
    sitting = resume_saved_text(hosted.game, hosted.rules, query.get("saved", [""])[0], "the saved game")
    table = sitting.table
    return {
        "players": table.box.players,
        "people": sorted(seat + 1 for seat in sitting.people),
        "bots": sitting.bot,
        "seed": f"{table.seed.run}/{table.seed.game}",
        "options": [f"{name}={_setting_text(value)}" for name, value in table.box.options.items()],
        "moves": list(table.moves),
    }


def with_party(
    hosted: PlayableGame, shelf: PartyCache, request: TableRequest, use: Callable[[Party], Answered]
) -> Answered:
    """Play the request's moves in a stored or new game; return `use(party)`. Raise ProblemsFound if one is illegal."""
    game = hosted.game
    lang = choose_language(game, request.lang)
    seating = asdict(request.seating) | {"seed": [request.seating.seed.run, request.seating.seed.game]}
    key = json.dumps([game.id, lang, seating, request.for_all_seats], default=str)
    party = shelf.take_party(key, game)
    with report_rule_errors(game, but=IllegalMove):
        try:
            if party is None:
                patience = CountingRules(hosted.rules)
                sitting = set_up_human_game(game, patience.rules, request.seating)
                if request.for_all_seats:
                    sitting.eyes = frozenset(range(sitting.table.box.players))
                party = Party(sitting, lang, patience)
            party.patience.begin_choice()
            party.patience.gone = hosted.gone
            party.go_to(request.moves)
        except IllegalMove as error:
            hint = "the game or the rules have changed; start again, or go back to an earlier move"
            raise ProblemsFound([Problem(None, str(error), hint)]) from error
        answer = use(party)
    shelf.put_party(key, game, party)
    return answer


def describe_table(hosted: PlayableGame, shelf: PartyCache, party: Party, viewer: Viewer) -> dict[str, Any]:
    """Return what the page shows: the table as a viewer sees it now, with places, choices, results and log."""
    sitting, table, lang = party.sitting, party.table, party.lang
    eyes, readers, called = viewer.eyes, viewer.readers, viewer.called
    sight = view_table(table, readers, lang)
    choosing = sitting.is_waiting and eyes == table.seat + 1
    choices = list_choices(table, sight, lang) if choosing else []
    wanted = list(dict.fromkeys(zone for choice in choices for zone in choice.zones))

    def make_places() -> dict[str, Any]:
        spots = shelf.find_spots(hosted.workshop, lang)
        return PlaceMaker(hosted.game, sight.zones, table.box.players, eyes, wanted, lang, spots).make_places()

    game, seen = hosted.game, sight.observation
    return {
        **hosted.turn(make_places), "players": table.box.players,
        "people": sorted(seat + 1 for seat in sitting.people),
        "names": [player_name(seat, lang) for seat in range(table.box.players)],
        "moves": list(table.moves), "made": len(table.moves), "eyes": eyes,
        "seat": 0 if table.is_over else table.seat + 1, "waits": choosing, "more": party.is_bots_turn,
        "over": table.is_over or sitting.is_stuck, "call": called,
        "call_text": phrase("table_pass_screen", lang, player=player_name(table.seat, lang)) if called else "",
        "undo": sitting.last_choice, "status": [move_text(game, said, lang) for said in seen.status],
        "facts": [move_text(game, said, lang) for said in seen.facts.values()],
        "points": [None if seat in seen.unsure else points for seat, points in enumerate(table.compute_scores())],
        "places_at_end": list(table.compute_places()) if table.is_over else [],
        "result": [_format_headline(party), *_format_results(table, lang, seen)]
        if table.is_over or sitting.is_stuck
        else [],
        "reasons": [move_text(game, said, lang) for said in _iter_reasons(table, readers)] if table.is_over else [],
        "choices": [asdict(choice) for choice in choices],
        "dealt": [line.strip() for line in party.read_deal(readers)],
        "log": [
            {"at": at, "seat": told.seat + 1, "text": told.text, "then": [line.strip() for line in told.then]}
            for at, told in party.iter_log(readers)
        ],
    }  # fmt: skip


def _format_headline(party: Party) -> str:
    """Return a headline: won or lost if a single person played and that is clear, else that the game is over."""
    people, places = party.sitting.people, party.table.compute_places() if party.table.is_over else ()
    if places and len(people) == 1:
        place = places[min(people)]
        if place > 1:
            return phrase("table_lost", party.lang)
        if places.count(1) == 1 < len(places):
            return phrase("table_won", party.lang)
    return format_ending(party.table, party.lang)


def _iter_reasons(table: Table, readers: Sequence[int]) -> Iterator[Message]:
    """Return the rules' messages about the last move that all these seats may read; they say why the game ended."""
    first, *others = (table.list_consequences(eye) for eye in readers)
    return (said for said in first if all(said in other for other in others))


def _format_results(table: Table, lang: str, seen: Observation) -> Iterable[str]:
    """Yield a line with points and place for each player; a single player has no place."""
    if table.is_over and table.box.players == 1:
        (points,) = table.compute_scores()
        return (count_phrase("play_points", lang, points, player=player_name(0, lang)),)
    return result_lines(table, lang, seen)


def _find_viewer(party: Party, eyes: int) -> Viewer:
    """Return who looks at a shared screen: the only person, or seat `eyes` (from 1), or nobody while one is called."""
    people, table = tuple(sorted(party.sitting.people)), party.table
    if not people:
        return Viewer(0, (ALL_SEEN,))
    if len(people) == 1:
        return Viewer(people[0] + 1, people)
    if party.sitting.is_waiting and table.seat + 1 != eyes:
        return Viewer(0, people, table.seat + 1)
    return Viewer(eyes, (eyes - 1,)) if eyes - 1 in people else Viewer(0, people)


def _setting_text(value: Any) -> str:
    """Return the value of an option as text that `parse_option` can read."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(str, value))}]"
    return str(value)


@dataclass(frozen=True, slots=True)
class LentGame:
    """What a table needs of a game. `turn` runs a function while no other thread draws; `trusted`: run own rules."""

    workshop: Workshop
    folder: Path
    trusted: bool
    turn: Callable[[Callable[[], Any]], Any]


_ASKED: Mapping[str, Callable[[PlayableGame, PartyCache, Query], dict[str, Any]]] = {
    "at": show_table, "hint": give_hint, "save": save_table, "resume": resume_table,
}  # fmt: skip


class PlayRoom:
    """Answers the page's requests about tables; `lend` returns a game by name, or None for an unknown one."""

    def __init__(self, lend: Callable[[str], LentGame | None]):
        self._lend = lend
        self._shelf = PartyCache()
        self._lock = Lock()
        self._rules: dict[str, tuple[Game, Rules | None, tuple[Problem, ...]]] = {}

    def answer(self, name: str, question: str, query: Query, gone: Gone = is_never_gone) -> dict[str, Any] | None:
        """Return the answer to a request (`question`) about a game, or None if there is no such game or request.

        Raise ProblemsFound on errors. `gone` returns True once the client has disconnected: then bots stop thinking.
        """
        lent = self._lend(name)
        if lent is None:
            return None
        if question == "setup":
            rules, problems = self._find_rules(lent)
            return lent.turn(lambda: describe_setup(lent.workshop, rules, problems, query))  # type: ignore[no-any-return]
        return _ASKED[question](self._host_game(lent, gone), self._shelf, query) if question in _ASKED else None

    def use_party(
        self,
        name: str,
        request: TableRequest,
        use: Callable[[PlayableGame, PartyCache, Party], Answered],
        gone: Gone = is_never_gone,
    ) -> Answered:
        """Play the requested moves of a game and return what `use` makes of it. Raise ProblemsFound on errors."""
        lent = self._lend(name)
        if lent is None:
            raise ProblemsFound(
                [Problem(None, f"'{name}' can't be read now", f"see what `pnp validate {name}` reports")]
            )
        hosted = self._host_game(lent, gone)
        return with_party(hosted, self._shelf, request, lambda party: use(hosted, self._shelf, party))

    def _host_game(self, lent: LentGame, gone: Gone = is_never_gone) -> PlayableGame:
        """Return a game with its rules; `gone` tells if the asker left. Raise ProblemsFound if it can't be played."""
        rules, problems = self._find_rules(lent)
        if rules is None:
            raise ProblemsFound(problems)
        return PlayableGame(lent.workshop.game, rules, lent.workshop, lent.turn, gone)

    def _find_rules(self, lent: LentGame) -> tuple[Rules | None, tuple[Problem, ...]]:
        """Return the rules of a game, or None with the reasons. Load them again after the game has changed."""
        game = lent.workshop.game
        with self._lock:
            known = self._rules.get(game.id)
            if known is None or known[0] is not game:
                try:
                    known = (game, load_playable_rules(game, lent.folder, lent.trusted), ())
                except ProblemsFound as found:
                    known = (game, None, found.problems)
                self._rules[game.id] = known
            return known[1], known[2]
