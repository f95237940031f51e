"""The few words that the program itself says, on paper and at the table; English where a language has none."""

_PHRASES: dict[str, dict[str, str]] = {
    "draft": {"ja": "草案{draft}", "en": "draft {draft}"},
    "sheet": {"ja": "シート {sheet}/{of}", "en": "sheet {sheet} of {of}"},
    "front": {"ja": "表", "en": "front"},
    "back": {"ja": "裏", "en": "back"},
    "fold_note": {
        "ja": "印刷面を外にして折り、白い面を貼り合わせてから切る",
        "en": "fold with the print outside, glue the blank sides, then cut",
    },
    "part_note": {
        "ja": "{part}（全体は横{columns}×縦{rows}枚） トンボで切り、となりの紙の端を三角の先に合わせて、のりしろに貼る",
        "en": "part {part} of {columns} x {rows}: cut at the marks; glue the next on the grey strip up to the points",
    },
    "glue_note": {"ja": "{part} のりしろ：ここに{next}を貼る", "en": "{part}: glue {next} here"},
    "sheets": {"ja": "印刷用シート", "en": "print sheets"},
    "cover": {"ja": "表紙", "en": "Cover"},
    "and": {"ja": "、", "en": ", "},
    "book_skip": {"ja": "本文へ進む", "en": "Skip to the text"},
    "book_contents": {"ja": "目次", "en": "Contents"},
    "book_prologue": {"ja": "序章", "en": "Prologue"},
    "book_top": {"ja": "冒頭へ戻る", "en": "Back to the top"},
    "check_list": {"ja": "内容物チェックリスト", "en": "component check list"},
    "contents": {"ja": "内容物", "en": "Contents"},
    "designs": {"ja": "{n}種", "en": "{n} designs", "en_1": "{n} design"},
    "flat_pieces": {"ja": "{n}枚", "en": "{n} pieces", "en_1": "{n} piece"},
    "solid_pieces": {"ja": "{n}個", "en": "{n} pieces", "en_1": "{n} piece"},
    "total": {"ja": "合計", "en": "Total"},
    "some_pieces": {"ja": "{n}点", "en": "{n} pieces", "en_1": "{n} piece"},
    "all_pieces": {"ja": "全{n}点", "en": "{n} pieces", "en_1": "{n} piece"},
    "continued": {"ja": "{title}（続き）", "en": "{title} (continued)"},
    "alike": {"ja": "両面同じ絵", "en": "both sides alike"},
    "back_picture": {"ja": "裏面", "en": "Back"},
    "back_example": {"ja": "裏面の一例", "en": "One of the backs"},
    "page": {"ja": "{page}／{of}ページ", "en": "page {page} of {of}"},
    "paper": {"ja": "用紙", "en": "Paper"},
    "sheet_range": {"ja": "シート {first}～{last}", "en": "Sheets {first}–{last}"},
    "sheet_single": {"ja": "シート {first}", "en": "Sheet {first}"},
    "one_side": {"ja": "片面", "en": "one side"},
    "both_sides": {"ja": "両面", "en": "both sides"},
    "folded_sides": {"ja": "表と裏を並べて片面", "en": "front and back side by side"},
    "separate_sides": {"ja": "表と裏は別の紙", "en": "fronts and backs on separate paper"},
    "papers": {"ja": "{paper}用紙 合計{n}枚", "en": "{n} sheets of {paper}", "en_1": "{n} sheet of {paper}"},
    "own_paper": {"ja": "{width} × {height} mmの", "en": "{width} × {height} mm paper"},
    "making": {"ja": "作る順番", "en": "Making, in this order"},
    "print_long": {
        "ja": "{file} を{paper}用紙に印刷する。両面印刷・長辺とじ、倍率100％（実際のサイズ）。",
        "en": "Print {file} on {paper}: double-sided, flipped on the long edge, at 100\u00a0% (actual size).",
    },
    "print_short": {
        "ja": "{file} を{paper}用紙に印刷する。両面印刷・短辺とじ、倍率100％（実際のサイズ）。",
        "en": "Print {file} on {paper}: double-sided, flipped on the short edge, at 100\u00a0% (actual size).",
    },
    "print_one_side": {
        "ja": "{file} を{paper}用紙に印刷する。片面印刷、倍率100％（実際のサイズ）。",
        "en": "Print {file} on {paper}: on one side, at 100\u00a0% (actual size).",
    },
    "print_separate": {
        "ja": "{file} を{paper}用紙に印刷する。片面印刷、倍率100％（実際のサイズ）。裏面は後ろのページにまとめてある。",
        "en": "Print {file} on {paper}: on one side, at 100\u00a0% (actual size). The backs come after all the fronts.",
    },
    "measure": {
        "ja": "シートの端の目盛りに定規を当て、50\u00a0mmあるか確かめる。ずれていたら、拡大・縮小をやめて刷り直す。",
        "en": "Hold a ruler to the scale at a sheet’s edge. If 50\u00a0mm is not 50\u00a0mm, switch off scaling.",
    },
    "fold_sheets": {
        "ja": "裏面が並ぶシートは、破線で印刷面を外にして折り、白い面どうしを貼り合わせる。乾いてから切る。",
        "en": "Fold sheets with backs along the dashed line, print outside; glue the blank sides; let dry, then cut.",
    },
    "join_boards": {
        "ja": "{names}をつなぐ。トンボで切り、となりの紙の端を三角の先に合わせて、灰色ののりしろに貼る。",
        "en": "{names}: cut at the marks; glue the next part on the grey strip, its edge at the triangles’ points.",
    },
    "in_parts": {"ja": "{title}（{n}分割）", "en": "{title} ({n} parts)"},
    "cut_rows": {
        "ja": "{names}を切る。表を上にし、向かい合うトンボに定規を渡して端から端まで。まず段ごとに、次に1枚ずつ。",
        "en": "{names}: with the front up, cut straight across from mark to mark, first into rows, then pieces.",
    },
    "glue_backs": {
        "ja": "切った表と裏を1枚ずつ貼り合わせる。",
        "en": "Glue each cut-out back behind its front.",
    },
    "round_corners": {
        "ja": "好みで角を丸める（半径{radius}\u00a0mm）。",
        "en": "Round the corners if you like (radius {radius}\u00a0mm).",
    },
    "cut_round": {
        "ja": "{names}を、実線に沿って1つずつ切り抜く。",
        "en": "{names}: cut out one by one along the solid lines.",
    },
    "fold_cubes": {
        "ja": "{names}を組み立てる。破線をすべて山折りにし、灰色ののりしろで輪に貼ってから、上下をふさぐ。",
        "en": "{names}: fold backwards along all dashed lines; glue the grey flaps into a ring, then close both ends.",
    },
    "fold_standees": {
        "ja": "{names}を組み立てる。頭の破線を山折りにして白い裏どうしを貼り、足の破線は外へ折って立てる。",
        "en": "{names}: fold backwards at the head, glue the blank insides together, fold the feet outwards to stand.",
    },
    "sort": {
        "ja": "種類ごとに数えて内容物の欄に印を付け、全{n}点がそろえば完成。",
        "en": "Sort and count the pieces and tick them off under Contents. With all {n} the box is complete.",
    },
    "table_of_contents": {"ja": "目次", "en": "Contents"},
    "index": {"ja": "索引", "en": "Index"},
    "example": {"ja": "例", "en": "Example"},
    "term": {"ja": "用語", "en": "Term"},
    "meaning": {"ja": "意味", "en": "Meaning"},
    "icon": {"ja": "印", "en": "Icon"},
    "name": {"ja": "名前", "en": "Name"},
    "component": {"ja": "コンポーネント", "en": "Component"},
    "number": {"ja": "数", "en": "Number"},
    "players": {"ja": "{n}人", "en": "{n} players", "en_1": "{n} player"},
    "players_range": {"ja": "{fewest}〜{most}人", "en": "{fewest}–{most} players"},
    "minutes": {"ja": "{n}分", "en": "{n} minutes", "en_1": "{n} minute"},
    "age": {"ja": "{n}歳以上", "en": "ages {n} and up"},
    "each_gets": {"ja": "各{n}", "en": "{n} each"},
    "quoted": {"ja": "「{text}」", "en": "“{text}”"},
    "reading": {"ja": "読み方", "en": "How we read it"},
    "values": {"ja": "{n}件", "en": "{n} values", "en_1": "{n} value"},
    "first_choice": {
        "ja": "{n}人、最初の選択の前",
        "en": "{n} players, before the first choice",
        "en_1": "{n} player, before the first choice",
    },
    "other_reading": {"ja": "現在は別の読み方を採用：{value}。", "en": "Another reading is in force: {value}."},
    "left_open": {"ja": "草案が決めていない値", "en": "Values that the draft leaves open"},
    "open_cover": {"ja": "ゲーム全体", "en": "The game as a whole"},
    "open_components": {"ja": "コンポーネント", "en": "Components"},
    "open_icons": {"ja": "印", "en": "Icons"},
    "open_rules": {"ja": "ルール", "en": "Rules"},
    "open_words": {"ja": "印刷された文言", "en": "Printed words"},
    "open_operations": {"ja": "効果", "en": "Effects"},
    "open_glossary": {"ja": "用語集", "en": "Glossary"},
    "open_examples": {"ja": "例", "en": "Examples"},
    "open_others": {"ja": "そのほか", "en": "Others"},
    "open_all": {"ja": "すべて", "en": "all"},
    "imprint": {"ja": "草案{draft}　{date}　{hash}", "en": "Draft {draft} · {date} · {hash}"},
    "not_included": {"ja": "別に用意するもの", "en": "Not included, have at hand"},
    "play_title": {
        "ja": "{title}　草案{draft}　{players}人　シード {seed}",
        "en": "{title}, draft {draft}: players {players}, seed {seed}",
    },
    "play_dealt": {"ja": "準備", "en": "Set-up"},
    "play_course": {"ja": "経過", "en": "Course"},
    "play_player": {"ja": "プレイヤー{seat}", "en": "player {seat}"},
    "play_end": {"ja": "終了", "en": "The end"},
    "play_points": {"ja": "{player}：{points}点", "en": "{player}: {points} points"},
    "play_place": {"ja": "{player}：{points}点、{place}位", "en": "{player}: {points} points, place {place}"},
    "play_hidden": {"ja": "見えないもの{n}", "en": "{n} unseen"},
    "play_nothing": {"ja": "なし", "en": "nothing"},
    "play_choose": {
        "ja": "{player}の番です。番号か記号を入力してください（?で説明）。",
        "en": "{player}, type a number or a notation (? for help).",
    },
    "play_wrong": {"ja": "「{text}」は選べません（?で説明）。", "en": "'{text}' is none of these (? for help)."},
    "play_first": {"ja": "取り消せる手はありません。", "en": "There is no choice to take back."},
    "play_undone": {"ja": "一手もどしました。", "en": "Your last choice is taken back."},
    "play_no_file": {
        "ja": "保存先がありません。--save FILE を付けて始めてください。",
        "en": "There is nowhere to save: start with --save FILE.",
    },
    "play_saved": {"ja": "{file} に保存しました。", "en": "Saved to {file}."},
    "play_left": {"ja": "中断します。", "en": "Left before the end."},
    "play_endless": {
        "ja": "{n}手で打ち切りました。このゲームは終わりません。",
        "en": "Broken off after {n} moves: this game does not end.",
    },
    "play_help": {
        "ja": "番号、または各行の先頭にある記号で選びます。選択肢が1つなら改行だけで進みます。\n"
        "b 全体を見る　u 一手もどす　s 保存　q やめる",
        "en": "Choose by number, or by the notation that each line begins with; an only choice by an empty line.\n"
        "b  the whole board    u  take your last choice back    s  save    q  quit",
    },
}


def phrase(name: str, lang: str, **values: object) -> str:
    """One of the phrases with its values filled in."""
    forms = _PHRASES[name]
    return forms.get(lang, forms["en"]).format(**values)


def counted(name: str, lang: str, n: int, **values: object) -> str:
    """A phrase about `n` things, in the singular where the language has one for it."""
    spoken = lang if lang in _PHRASES[name] else "en"
    return phrase(name, f"{spoken}_1" if n == 1 and f"{spoken}_1" in _PHRASES[name] else spoken, n=n, **values)
