"""`pnp diff A B`: what it says on the terminal and as JSON, the pages it writes, how it ends, what it can't compare."""

import base64
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from box_states import committed
from conftest import ROOT, Pnp, Tool
from diff_project import DiffProject
from shipped_games import PROJECT, workshop
from tests_support import enter, quick

from generator.versions.difference_report import FORMAT

GAME, GLOSSARY, CARD = "data/higher/game.yaml", "data/higher/glossary.yaml", "templates/higher/card.svg"
EN = "templates/higher/rulebook.en.md"


@pytest.fixture
def changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiffProject:
    """A project in the current folder, some of it otherwise than in the project `../old`."""
    DiffProject(tmp_path / "old")
    project = DiffProject(tmp_path / "new")
    project.change(GAME, "{id: c7, count: 1, strength: 7}", "{id: c7, count: 2, strength: 70}")
    project.change(GLOSSARY, "hand: 3", "hand: 4")
    project.change(EN, "Play a card", "Now play a card")
    return enter(project, monkeypatch)


def test_text_begins_with_a_summary(changed: DiffProject, pnp: Pnp) -> None:
    """First how much differs, then each thing with its values, then the sentences with the words that differ."""
    assert pnp("diff", "../old", "--trust-rules", "--lang", "en").out.splitlines() == [
        "higher: ../old (draft 3) -> as it is (draft 3)", "  components            1 changed",
        "  numbers of the rules  1 changed", "  rulebook (en)         3 changed", "  20 -> 21 pieces: card 20 -> 21",
        "", "Components:", "  ~ card/c7", "      count: 1 -> 2", "      strength: 7 -> 70",
        "      looks different: front (en)", "", "Numbers of the rules:", "  ~ rules.hand: 3 -> 4 (provisional)", "",
        "Deck figures:",
        "                            before  after",
        "  card.strength, mean       9.5     15.38",
        "  card.strength 70, pieces  0       2",
        "  card.strength 7, pieces   1       0",
        "",
        "Rulebook (en):", "  How to play", "    ~ There are [-20-]{+21+} cards.",
        "    ~ [-Play-]{+Now play+} a card from your hand; the best card takes the trick.",
        "  Terms",
        "    ~ hand | [-3-]{+4+} cards at first; each trick takes one.",
    ]  # fmt: skip


def test_what_looks_different_by_its_template_is_told_together(changed: DiffProject, pnp: Pnp) -> None:
    """A changed template is a line for its kind, not one for each of its cards."""
    changed.change(CARD, "#f0e8d8", "#d8e8f0")
    said = pnp("diff", "../old", "--trust-rules").out.splitlines()
    assert "  ~ card: 19 designs with the same data look different (front (ja, en))" in said
    assert sum("card/" in line for line in said) == 1


@pytest.mark.slow
def test_a_long_text_counts_what_it_leaves_out(changed: DiffProject, pnp: Pnp) -> None:
    """The terminal shows some of each sort and says how many more there are; --all shows them, and so does JSON."""
    for number in range(40):
        changed.change(GLOSSARY, "  hand: 4\n", f"  hand: 4\n  new{number}: {number}\n")
    some = pnp("diff", "../old", "--trust-rules").out.splitlines()
    whole = pnp("diff", "../old", "--trust-rules", "--all").out.splitlines()
    data = json.loads(pnp("diff", "../old", "--trust-rules", "--format", "json").out)
    assert [line for line in some if line.startswith("  + ")] == [*(f"  + rules.new{number}: {number}" for number in range(39, 27, -1)), "  + … and 28 more"]  # fmt: skip
    assert len([line for line in whole if line.startswith("  + rules.new")]) == 40
    assert len(data["groups"]["rules"]) == 41


