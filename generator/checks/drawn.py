"""Whether every face could be drawn in every language, with every icon, and how small its type came out."""

from collections.abc import Iterator

from generator.checks.context import Context, faces
from generator.checks.record import Check, Status, first_entries
from generator.checks.seen import visible_icons
from generator.model.game import Game
from generator.model.reach import PAINTS_NOTHING


def faces_drawn(game: Game, context: Context) -> Iterator[Check]:
    """Each kind's faces are there in every language; the place is that of the first design that lacks one."""
    for kind in game.kinds.values():
        wanted = [
            (design, face, lang) for design in kind.designs for face in kind.faces(design) for lang in game.languages
        ]
        missing = [key for key in wanted if context.drawings.get((key[0].id, key[1], key[2])) is None]
        if missing:
            figures = f"{len(missing)} of {len(wanted)}: " + first_entries(
                f"{design.id} {face} {lang}" for design, face, lang in missing
            )
            sentence = f"{kind.id}: faces are missing, so these designs won't be printed whole"
            yield Check(f"faces.{kind.id}", "template", "fail", sentence, figures, missing[0][0].place)
        else:
            sentence = f"{kind.id}: every face is drawn in every language"
            figures = f"{len(wanted)} faces in {', '.join(game.languages)}"
            status: Status = "pass" if wanted else "undecided"
            yield Check(f"faces.{kind.id}", "template", status, sentence, figures, kind.place)


def icons_have_art(game: Game, context: Context) -> Iterator[Check]:
    """Every declared icon has a drawing; the place is that of the first icon without one."""
    if not game.icons:
        return
    missing = [icon for icon in game.icons.values() if context.silhouette(icon.id) is None]
    if missing:
        figures = first_entries(f"{icon.id} ({icon.art or icon.id}.svg)" for icon in missing)
        yield Check("icons.art", "icon", "fail", "icons have no drawing", figures, missing[0].place)
    else:
        yield Check("icons.art", "icon", "pass", "every icon has a drawing", first_entries(game.icons, most=12))


def art_as_made(_game: Game, context: Context) -> Iterator[Check]:
    """One check for each art file that is drawn otherwise than its program shows it; none where all is as it was made.

    Undecided rather than wrong, as only the designer can tell whether it matters; but art that paints nothing is wrong.
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
        sentence = f"{file} paints nothing" if blank else f"{file} is drawn otherwise than it was made"
        yield Check(f"art.{file}", "art", status, sentence, "; ".join(said))


def icons_are_used(game: Game, context: Context) -> Iterator[Check]:
    """Every declared icon stands on some face.

    One that doesn't is undecided rather than wrong: nothing is printed badly, and a rulebook or a component still to
    come may need it; but it may as well be a slip that left it off its cards, which only the designer can tell.
    """
    if not game.icons:
        return
    drawings = [face.drawing for kind in game.kinds.values() for face in faces(game, kind, context)]
    shown = set[str]().union(*(visible_icons(drawing) for drawing in drawings))
    unused = [icon for icon in game.icons.values() if icon.id not in shown]
    if unused:
        figures = "on no face: " + first_entries(icon.id for icon in unused)
        sentence = "icons are declared that no face shows; use them or take them out"
        yield Check("icons.used", "icon", "undecided", sentence, figures, unused[0].place)
    else:
        figures = f"{len(game.icons)} icons on {len(drawings)} faces"
        yield Check("icons.used", "icon", "pass", "every icon stands on some face", figures)


def smallest_type(game: Game, context: Context) -> Iterator[Check]:
    """The smallest size in points that each role of text was set in, for each kind and language.

    Only states it: a face whose text doesn't fit at its role's smallest legible size isn't drawn at all.
    """
    for kind in game.kinds.values():
        for lang in game.languages:
            least: dict[str, tuple[float, str]] = {}
            for face in faces(game, kind, context):
                for frame in face.drawing.frames if face.lang == lang else ():
                    here = (frame.size, f"{face.design.id} {face.face}")
                    least[frame.text_role] = min(least.get(frame.text_role, here), here, key=lambda entry: entry[0])
            if least:
                figures = "; ".join(f"{role} {size:.4g} pt ({where})" for role, (size, where) in sorted(least.items()))
                sentence = f"{kind.id} ({lang}): the smallest type"
                yield Check(f"type.{kind.id}.{lang}", "type", "pass", sentence, figures, kind.place)
