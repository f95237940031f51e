"""Groups that are painted as one, as PDF has them: transparency groups, soft masks, how they mix with the rest."""

from generator.model.drawing import Blend, Group, Shape
from generator.writers.pdf_objects import number

_BLENDS: dict[Blend, str] = {
    "normal": "Normal",
    "multiply": "Multiply",
    "screen": "Screen",
    "overlay": "Overlay",
    "darken": "Darken",
    "lighten": "Lighten",
    "color-dodge": "ColorDodge",
    "color-burn": "ColorBurn",
    "hard-light": "HardLight",
    "soft-light": "SoftLight",
    "difference": "Difference",
    "exclusion": "Exclusion",
    "hue": "Hue",
    "saturation": "Saturation",
    "color": "Color",
    "luminosity": "Luminosity",
}


def mixing_state(opacity: float, blend: Blend, mask: str) -> str:
    """The graphics state in which a group is painted; `mask` is that of its mask, empty for none."""
    alpha = number(opacity, 4)
    mode = f"/BM/{_BLENDS[blend]}" if blend != "normal" else ""
    return f"<</Type/ExtGState/ca {alpha}/CA {alpha}{mode}{mask}>>"


def soft_mask(form: int, alpha: bool) -> str:
    """A mask as an entry of a graphics state; its form's values, or how much it covers, are what shows."""
    return f"/SMask<</Type/Mask/S/{'Alpha' if alpha else 'Luminosity'}/G {form} 0 R>>"


def lone_paint(group: Group) -> bool:
    """Whether a group paints one thing once, so that it may be made clearer without a group of its own in the file."""
    if group.mask is not None or len(group.items) != 1:
        return False
    item = group.items[0]
    return isinstance(item, Shape) and (item.fill is None or item.stroke is None or not item.width)