def test_json_has_a_format_and_these_keys(changed: DiffProject, pnp: Pnp) -> None:
    """Programs that read it find everything by the same keys as long as the format's number stays."""
    data = json.loads(pnp("diff", "../old", "--trust-rules", "--lang", "en", "--format", "json").out)

    assert FORMAT == 1
    assert data == {
        "format": 1,
        "since": {"name": "../old", "game": "higher", "draft": "3", "title": {"ja": "高い札", "en": "Higher"}},
        "until": {"name": "", "game": "higher", "draft": "3", "title": {"ja": "高い札", "en": "Higher"}},
        "different": True,
        "pieces": [20, 21],
        "totals": {"card": [20, 21]},
        "groups": {
            "components": [
                {
                    "sort": "changed", "id": "card/c7",
                    "name": {},
                    "counts": [1, 2],
                    "values": [{"path": "count", "language": "", "old": 1, "new": 2}, {"path": "strength", "language": "", "old": 7, "new": 70}],
                    "looks": [{"face": "front", "language": "en"}],
                },
            ],
            "rules": [
                {
                    "sort": "changed", "id": "rules.hand",
                    "name": {},
                    "values": [{"path": "", "language": "", "old": 3, "old_mark": "provisional", "new": 4, "new_mark": "provisional"}],
                },
            ],
        },
        "rulebook": {
            "en": [
                {
                    "sort": "changed", "heading": "How to play", "old": "There are 20 cards.",
                    "new": "There are 21 cards.",
                    "words": [["same", "There are "], ["old", "20"], ["new", "21"], ["same", " cards."]],
                },
                {
                    "sort": "changed", "heading": "How to play",
                    "old": "Play a card from your hand; the best card takes the trick.",
                    "new": "Now play a card from your hand; the best card takes the trick.",
                    "words": [["old", "Play"], ["new", "Now play"], ["same", " a card from your hand; the best card takes the trick."]],
                },
                {
                    "sort": "changed", "heading": "Terms", "old": "hand | 3 cards at first; each trick takes one.",
                    "new": "hand | 4 cards at first; each trick takes one.",
                    "words": [["same", "hand | "], ["old", "3"], ["new", "4"], ["same", " cards at first; each trick takes one."]],
                },
            ],
        },
        "notes": {},
        "quickstart": {},
        "figures": [
            {"topic": "spread", "of": "", "row": "card.strength", "column": "mean", "old": 9.5, "new": 15.381},
            {"topic": "values", "of": "card.strength", "row": "70", "column": "pieces", "old": 0, "new": 2},
            {"topic": "values", "of": "card.strength", "row": "7", "column": "pieces", "old": 1, "new": 0},
        ],
        "not_compared": [],
    }  # fmt: skip


@pytest.mark.slow
def test_exit_codes(changed: DiffProject, pnp: Pnp) -> None:
    """Differences are no error, but with --exit-code they end with 1, and no difference with 0."""
    codes = [
        pnp("diff", *words, "--trust-rules").code
        for words in (["../old"], ["../old", "--exit-code"], ["../old", "../old", "--exit-code"])
    ]
    assert codes == [0, 1, 0]
    assert pnp("diff", "../old", "../old", "--trust-rules").out == (
        "higher: ../old (draft 3) -> ../old (draft 3): nothing differs\n"
    )


def test_a_record_knows_pieces_alone(changed: DiffProject, pnp: Pnp) -> None:
    """Against a record, counts and looks are compared, and it is said that rules and texts can't be."""
    assert pnp("record", "first").code == 0
    changed.change(GAME, "{id: c7, count: 2, strength: 70}", "{id: c7, count: 1, strength: 70}")
    changed.change(GAME, "strength: 5}", "strength: 50}")
    changed.change(GLOSSARY, "hand: 4", "hand: 5")
    assert pnp("diff", "first").out.splitlines() == [
        "higher: first (draft 3) -> as it is (draft 3)", "  components  2 changed", "  21 -> 20 pieces: card 21 -> 20",
        "", "Components:", "  ~ card/c7", "      count: 2 -> 1", "  ~ card/c5: looks different: front (ja, en)",
        "", "Not compared:", "  'first' is a record: it has pieces, counts and pictures, but no rules, texts and rulebook",
    ]  # fmt: skip


