// A game at the table: what is played stands in the page alone; each step asks the server how things are then.

import * as choose from "./play-choose.js";
import { areaElement, botName, faceKeys, known, learn, pointsText, w } from "./play-pieces.js";
import { begin, keep, setSetup, restore, wireBegin } from "./play-begin.js";
import { $, ask, hear, make, prefer, prefs, saveFile, state } from "./state.js";
import { fill } from "./play-change.js";
import { fit, fold } from "./play-size.js";
import { noteButton } from "./note.js";
import { openFree } from "./play-free.js";
import { openRoom, sendOrder, takeSeatAgain, describeSeats, showRoom } from "./play-room.js";
import { offerRules, turnRules, wireRules } from "./play-rules.js";
import { pick } from "./words.js";

const PACE = 420;      // ms between two moves of bots

let game = null;       // who plays, from which seed, the moves so far: all that the server needs
/** @type {Answer.Table} */
let view = null;       // the table as the server told it last
let asked = 0;         // questions so far: an answer to an older one comes too late
/** @type {Record<string, AbortController>} */
const under = {};      // by kind, what ends a question under way
let wake = (_value) => {};   // ends the pause between two moves of bots
let hurried = false;   // bots make all their moves at once up to the next choice
let back = null;       // how many moves the table is shown after, when one looks back
let size = prefs.tableSize ?? 1;

const [head, ...rest] = location.hash.slice(1).split("&");
const name = decodeURIComponent(head);
let visiting = rest.length > 0;   // the address holds a table: one's own game is kept until something is chosen here
const narrow = matchMedia("(max-width: 62rem)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** The table that the page's address holds; the server says what is wrong with it. */
function readAddress() {
  const said = new URLSearchParams(rest.join("&"));
  const readNumbers = (key, separator, base) => (said.get(key) ?? "").split(separator).filter(Boolean).map((one) => parseInt(one, base));
  return { players: Number(said.get("players")), people: readNumbers("people", ",", 10), bots: said.get("bots") ?? "greedy", seed: said.get("seed") ?? "1/0",
    options: said.getAll("option"), names: said.getAll("name"), moves: readNumbers("moves", ".", 36) };
}

/** Copy the address of this moment of the game. */
async function copyLink() {
  const { players, people, bots, seed, options, names = [], moves } = game;
  const said = new URLSearchParams({ players, people: people.join(), bots, seed, moves: packMoves(back === null ? moves : moves.slice(0, back)) });
  for (const option of options) said.append("option", option);
  if (names.some(Boolean)) for (const one of names) said.append("name", one);
  const link = `${location.href.split("#")[0]}#${encodeURIComponent(name)}&${said}`;
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  note(w(copied ? "linked" : "linked_here"), make("input", { readonly: true, ".value": link, "aria-label": w("link"), ".onfocus": ({ target }) => target.select() }));
}

/** From now on the linked table is one's own game here. */
function settle() {
  visiting = false;
  for (const page of new Set([window, parent])) page.history.replaceState(null, "", `#${encodeURIComponent(name)}`);
}

/** A word above the table, until the next step. */
function note(text, ...more) {
  say(text);
  $("banner").hidden = false;
  $("banner").className = "banner note";
  $("banner").replaceChildren(make("span", {}, text), ...more);
}

const TEXTS = ["name", "names", "text", "then", "status", "facts", "result", "reasons", "dealt", "call_text"];   // what of an answer people read

/** A value of an answer with the players' own names in its texts: pairs of a seat's name and its player's. */
function renameSeats(value, names, key = "") {
  if (typeof value === "string") return TEXTS.includes(key) ? names.reduce((text, [seat, own]) => text.replaceAll(seat, own), value) : value;
  if (Array.isArray(value)) return value.map((one) => renameSeats(one, names, key));
  if (!value || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, renameSeats(one, names, inner)]));
}

/** The table after some moves, with the players' names. @returns {Promise<Answer.Table>} */
async function askView(more, moves = game.moves) {
  const told = await askTable("at", more, moves);
  if (told.room) game.names = told.room.seats.map((one) => one.name);
  const names = told.names.map((seat, at) => [seat, game.names?.[at]]).filter(([, own]) => own);
  return names.length ? renameSeats(told, names) : told;
}

