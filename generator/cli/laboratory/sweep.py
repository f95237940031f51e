"""The command lab sweep: what one number, or several, do to a game."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.laboratory.experiments import (
    HOW_MUCH,
    STOPPED,
    TABLES,
    effort_of,
    experiment_of,
    game_of,
    lab,
    play_out,
)
from generator.cli.options import open_project, path_from_here
from generator.cli.output import say, say_text
from generator.errors import Unfit

if TYPE_CHECKING:
    from generator.lab.sweeps.axes import SweepRange
    from generator.lab.sweeps.grids import SweepGrid

_SCREENED = 200
"""Games of each point by which those are left out that miss an aim for sure."""

_SECTIONS = ("rules", "components")


def _axes(_context: click.Context, _argument: click.Parameter, texts: tuple[str, ...]) -> tuple["SweepRange", ...]:
    """The ranges behind their names: paths in the data, or readings."""
    from generator.lab.sweeps.axes import axis_of

    axes = list["SweepRange"]()
    for text in texts:
        name, equals, values = text.partition("=")
        if not (name and equals):
            raise click.BadParameter(f"'{text}' is no range; write rules.hand=3..7")
        if "." in name and name.partition(".")[0] not in _SECTIONS:
            raise click.BadParameter(f"'{name}' is neither in `rules` nor in `components`; write rules.hand=3..7")
        if name in [axis.name for axis in axes]:
            raise click.BadParameter(f"'{name}' stands there twice; write its values in one range")
        try:
            axes.append(axis_of(name, values))
        except Unfit as error:
            raise click.BadParameter(f"{name}: {error}; {error.hint}") from error
    if all(len(axis.values) == 1 for axis in axes):
        raise click.BadParameter("there is only one value of each; write a range, as rules.hand=3..7")
    return tuple(axes)


@lab.command()
@click.argument("game")
@click.argument("axes", nargs=-1, required=True, metavar="NAME=RANGE...", callback=_axes)
@click.option(
    "--screen",
    "walks",
    type=click.IntRange(2, 200),
    metavar="N",
    help="Only N walks through many numbers, by Morris' method: which of them matter at all.",
)
@click.option(
    "--aims",
    "aimed_at",
    type=click.Path(path_type=Path),
    metavar="FILE.yaml",
    help="Look for the smallest change that meets the aims of this experiment, at its tables.",
)
@TABLES
@HOW_MUCH
@click.pass_obj
def sweep(obj: Path | None, /, **options: Any) -> None:
    """Play GAME with every combination of values, as rules.hand=3..7 'components.reel.designs.*.count=*1..3'.

    A RANGE is 3..7, 3..7:2, 1,2,4, or *1..3, which multiplies what stands in the data; a * in a NAME stands for any.
    """
    from generator.lab.experiment import as_it_is
    from generator.lab.sweeps.grids import SweepGrid

    grid = SweepGrid("sweep", options["axes"], walks=options["walks"] or 0, run=options["run"])
    if options["walks"] and (options["aimed_at"] or options["saved"]):
        raise click.UsageError("--screen goes neither with --aims nor with --save: sweep the numbers that matter then")
    if options["aimed_at"]:
        _look_for_smallest(obj, grid, options)
        return
    of = game_of(obj, options)
    players = options["players"] or (of.game.players.most,)
    play_out(
        of,
        experiment_of(of, as_it_is(), players, options, (grid,)),
        f"lab-{'screen' if grid.walks else 'sweep'}.json",
        options,
    )


def _look_for_smallest(obj: Path | None, grid: "SweepGrid", options: dict[str, Any]) -> None:
    """Screens, confirms, tells; ends with 130 where Ctrl+C has stopped it."""
    from generator.commands.laboratory.sweep import aimed, find_smallest
    from generator.lab.sweeps.smallest_told import smallest_text

    project = open_project(obj, options)
    of, experiment = aimed(project, options["game"], options["aimed_at"], grid, trusted=options["trusted"])
    target = Path(options["out"]) / of.game.id / "lab-sweep.json"
    screening = {**options, "games": options["games"] or _SCREENED}
    found, stopped = find_smallest(of, experiment, target, effort_of(experiment, screening))
    say_text(smallest_text(found))
    say(path_from_here(target), err=True)
    if stopped:
        sys.exit(STOPPED)
