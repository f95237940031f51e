"""A whole game as text: what was dealt, each choice with its notation and words, scores and places at the end."""

from collections.abc import Iterator

from generator.games.table import Table, replay

WIDTH = 100


def transcript(table: Table, lang: str) -> str:
    """The game so far, played again from its seed."""
    return "\n".join(_lines(table, lang)) + "\n"


def _lines(table: Table, lang: str) -> Iterator[str]:
    box = table.box
    again = replay(table.rules, box, table.seed, ())
    yield f"{box.game.title[lang]}, {box.game.draft}: {box.players}, seed {table.seed.run} {table.seed.game}"
    for name, value in box.options.items():
        yield f"{name}: {value}"
    yield from zone_lines(again)
    turn = None
    for move in table.moves:
        if again.state.turn != turn:
            turn = again.state.turn
            yield f"-- {turn}"
        yield f"{again.seat + 1}  {again.write(move):<28} {again.text(move, lang)}".rstrip()
        again.apply(move)
    yield "--"
    yield from zone_lines(again)
    if again.over:
        for seat, (points, place) in enumerate(zip(again.scores(), again.places(), strict=True), 1):
            yield f"{seat}: {points} ({place})"


def zone_lines(table: Table) -> Iterator[str]:
    """Each zone with what lies there, kinds left out of ids, numbers above one before them."""
    for zone, found in table.zones().items():
        names = [(f"{number} " if number > 1 else "") + piece.split("/")[-1] for piece, number in found.items()]
        line = f"  {zone}:"
        for name in names:
            if len(line) + len(name) >= WIDTH:
                yield line
                line = "   "
            line += f" {name}"
        yield line