/** Moves as an address holds them: so short that a game of as many as there may be has room in one. */
const packMoves = (moves) => moves.map((one) => one.toString(36)).join(".");

/**
 * Ask the table; a question of the same kind that is still under way is given up, so that the server thinks no longer.
 * @template {keyof Answer.Tables} What
 * @param {What} what
 * @returns {Promise<Answer.Tables[What]>}
 */
async function askTable(what, more = {}, moves = game.moves) {
  under[what]?.abort();
  under[what] = new AbortController();
  const query = new URLSearchParams({ players: game.players, people: game.people.join(), bots: game.bots, seed: game.seed,
    lang: known.lang, moves: packMoves(moves), ...more });
  for (const option of game.options) query.append("option", option);
  const answer = await ask(["table", name, what], query, under[what].signal);
  if (!answer) throw new Error(w(known.room === null ? "no_answer" : "room_gone"));
  if (answer.problems) throw new Error(answer.problems.join("\n"));
  return /** @type {any} */ (answer);
}

/** Show the table after the moves so far; bots then play one move after the other. */
async function goOn({ eyes = game.eyes, news = true } = {}) {
  const mine = ++asked;
  under.hint?.abort();
  back = null;
  try {
    let first = true;
    hurried = false;
    for (;;) {
      if (!first && !hurried) {
        // Faces of the next step are fetched while one still looks at this one.
        await new Promise((done) => { wake = done; setTimeout(done, still.matches ? 0 : PACE / (prefs.tableSpeed ?? 1)); });
        if (mine !== asked) return;
      }
      const told = await askView(first ? { eyes, most: 0 } : hurried ? { eyes } : { eyes, most: 1 });
      await learn(faceKeys(told));
      if (mine !== asked) return;
      const before = view;
      if (told.room) known.seated = describeSeats(told.room);
      else {
        game.moves = told.moves;
        if (!visiting) keep(name, game);
      }
      show(told, before, news);
      first = false;
      if (!told.more || told.room) break;
    }
  } catch (error) {
    if (mine === asked) fail(error);
  }
}

function fail(error) {
  $("banner").hidden = false;
  $("banner").className = "banner bad";
  $("banner").setAttribute("role", "alert");
  $("banner").replaceChildren(make("span", {}, error.message), known.room === null
    ? make("button", { type: "button", ".onclick": startAnew }, w("new")) : make("button", { type: "button", ".onclick": () => goOn() }, w("room_retry")));
}

/** Send an order to the room, and look at what has become of it. */
async function tell(what) {
  try {
    const told = await sendOrder({ number: view.room.number, ...what });
    goOn();
    return told;
  } catch (error) {
    fail(error);
    return null;
  }
}

function move(chosen) {
  if (back !== null || view.call || !view.choices.some((choice) => choice.move === chosen)) return;
  if (view.room) { tell({ do: "move", move: chosen }); return; }
  if (visiting) settle();
  game.moves = [...game.moves, chosen];
  goOn();
}

function hurryBots() {
  hurried = true;
  wake();
}

function undo() {
  if (!view || view.undo < 0) { say(w("nothing_to_undo")); return; }
  if (view.room) { tell({ do: "undo" }); return; }
  game.moves = game.moves.slice(0, view.undo);
  say(w("undone"));
  goOn({ news: false });
}

async function showHint() {
  if (!view?.choices.length) return;
  const mine = asked;
  try {
    const bot = prefs.tableHint ?? "greedy";
    const told = await askTable("hint", { bot, eyes: game.eyes });
    if (mine !== asked) return;
    choose.showHint(told.move);
    note(w("hint_says", { bot: w("bot_called", { bot: botName(bot) }), move: told.text }));
  } catch (error) {
    if (error.name !== "AbortError") fail(error);
  }
}

async function save() {
  try {
    const { name: file, text } = await askTable("save");
    saveFile(file, new Blob([text], { type: "application/json" }));
    say(w("saved", { file }));
  } catch (error) {
    fail(error);
  }
}

