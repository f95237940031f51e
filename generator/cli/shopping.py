"""Commands that make files for print shops and pictures of faces: shop, presets, images."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    COPIES,
    GAMES,
    OFFERED_LANGS,
    ONLY,
    OUT,
    PROJECT,
    open_project,
    order_from_options,
    progress,
    say_done,
    say_warnings,
    several,
)
from generator.cli.output import say_text

if TYPE_CHECKING:
    from generator.units import Size

PICKED = several(
    [
        GAMES,
        OFFERED_LANGS,
        OUT,
        ONLY,
        click.option("--stamp", is_flag=True, help="Put draft and hash on each face, as on sheets."),
        PROJECT,
    ]
)


@pnp.command()
@PICKED
@click.option("--preset", required=True, metavar="ID", help="The shop: pnp presets lists them.")
@COPIES
@click.option(
    "--standard", type=click.Choice(["pdfx4", "pdfx1a"]), help="PDF/X settings other than the preset's; not certified."
)
@click.option(
    "--profile", type=click.Path(path_type=Path), metavar="FILE.icc", help="The press's colour profile, from the shop."
)
@click.option("--strict", is_flag=True, help="Warnings stop the work, and nothing is written.")
@click.pass_obj
def shop(obj: Path | None, /, **options: Any) -> None:
    """Make files for a print shop out of the GAMES: OUT/<game>/<preset>.<lang>/, with order.txt and manifest.json.

    What the shop does not print is named and left out. Warnings don't stop the work, unless with --strict.
    """
    from generator.commands.order import carry_out
    from generator.commands.shop import ShopOrder, find_shop, warnings_of

    project = open_project(obj, options)
    order = order_from_options(
        ShopOrder, options, shop=find_shop(project, *(options[name] for name in ("preset", "standard", "profile")))
    )
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
    say_warnings(warnings_of(order, done.made))


@pnp.command()
@click.option(
    "--kind", type=click.Choice(["shop", "stock", "sleeve", "paper", "pictures"]), help="Only presets of this kind."
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--fits", metavar="SIZE", help="Only the sleeves that such a card fits into: 63x88 or us-poker.")
@click.option("--sizes", is_flag=True, help="The names that a kind's `size:` may have, in mm, and no presets.")
@PROJECT
@click.pass_obj
def presets(obj: Path | None, /, **options: Any) -> None:
    """List print shops, papers, perforated stock and sleeves with their figures, sources and what is unconfirmed."""
    from generator.commands.preset_list import fitting, list_presets, list_sizes, resources_of

    if options["sizes"]:
        if options["kind"] or options["fits"] is not None or options["form"] != "text":
            raise click.UsageError("--sizes lists the names of sizes, as text; leave --kind, --fits and --format out")
        say_text(list_sizes())
        return
    card = _card(options["fits"]) if options["fits"] is not None else None
    if card and (options["kind"] not in (None, "sleeve") or options["form"] != "text"):
        raise click.UsageError("--fits lists sleeves, as text; leave --kind and --format out")
    resources = resources_of(Path.cwd(), options["project"] or obj)
    if card:
        say_text(fitting(resources, card))
        return
    say_text(list_presets(resources, options["kind"], options["form"]))


@pnp.command()
@PICKED
@click.option("--dpi", type=click.FloatRange(36, 2400), default=300, show_default=True, help="Pixels an inch.")
@click.option("--bleed", is_flag=True, help="With the bleed around each face.")
@click.option("--round", "rounded", is_flag=True, help="Corners, and what lies outside a token's outline, transparent.")
@click.option("--sheets", is_flag=True, help="Print sheets (A4) instead of faces.")
@click.option("--clean", is_flag=True, help="No draft or hash on the faces of --sheets; other pictures have none.")
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Make a PNG of every face of the GAMES, named by id: OUT/<game>/images/reel-6-wheat.front.ja.png."""
    from generator.commands.images import ImageOrder
    from generator.commands.order import carry_out

    if not math.isfinite(options["dpi"]):
        raise click.BadParameter("write a number of pixels, such as 300", param_hint="--dpi")
    if options["bleed"] and options["rounded"]:
        raise click.UsageError("--bleed keeps what --round cuts off; choose one of them")
    if options["sheets"] and (options["bleed"] or options["rounded"] or options["stamp"]):
        raise click.UsageError("--bleed, --round and --stamp are for faces; leave them out with --sheets")
    if options["clean"] and options["stamp"]:
        raise click.UsageError("--clean and --stamp exclude each other; leave one out")
    order = order_from_options(ImageOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


def _card(text: str) -> "Size":
    """A card's size by its name or as width x height, in mm unless it says otherwise; else it is wrong usage."""
    from generator.model.sizes import CARD_SIZES
    from generator.units import Size, length

    if text in CARD_SIZES:
        return CARD_SIZES[text].size
    try:
        width, height = (length(side) for side in text.lower().replace("×", "x").split("x"))
    except ValueError as error:
        raise click.BadParameter(
            f"'{text}' is no size; write 63x88, or a name such as us-poker", param_hint="--fits"
        ) from error
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise click.BadParameter("a card is wider and higher than 0 mm", param_hint="--fits")
    return Size(width, height)
