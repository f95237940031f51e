"""Whether what the lab found is of the game as it is now."""

from collections.abc import Iterator

from generator.checks.record import Check
from generator.games.engine.contract import Rules
from generator.model.game import Game
from generator.playtest.state import state_of


def found_checks(game: Game, rules: Rules | None) -> Iterator[Check]:
    """For each table of findings: rules and numbers are those that were played; undecided where they are others."""
    for table in game.findings:
        name = f"findings.{table.players}.{'-'.join(table.bots).replace(':', '-')}"
        entries = len({one.reading for one in table.entries})
        if rules is not None and table.players in game.players and state_of(game, rules, table.players) == table.state:
            said = f"{entries} entries, {table.games} games of each reading"
            yield Check(name, "lab", "pass", "what the lab found is of the game as it is", said, table.place)
        else:
            hint = f"play again: pnp lab readings {game.id} --keep-findings"
            what = "rules or numbers have changed since the lab found what other readings do"
            yield Check(name, "lab", "undecided", what, hint, table.place)
