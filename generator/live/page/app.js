// Opens games and views, listens to keys and to the server's news.

import * as cards from "./cards.js";
import * as detail from "./detail.js";
import * as faces from "./faces.js";
import { noteHeading } from "./note.js";
import { makeRuler } from "./ruler.js";
import { $, ask, forReader, hear, inWords, make, prefer, prefs, say, state } from "./state.js";
import { offerTable, setTitle } from "./table.js";
import * as views from "./views.js";
import { speak, w } from "./words.js";

const VIEWS = ["components", "sheets", "rulebook", "findings", "figures"];
const ZOOMS = [0.25, 0.35, 0.5, 0.7, 0.85, 1, 1.25, 1.5, 2, 2.5, 3, 4, 6];
const SIDES = ["front", "back", "both"];

let open = "";       // the game that the page is on, shown already or asked for
let due = "";        // what happened that was not asked for yet: to a "game", or to the "list" of games alone
let asking = false;  // whether a question is under way

/** Where the address points. */
function readAddress() {
  const [name = "", view = ""] = location.hash.slice(1).split(/[/&]/).map(decodeStep);
  return { name, view };
}

function decodeStep(step) {
  try {
    return decodeURIComponent(step);
  } catch {
    return "";   // a broken address leads to the first game
  }
}

/**
 * Ask how things are now and show it. One question at a time, so that no answer is older than what is shown; what
 * happens meanwhile is asked for afterwards, all at once, so that a game that keeps changing is shown all the same.
 */
async function update(what = "game") {
  due = due === "game" ? due : what;
  if (asking) return;
  asking = true;
  try {
    while (due) {
      const whole = due === "game";
      due = "";
      await showNow(whole);
    }
  } finally {
    asking = false;
  }
}

/** The list and the game are shown at one stroke, so that they never tell two stories. */
async function showNow(whole) {
  const asked = open;
  const game = whole && asked ? ask(["game", asked]) : null;
  const [list, now] = await Promise.all([ask(["games.json"]), game]).catch(() => [null, null]);
  if (!list || asked !== open) return;
  state.edits = list.edits;
  if (now) describe(now);
  listGames(list.games);
  if (now) showOpened();
  else if (!list.games.some(({ id }) => id === asked)) follow();
}

/** @param {Answer.Listed[]} games */
function listGames(games) {
  state.games = games;
  $("games").replaceChildren(...games.map((game) => {
    const title = forReader(game.title) || game.id;
    const facts = [game.id, game.draft && w("draft", { draft: game.draft })].filter(Boolean).join(" · ");
    const number = game.id === state.game?.id ? state.game.problems.length : game.problems;
    const wrong = number ? make("span", { class: "count" }, String(number),
      make("span", { class: "out" }, w("problems", { n: number }).replace(String(number), ""))) : null;
    return make("li", {}, make("a", { href: `#${encodeURIComponent(game.id)}/${state.view}`,
      "aria-current": game.id === state.game?.id ? "page" : null },
    make("b", {}, title), make("small", {}, facts), wrong));
  }));
}

/** Go where the address says. */
function follow() {
  const { name, view } = readAddress();
  const known = state.games.find((game) => game.id === name) ?? state.games[0];
  state.view = VIEWS.includes(view) ? view : "components";
  if (!known) {
    open = "";
    $("title").textContent = w("no_game");
  } else if (open !== known.id) {
    open = known.id;
    cards.forgetWords();
    state.game = null;
    window.scrollTo(0, 0);
    update();
  } else if (state.game) {
    showOpened();
  }
}

/**
 * Show a game's components and problems as the server describes them now, and tell what became of the problems.
 * @param {Answer.Game} game
 */
function describe(game) {
  const before = state.game?.id === game.id ? state.game.problems.length : 0;
  const { problems } = game;
  state.game = game;
  cards.buildFilters();
  cards.show();
  cards.showProblems();
  if (state.search) cards.readWords();
  if ($("detail").open) detail.lookAgain();
  faces.refresh();
  dispatchEvent(new Event("described"));   // a site has cards elsewhere as well
  if (problems.length) say(`${w("problems", { n: problems.length })}. ${problems[0].place} ${problems[0].what}`);
  else if (before) say(w("mended"));
}

