"""The table's texts against what they stand on: 4.5 to 1 for each game, in daylight and in the dark, from its style sheets."""

import re

import pytest
from table_cases import GAMES, ROOT, ask

from generator.base.colour import Rgb, hex_from_rgb, light_from_rgb, measure_contrast, rgb_from_hex, srgb_from_linear

LEAST = 4.5
"""What WCAG 2 asks of text that is not large."""

DARK = "@media (prefers-color-scheme: dark)"
CLOTHS = ("var(--cloth)", "var(--cloth-deep)")

TEXTS = {
    "the panel": (("body", ".status"), ("var(--ground)",)),
    "the turn bar": (("body", ".status"), (".turn-bar.own-turn",)),
    "a label on the cloth": ((".place .label",), CLOTHS),
    "a label of one's own": ((".place .label",), tuple(f"{cloth} | .area.own" for cloth in CLOTHS)),
    "a label of one's own at the edge": ((".place .label",), (".own.stays",)),
    "a label of the others": ((".place .label",), tuple(f"{cloth} | .area.other" for cloth in CLOTHS)),
    "a seat": ((".tab", ".tab .who"), (".tab",)),
    "the seat at turn": ((".at-turn .tab", ".at-turn .tab .who"), (".at-turn .tab",)),
    "a number": ((".number",), (".number",)),
    "a move": (("body", ".moves kbd"), ("button", ".moves button:hover", ".moves .hinted")),
    "the log": ((".log li",), ("var(--ground)",)),
    "what is new in the log": ((".log li.fresh",), ("var(--ground) | .log li.fresh",)),
    "a key": (("kbd",), ("kbd",)),
    "a note": (("body",), (".banner.note",)),
    "a problem": ((".banner.bad",), (".banner.bad",)),
    "the first button": ((".primary",), (".primary",)),
    "what hides the table": ((".curtain",), (".curtain",)),
    "its button": ((".curtain .primary",), (".curtain .primary",)),
    "small print in a dialog": ((".soft", ".begin legend"), ("var(--sheet)",)),
}
"""By what it is: the rules that colour it; the grounds, each of layers from the lowest to the highest."""


class Sheets:
    """The colours of the table's style sheets for a game's accent, in one of the two schemes."""

    def __init__(self, accent: str, *, dark: bool):
        texts = [
            (ROOT / "generator/live/page" / name).read_text(encoding="utf-8") for name in ("style.css", "play.css")
        ]
        text = re.sub(r"/\*.*?\*/", "", "\n".join(texts), flags=re.DOTALL)
        night = "".join(re.findall(re.escape(DARK) + r"\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}", text))
        day = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", text)
        self._rules = re.findall(r"([^{}]+)\{([^{}]*)\}", day)
        rules = [*self._rules, *(re.findall(r"([^{}]+)\{([^{}]*)\}", night) if dark else ())]
        own = [body for names, body in rules if names.strip() in (":root", ".playing")]
        self._named = {name: value for body in own for name, value in re.findall(r"(--[\w-]+):\s*([^;]+);", body)}
        self._named["--game"] = accent

    def colour(self, rule: str, *, of: str = "color") -> str:
        """What the last rule of that name says."""
        found = [
            value
            for names, body in self._rules
            if rule in [" ".join(one.split()) for one in names.split(",")]
            for value in re.findall(rf"(?:^|;)\s*{of}:\s*([^;]+)", body)
        ]
        assert found, (rule, of)
        return str(found[-1])

    def ground(self, layers: str) -> Rgb:
        """The colour of layers above each other: variables, and the backgrounds of rules."""
        below: Rgb = (0.0, 0.0, 0.0)
        for layer in layers.split(" | "):
            value = layer if layer.startswith("var(") else self.colour(layer, of="background")
            plain = [part for part in _split(value) if not part.startswith(("repeating-", "radial-"))]
            below = _over(below, self.value(plain[-1]))
        return below

    def value(self, written: str) -> tuple[Rgb, float]:
        """A colour and how dense it is, 0 to 1."""
        written = written.strip()
        if written == "transparent":
            return (0.0, 0.0, 0.0), 0.0
        if written.startswith("var("):
            return self.value(self._named[written[4:-1]])
        if written.startswith("color-mix(in oklab,"):
            one, two = _split(written.removeprefix("color-mix(in oklab,").removesuffix(")"))
            first, share = one.rsplit(" ", 1) if one.endswith("%") else (one, "")
            second, rest = two.rsplit(" ", 1) if two.endswith("%") else (two, "")
            part = float(share[:-1]) / 100 if share else 1 - float(rest[:-1]) / 100
            return _mixed(self.value(first), self.value(second), part)
        digits = written.removeprefix("#")
        digits = "".join(digit * 2 for digit in digits) if len(digits) < 6 else digits
        return rgb_from_hex(f"#{digits[:6]}"), int(digits[6:] or "ff", 16) / 255


