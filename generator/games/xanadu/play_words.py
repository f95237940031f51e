"""Moves of draft 18 in its short notation, and as phrases of the data."""

from typing import Any

from generator.games.engine.contract import Box, Said
from generator.games.engine.kernel import Record
from generator.games.xanadu import play_codes as c
from generator.games.xanadu.facts import ACTIONS, LIDS
from generator.games.xanadu.play_box import companies, number_of, place_names, request_cards, skill_cards
from generator.games.xanadu.play_zones import GOODS
from generator.model.game import Design


def short(copy: str) -> str:
    """A card's own name: without its kind, and without the number where it is the first of its design."""
    return copy.split("/")[1].removesuffix("#1")


def write(s: Record, box: Box, move: int) -> str:
    """`place fulfil`, `gain p3`, `fulfil FL1 p3`, `pay 2,0,0`, `carry p1 p3`, `load 1,0,0`, `lid skill R1` ..."""
    phrase = say(s, box, move).phrase
    return " ".join([NOTATION.get(phrase, phrase), *_tail(s, box, move)])


NOTATION = {
    "gain_at_port": "gain",
    "daily_normals": "normal",
    "daily_fines": "fine",
    "daily_superbs": "superb",
    "skill_lid": "lid skill",
    "face_up_daily": "turn",
    "face_up": "turn",
    "no_lid": "end",
    "enough": "end",
}
"""How moves are written whose phrase has another name."""


def _tail(s: Record, box: Box, move: int) -> list[str]:
    """What a move is about, in ids."""
    places, skills = place_names(box), skill_cards(box)
    if move >= c.COUNT_NORMALS:
        return [str(_count(move))]
    if move >= c.GOODS:
        return [",".join(map(str, _goods(move)))]
    if move >= c.START:
        return [str(move - c.START + 1)]
    if move >= c.OPEN_OFFICE:
        return [places[move - c.OPEN_OFFICE]]
    if move >= c.SKILL_LID:
        return [short(skills[move - c.SKILL_LID])]
    if move >= c.LID:
        return [LIDS[move - c.LID]]
    if move >= c.IMPROVE:
        place, grade = divmod(move - c.IMPROVE, c.GRADES)
        return [GOODS[grade], places[place]]
    if move >= c.CARRY:
        return [places[n] for n in divmod(move - c.CARRY, c.PLACES)]
    if move >= c.FULFILLING:
        place, source = divmod(move - c.FULFILLING, c.SOURCES)
        return [short(_request(s, box, source)), places[place]]
    return _short_tail(s, box, move)


def _short_tail(s: Record, box: Box, move: int) -> list[str]:
    skills = skill_cards(box)
    if move >= c.PUT:
        return [place_names(box)[move - c.PUT]]
    if move >= c.FACE_UP:
        n = move - c.FACE_UP
        return ["daily"] if n == box.numbers["daily_n"] else [short(_request(s, box, c.ROW_SOURCE + n))]
    if move >= c.DECLINE:
        return []
    if move >= c.USE:
        return [short(skills[move - c.USE])]
    if move >= c.RESEARCH:
        return [short(_request(s, box, move - c.RESEARCH))]
    if move >= c.PASS:
        return []
    if move >= c.PLACE:
        return [ACTIONS[(move - c.PLACE) % 4]]
    return [short(skills[move - c.KEEP]) if move >= c.KEEP else companies(box)[move]]


def say(s: Record, box: Box, move: int) -> Said:
    """The phrase of a move, with the names of cards and areas."""
    if move >= c.COUNT_NORMALS:
        grade = (move - c.COUNT_NORMALS) // 400
        return Said(("daily_normals", "daily_fines", "daily_superbs")[grade], {"number": _count(move)})
    if move >= c.GOODS:
        goods = dict(zip(GOODS, _goods(move), strict=True))
        return Said("pay" if s.phase == c.PAY else "load", goods)
    if move >= c.START:
        return Said("start", {"seat": move - c.START + 1})
    if move >= c.OPEN_OFFICE:
        return Said("office", {"area": _area(s, box, move - c.OPEN_OFFICE)})
    if move >= c.SKILL_LID:
        return Said("skill_lid", {"skill": _skill(box, move - c.SKILL_LID)})
    if move >= c.LID:
        return Said("lid", {"row": box.game.sections["words"]["growth"][LIDS[move - c.LID]]})
    if move >= c.IMPROVE:
        place, grade = divmod(move - c.IMPROVE, c.GRADES)
        return Said("upgrade", {"grade": GOODS[grade], "area": _area(s, box, place)})
    if move >= c.CARRY:
        places = [_area(s, box, n) for n in divmod(move - c.CARRY, c.PLACES)]
        return Said("carry", {"source": places[0], "target": places[1]})
    if move >= c.FULFILLING:
        place, source = divmod(move - c.FULFILLING, c.SOURCES)
        card = box.game.design(_request(s, box, source).split("#")[0])
        return Said("fulfil", {"card": card, "area": _area(s, box, place)})
    return _said_shortly(s, box, move)


def _said_shortly(s: Record, box: Box, move: int) -> Said:
    game = box.game
    if move >= c.PUT:
        return _said_gain(s, box, move - c.PUT)
    if move == c.FACE_UP + number_of(box, "daily_n"):
        return Said("face_up_daily")
    if move >= c.FACE_UP:
        return Said("face_up", {"card": game.design(_request(s, box, move - c.FACE_UP + c.ROW_SOURCE).split("#")[0])})
    if move >= c.DECLINE:
        return Said({c.DECLINE: "decline", c.WASTE: "waste", c.DAILY: "daily"}[move])
    if move >= c.USE:
        return Said("use", {"skill": _skill(box, move - c.USE)})
    if move >= c.RESEARCH:
        return Said("research", {"card": game.design(_request(s, box, move - c.RESEARCH).split("#")[0])})
    if move in (c.END, c.PASS):
        costs: Any = box.numbers["pass_costs"]
        phrase = "pass" if move == c.PASS else {c.GROW: "no_lid", c.STEPS: "enough"}.get(int(s.phase), "end")
        return Said(phrase, {"number": costs[s.passes[s.seat]]} if move == c.PASS else {})
    if move >= c.PLACE:
        return Said("dispatch" if move >= c.DISPATCH else "place", {"row": ACTIONS[(move - c.PLACE) % 4]})
    if move >= c.KEEP:
        return Said("keep", {"skill": _skill(box, move - c.KEEP)})
    return Said("company", {"company": game.kinds["company_board"].designs[move]})


def _said_gain(s: Record, box: Box, place: int) -> Said:
    """A resource goes to an area, or all that are left to the Port."""
    area = _area(s, box, place)
    if place == box.numbers["port"] and s.phase == c.GAIN:
        return Said("gain_at_port", {"area": area, "number": int(s.gains)})
    return Said("gain", {"area": area, "number": s.gains - 1})


def _goods(move: int) -> tuple[int, int, int]:
    number = move - c.GOODS
    return number >> 6, (number >> 3) & 7, number & 7


def _count(move: int) -> int:
    return (move - c.COUNT_NORMALS) % 400


def _request(s: Record, box: Box, source: int) -> str:
    card = s.market[source] if source < c.ROW_SOURCE else s.daily[s.seat * 3 + source - c.ROW_SOURCE]
    return request_cards(box)[int(card)]


def _skill(box: Box, skill: int) -> Design:
    return box.game.design(skill_cards(box)[skill].split("#")[0])


def _area(s: Record, box: Box, place: int) -> Design:
    return box.game.kinds["area_board"].designs[int(s.board[place])]
