"""What Xanadu's cards, boards and aids say is composed from the data, in both languages, and can be set."""

from dataclasses import replace

import pytest
from game_texts import faces_of, texts_in

from generator.game.model import Effect, Game


@pytest.mark.parametrize(
    ("name", "lang", "text"),
    [
        ("skill/R1", "ja", "「輸送」のアクション回数＋1。"),
        ("skill/R1", "en", "Transport: +1 action."),
        ("skill/R2", "ja", "「輸送」1回で運べる資源＋1個。"),
        ("skill/R3", "ja", "手番中1回、{dispatch}1個：自分の資源1個を、隣接していなくても好きなエリアの【倉庫】へ移す。"),
        ("skill/R3", "en", "Once per turn, for 1\u00a0{dispatch}: move 1 of your resources to your warehouse in any area, adjacent or not."),
        ("skill/R4", "ja", "区分3のエリアで依頼を達成するたび、2VPを得る。"),
        ("skill/R4", "en", "Each time you fulfil a request in zone 3, gain 2 VP."),
        ("skill/B1", "en", "Each of your warehouses outside the Port holds 1 more resource."),
        ("skill/B2", "ja", "ラウンド終了時の補充で、さらにホータン港に並資源を1個得る。"),
        ("skill/B3", "ja", "【デイリー】にある依頼カードの依頼を達成するたび、ホータン港に並資源を1個得る。"),
        ("skill/G2", "ja", "どのエリアの【倉庫】でも「改良」できる。"),
        ("skill/G3", "en", "Each time you fulfil an upper request, gain 2 VP."),
        ("skill/Y2", "ja", "手番中1回：【マーケット】のカードを1枚捨て札にし、すぐに補充する。"),
        ("skill/Y2", "en", "Once per turn: discard 1 card from the Market and replace it at once."),
        ("skill/Y3", "ja", "【マーケット】の依頼を達成するたび、1VPを得る。"),
        ("skill/P1", "ja", "このカードを置いた時、【ストック】から派遣ワーカーを2個得る。"),
        ("skill/P2", "ja", "依頼を達成した時、{dispatch}2個を支払えば、そのエリアにシェアトークンをもう1個、通常どおりに置くことができる。"),
        ("skill/P2", "en", "When you fulfil a request, you may pay 2\u00a0{dispatch} to place 1 more share token there by the usual rule."),
        ("skill/P3", "en", "Each time you fulfil a request in an area where you already had a share, gain 1 VP."),
        ("skill/P4", "ja", "手番中1回、ワーカー配置後、{dispatch}2個：この手番のアクション回数＋1。"),
        ("skill/W2", "en", "When you place this card, gain 2 fine resources at the Port."),
        ("skill/W8", "ja", "「娯楽」の依頼を達成するたび、2VPを得る。"),
        ("skill/W9", "ja", "最終決算：進出エリアにあるランドマーク1種類につき2VP（最大6VP）。"),
        ("skill/W10", "en", "Final scoring: 1 VP per area in which you rank first (max 6)."),
        ("company_board/green", "ja", "自分の【倉庫】に残る上資源1個につき1VP、特上資源1個につき2VP（合わせて最大8VP）。"),
        ("company_board/purple", "en", "1 VP per unspent dispatch worker and 1 VP per installed skill card (max 8 in all)."),
        ("daily_card/red", "ja", "ホータン港の資源を1個以上【ストック】へ戻し、1個につき1VPを得る（最大3VP）。グレードは問わない。"),
    ],
)  # fmt: skip
def test_texts_are_composed(game: Game, name: str, lang: str, text: str) -> None:
    assert faces_of(game)(name, lang)["card"]["text"] == text


def test_a_changed_effect_changes_the_text(game: Game) -> None:
    effects = (Effect("gain", {"grade": "fine", "n": 3}),)
    kind = game.kinds["skill"]
    changed_fields = {"effects": effects, "cost": 2}
    designs = [replace(design, fields={**design.fields, **changed_fields}) for design in kind.designs]
    changed = replace(game, kinds={**game.kinds, "skill": replace(kind, designs=tuple(designs))})
    text = faces_of(changed)("skill/B4", "en")["card"]["text"]
    assert text == "Once per turn, for 2\u00a0{dispatch}: gain 3 fine resources at the Port."


def test_a_changed_number_changes_the_texts_that_state_it(game: Game) -> None:
    rules = {**game.sections["rules"], "daily": {"vp": 2, "cap": 5}, "restock": 4}
    changed = replace(game, sections={**game.sections, "rules": rules})
    face = faces_of(changed)("daily_card/blue", "en")
    assert "2 VP each, at most 5 VP" in face["card"]["text"]
    assert "2 VP per resource at the Port, at most 5 VP" in face["words"]["aid"]["actions"]["lines"]["fulfil"]
    assert face["words"]["aid"]["round_end"]["lines"]["restock"]["says"].startswith("Restock 4 normal resources")


def test_japanese_texts_close_their_brackets(game: Game) -> None:
    faces = faces_of(game)
    for design in game.designs():
        for text in texts_in(faces(design.id, "ja")["card"]):
            for left, right in ("【】", "「」", "（）"):
                assert text.count(left) == text.count(right), text
            assert not set("()+:") & set(text), text