/**
 * Show a view; pieces go to their new places before one's eyes.
 * @param {Answer.Table} told
 */
function show(told, before, news) {
  const places = measureFrames();
  const focus = document.activeElement?.dataset?.key;
  view = told;
  $("banner").hidden = back === null;
  fill($("areas"), told.areas.map((area) => areaElement(area, told)));
  $("aside").hidden = !told.aside.length;
  const aside = { seat: 0, name: w("aside"), rows: [told.aside], near: false };
  $("aside-zones").replaceChildren(...(told.aside.length ? [areaElement(aside, told)] : []));
  for (const area of $("areas").querySelectorAll("[data-seat]")) {
    area.classList.toggle("at-turn", !told.over && Number(area.dataset.seat) === told.seat);
  }
  scale();
  choose.offer(back === null ? told : { ...told, choices: [] });
  showPanel(told);
  scale();       // what is to be done may need more room below the table
  glide(places);
  if (focus) $("table").querySelector(`.face-button[data-key="${CSS.escape(focus)}"]`)?.focus({ preventScroll: true });
  if (news) announce(told, before);
  drawCurtain(told);
  if (told.room) showRoom(told, tell);
}

const measureFrames = () => new Map([...$("areas").querySelectorAll(".face-button")].map((one) => [one.dataset.key, one.getBoundingClientRect()]));

function glide(before) {
  if (still.matches) return;
  for (const one of $("areas").querySelectorAll(".face-button")) {
    const from = before.get(one.dataset.key);
    if (!from) {
      if (before.size && one.dataset.key.includes("#")) one.animate([{ opacity: 0, transform: "scale(.9)" }, { opacity: 1, transform: "none" }], { duration: 260, easing: "ease-out" });
      continue;
    }
    const to = one.getBoundingClientRect();
    const dx = from.x + from.width / 2 - to.x - to.width / 2, dy = from.y + from.height / 2 - to.y - to.height / 2;
    if (Math.abs(dx) + Math.abs(dy) < 3 || !to.width) continue;
    const piece = one.closest(".piece");
    piece.classList.add("gliding");
    piece.animate([{ transform: `translate(${dx}px, ${dy}px) scale(${from.width / to.width})` }, { transform: "none" }], { duration: 330, easing: "cubic-bezier(.3,.7,.3,1)", composite: "add" })
      .finished.finally(() => piece.classList.remove("gliding"));
  }
}

const scale = (anew = false) => fit(view, size, anew);

/** @param {Answer.Table} told */
function showPanel(told) {
  const seat = told.seat && !told.over ? `${choose.getSign(told.seat)} ${told.names[told.seat - 1]}` : "";
  const own = told.waits && !told.call;
  $("turn").textContent = told.over ? told.result[0] : own ? (told.people.length > 1 && !told.room ? w("turn_of", { player: seat }) : w("your_turn")) : w(told.room && !told.room.bot && !told.room.seats[told.seat - 1].taken ? "room_empty" : "waiting_for", { player: seat });
  if (told.players === 1 && told.points[0] !== null) $("turn").append(make("span", { class: "points" }, pointsText(told.points[0])));
  $("status").replaceChildren(...told.status.map((line) => make("li", {}, line)));
  $("facts").replaceChildren(...told.facts.map((line) => make("li", {}, line)));
  $("standing").hidden = !told.facts.length;
  if (!known.settled) $("standing").open = !narrow.matches && told.facts.length <= 4;
  known.settled = true;
  $("bar").classList.toggle("own-turn", own && !told.over);
  $("hurry").hidden = !told.more;
  $("undo").disabled = told.undo < 0 || Boolean(told.room?.undo);
  $("hint").disabled = !told.choices.length;
  $("result").hidden = !told.over;
  if (told.over) {
    $("result").replaceChildren(...told.reasons.map((line) => make("p", {}, capitalize(line))), make("ol", {}, ...told.result.slice(1).map((line, at) =>
      make("li", { class: told.places_at_end[at] === 1 ? "first" : "" }, make("span", { class: "sign", "aria-hidden": "true" }, told.places_at_end[at] === 1 ? "♛" : choose.getSign(at + 1)), line))),
    ...(known.room ? [] : [make("p", { class: "buttons" }, make("button", { type: "button", class: "primary", ".onclick": again }, w("again")),
      make("button", { type: "button", class: "alone", ".onclick": startAnew }, w("new")))]));
  }
  showLog(told);
}