def test_what_was_not_compared_is_told_in_the_language_of_the_page(changed: DiffProject, pnp: Pnp) -> None:
    """A Japanese page says in Japanese what could not be compared, an English one in English."""
    assert pnp("record", "first").code == 0
    changed.change(GAME, "strength: 5}", "strength: 50}")
    pnp("diff", "first", "--format", "html")
    japanese, english = (Path(f"output/higher/diff.{lang}.html").read_text(encoding="utf-8") for lang in ("ja", "en"))
    assert "「first」は記録なので、部品と枚数と絵はあるが、ルールと文章とルールブックはない。" in japanese
    assert "is a record" not in japanese
    assert "'first' is a record: it has pieces" in english


def test_a_revision_with_its_own_rulebook(changed: DiffProject, pnp: Pnp, tool: Tool) -> None:
    """A revision is compared with its own data, templates and rulebook."""
    tool("git")
    committed(changed.root, "first")
    changed.change(EN, "Now play", "Lastly play")
    assert pnp("diff", "git:HEAD", "--trust-rules").out.splitlines()[-3:] == [
        "Rulebook (en):",
        "  How to play",
        "    ~ [-Now-]{+Lastly+} play a card from your hand; the best card takes the trick.",
    ]


def test_two_drafts_of_a_game(changed: DiffProject, pnp: Pnp) -> None:
    """Two games of a project are compared as drafts of one; the later one's name stands first."""
    for path in sorted(Path().glob("*/higher/**/*")):
        if path.is_file():
            changed.write(path.as_posix().replace("/higher/", "/higher2/"), path.read_bytes())
    changed.change("data/higher2/game.yaml", "draft: 3", "draft: 4")
    said = pnp("diff", "higher", "higher2", "--trust-rules").out.splitlines()

    assert said[0] == "higher2: higher (draft 3) -> higher2 (draft 4)"
    assert said[-1] == "  ~ draft: 3 -> 4"

    pnp("record", "first", "higher")
    assert pnp("diff", "first").out.splitlines()[0] == (
        "higher: first (draft 3) -> as it is (draft 3): nothing differs"
    ), "of the games that there are now, the one of the record is meant"


def test_another_project_may_call_the_game_otherwise(changed: DiffProject, pnp: Pnp) -> None:
    """The only game of a project's folder is meant, whatever it is called there."""
    for folder in ("data", "templates"):
        Path("../old", folder, "higher").rename(Path("../old", folder, "lower"))
    said = pnp("diff", "higher", "../old", "--trust-rules").out.splitlines()
    assert said[0] == "lower: higher (draft 3) -> lower, ../old (draft 3)"
    assert said[3].split() == ["rulebook", "(ja)", "2", "changed"], "its rulebook is read by its own rules"
    assert not any(line.startswith("Not compared") for line in said)


def test_a_rulebook_that_cannot_be_read_is_told_and_the_rest_compared(changed: DiffProject, pnp: Pnp) -> None:
    """An old rulebook that today's program can't read does not stop the comparison of the rest, and is not hidden."""
    changed.change(EN, "show: fan", "show: fun")
    said = pnp("diff", "../old", "--trust-rules").out.splitlines()
    assert said[1] == "  components            1 changed"
    assert said[-2] == "Not compared:"
    assert said[-1].startswith("  the rulebook of higher as it is can't be read: templates/higher/rulebook.en.md:")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "'nothing' is no record"),
        (["../old", "nowhere"], "'nowhere' is no record"),
        (["git:HEAD"], "git"),
        (["../old", "--lang", "fr"], "--lang fr: neither state has this language; known: en, ja"),
        (["../old", "--game", "hgher"], "there is no game 'hgher' in ../old; did you mean 'higher'?"),
    ],
)
def test_a_state_that_is_not_there_is_a_problem(changed: DiffProject, pnp: Pnp, words: list[str], said: str) -> None:
    """A name that means nothing ends with 1 and says what names there are; nothing is written."""
    ran = pnp("diff", *words, "--format", "html", code=1)
    assert said in ran.err
    assert ran.out == ""
    assert not (changed.root / "output").exists()


