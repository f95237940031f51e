"""Every starter begun in a site, in a real browser."""

import pytest
from browser import Tab
from site_fixtures import ROOT, ask, begin

from generator.commands.new import STARTERS

_FACES = """const { game } = state.state, found = [];
    const designs = game.kinds.flatMap((kind) => kind.designs);
    for (const design of designs) for (const side of design.faces) for (const lang of game.languages) {
      const key = new URLSearchParams({ face: `${lang}:${side}:${design.id}` });
      const [told] = (await state.ask(`${state.path("faces", game.id)}?${key}`)).faces;
      const svg = await (await fetch(state.path("face", game.id, lang, design.id, `${side}.svg`))).text();
      found.push({ ...told, art: svg.includes("<image") });
    }
    return found;"""
"""Each face of the open game: whether it is drawn well, and whether it has a picture of pixels."""


@pytest.mark.slow
@pytest.mark.parametrize("starter", STARTERS)
def test_every_starter_shows_its_pictures(home: Tab, starter: str) -> None:
    name = f"from-{starter}"
    begin(home, name, starter)
    home.wait(f"document.getElementById('components').dataset.game === '{name}'", "the game")
    home.wait("document.querySelector('#components img.picture')?.naturalWidth > 0", "a picture on the page")
    found = ask(home, "state", _FACES)
    assert found
    assert all(face["version"] and face["well"] for face in found), found
    brings = any((ROOT / "starters" / starter).rglob("pictures/*.*"))
    assert any(face["art"] for face in found) == brings
    assert home.run("document.getElementById('problems').hidden")
    assert ask(home, "state", "return state.state.game.problems") == []