/**
 * What happened: what is new since one's own last choice is marked.
 * @param {Answer.Table} told
 */
function showLog(told) {
  const fresh = told.undo < 0 ? 0 : told.undo;
  const dealt = told.dealt.length ? [make("li", { class: "deal" }, ...told.dealt.map((line) => make("p", {}, line)))] : [];
  const lines = told.log.map((one) => {
    const text = make("button", { type: "button", class: "to", ".disabled": known.room !== null, title: known.room === null && w("look_back"), ".onclick": () => lookBack(one.at + 1) }, one.text ? capitalize(one.text) : "…");
    const entry = make("li", { class: one.at >= fresh ? "fresh" : "" }, make("span", { class: "sign", title: told.names[one.seat - 1] }, choose.getSign(one.seat)),
      make("span", { class: "out" }, `${told.names[one.seat - 1]}: `), text);
    const noting = known.room === null && noteButton(() => ({ ...game, id: `move ${one.at + 1}`, name: { [known.lang]: `${one.at + 1}. ${text.textContent}` },
      saved: async () => (await askTable("save")).text }), text.textContent);
    entry.append(...(noting ? [noting] : []), ...one.then.map((line) => make("p", {}, line)));
    return entry;
  });
  $("log").replaceChildren(...dealt, ...lines);
  $("log").scrollTop = $("log").scrollHeight;
}

const capitalize = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * Tell what happened since the last view, and what is to be done now, to those who don't see it.
 * @param {Answer.Table} told
 * @param {Answer.Table} before
 */
function announce(told, before) {
  const from = before ? before.made : 0;
  const happened = told.log.filter((one) => one.at >= from)
    .map((one) => [one.text && `${told.names[one.seat - 1]}: ${one.text}.`, ...one.then].filter(Boolean).join(" "));
  const now = told.over ? [told.result[0], ...told.reasons, ...told.result.slice(1)].join(". ") : told.choices.length ? `${$("turn").textContent}. ${told.status.join(". ")}. ${w("choices", { n: told.choices.length })}` : "";
  say([...happened, now].join(" "));
}

function say(text) {
  $("news").textContent = text;
}

/**
 * Between two people at one screen nothing is shown but who is next.
 * @param {Answer.Table} told
 */
function drawCurtain(told) {
  $("curtain").hidden = !told.call;
  for (const part of [$("table"), $("bar"), $("panel"), document.querySelector(".rail")]) part.inert = Boolean(told.call);
  if (!told.call) return;
  $("look").close();
  $("close-up").hidden = true;
  $("curtain-sign").textContent = choose.getSign(told.call);
  $("curtain-text").textContent = told.call_text;
  $("curtain-go").textContent = w("i_am", { player: told.names[told.call - 1] });
  $("curtain-go").focus();
}

/** The table as it was after so many moves; nothing can be chosen there. */
async function lookBack(moves) {
  const mine = ++asked;
  try {
    const told = await askView({ eyes: game.eyes, most: 0 }, game.moves.slice(0, moves));
    await learn(faceKeys(told));
    if (mine !== asked) return;
    back = moves;
    const whole = view;
    show({ ...told, choices: [], call: 0, log: whole.log, dealt: whole.dealt, undo: whole.undo }, null, false);
    const slide = make("input", { type: "range", min: "0", max: String(game.moves.length), ".value": moves, "aria-label": w("look_back") });
    slide.addEventListener("change", () => lookBack(Number(slide.value)));
    $("banner").hidden = false;
    $("banner").className = "banner note";
    $("banner").replaceChildren(make("span", {}, w("looking_back", { n: moves, of: game.moves.length })), slide,
      make("button", { type: "button", ".onclick": () => goOn({ news: false }) }, w("to_now")));
  } catch (error) {
    if (mine === asked) fail(error);
  }
}

