// The words of the page in English and Japanese. The table has its own, in the language that is played.

import { prefs } from "./state.js";

const LANGUAGES = ["en", "ja"];

/** The language of the page: the one that is chosen for the game, else the browser's. */
export const pageLanguage = () => [prefs.lang, ...navigator.languages.map((one) => one.split("-")[0])].find((one) => LANGUAGES.includes(one)) ?? "en";

/** One of two texts, by the language of the page. */
export const pick = (en, ja) => (pageLanguage() === "ja" ? ja : en);

/** A text of the page by its name, with values in its braces; English says `_one` of one thing where it has that. */
export function w(name, values = {}) {
  const [en, ja, one = en] = WORDS[name];
  const text = pick(values.n === 1 ? one : en, ja);
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
}

/** Fill in the texts below an element: `data-word` its text, `data-label` its name, `data-tip` its title, `data-hold` its placeholder. */
export function speak(root = document) {
  if (root === document) document.documentElement.lang = pageLanguage();
  for (const part of root.querySelectorAll("[data-word]")) part.textContent = w(part.dataset.word);
  for (const part of root.querySelectorAll("[data-label]")) part.setAttribute("aria-label", w(part.dataset.label));
  for (const part of root.querySelectorAll("[data-tip]")) part.title = w(part.dataset.tip);
  for (const part of root.querySelectorAll("[data-hold]")) part.placeholder = w(part.dataset.hold);
}