@pytest.mark.slow  # draws all of two games
def test_two_quite_different_games_stay_readable(pnp: Pnp) -> None:
    """Of two drafts that share next to nothing the text is a few screens of short lines, the summary on the first."""
    found = pnp("diff", "journey8", "journey18", "--lang", "en", "--project", str(ROOT)).out.splitlines()
    pieces = next(
        number for number, line in enumerate(found) if line.startswith("  96 -> 61 pieces: location 0 -> 7, ")
    )
    assert found[0].startswith("journey18: journey8 (draft 8) -> journey18 (draft 18)")
    assert 5 < pieces < 25
    assert found[pieces + 1] == ""
    assert 100 < len(found) < 420
    assert max(map(len, found)) < 500
    assert sum(line.endswith(" more") and "…" in line for line in found) > 10


@pytest.mark.slow  # the project that is changed above does not differ from itself, either
@pytest.mark.parametrize("name", quick(PROJECT.games, "fortuna", rest="release"))
def test_a_shipped_game_does_not_differ_from_itself(pnp: Pnp, name: str) -> None:
    """Nothing of a game, however large, is told without a reason, in any language."""
    draft = workshop(name).game.draft
    assert pnp("diff", name, name, "--project", str(ROOT)).out == (
        f"{name}: {name} (draft {draft}) -> {name} (draft {draft}): nothing differs\n"
    )


class _Page(HTMLParser):
    """What a page holds: struck and underlined text, images, and everything that would be fetched."""

    def __init__(self, text: str):
        super().__init__()
        self.images: list[bytes] = []
        self.alts: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.words: dict[str, list[str]] = {"s": [], "u": [], "h2": []}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given: dict[str, Any] = dict(attrs)
        self.open.append(tag)
        if tag in ("script", "link", "iframe"):
            self.fetched.append(tag)
        if tag == "image":
            kind, _, data = given["href"].partition(",")
            self.images.append(base64.b64decode(data)) if kind == "data:image/png;base64" else self.fetched.append(kind)
        if tag == "svg" and "aria-label" in given:
            self.alts.append(given["aria-label"])

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in self.words:
            self.words[self.open[-1]].append(data)


def test_the_web_page_needs_nothing_else(changed: DiffProject, pnp: Pnp) -> None:
    """One file in each language: old and new pictures inside, changed words marked, no script and no request."""
    ran = pnp("diff", "../old", "--trust-rules", "--format", "html")
    assert ran.out.splitlines() == ["output/higher/diff.ja.html", "output/higher/diff.en.html"]
    text = Path("output/higher/diff.en.html").read_text(encoding="utf-8")
    page = _Page(text)

    assert page.fetched == []
    assert not re.search(r"url\((?!#)|@import|https?:", text)
    assert page.alts == ["card/c7, front, before → after"]
    assert [image[:4] for image in page.images] == [b"\x89PNG"] * 2
    assert page.images[0] != page.images[1]
    assert "<ul style=\"list-style-type:'~ '\">" in text
    assert page.words["s"] == ["20", "Play", "3"]
    assert page.words["u"] == ["21", "Now play", "4"]
    assert page.words["h2"] == ["Components", "Numbers of the rules", "Deck figures", "Before → after", "Rulebook (en)"]