function again() {
  if (view.room) { tell({ do: "again" }); return; }
  const [run, number] = game.seed.split("/").map(Number);
  start({ ...game, seed: `${run}/${(number || 0) + 1}`, moves: [] });
}

function startAnew() {
  if (document.body.matches(".without-rules") && known.playable) {
    location.reload();
    return;
  }
  begin(name, game);
}

/** Take the place in a room that this page has. */
async function sitDown() {
  await takeSeatAgain();
  start({ players: 0, people: [known.room], bots: "", seed: "" });
}

/** A game as the page for beginning, a file or an earlier visit describes it. */
function start(described) {
  game = { options: [], moves: [], ...described };
  game.eyes = game.people[0] ?? 0;
  known.seated = listSeatNames();
  view = null;
  back = null;
  goOn();
}

const listSeatNames = () => {
  const bots = game.bots.split(",");
  return Array.from({ length: game.players }, (_, at) => game.people.includes(at + 1) ? (game.people.length > 1 ? w("person") : w("you")) : w("bot_called", { bot: botName(bots[at] ?? bots[0]) }));
};

const words = new Map();
async function describePiece(design) {
  if (!words.has(design)) {
    const answer = await ask(["words", name], { of: design }).catch(() => null);
    words.set(design, answer?.words[design]?.[known.lang] ?? "");
  }
  return "";
}

const KEYS = {
  n: () => choose.nextChoice(), p: () => choose.nextChoice(-1),
  m: () => $("moves").querySelector('[tabindex="0"]')?.focus(),
  t: () => $("table").querySelector("[data-stop]")?.focus(),
  u: undo, h: showHint, s: save, f: hurryBots, r: turnRules,
  l: () => { $("story").open = true; $("log").querySelector("li:last-child button")?.focus(); },
  "+": () => resize(1.15), "-": () => resize(1 / 1.15),
  "?": () => $("keys").showModal(),
};

const ALONE = "fhs";     // keys that a room does without

function resize(by) {
  size = Math.max(0.5, Math.min(2.2, size * by));
  prefer({ tableSize: size });
  if (view) scale(true);
}

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !game || view?.call || document.body.matches(".without-rules")) return;
  if (event.target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  if (KEYS[event.key] && (known.room === null || !ALONE.includes(event.key))) {
    event.preventDefault();
    KEYS[event.key]();
  }
}

/** Fill in the page's words in the language that is played in. */
function speak() {
  document.documentElement.lang = known.lang;
  for (const part of document.querySelectorAll("[data-word]")) part.textContent = w(part.dataset.word);
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", w(part.dataset.label));
    if (part.matches("button, a")) part.title = w(part.dataset.label);
  }
  const rows = [["n p", "key_next"], ["Enter", "key_enter"], ["Space", "key_look"], ["← → ↑ ↓", "key_arrows"], ["m", "key_moves"], ["t", "key_table"],
    ["f", "hurry"], ["h", "hint"], ["u", "undo"], ["s", "save"], ["r", "rules"], ["l", "log"], ["+ −", "size"]]
    .filter(([key]) => known.room === null || !ALONE.includes(key));
  $("keys-list").replaceChildren(...rows.flatMap(([keys, word]) =>
    [make("dt", {}, ...keys.split(" ").flatMap((key) => [make("kbd", {}, key), " "])), make("dd", {}, w(word))]));
}

/** Pictures and rules follow the files: faces that are drawn anew are shown anew. */
function listen() {
  const news = new EventSource("events");
  hear(news, "faces", ({ id, faces }) => {
    if (id !== name) return;
    for (const one of faces) {
      const key = `${one.lang}:${one.face}:${one.design}`;
      if (!known.versions.has(key)) continue;
      known.versions.set(key, one.version);
      for (const image of document.querySelectorAll(`img[data-face="${CSS.escape(key)}"]`)) {
        image.src = `${image.getAttribute("src").split("?")[0]}?v=${one.version}`;
      }
    }
  });
  const look = () => { if (game && known.room !== null) goOn(); };
  for (const event of ["room", "hello"]) news.addEventListener(event, look);
  document.addEventListener("visibilitychange", look);      // a phone that slept
  addEventListener("pagehide", () => news.close());
}