export const WORDS = {
  // The frame of the page.
  name: ["Print and play", "プリント＆プレイ"],
  skip: ["Skip to the components", "コンポーネントへ移動"],
  games: ["Games", "ゲーム"],
  connecting: ["connecting", "接続中"],
  live: ["live", "接続済み"],
  lost: ["the server has gone; waiting for it", "サーバーを待っています"],
  true_size: ["True size…", "実寸…"],
  keys: ["Keys", "キー操作"],
  play_this: ["Play this game", "このゲームで遊ぶ"],
  views: ["Views", "表示"],
  components: ["Components", "コンポーネント"],
  sheets: ["Sheets", "印刷シート"],
  rulebook: ["Rulebook", "ルールブック"],
  findings: ["Findings", "チェック結果"],
  figures: ["Figures", "統計"],
  no_game: ["There is no game yet", "ゲームがまだありません"],
  draft: ["draft {draft}", "稿 {draft}"],
  pieces: ["{n} pieces", "全{n}枚", "{n} piece"],
  title_end: ["print and play", "プリント＆プレイ"],
  percent: ["{n} percent", "{n}パーセント"],
  language_is: ["language {lang}", "言語：{lang}"],
  // Problems.
  problems: ["{n} problems", "問題 {n}件", "{n} problem"],
  problems_in: ["{n} problems in the files", "ファイルに問題が{n}件あります", "{n} problem in the files"],
  mended: ["The problems are mended.", "問題はなくなりました。"],
  why: ["The pictures below are the last good ones. They follow as soon as this is mended and saved.", "下の絵は、問題が起きる前のものです。直して保存すると更新されます。"],
  more: [" and {n} more", " ほか{n}件"],
  last_good: ["last good picture", "問題が起きる前の絵"],
  unmade: ["This can't be made anew until the problems are mended.", "問題を直すまで、作り直せません。"],
  // The bar.
  shown: ["What is shown", "表示するもの"],
  search: ["Search by id, name or text", "ID・名前・文章で検索"],
  search_hold: ["Search  /", "検索  /"],
  language: ["Language", "言語"],
  sides: ["Sides", "面"],
  fronts: ["Fronts", "表"],
  backs: ["Backs", "裏"],
  both_sides: ["Both sides", "両面"],
  guides: ["Guides", "ガイド"],
  guides_tip: ["Trim magenta, safe zone cyan, text boxes grey", "断裁線はマゼンタ、安全範囲はシアン、文字枠はグレー"],
  pair: ["Languages on a card", "1枚に載せる言語"],
  one_language: ["One language", "1言語"],
  paper: ["Paper", "用紙"],
  page_size: ["Page", "判型"],
  zoom: ["Zoom", "拡大縮小"],
  smaller: ["Smaller", "小さく"],
  larger: ["Larger", "大きく"],
  zoom_true: ["True size", "実寸"],
  all_kinds: ["all kinds", "すべての種類"],
  any: ["any {field}", "{field}（すべて）"],
  all_languages: ["All languages", "すべての言語"],
  designs: ["{n} designs", "{n}種", "{n} design"],
  some_designs: ["{n} of {of} designs", "{of}種のうち{n}種"],
  nothing_like: ["Nothing is like that. Esc in the search field shows everything again.", "該当するものがありません。検索欄で Esc を押すと、すべて表示に戻ります。"],
  printed: ["{n} printed", "印刷 {n}枚"],
  stated: [", {n} stated", "（記載は{n}枚）"],
  left_out: [", left out while {option} is off", "（{option} がオフの間は除外）"],
  x_printed: [" printed", "枚印刷"],
  // One design.
  before: ["The one before", "前へ"],
  after: ["The next one", "次へ"],
  close: ["Close", "閉じる"],
  done: ["Done", "完了"],
  arrange: ["Arrange", "配置"],
  what_it_says: ["What it says", "書かれている文章"],
  fact_id: ["id", "ID"],
  fact_copies: ["copies", "枚数"],
  fact_kind: ["kind", "種類"],
  fact_where: ["where", "場所"],
  front: ["front", "表"],
  back: ["back", "裏"],
  // True size.
  ruler_title: ["True size on this screen", "この画面での実寸"],
  ruler_how: ["Hold a bank card against the screen and drag the corner, or move the slider, until both are equally wide. Then everything at 100 % is as large as it will be on paper.",
    "キャッシュカードを画面に当て、幅がそろうまで角をドラッグするか、スライダーを動かしてください。すると 100 % で紙と同じ大きさになります。"],
  bank_card: ["bank card", "キャッシュカード"],
  size: ["Size", "大きさ"],
  as_screen: ["As the screen says", "画面の設定に戻す"],
  // Keys.
  key_search: ["search", "検索"],
  key_step: ["from one design to the next", "次のデザインへ"],
  key_look: ["look at it closely", "大きく表示"],
  key_note: ["write a note about the card, or the heading you read (pnp serve --edit, or a site)", "カード、または読んでいる見出しへのメモを書く（pnp serve --edit、またはサイト）"],
  key_guides: ["guides: trim, safe zone, text boxes", "ガイド（断裁線・安全範囲・文字枠）"],
  key_sides: ["fronts, backs, both", "表・裏・両面"],
  key_language: ["next language", "次の言語"],
  key_zoom: ["larger, smaller, true size", "大きく・小さく・実寸"],
  key_views: ["components, sheets, rulebook, findings, figures", "コンポーネント・印刷シート・ルールブック・チェック結果・統計"],
  key_escape: ["clear the search, close", "検索を消す・閉じる"],
  // Sheets, rulebook and findings.
  no_answer: ["The server did not answer ({why}).", "サーバーの応答がありません（{why}）。"],
  laying: ["The sheets are being laid …", "シートに並べています…"],
  nothing_to_print: ["there is nothing to print", "印刷するものがありません"],
  sheet: ["Sheet {n}, {side}", "シート{n}・{side}"],
  setting: ["The rulebook is being set …", "ルールブックを組んでいます…"],
  no_book: ["There is no rulebook yet: templates/<game>/rulebook.<lang>.md", "ルールブックがまだありません：templates/<game>/rulebook.<lang>.md"],
  open_pdf: ["Open as PDF", "PDF で開く"],
  save_pdf: ["Save PDF", "PDF を保存"],
  measuring: ["The deck is being counted …", "集計しています…"],
  checking: ["Everything is being checked …", "チェックしています…"],
  unreadable: ["the game can't be read", "ゲームを読み込めません"],
  play_few: ["Play a few games", "何回か対戦させる"],
  playing: ["playing …", "対戦中…"],
  fail: ["failed", "エラー"],
  finding: ["findings", "指摘"],
  undecided: ["undecided", "要確認"],
  pass: ["passed", "合格"],
  // Changing files (`pnp serve --edit`).
  note: ["Note", "メモ"],
  note_on: ["A note about {name}", "「{name}」へのメモ"],
  note_text: ["What was said", "内容"],
  note_author: ["Who says it", "発言者"],
  note_players: ["Players today", "今日の人数"],
  note_store: ["Store the note", "メモを保存"],
  note_kept: ["Stored in {file}", "{file} に保存しました"],
  edit_saved: ["saved", "保存しました"],
  edit_changed: ["not saved: another program has changed the file", "保存していません：ほかのプログラムがファイルを変更しました"],
  edit_clash: ["{path} was changed here and by another program. Neither version was overwritten.", "{path} は、ここでも、ほかのプログラムでも変更されました。どちらも上書きしていません。"],
  edit_mine: ["Keep this page's", "このページの内容を残す"],
  edit_theirs: ["Take the file's", "ファイルの内容を使う"],
  edit_missing: ["{path} is no longer there", "{path} はもうありません"],
  edit_gone: ["not saved: this address is of an earlier run of pnp serve; open the one that the terminal shows now", "保存していません：このアドレスは以前の pnp serve のものです。ターミナルに今表示されているアドレスを開いてください"],
  // The start page of a site.
  start_says: ["Write a game's cards as text, print them, play them. All of it in this browser.", "ゲームのカードを文章で書き、印刷して、遊べます。すべてこのブラウザーの中で動きます。"],
  start_go_on: ["Go on with your own", "自分のゲームの続き"],
  start_own: ["Start your own", "自分のゲームを作る"],
  start_play: ["Play one of these", "遊んでみる"],
  start_made: ["See how it is made", "作り方を見る"],
  start_open: ["Open what you have", "手元のファイルを開く"],
  start_file: ["Open a zip or a drawing (SVG)…", "zip または図（SVG）を開く…"],
  start_folder: ["Open a folder…", "フォルダーを開く…"],
  start_note: ["Nothing is installed or uploaded. Your files stay in this browser.", "インストールもアップロードもしません。ファイルはこのブラウザーの中だけに残ります。"],
  start_players: ["{n} players", "{n}人", "{n} player"],
  start_link: ["The link holds a project, {name}, of {size} kB. Open it as a new project? Nothing of yours is changed.", "このリンクには企画「{name}」（{size} kB）が入っています。新しい企画として開きますか。今あるものは変わりません。"],
  start_older: ["It was made with version {theirs} of the program; this is {ours}.", "プログラムの版は {theirs} です（このサイトは {ours}）。"],
  start_yes: ["Open it", "開く"],
  start_no: ["No", "開かない"],
  start_loading: ["Loading Python, the program and games: {left} MB left. This happens once: they are kept for the next visit.", "Python とプログラム、ゲームを読み込んでいます（残り {left} MB）。次からは読み込みません。"],
  start_begins: ["The program begins …", "プログラムを始めています…"],
  start_moment: ["One moment", "お待ちください"],
  starter_cards: ["A small card game about kites, with rules", "凧のカードゲーム（ルール付き）"],
  starter_tricks: ["A game of tricks, with rules", "トリックテイキング（ルール付き）"],
  starter_board: ["A small game with a board and boats", "ボードと船の小さなゲーム"],
  starter_csv: ["Cards in a spreadsheet", "表計算のカード"],
  starter_blank: ["One card, nothing else", "カード1枚だけ"],
  starter_fantasy: ["Creatures and spells", "クリーチャーと呪文"],
  starter_economy: ["Buildings, costs and goods", "建物と資源"],
  starter_stats: ["Trump cards to compare", "数値を比べるカード"],
  starter_tarot: ["Large cards, all picture", "絵だけの大きなカード"],
  starter_domino: ["Tiles with two ends", "両端のあるタイル"],
  starter_hexagons: ["Land for a map", "六角形の地形"],
  starter_mat: ["A board for each player", "個人ボード"],
  starter_dice: ["Stickers for dice", "ダイスのシール"],
  starter_standee: ["Figures that stand", "立てるコマ"],
};
