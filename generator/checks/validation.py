"""Validation: the checks of faces and icons, and functions that run all checks, including those of other packages."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations
from operator import and_, itemgetter, or_

from generator.base.colour import LEAST_DIFFERENCE, measure_differences
from generator.base.display_list import Drawing, PlacedSymbol, TextRun, visit_items
from generator.base.errors import Place, ProblemsFound, did_you_mean
from generator.base.extensions import Addition, find_additions, format_error
from generator.base.geometry import IDENTITY, find_scale, multiply
from generator.base.outlines import PAINTS_NOTHING
from generator.checks.check_report import (
    Check,
    Status,
    check_setup_pieces,
    check_stated_counts,
    check_unique_ids,
    format_first_entries,
    require_readings,
)
from generator.checks.data_checks import Evaluate, Functions, check_needed_spaces, check_spaces, run_data_checks
from generator.checks.print_checks import (
    check_contrast,
    check_face_bleed,
    check_missing_pictures,
    check_printed_resolution,
    check_safe_zones,
)
from generator.checks.visible_items import (
    Context,
    Mask,
    find_leaves,
    find_visible_icons,
    iter_drawn_faces,
    list_distinct_faces,
    paint_to_srgb,
)
from generator.game.data_fields import FinestDetails
from generator.game.model import Game

_Spots = set[tuple[int, int]]

_LONG = 2.5
"""A thin part counts if its length is this multiple of its width. Tips of corners are shorter."""

_SOLID = 0.6
"""The area of such a part is at least this share of that of a straight one."""


def check_icon_grid(game: Game, context: Context) -> Iterator[Check]:
    """Check the strokes, gaps and live area of each icon's drawing at the smallest size at which a face shows it.

    What is finer fails if the game states `limits`. Otherwise it is only told: tips and tapers are fine on purpose.
    """
    limits, sizes = game.limits, measure_icon_sizes(game, context)
    wrong: Status = "fail" if game.places.place("limits") else "pass"
    fine = 0
    for icon in game.icons.values():
        mask = context.silhouette(icon.id) if icon.id in sizes else None
        if mask is None:
            continue
        found = list(_find_faults(mask, sizes[icon.id], limits))
        fine += not found
        if found:
            file = f"{icon.art}.svg"
            place = Place(f"templates/{game.id}/icons/{file}", 1, 1)
            sentence = f"{icon.id} is finely drawn for {sizes[icon.id]:.2g} mm, its smallest size on a face"
            yield Check(f"icons.grid.{icon.id}", "icon", wrong, sentence, "; ".join(found), place)
    if fine:
        wanted = f"strokes from {limits.stroke:g} mm, gaps from {limits.gap:g} mm, {limits.live:.0%} of the box"
        yield Check("icons.grid", "icon", "pass", f"{fine} icons stay clear at their smallest size", wanted)


def _find_faults(mask: Mask, size: float, limits: FinestDetails) -> Iterator[str]:
    """Yield what is too fine in an icon printed `size` mm large, with the spot in hundredths of its box."""
    side = max(len(mask), *map(len, mask))
    edge = side // 4  # empty room around the icon, in which gaps end
    wide = side + 2 * edge
    stride = wide + math.floor(max(limits.stroke, limits.gap) / size * side) + 1
    rows = _rows_from_mask(mask)
    ink = sum(row << (y + edge) * stride + edge for y, row in rows.items())
    if not rows:
        return
    box = sum((1 << wide) - 1 << y * stride for y in range(wide))
    for what, limit, hint in (("stroke", limits.stroke, "thicken"), ("gap", limits.gap, "widen")):
        thin = find_thinnest(ink if what == "stroke" else box ^ ink, stride, math.floor(limit / size * side))
        if thin is not None:
            (x, y), width = thin
            told = (
                f"a {what} of {width / side * size:.2f} mm near {100 * (x - edge) // side}, {100 * (y - edge) // side}"
            )
            yield f"{told} of 100; {hint} it to {limit:g} mm, or print the icon larger"
    columns = reduce(or_, rows.values())
    extent = max((columns // (columns & -columns)).bit_length(), max(rows) - min(rows) + 1) / side
    if extent < limits.live:
        yield f"it fills {extent:.0%} of its box; draw it larger, up to {limits.live:.0%} or more"


def measure_icon_sizes(game: Game, context: Context) -> dict[str, float]:
    """Return the smallest size (mm, the longer side of its box) at which any face shows each icon."""
    sizes: dict[str, float] = {}
    for face in (face for kind in game.kinds.values() for face in list_distinct_faces(game, kind, context)):
        for item, around in visit_items(face.drawing.items, IDENTITY, lambda item, at: multiply(at, item.matrix)):
            if isinstance(item, PlacedSymbol) and item.symbol.name.startswith("icon:"):
                size = max(item.symbol.box[2:]) * find_scale(multiply(around, item.matrix))
                name = item.symbol.name.removeprefix("icon:")
                sizes[name] = min(size, sizes.get(name, size))
    return sizes


def find_thinnest(area: int, stride: int, most: int) -> tuple[tuple[int, int], int] | None:
    """Return a spot (x, y) in the thinnest long part of an area, and its width (pixels); None if it is over `most`.

    The area has a bit for each pixel, rows of `stride` bits; the last `most` + 1 of each row are 0.
    """
    for width in range(2, most + 2):
        disc = [
            y * stride + x
            for x in range(width)
            for y in range(width)
            if (2 * x - width + 1) ** 2 + (2 * y - width + 1) ** 2 <= width * width
        ]
        kept = reduce(and_, (area >> step for step in disc))
        lost = area & ~reduce(or_, (kept << step for step in disc))
        # what is long and nearly `width` wide, not the rough edge of a wider part
        spots = {(found.start() % stride, found.start() // stride) for found in re.finditer("1", f"{lost:b}"[::-1])}
        lengths = ((_measure_length(part), part) for part in _split_parts(spots))
        long = [(n, part) for n, part in lengths if n > _LONG * width and len(part) > _SOLID * (width - 1) * n]
        if long:
            _, longest = max(long, key=itemgetter(0))
            ordered = sorted(longest, key=lambda spot: (sum(spot), spot))
            return ordered[len(ordered) // 2], width - 1
    return None


def _measure_length(part: Iterable[tuple[int, int]]) -> int:
    columns, rows = [x for x, _ in part], [y for _, y in part]
    return max(max(columns) - min(columns), max(rows) - min(rows)) + 1


def _split_parts(spots: _Spots) -> Iterable[_Spots]:
    left = set(spots)
    while left:
        waiting, part = [left.pop()], _Spots()
        while waiting:
            x, y = waiting.pop()
            part.add((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            waiting += near
        yield part


def check_faces_drawn(game: Game, context: Context) -> Iterator[Check]:
    """Check that each kind's faces are drawn in every language. A failure points to the first design without one."""
    for kind in game.kinds.values():
        wanted = [
            (design, face, lang) for design in kind.designs for face in kind.faces(design) for lang in game.languages
        ]
        missing = [key for key in wanted if context.drawings.get((key[0].id, key[1], key[2])) is None]
        if missing:
            named = (f"{design.id} {face} {lang}" for design, face, lang in missing)
            figures = f"{len(missing)} of {len(wanted)}: {format_first_entries(named)}"
            sentence = f"{kind.id}: faces can't be drawn: `pnp sheets` says why"
            yield Check(f"faces.{kind.id}", "template", "fail", sentence, figures, missing[0][0].place)
        else:
            sentence = f"{kind.id}: every face is drawn in every language"
            figures = f"{len(wanted)} face{'s' * (len(wanted) != 1)} in {', '.join(game.languages)}"
            status: Status = "pass" if wanted else "undecided"
            yield Check(f"faces.{kind.id}", "template", status, sentence, figures, kind.place)


