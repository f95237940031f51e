"""How a character stands in a column of vertical text: the orientations of Unicode's UAX #50, and what needs a form.

The ranges are those that Japanese and Chinese texts, their punctuation and the symbols of games need; all else is
turned, as the annex has it by default.
"""

import re
from enum import IntEnum
from unicodedata import category

from generator.text.fonts import Font
from generator.text.kinsoku import CLOSING, LEADERS, OPENING, SMALL, STOPS


class Stance(IntEnum):
    """How the glyphs of a sort stand to the line that they are set on."""

    ALONG = 0  # beside each other along the line: turned with it where the line is a column
    UPRIGHT = 1  # upright, below each other
    ABREAST = 2  # upright, side by side in one em of a column


class Orientation(IntEnum):
    """UAX #50's Vertical_Orientation: R, U, Tr and Tu."""

    TURNED = 0
    UPRIGHT = 1
    FORM_OR_TURNED = 2
    FORM_OR_UPRIGHT = 3


_UPRIGHT = (  # compiled when first needed, as it takes milliseconds and few games have columns
    "[§©®±¼-¾×÷˪-˫\u1100-\u11ff‖†-‡‰-‱※-‼⁂⁇-⁉⁑\u20dd-\u20e0\u20e2-\u20e4℀-℁℃-℉ℏ℔ℓ№-℗℞-℣℥℧℩℮ℵ-ℿⅅ-⅊⅌-⅍⅏-\u2189∞∴-∵⌀-⌇⌌-⌟⌤-⌨⌫"
    "⍽-⎚⎾-⏍⏏⏑-⏛⏢-␢␤-⓿■-☙☠-❧❶-➓⬒-⬯⭐-⭙⮸-⯫⯰-⯿⺀-\ua4cf\ua960-\ua97f\uac00-\ud7ff\ue000-\ufaff\ufe10-\ufe1f\ufe30-\ufe48\ufe50-\ufe57"
    "\ufe5f-\ufe62\ufe67-\ufe6f！-，．-；？-｠￠-￧\U00016fe0-\U00018aff\U0001b000-\U0001b16f\U0001d000-\U0001d1ff"
    "\U0001d300-\U0001d37f\U0001f000-\U0001f7ff\U0001f900-\U0001fbff\U00020000-\U0003fffd\U000f0000-\U0010fffd]"
)
_FORM_OR_TURNED = frozenset(
    "〈〉《》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰゠ー\u2329\u232a﹙﹚﹛﹜﹝﹞（）：［］＿｛｜｝～｟｠￣"
)
_FORM_OR_UPRIGHT = frozenset(  # the semicolon too, against the annex: Japanese keeps it upright
    "、。ぁぃぅぇぉっゃゅょゎゕゖ゛゜ァィゥェォッャュョヮヵヶㄧㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ！，．；？\ufe50\ufe51\ufe52"
) | {chr(code) for code in (*range(0x3300, 0x3358), *range(0x337B, 0x3380), 0x32FF, 0x1F200, 0x1F201)}

_NEEDS_A_FORM = set(OPENING + CLOSING + STOPS + SMALL) & (_FORM_OR_TURNED | _FORM_OR_UPRIGHT) | set("ー〜～〰゠")
_DASHES = frozenset(LEADERS + "‐‑‒–-~")
_EM_CENTRE = 0.38  # of an em over the baseline: the middle of the square that kana and ideographs fill


def orientation(char: str) -> Orientation:
    """How a character stands in a column."""
    if char in _FORM_OR_TURNED:
        return Orientation.FORM_OR_TURNED
    if char in _FORM_OR_UPRIGHT:
        return Orientation.FORM_OR_UPRIGHT
    return Orientation.UPRIGHT if re.match(_UPRIGHT, char) else Orientation.TURNED


def needs_a_form(char: str) -> bool:
    """Whether a character is wrong in a column, upright or turned, unless the font has a form of it for columns.

    Dashes, ellipses and colons come out right by turning alone.
    """
    return char in _NEEDS_A_FORM


def centre(font: Font, text: str) -> float:
    """How far over its baseline turned text has its middle, in em: that lies on the middle of the column."""
    capital = font.cap_height / 2
    if not text or any((char.isalnum() or category(char)[0] == "M") and char < "\u2e80" for char in text):
        small = font.ink(font.glyph("x"))
        lower = any(char.islower() for char in text)
        return (capital + small[3] / 2000) / 2 if lower and small else capital
    boxes = [font.ink(font.glyph(char)) for char in text if char in _DASHES]
    if boxes and boxes[0] is not None:
        return (boxes[0][1] + boxes[0][3]) / 2000
    return _EM_CENTRE if font.glyph("あ") else capital
