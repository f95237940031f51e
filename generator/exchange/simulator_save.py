"""An existing save of Tabletop Simulator: takes over new pictures and texts, keeps positions and scripts."""

import json
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import read_file
from generator.exchange.simulator_objects import ObjectState

_CONTENTS = ("Description", "CardID", "CustomDeck", "CustomImage", "CustomMesh", "CustomPDF", "States")
"""What an object takes over. Its place, size, colour, scripts and id stay."""

_Key: TypeAlias = tuple[str, str, str]
"""Tag, name and sort of an object: objects with the same key are copies."""


def read_save(path: Path) -> dict[str, Any]:
    """Return a save as plain values. Raise ProblemsFound if the file is none."""
    what, hint = "this is not a save of Tabletop Simulator", "name a file of its folder Saves"
    try:
        save = json.loads(read_file(path, "kept"))
        if isinstance(save, dict) and isinstance(save.get("ObjectStates"), list):
            return save
    except InvalidInput as error:
        what, hint = str(error), error.hint
    except (ValueError, RecursionError):
        what += ": it can't be read as JSON"
    raise ProblemsFound([Problem(Place(str(path)), what, hint)])


def iter_objects(states: Iterable[Any]) -> Iterator[ObjectState]:
    """Yield every object of a save, each followed by the objects in it."""
    for state in filter(lambda one: isinstance(one, dict), states):
        yield state
        yield from iter_objects(_list_contents(state))


def update_save(
    save: dict[str, Any], things: Sequence[ObjectState], tags: Collection[str]
) -> tuple[list[str], list[str]]:
    """Put a game's decks, bags and single pieces into a save. Return the names of new pieces, and of unknown ones.

    A piece that the save lacks joins the copies of its design, or a deck of its kind. A piece with one of the game's
    `tags` that the game lacks stays unchanged.
    """
    pools: dict[_Key, deque[ObjectState]] = defaultdict(deque)
    for thing in things:
        for piece in thing.get("ContainedObjects", [thing]):
            pools[_find_key(piece, tags)].append(piece)
    homes: dict[_Key, list[Any]] = {}
    left: list[str] = []
    for holder in ({"ContainedObjects": save["ObjectStates"]}, *iter_objects(save["ObjectStates"])):
        inside = [state for state in _list_contents(holder) if _find_key(state, tags)[0] and not _list_contents(state)]
        for state in inside:
            key = _find_key(state, tags)
            if "Name" in holder:
                homes.setdefault(key, holder["ContainedObjects"])
                homes.setdefault((key[0], "", str(holder["Name"])), holder["ContainedObjects"])
            if pools[key]:
                new = pools[key].popleft()
                state.update({name: new[name] for name in _CONTENTS if name in new})
            else:
                left.append(key[1])
    unused = {id(piece) for pool in pools.values() for piece in pool}
    added: list[str] = []
    for thing in things:
        whole = thing.get("ContainedObjects", [thing])
        for piece in [piece for piece in whole if id(piece) in unused]:
            added.append(str(piece["Nickname"]))
            key = _find_key(piece, tags)
            home = homes.get(key) or (homes.get((key[0], "", "Deck")) if thing["Name"] == "Deck" else None)
            if home is None and all(id(one) in unused for one in whole):
                save["ObjectStates"] += [thing] if piece is whole[0] else []
            else:
                (save["ObjectStates"] if home is None else home).append(piece)
    _number_decks(save, tags)
    return added, left


def has_pieces(save: dict[str, Any], tags: Collection[str]) -> bool:
    """Return True if any object of the save has one of the tags."""
    return any(_find_key(one, tags)[0] for one in iter_objects(save["ObjectStates"]))


def find_last_sheet(save: dict[str, Any], tags: Collection[str]) -> int:
    """Return the largest number of a picture of cards that other games use in the save, or 0."""
    others = (one for one in iter_objects(save["ObjectStates"]) if not _find_key(one, tags)[0])
    keys = [key for one in others if isinstance(one.get("CustomDeck"), dict) for key in one["CustomDeck"]]
    return max((int(key) for key in keys if key.isdecimal()), default=0)


def _number_decks(save: dict[str, Any], tags: Collection[str]) -> None:
    """List in each deck of the game the numbers and pictures of its cards."""
    for state in iter_objects(save["ObjectStates"]):
        cards = _list_contents(state)
        if state.get("Name") == "Deck" and any(_find_key(card, tags)[0] for card in cards):
            state["DeckIDs"] = [card.get("CardID") for card in cards]
            state["CustomDeck"] = {at: sheet for card in cards for at, sheet in card.get("CustomDeck", {}).items()}


def _find_key(state: ObjectState, tags: Collection[str]) -> _Key:
    own = state.get("Tags")
    tag = next((tag for tag in own if tag in tags), "") if isinstance(own, list) else ""
    return tag, str(state.get("Nickname", "")), str(state.get("Name", ""))


def _list_contents(state: ObjectState) -> list[ObjectState]:
    inside = state.get("ContainedObjects")
    return [one for one in inside if isinstance(one, dict)] if isinstance(inside, list) else []
