"""A small rulebook in Japanese and English, written by hand: two chapters that hold every kind of block."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from conftest import ROOT

from generator.base.display_list import Drawing, Shape
from generator.base.files import Resources
from generator.base.geometry import Rect
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import (
    Block,
    Book,
    Box,
    Contents,
    Cover,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Paragraph,
    Table,
    Term,
    Text,
    VerticalText,
)
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Colour, FontFamily, Game, IconEntry, Players
from generator.game.rich_text import Icon, Plain, Ruby, Words

ACCENT = "wine"
SAYS = {
    "ja": ("手番では、山札から札を引き、手札から一枚を場に出す。出した札の絵柄が前の札と同じなら、", "もう一枚続けて出してよい。「終わり」と言って手番を渡すまでは、何枚でも続けられる（ただし、", "手札がなくなったらそこで終わる）。得点は、出した枚数と同じ。"),
    "en": (
        "On your turn, draw from the deck and play a card from your hand to the table. If its suit is that of the ",
        "card before it, you may play another one. Go on as long as you like, until you say “done” and pass the turn; ",
        "if your hand is empty, the turn ends at once. You score as many points as you have played cards. ",
    ),
}  # fmt: skip
WORDS: Mapping[str, Mapping[str, str]] = {
    "title": {"ja": "星の港", "en": "Harbour of Stars"},
    "subtitle": {"ja": "船を出し、星を読み、荷を運ぶ", "en": "Set sail, read the stars, bring home the freight"},
    "contents": {"ja": "目次", "en": "Contents"},
    "index": {"ja": "索引", "en": "Index"},
    "begin": {"ja": "はじめに", "en": "Before you begin"},
    "aim": {"ja": "ゲームの目的", "en": "Aim of the game"},
    "parts": {"ja": "内容物", "en": "Components"},
    "play": {"ja": "遊び方", "en": "How to play"},
    "turn": {"ja": "手番の流れ", "en": "A turn"},
    "draw": {"ja": "引く", "en": "Draw"},
    "place": {"ja": "出す", "en": "Play"},
    "end": {"ja": "ゲームの終わり", "en": "End of the game"},
    "glossary": {"ja": "用語", "en": "Glossary"},
    "hand": {"ja": "手札", "en": "hand"},
    "deck": {"ja": "山札", "en": "deck"},
    "caption": {"ja": "準備ができた場の一例", "en": "A table ready to play"},
    "example": {"ja": "例", "en": "Example"},
    "note": {"ja": "注意", "en": "Note"},
    "remark": {"ja": "作者から", "en": "A word from the designer"},
}
FACTS = {"ja": ("2〜4人", "45分", "10歳から"), "en": ("2–4 players", "45 minutes", "ages 10 and up")}
PROLOGUE = {
    "ja": (
        "港に、夜ごと一隻の船が着く。積み荷は、遠い星から届いた手紙だと人は言う。"
        "けれど、封を切った者はまだ一人もいない。宛名が、どれも読めないからだ。",
        "あなたは星を読む者として、この港に雇われた。手紙を待つ人は、もうすぐ十二人になる。",
    ),
    "en": (
        "Every night a ship comes into the harbour. Its freight, people say, are letters from a distant star. But "
        "nobody has ever broken a seal, for nobody can read to whom the letters are addressed.",
        "You have been hired as a reader of stars. Soon twelve people will be waiting for their letters.",
    ),
}


def text(words: str) -> Text:
    return (Plain(words),)


def said(lang: str, times: int = 1) -> str:
    return "".join(SAYS[lang]) * times


def card(width: float = 30.0, height: float = 42.0, paint: str = "wine") -> Drawing:
    """A picture: a card with a stripe."""
    ground = Shape(rectangle_path(Rect(0, 0, width, height)), "sand", "ink", 0.3)
    stripe = Shape(rectangle_path(Rect(width * 0.15, height * 0.2, width * 0.7, height * 0.4)), paint)
    return Drawing(width, height, 0.0, (ground, stripe))


@cache
def workshop(first: str = "body") -> Workshop:
    """A game with two families and an icon; the `first` is for running text."""
    families = {
        "body": FontFamily(
            {
                "en": ("SourceSans3_400Regular.ttf",),
                "ja": ("SourceSans3_400Regular.ttf", "BIZUDPGothic_400Regular.ttf"),
            },
            {"en": ("SourceSans3_700Bold.ttf",), "ja": ("SourceSans3_700Bold.ttf", "BIZUDPGothic_700Bold.ttf")},
            {"en": ("SourceSans3_400Regular_Italic.ttf",)},
        ),
        "title": FontFamily(
            {"en": ("Cinzel_600SemiBold.ttf",), "ja": ("Cinzel_600SemiBold.ttf", "BIZUDMincho_700Bold.ttf")},
            {"en": ("Cinzel_700Bold.ttf",), "ja": ("Cinzel_700Bold.ttf", "BIZUDMincho_700Bold.ttf")},
            {},
        ),
    }
    game = Game(
        id="harbour",
        title=Words(WORDS["title"]),
        draft="3",
        date="2026-01-31",
        languages=("ja", "en"),
        players=Players(2, 4),
        credit=Words({"en": "Somebody", "ja": "だれか"}),
        licence=Words({"en": "all rights reserved", "ja": "無断転載を禁じます"}),
        kinds={},
        icons={"star": IconEntry("star", Words({"en": "Star", "ja": "星"}), "wine", letter="S")},
        palette={"wine": Colour("#7a1f33"), "sand": Colour("#efe4cd"), "ink": Colour("#000000")},
        fonts={first: families[first], **families},
    )
    return Workshop(game, Resources((Path(__file__).parent / "small", ROOT), shown_from=ROOT))


def book(lang: str, *more: Block) -> Book:
    """The whole book; `more` stands before its glossary."""

    def word(name: str) -> str:
        return WORDS[name][lang]

    hand, deck = Term(word("hand"), "hand"), Term(word("deck"), "deck", bold=True)
    period = {"ja": "。", "en": "."}[lang]
    ruby = (Plain(period), Ruby(("漢", "字"), ("かん", "じ"))) if lang == "ja" else (Plain(period),)
    blocks: tuple[Block, ...] = (
        VerticalText(tuple(map(text, PROLOGUE[lang])), text(word("title"))),
        Contents(text(word("contents"))),
        Heading(1, text(word("begin")), "begin"),
        Paragraph(text(SAYS[lang][0]), "lead"),
        Paragraph((Plain(said(lang)), hand, *ruby)),
        Heading(2, text(word("aim")), "aim"),
        Paragraph((Plain(said(lang)), Icon("star"), Plain(SAYS[lang][1]), deck, Plain(period))),
        Figure(card(90, 52), word("caption"), text(word("caption"))),
        Paragraph(text(said(lang, 2))),
        Heading(2, text(word("parts")), "parts"),
        _table(lang),
        Paragraph((Plain(SAYS[lang][2]), Link(word("play"), "play"), Plain(period))),
        Paragraph(text(SAYS[lang][0]), "note"),
        Heading(1, text(word("play")), "play"),
        Paragraph(text(SAYS[lang][0]), "lead"),
        Heading(2, text(word("turn")), "turn"),
        Listing(((Paragraph(text(word("draw"))),), (Paragraph(text(word("place"))),), (Paragraph(text(word("end"))),)), ordered=True),
        Heading(3, text(word("draw")), "draw"),
        Figure(card(), word("draw"), text(word("draw")), "beside"),
        Paragraph((hand, Plain(said(lang, 2)))),
        Paragraph(text(said(lang))),
        Heading(3, text(word("place")), "place"),
        Paragraph(text(said(lang))),
        Listing(((Paragraph(text(SAYS[lang][0])),), (Paragraph(text(SAYS[lang][1])), Listing(((Paragraph(text(word("draw"))),),))), (Paragraph(text(SAYS[lang][2])),))),
        Box("example", text(word("example")), (Paragraph(text(said(lang))), Paragraph(text(SAYS[lang][0])))),
        Heading(2, text(word("end")), "end"),
        Paragraph(text(said(lang))),
        Box("note", text(word("note")), (Paragraph(text(SAYS[lang][1])),)),
        Box("designer", text(word("remark")), (Paragraph(text(said(lang)), "note"),)),
        *more,
        Heading(1, text(word("glossary")), "glossary"),
        Table((text(word("glossary")), text(word("begin"))), (((hand,), text(SAYS[lang][0])), ((deck,), text(SAYS[lang][1]))), ("left", "left")),
        Index(text(word("index")), ((text(word("hand")), "hand"), (text(word("deck")), "deck"))),
    )  # fmt: skip
    cover = Cover(word("title"), word("subtitle"), FACTS[lang], Figure(card(80, 80), word("title")))
    return Book("harbour", lang, cover, blocks, ("draft 3 · 2026-01-31", "Somebody"), "2026-01-31")


def _table(lang: str) -> Table:
    head = {"ja": ("もの", "数", "説明"), "en": ("Part", "Number", "What it is for")}[lang]
    rows = tuple(
        (
            (Icon("star"), Plain(f" {SAYS[lang][0][:6]}")),
            text(str(number * 3)),
            text(SAYS[lang][number % 3][: number * 9]),
        )
        for number in range(1, 7)
    )
    return Table(tuple(map(text, head)), rows, ("left", "right", "left"), text(WORDS["parts"][lang]))