def check_icon_art(game: Game, context: Context) -> Iterator[Check]:
    """Check that every declared icon has a drawing. A failure points to the first icon without one."""
    if not game.icons:
        return
    missing = [icon for icon in game.icons.values() if context.silhouette(icon.id) is None]
    if missing:
        figures = format_first_entries(f"{icon.id} ({icon.art or icon.id}.svg)" for icon in missing)
        yield Check("icons.art", "icon", "fail", "icons have no drawing", figures, missing[0].place)
    else:
        yield Check("icons.art", "icon", "pass", "every icon has a drawing", format_first_entries(game.icons, most=12))


def check_art_files(_game: Game, context: Context) -> Iterator[Check]:
    """Report each art file that pnp draws differently from the program that made it. Yield nothing if there are none.

    The result is undecided, because only the designer can judge. Art that paints nothing fails.
    """
    told: dict[str, list[str]] = {}
    for drawing in context.drawings.values():
        for note in dict.fromkeys(drawing.notes) if drawing is not None else ():
            said = told.setdefault(note.partition(":")[0], [])
            if note not in said:
                said.append(note)
    for file, said in told.items():
        blank = any(note.endswith(PAINTS_NOTHING) for note in said)
        status: Status = "fail" if blank else "undecided"
        sentence = f"{file} paints nothing" if blank else f"{file} is not drawn exactly as designed"
        yield Check(f"art.{file}", "art", status, sentence, "; ".join(said))