async function open(lang = prefs.lang) {
  const read = [lang, ...navigator.languages.map((one) => one.split("-")[0])];
  let setup = await ask(["table", name, "setup"], { lang: read.find(Boolean) ?? "" });
  if (!setup) {
    $("title").textContent = pick("There is no such game.", "このゲームはありません。");
    return null;
  }
  const fits = read.find((one) => setup.languages.includes(one));
  if (fits && fits !== setup.lang) setup = await ask(["table", name, "setup"], { lang: fits });
  Object.assign(known, { game: name, lang: setup.lang, kinds: setup.kinds, words: setup.words, playable: setup.playable, room: setup.room ?? null });
  Object.assign(state, { game: { id: name }, edits: setup.edits });
  document.body.style.setProperty("--game", setup.accent);       // where the style sheet has its own colour for it
  document.documentElement.dataset.game = name;
  document.body.classList.toggle("in-room", known.room !== null);
  $("title").textContent = setup.title;
  document.title = `${setup.title} – ${w("table")}`;
  if (frameElement) parent.document.title = document.title;
  $("home").href = `index.html#${encodeURIComponent(name)}/components`;
  speak();
  offerRules(setup.books);
  setSetup(setup);
  return setup;
}

function wire() {
  choose.wire(move, async (design) => { await describePiece(design); return words.get(design); });
  wireBegin({
    start,
    room: async (described) => {
      await openRoom(name, described);
      await open();
      await sitDown();
    },
    free: () => { game = null; asked += 1; view = null; openFree(name); },
    language: async (lang) => { prefer({ lang }); words.clear(); await open(lang); if (game?.moves && view) goOn({ news: false }); },
    resume: async (saved) => {
      const answer = await ask(["table", name, "resume"], { saved });
      if (!answer) throw new Error(w("no_answer"));
      if (answer.problems) throw new Error(answer.problems.join("\n"));
      return answer;
    },
  });
  $("hurry").addEventListener("click", hurryBots);
  $("areas").addEventListener("click", (event) => {
    const tab = event.target.closest("button.tab");
    if (!tab) return;
    fold(tab.closest(".area"));
    scale();
  });
  $("undo").onclick = undo;
  $("hint").onclick = showHint;
  $("save").onclick = save;
  $("link").onclick = copyLink;
  wireRules();
  if (frameElement) $("home").addEventListener("click", (event) => {
    event.preventDefault();
    parent.dispatchEvent(new Event("home"));   // the workbench is around the table
  });
  $("new").addEventListener("click", startAnew);
  $("smaller").addEventListener("click", () => resize(1 / 1.15));
  $("larger").addEventListener("click", () => resize(1.15));
  $("keys-open").addEventListener("click", () => $("keys").showModal());
  $("keys").addEventListener("click", (event) => { if (event.target === $("keys") || event.target.matches(".close")) $("keys").close(); });
  $("curtain-go").addEventListener("click", () => {
    game.eyes = view.call;
    goOn({ eyes: game.eyes });
    $("table").focus({ preventScroll: true });
  });
  document.addEventListener("keydown", handleKey);
  let wide = 0;
  new ResizeObserver(([{ contentRect }]) => { if (view) scale(contentRect.width !== wide); wide = contentRect.width; }).observe($("table"));
  $("story").open = !narrow.matches;
}

wire();
const setup = await open();
if (setup) {
  listen();
  if (known.room !== null) await sitDown();
  else if (!setup.playable) await openFree(name, setup.problems);
  else {
    const before = restore(name);
    if (visiting) {
      start(readAddress());
      if (before?.moves.length) note(w("visiting"), make("button", { type: "button", ".onclick": () => { settle(); start(before); } }, w("own_game")));
    } else if (before) start(before);
    else begin(name, null);
  }
}

// Another game in the address is another table.
addEventListener("hashchange", () => location.reload());