def test_markup_in_the_data_does_not_reach_the_page(changed: DiffProject, pnp: Pnp) -> None:
    """Texts of the data are text on the page, whatever they hold."""
    changed.change(GLOSSARY, "passage: 同じ強さ", "passage: <script>alert(1)</script>")
    pnp("diff", "../old", "--trust-rules", "--format", "html", "--lang", "en")
    text = Path("output/higher/diff.en.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_the_printable_pages(changed: DiffProject, pnp: Pnp, tool: Tool) -> None:
    """A PDF in each language says the same on A4 and shows old and new pictures; the same input gives the same bytes."""
    command = ("diff", "../old", "--trust-rules", "--format", "pdf")
    assert pnp(*command).out.splitlines() == ["output/higher/diff.ja.pdf", "output/higher/diff.en.pdf"]
    path = Path("output/higher/diff.en.pdf")
    first = path.read_bytes()
    pnp(*command)
    words = re.sub(" +", " ", _read(tool("pdftotext"), "-layout", path.as_posix(), "-"))
    pictures = _read(tool("pdfimages"), "-list", path.as_posix()).splitlines()[2:]

    assert path.read_bytes() == first
    assert "A4" in _read(tool("pdfinfo"), path.as_posix())
    for said in (
        "Higher",
        "~ card/c7",
        "count: 1 → 2",
        "rules.hand: 3 → 4 (provisional)",
        "There are 2021 cards.",  # 20 is struck, 21 underlined
    ):
        assert said in words, said
    assert len(pictures) == 1, "the old face is a picture; the new one is drawn"


def test_long_texts_are_cut_on_paper_and_never_refused(changed: DiffProject, pnp: Pnp, tool: Tool) -> None:
    """A text of a page's length is told by its beginning; many short sentences all stand there."""
    long = "".join(f"札{number}を引いて手札に加える。" for number in range(200))
    changed.change("data/higher/more.yaml", "ja: 1枚引く。", f"ja: {long}")
    names = [one + other for one in "あいうえおかきくけこ" for other in "さしすせそたちつてと"]
    added = "".join(f"\n{name}の番では何もしない。\n" for name in names)
    changed.change("templates/higher/rulebook.ja.md", "# 用語 {#terms}", f"{added}\n# 用語 {{#terms}}")
    ran = pnp("diff", "../old", "--trust-rules", "--format", "pdf", "--lang", "ja")
    words = "".join(_read(tool("pdftotext"), "-raw", "output/higher/diff.ja.pdf", "-").split())

    assert (ran.code, ran.err) == (0, "")
    assert "札0を引いて手札に加える。" in words
    assert "札199を引いて" not in words
    assert "…" in words
    assert [name for name in names if f"{name}の番では何もしない。" not in words] == []


def test_pages_break_words_that_are_wider_than_a_page(changed: DiffProject, pnp: Pnp) -> None:
    """A long address or word does not stop the PDF."""
    changed.change("data/higher/more.yaml", "en: Strength", f"en: https://example.org/{'strength' * 40} {'é' * 100}")
    ran = pnp("diff", "../old", "--trust-rules", "--format", "pdf", "--lang", "en")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_pages_between_two_records(changed: DiffProject, pnp: Pnp, form: str) -> None:
    """Two mere records have pictures of their own, so that pages are made even when the faces are gone."""
    pnp("record", "first", "--lang", "en")
    changed.change(GAME, "strength: 5}", "strength: 50}")
    pnp("record", "second", "--lang", "en")
    changed.change(GAME, "strength: 50}", "strength: 51}")
    ran = pnp("diff", "first", "second", "--format", form)
    assert (ran.code, ran.out) == (0, f"output/higher/diff.en.{form}\n")
    if form == "html":
        page = _Page(Path("output/higher/diff.en.html").read_text(encoding="utf-8"))
        assert page.alts == ["card/c5, front, before → after"]
        kept = [path.read_bytes() for name in ("first", "second") for path in Path(f"records/higher/{name}").iterdir()]
        assert all(image in kept for image in page.images)


@pytest.mark.parametrize("form", ["html", "pdf"])
@pytest.mark.parametrize("now", ["gone", "broken"])
def test_pages_between_two_records_of_a_game_that_lends_nothing(
    changed: DiffProject, pnp: Pnp, form: str, now: str
) -> None:
    """Two records are compared though their game was deleted or can't be read: the program's own fonts serve."""
    pnp("record", "first", "--lang", "en")
    changed.change(GAME, "strength: 5}", "strength: 50}")
    pnp("record", "second", "--lang", "en")
    if now == "gone":
        shutil.rmtree("data/higher")
        shutil.copytree(ROOT / "data/fortuna", "data/fortuna")
    else:
        Path(GAME).write_text("broken: [", encoding="utf-8")
    ran = pnp("diff", "first", "second", "--game", "higher", "--format", form)

    assert (ran.code, ran.out, ran.err) == (0, f"output/higher/diff.en.{form}\n", "")
    if form == "html":
        assert _Page(Path("output/higher/diff.en.html").read_text(encoding="utf-8")).alts == ["card/c5, front, before → after"]  # fmt: skip


def _read(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