def check_icons_used(game: Game, context: Context) -> Iterator[Check]:
    """Check that every declared icon is used on some face.

    An unused icon makes the check undecided, because only the designer knows whether a card lacks the icon by mistake
    or a rulebook or a later component needs it.
    """
    if not game.icons:
        return
    drawings = [face.drawing for kind in game.kinds.values() for face in iter_drawn_faces(game, kind, context)]
    shown = set[str]().union(*(find_visible_icons(drawing) for drawing in drawings))
    unused = [icon for icon in game.icons.values() if icon.id not in shown]
    if unused:
        figures = "on no face: " + format_first_entries(icon.id for icon in unused)
        sentence = "no face shows these icons; use them in a template or remove them"
        yield Check("icons.used", "icon", "undecided", sentence, figures, unused[0].place)
    else:
        figures = f"{len(game.icons)} icons on {len(drawings)} faces"
        yield Check("icons.used", "icon", "pass", "every icon is on at least one face", figures)


def check_smallest_type(game: Game, context: Context) -> Iterator[Check]:
    """Check for each kind and language the smallest type (pt) of each text role, and of ruby, the readings of words.

    Type under the game's `limits` fails if the game states them. Otherwise it is only told.
    """
    limits = game.limits
    wrong: Status = "fail" if game.places.place("limits") else "pass"
    for kind in game.kinds.values():
        floor = limits.board_type if kind.form in ("board", "pad") else limits.type
        for lang in game.languages:
            least: dict[str, tuple[float, str]] = {}
            for face in iter_drawn_faces(game, kind, context):
                if face.lang == lang:
                    measure = partial(_list_type_sizes, face.drawing, context)
                    shape = tuple[tuple[str, float, str], ...]
                    for role, size, text in context.measure_face("type", shape, face.drawing, measure):
                        here = (size, f"{face.design.id} {face.face} '{text}'")
                        least[role] = min(least.get(role, here), here, key=lambda entry: entry[0])
            if least:
                figures = "; ".join(f"{role} {size:.3g} pt ({where})" for role, (size, where) in sorted(least.items()))
                floors = {role: limits.ruby if role == "ruby" else floor for role in least}
                small = any(size < floors[role] - _ROUNDING for role, (size, _) in least.items())
                sentence = f"{kind.id} ({lang}): the smallest type"
                if small:
                    sentence += f" is under {floor:g} pt, or {limits.ruby:g} pt for readings"
                yield Check(f"type.{kind.id}.{lang}", "type", wrong if small else "pass", sentence, figures, kind.place)


_ROUNDING = 0.01


