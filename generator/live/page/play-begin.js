// Beginning a game: who plays, with which seed and which rules; from a file, or from where one left it.

import { $, languageName, make } from "./state.js";
import { offersRoom } from "./play-room.js";
import { botName, SIGNS, USUAL_BOTS, w } from "./play-pieces.js";

const KEY = "pnp.table.";
let setup = null;
let on = null;
let name = "";
let chosen = { players: 0, seats: [], names: [] };

/** @param {Answer.Setup} now */
export function setSetup(now) {
  setup = now;
}

/** Keep a game in this browser, so that the page can be closed. */
export function keep(of, game) {
  try {
    localStorage.setItem(KEY + of, JSON.stringify(game));
  } catch { /* a browser that keeps nothing, or is full: Save is there */ }
}

export function restore(of) {
  try {
    const game = JSON.parse(localStorage.getItem(KEY + of));
    return Array.isArray(game?.moves) && Array.isArray(game.people) && game.players ? game : null;
  } catch {
    return null;
  }
}

export function begin(of, game) {
  name = of;
  const [fewest, most] = setup.players;
  const players = game?.players ?? Math.max(fewest, Math.min(most, chosen.players || fewest));
  const bots = (game?.bots ?? "greedy").split(",");
  chosen = { players, names: game?.names ?? chosen.names, seats: Array.from({ length: most }, (_, at) =>
    game ? (game.people.includes(at + 1) ? "" : bots[at] ?? bots[0]) : at ? chosen.seats[at] ?? "greedy" : chosen.seats[0] ?? "") };
  $("begin-title").textContent = setup.title;
  $("begin-note").textContent = w("begin_note");
  $("begin-problems").hidden = true;
  $("begin-room").hidden = !offersRoom() || most < 2;
  $("begin-on").hidden = !game || !game.moves.length;
  $("begin-seed").value ||= "1/0";
  $("begin-lang").replaceChildren(...setup.languages.map((lang) => make("option", { value: lang, ".selected": lang === setup.lang }, languageName(lang))));
  $("begin-players").replaceChildren(...Array.from({ length: most - fewest + 1 }, (_, at) => {
    const radio = make("input", { type: "radio", name: "players", value: fewest + at, ".checked": fewest + at === players });
    radio.addEventListener("change", () => { chosen.players = fewest + at; buildSeats(); });
    return make("label", {}, radio, make("span", {}, String(fewest + at)));
  }));
  readSettings();
  buildSeats();
  if (!$("begin").open) $("begin").showModal();
  $("begin-go").focus();
}

function buildSeats() {
  $("begin-seats").replaceChildren(...Array.from({ length: chosen.players }, (_, at) => {
    const others = [...new Set([...setup.bots, ...(chosen.seats[at] ? [chosen.seats[at]] : [])])].filter((bot) => !USUAL_BOTS.includes(bot));
    const makeOption = (bot, text) => make("option", { value: bot, ".selected": bot === chosen.seats[at] }, text);
    const select = make("select", { "aria-label": w("seat", { n: at + 1 }) }, makeOption("", w("person")),
      ...USUAL_BOTS.map((bot) => makeOption(bot, w("bot_called", { bot: botName(bot) }))),
      make("optgroup", { label: w("other_bots") }, ...others.map((bot) => makeOption(bot, bot)), makeOption("*", w("other_bot"))));
    const called = make("input", { size: "12", maxlength: "24", autocomplete: "off", spellcheck: "false", "aria-label": w("name_of", { n: at + 1 }), placeholder: w("seat", { n: at + 1 }), ".value": chosen.names[at] ?? "" });
    called.addEventListener("input", () => { chosen.names[at] = called.value.trim(); });
    const own = make("input", { hidden: true, size: "16", "aria-label": w("other_bot"), placeholder: "search:1000" });
    select.addEventListener("change", () => { own.hidden = select.value !== "*"; chosen.seats[at] = select.value === "*" ? own.value : select.value; if (!own.hidden) own.focus(); });
    own.addEventListener("input", () => { chosen.seats[at] = own.value.trim() || "greedy"; });
    return make("div", { class: "line" }, make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[at % SIGNS.length]), called, select, own);
  }));
}

function readSettings() {
  const names = Object.entries(setup.settings).filter(([, values]) => values.length);
  $("begin-options").hidden = !names.length;
  $("begin-settings").replaceChildren(...names.map(([setting, values]) =>
    make("label", { class: "line" }, make("span", {}, setting.replaceAll("_", " ")), make("select", { "data-setting": setting },
      make("option", { value: "" }, w("as_written")), ...values.map((value) => make("option", { value }, value))))));
}

function describeGame() {
  const people = [], bots = [];
  for (let at = 0; at < chosen.players; at += 1) {
    if (chosen.seats[at]) bots.push(chosen.seats[at]);
    else { people.push(at + 1); bots.push("greedy"); }
  }
  const options = [...$("begin-settings").querySelectorAll("select")].filter((one) => one.value).map((one) => `${one.dataset.setting}=${one.value}`);
  const alike = new Set(bots.filter((_, at) => !people.includes(at + 1)));
  return { players: chosen.players, names: Array.from({ length: chosen.players }, (_, at) => chosen.names[at] ?? ""), people, bots: alike.size <= 1 ? [...alike][0] ?? "greedy" : bots.join(), seed: $("begin-seed").value.trim() || "1/0", options, moves: [] };
}

function showProblems(text) {
  $("begin-problems").hidden = false;
  $("begin-problems").textContent = text;
}

export function wireBegin(does) {
  on = does;
  $("begin-form").addEventListener("submit", (event) => {
    event.preventDefault();
    $("begin").close();
    on.start(describeGame());
  });
  $("begin-any").addEventListener("click", () => { $("begin-seed").value = `${1 + Math.floor(Math.random() * 9999)}/${Math.floor(Math.random() * 100)}`; });
  $("begin-on").addEventListener("click", () => $("begin").close());
  $("begin-free").addEventListener("click", () => { $("begin").close(); on.free(); });
  $("begin-room").addEventListener("click", async () => {
    try {
      await on.room(describeGame());
      $("begin").close();
    } catch (error) {
      showProblems(error.message);
    }
  });
  $("begin-lang").addEventListener("change", async () => { await on.language($("begin-lang").value); begin(name, restore(name)); });
  $("begin-file").addEventListener("change", async () => {
    const [file] = $("begin-file").files;
    $("begin-file").value = "";
    if (!file) return;
    try {
      if (file.size > 300000) throw new Error(w("too_large"));
      const text = await file.text();
      // Written anew it is shorter; what is no JSON goes as it is, to be told what is wrong with it.
      let saved = text;
      try { saved = JSON.stringify(JSON.parse(text)); } catch { saved = text.slice(0, 2000); }
      const answer = await on.resume(saved);
      $("begin").close();
      on.start(answer);
    } catch (error) {
      showProblems(error.message);
    }
  });
}