def _split(written: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in written:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _over(below: Rgb, laid: tuple[Rgb, float]) -> Rgb:
    rgb, dense = laid
    red, green, blue = (under + (over - under) * dense for under, over in zip(below, rgb, strict=True))
    return red, green, blue


TO_CONES = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005))  # fmt: skip
FROM_CONES = ((4.0767416621, -3.3077115913, 0.2309699292), (-1.2684380046, 2.6097574011, -0.3413193965), (-0.0041960863, -0.7034186147, 1.7076147010))  # fmt: skip


def _mixed(one: tuple[Rgb, float], two: tuple[Rgb, float], share: float) -> tuple[Rgb, float]:
    """Two colours mixed in Oklab (B. Ottosson, 2020). Its last step is linear, so that the cone roots can be mixed."""
    dense = one[1] * share + two[1] * (1 - share)
    if not dense:
        return one[0], 0.0
    weight = one[1] * share / dense
    roots = [
        [sum(a * b for a, b in zip(row, light_from_rgb(rgb), strict=True)) ** (1 / 3) for row in TO_CONES]
        for rgb in (one[0], two[0])
    ]
    cones = [(a * weight + b * (1 - weight)) ** 3 for a, b in zip(*roots, strict=True)]
    red, green, blue = (
        srgb_from_linear(min(1.0, max(0.0, sum(a * b for a, b in zip(row, cones, strict=True))))) for row in FROM_CONES
    )
    return (red, green, blue), dense


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", GAMES)
def test_every_text_of_the_table_can_be_read(name: str, dark: bool) -> None:
    """Each kind of text has enough contrast on each ground that it may stand on, whatever colour the game has."""
    sheets = Sheets(ask(name, "setup")["accent"], dark=dark)
    faint = []
    for what, (texts, grounds) in TEXTS.items():
        for layers in grounds:
            ground = sheets.ground(layers)
            for text in texts:
                ink = _over(ground, sheets.value(sheets.colour(text)))
                if (ratio := measure_contrast(hex_from_rgb(ink), hex_from_rgb(ground))) < LEAST:
                    faint.append(f"{what}: {text} on {layers}: {ratio:.2f}")
    assert faint == []


def test_mixing_is_oklabs() -> None:
    """Half white and half black has half of Oklab's lightness, an eighth of the light; a colour with itself is itself."""
    sheets = Sheets("#12625d", dark=False)
    assert hex_from_rgb(sheets.value("color-mix(in oklab, #ffffff 50%, #000000)")[0]) == "#636363"
    assert hex_from_rgb(sheets.value("color-mix(in oklab, #12625d 30%, var(--game))")[0]) == "#12625d"
    assert sheets.value("color-mix(in oklab, #12625d 30%, transparent)") == (pytest.approx(rgb_from_hex("#12625d"), abs=1e-6), 0.3)  # fmt: skip