def _list_type_sizes(drawing: Drawing, context: Context) -> tuple[tuple[str, float, str], ...]:
    """Return role, size (pt) and beginning of each text. Runs much smaller than all texts are readings, role `ruby`."""
    sizes = [(frame.text_role, frame.size, frame.text[:12]) for frame in drawing.frames]
    smallest = min((size for _, size, _ in sizes), default=0.0)
    for one in find_leaves(drawing, context):
        if isinstance(one.leaf, TextRun) and one.role == "text":
            size = one.leaf.size * find_scale(one.matrix)
            if size < smallest * _READINGS:
                sizes.append(("ruby", size, one.leaf.text[:12]))
    return tuple(sizes)


_READINGS = 0.75
"""Runs smaller than this share of the smallest text are readings above characters."""

MOST_OVERLAP = 0.70
"""Silhouettes with a larger overlap than this (0 to 1) count as the same shape."""


def check_icon_pairs(game: Game, context: Context) -> Iterator[Check]:
    """Check that the icons of each `told_apart` pair differ in colour for every colour vision, or in shape."""
    known: set[frozenset[str]] = set()
    for group in game.told_apart:
        for one, other in combinations(group, 2):
            pair = frozenset((one, other))
            if len(pair) == 2 and pair not in known:
                known.add(pair)
                yield _check_pair(game, context, one, other)


def _check_pair(game: Game, context: Context, one: str, other: str) -> Check:
    check, what = f"told-apart.{one}.{other}", f"{one} and {other}"
    unknown = next((name for name in (one, other) if name not in game.icons), "")
    if unknown:
        sentence = f"told_apart names the unknown icon '{unknown}'"
        hint, place = did_you_mean(unknown, game.icons), game.places.place("told_apart")
        return Check(check, "colour", "fail", sentence, hint, place)
    first, second = game.icons[one], game.icons[other]
    if same := [lang for lang in game.languages if first.name[lang].casefold() == second.name[lang].casefold()]:
        sentence = f"{what} must not be mixed up, but both are called '{second.name[same[0]]}' ({', '.join(same)})"
        return Check(check, "words", "fail", sentence, "give one of them another name", second.place)
    colours = [paint_to_srgb(game, icon.colour) for icon in (first, second)]
    if colours[0] is None or colours[1] is None:
        return Check(check, "colour", "undecided", f"{what} differ", "a colour is not in the palette", first.place)
    differences = measure_differences(colours[0], colours[1])
    sight = min(differences, key=lambda name: differences[name])
    figures = f"colours {differences[sight]:.1f} apart in {sight}"
    masks = (context.silhouette(one), context.silhouette(other))
    share = None if masks[0] is None or masks[1] is None else measure_silhouette_overlap(masks[0], masks[1])
    status: Status = "pass"
    if differences[sight] >= LEAST_DIFFERENCE:
        sentence = f"{what} differ in every colour vision"
    elif share is None:
        status, sentence = "undecided", f"{what} need different shapes: their colours look alike in some colour vision"
    elif share <= MOST_OVERLAP:
        sentence = f"{what} have different shapes; their colours look alike in some colour vision"
    else:
        status, sentence = "fail", f"{what} have similar shapes, and colours that look alike in some colour vision"
    figures += "" if share is None else f", shapes overlap by {share:.0%}"
    return Check(check, "colour", status, sentence, figures, first.place)


def measure_silhouette_overlap(one: Mask, other: Mask) -> float:
    """Return the similarity of two silhouettes, 0 to 1: the area of their intersection divided by that of their union.

    They are compared twice: as drawn, and with aligned centroids. The larger value counts, because a card may be held
    a little aside. An empty mask has similarity 1 with another empty one, otherwise 0.
    """
    first, second = _rows_from_mask(one), _rows_from_mask(other)
    if not first or not second:
        return 1.0 if not first and not second else 0.0
    (x1, y1), (x2, y2) = _find_centroid(first), _find_centroid(second)
    return max(_measure_likeness(first, second, 0, 0), _measure_likeness(first, second, round(x1 - x2), round(y1 - y2)))