function showOpened() {
  const { game, view } = state;
  $("title").textContent = inWords(game.title) || game.id;
  setTitle(`${$("title").textContent} – ${w("title_end")}`);
  const printed = w("pieces", { n: game.count });
  $("subtitle").textContent = [game.draft && w("draft", { draft: game.draft }), printed].filter(Boolean).join(" · ");
  $("play").href = `play.html#${encodeURIComponent(game.id)}`;
  for (const name of VIEWS) {
    $(name).hidden = name !== view;
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === view));
    tab.tabIndex = name === view ? 0 : -1;
  }
  document.querySelectorAll("[data-for]").forEach((part) => { part.hidden = !part.dataset.for.split(" ").includes(view); });
  $("search").closest("label").hidden = view !== "components";
  document.querySelector(".zoom").hidden = !["components", "sheets"].includes(view);
  document.querySelectorAll("#games a").forEach((link) => {
    const here = link.getAttribute("href").slice(1).split("/")[0] === encodeURIComponent(game.id);
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    link.href = `${link.getAttribute("href").split("/")[0]}/${view}`;
  });
  views.show(view).catch((error) => views.showFailure(view, error));
}

function go(view) {
  if (state.game) location.hash = `${encodeURIComponent(state.game.id)}/${view}`;
}

/** Change how large things are; what the eye is on stays where it is. */
function zoom(to) {
  const anchor = document.elementsFromPoint(innerWidth / 2, innerHeight / 3)
    .map((element) => element.closest(".design, .leaf")).find(Boolean);
  const before = anchor?.getBoundingClientRect().top;
  prefer({ zoom: to });
  faces.scaleFaces();
  if (anchor) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
  say(w("percent", { n: Math.round(to * 100) }));
}

function zoomBy(by) {
  const next = by > 0 ? ZOOMS.find((step) => step > prefs.zoom + 0.01) : ZOOMS.findLast((step) => step < prefs.zoom - 0.01);
  if (next) zoom(next);
}

function switchGuides() {
  prefer({ guides: !prefs.guides });
  $("guides").setAttribute("aria-pressed", String(prefs.guides));
  faces.updateOverlays();
}

function switchSides(value) {
  prefer({ sides: value });
  $("sides").value = value;
  if (state.game) cards.show();
}

function switchLanguage(value) {
  prefer({ lang: value });
  speak();
  if (!state.game) return;
  cards.buildFilters();
  cards.show();
  cards.showProblems();
  listGames(state.games);
  showOpened();
}

function nextLanguage() {
  const options = [...$("lang").options].map((option) => option.value);
  switchLanguage(options[(options.indexOf($("lang").value) + 1) % options.length]);
  say(w("language_is", { lang: $("lang").selectedOptions[0]?.textContent ?? "" }));
}

function search(text) {
  state.search = text;
  if (text) cards.readWords();
  cards.filter();
}

const KEYS = {
  "/": () => { go("components"); $("search").focus(); $("search").select(); },
  g: switchGuides,
  b: () => switchSides(SIDES[(SIDES.indexOf(prefs.sides) + 1) % SIDES.length]),
  l: nextLanguage,
  "+": () => zoomBy(1),
  "=": () => zoomBy(1),
  "-": () => zoomBy(-1),
  0: () => zoom(1),
  "?": () => $("keys").showModal(),
  n: () => (state.view === "rulebook" ? $("rulebook").querySelectorAll("iframe").forEach(noteHeading)
    : document.activeElement.closest(".design")?.querySelector(".note-on")?.click()),
  ...Object.fromEntries(VIEWS.map((view, index) => [String(index + 1), () => go(view)])),
};

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { target, key } = event;
  if (target.matches("input, select, textarea")) {
    if (key === "Escape" && target === $("search")) {
      $("search").value = "";
      search("");
    }
    return;
  }
  if ($("detail").open) {
    if (key === "ArrowLeft" || key === "ArrowRight") detail.step(key === "ArrowLeft" ? -1 : 1);
    return;
  }
  if (document.querySelector("dialog[open]")) return;
  if (target.matches("[role=tab]") && /^Arrow(Left|Right)$/.test(key)) {
    const at = VIEWS.indexOf(target.dataset.view) + (key === "ArrowRight" ? 1 : -1);
    const next = VIEWS[(at + VIEWS.length) % VIEWS.length];
    $(`tab-${next}`).focus();
    go(next);
  } else if (/^(Arrow|Home|End)/.test(key) && target.matches(".look, body, main")) {
    handleArrow(event);
  } else if (KEYS[key]) {
    event.preventDefault();
    KEYS[key]();
  }
}

function handleArrow(event) {
  const item = event.target.closest(".design");
  const next = item ? cards.findTowards(item, event.key) : event.key === "ArrowRight" && cards.listVisible()[0];
  if (!next) return;
  event.preventDefault();
  cards.rove(next);
  cards.findPicture(next).focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

let news = null;

/**
 * The server is there, or another project is open behind it: the game of before is not asked for where it is gone.
 * @param {Answer.Listed[]} games
 */
function greetServer(games) {
  if (!open || games.some(({ id }) => id === open)) {
    update();
  } else {
    listGames(games);
    follow();
  }
}

/** Listen while the page is seen: a browser has few lines to one server, and a hidden page needs none. */
function listen() {
  news?.close();
  news = null;
  if (document.hidden) return;
  news = new EventSource("events");
  news.addEventListener("open", () => live("live"));
  news.addEventListener("error", () => live("lost"));
  hear(news, "hello", ({ games }) => greetServer(games));
  for (const what of ["hello", "game"]) news.addEventListener(what, () => dispatchEvent(new Event("news")));   // the workbench, if there is one, looks too
  hear(news, "games", () => update());
  hear(news, "game", ({ id }) => update(id === open ? "game" : "list"));
  hear(news, "faces", ({ id, faces: drawn }) => id === state.game?.id && faces.takeNews(drawn));
}

function live(kind) {
  $("state").className = `state ${kind}`;
  $("state").dataset.word = kind;
  $("state").textContent = w(kind);
}

function wire() {
  speak();
  faces.scaleFaces();
  makeRuler();
  offerTable();
  const bar = new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${$("top").offsetHeight}px`));
  bar.observe($("top"));
  $("guides").setAttribute("aria-pressed", String(prefs.guides));
  $("sides").value = prefs.sides;
  $("tabs").addEventListener("click", (event) => event.target.dataset.view && go(event.target.dataset.view));
  $("search").addEventListener("input", () => search($("search").value));
  $("search").addEventListener("focus", () => cards.readWords());
  $("lang").addEventListener("change", () => switchLanguage($("lang").value));
  $("sides").addEventListener("change", () => switchSides($("sides").value));
  $("guides").addEventListener("click", switchGuides);
  $("zoom-in").addEventListener("click", () => zoomBy(1));
  $("zoom-out").addEventListener("click", () => zoomBy(-1));
  $("zoom-true").addEventListener("click", () => zoom(1));
  $("open-keys").addEventListener("click", () => $("keys").showModal());
  $("components").addEventListener("click", (event) => {
    const item = event.target.closest(".look")?.closest(".design");
    if (!item) return;
    cards.rove(item);
    detail.look(item);
  });
  $("detail-before").addEventListener("click", () => detail.step(-1));
  $("detail-after").addEventListener("click", () => detail.step(1));
  $("detail").addEventListener("close", () => {
    const item = detail.closeDetail();
    if (item && !item.hidden) {
      cards.rove(item);
      cards.findPicture(item).focus({ preventScroll: true });
    }
  });
  document.querySelectorAll("dialog").forEach((dialog) => dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.matches(".close")) dialog.close();
  }));
  document.addEventListener("keydown", handleKey);
  document.addEventListener("visibilitychange", listen);
  addEventListener("hashchange", follow);
}

wire();
open = readAddress().name;
state.view = VIEWS.find((view) => view === readAddress().view) ?? "components";
await update();
listen();
if (state.edits) await (await import("./edit.js")).begin();