def _rows_from_mask(mask: Mask) -> dict[int, int]:
    """Return the rows with paint by y, each as one integer whose bit x is pixel x."""
    return {y: int("".join("01"[pixel > 0] for pixel in reversed(row)), 2) for y, row in enumerate(mask) if any(row)}


def _find_centroid(rows: dict[int, int]) -> tuple[float, float]:
    area = sum(row.bit_count() for row in rows.values())
    x = sum(spot.start() for row in rows.values() for spot in re.finditer("1", f"{row:b}"[::-1]))
    y = sum(y * row.bit_count() for y, row in rows.items())
    return x / area, y / area


def _measure_likeness(one: dict[int, int], other: dict[int, int], dx: int, dy: int) -> float:
    """Return the shared area of two masks divided by the joint area, with `other` moved by (dx, dy) pixels."""
    # Move both to the right so that no pixel gets a negative x.
    base = max(0, -dx)
    first = {y: row << base for y, row in one.items()}
    second = {y + dy: row << (base + dx) for y, row in other.items()}
    lines = sorted({*first, *second})
    common = sum((first.get(y, 0) & second.get(y, 0)).bit_count() for y in lines)
    joint = sum((first.get(y, 0) | second.get(y, 0)).bit_count() for y in lines)
    return common / joint


GENERIC: tuple[Callable[[Game, Context], Iterator[Check]], ...] = (
    check_stated_counts, check_unique_ids, check_setup_pieces, check_faces_drawn, check_icon_art, check_art_files,
    check_icons_used, check_icon_pairs, check_icon_grid, check_contrast, check_smallest_type, check_safe_zones,
    check_face_bleed, check_missing_pictures, check_printed_resolution, check_spaces,
)  # fmt: skip
"""The checks of every game, in the order of the report."""


def run_checks(
    game: Game, context: Context, evaluate: Evaluate, functions: Functions, lang: str = ""
) -> tuple[Check, ...]:
    """Return the results of all checks: those of every game first, then those of the game's data and of packages.

    `evaluate` computes expressions of the data, which may call `functions`. Sentences are in `lang`, or else in the
    game's first language. Raise ValueError if a check names an unknown reading, which would be a fault of the program.
    """
    spoken = lang if lang in game.languages else game.languages[0]
    generic = (check for ask in GENERIC for check in ask(game, context))
    needed = check_needed_spaces(game, context, evaluate)
    own = require_readings((*generic, *needed, *run_data_checks(game, evaluate, functions, spoken)), game)
    return (*own, *run_added_checks(game, context))


def has_added_checks() -> bool:
    """Return True if installed packages add checks. Their results must not be cached, because their code may change."""
    return any(find_additions("checks"))


def run_added_checks(game: Game, context: Context) -> Iterator[Check]:
    """Yield the results of the checks that installed packages add. The id of a result begins with its check's name.

    A package that can't be loaded yields an undecided result. A check that raises an exception yields a failure.
    """
    found = find_additions("checks")
    for number, problem in enumerate(found.problems, 1):
        yield Check(f"package.{number}", "package", "undecided", problem.what, problem.hint)
    for addition in found.entries.values():
        try:
            yield from _run_check(addition, game, context)
        except ProblemsFound as stopped:
            for problem in stopped.problems:
                yield Check(addition.name, "package", "fail", problem.what, problem.hint, problem.place)
        except Exception as error:  # noqa: BLE001 - the code is foreign
            sentence = f"the package {addition.package} adds '{addition.name}', which failed: {format_error(error)}"
            yield Check(addition.name, "package", "fail", sentence, "update the package, or uninstall it with pip")


def _run_check(addition: Addition, game: Game, context: Context) -> tuple[Check, ...]:
    results = tuple(addition.load(Callable)(game, context))
    wrong = next((one for one in results if not isinstance(one, Check)), None)
    if wrong is not None:
        raise TypeError(f"a result of type {type(wrong).__name__} instead of Check")
    named = (addition.name, f"{addition.name}.")
    return require_readings(
        (
            one if one.id == named[0] or one.id.startswith(named[1]) else replace(one, id=f"{named[1]}{one.id}")
            for one in results
        ),
        game,
    )
