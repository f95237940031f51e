// The editor for the project's texts: what is wrong stands at its line, and every change is stored and drawn at once.

import * as machine from "./machine.js";
import { ask, make, path as address, state } from "./state.js";

const REST = 250;   // ms without a key, until a change counts

const files = make("select", { id: "files", "aria-label": "File" });
const wrong = make("ol", { class: "wrong", id: "wrong" });
const kept = make("p", { class: "small", role: "status" });
const box = make("div", { class: "editing" });

let shown = null;    // the field: plain.js or codemirror.js
let open = "";
let keep = null;     // how a changed file is stored; a promise of what there is to say of it
let timer = 0;
let problems = [];

/** The editor, with CodeMirror where this site has it; a Promise. */
export async function pane({ parts }) {
  const scripts = Object.keys(parts.editor).length ? "./codemirror.js" : "./plain.js";
  const { field } = await import(scripts);
  shown = field({
    changed: () => {
      clearTimeout(timer);
      timer = setTimeout(store, REST);
    },
    store,
    offers: (path, text, at) => machine.ask("offers", path, text, at, navigator.languages),
    hint: (path, text, at) => machine.ask("hint", path, text, at, navigator.languages),
    picture: (key) => document.querySelector(`.face[data-key$="${CSS.escape(key.slice(key.indexOf(":")))}"] img.picture`)?.src,   // in the language on show
  });
  files.addEventListener("change", () => go(files.value, 1));
  addEventListener("pagehide", () => timer && store());
  const news = new EventSource("events");
  news.addEventListener("game", look);
  news.addEventListener("hello", look);
  box.append(files, shown.box, wrong, kept);
  return box;
}

/** The files of the project that is open now. */
export async function begin(here) {
  box.inert = false;
  ({ keep } = here);
  const paths = await list();
  const components = paths.filter((path) => /^data\/[^/]+\/components\.yaml$/.test(path));
  const first = components.find((path) => path.split("/")[1] === state.game?.id) ?? components[0] ?? paths[0];   // the page may still be on another project's game
  const next = paths.includes(open) ? open : first;
  clearTimeout(timer);
  timer = 0;
  open = "";   // of another project
  shown.forget();
  await go(next, 1);
  look();
}

async function list() {
  const paths = await machine.ask("files");
  files.replaceChildren(...paths.map((path) => make("option", { value: path }, path)));
  return paths;
}

/** Nothing that is typed waits any more: it is stored, or it was told why not. */
export const settled = async () => { if (timer) await store(); };

/** Nothing can be typed until a project begins. */
export const rest = () => { box.inert = true; };

/** The path of the file in which something was typed that waits to be stored. */
export const typing = () => (timer ? open : "");

/** Show files again that are others now than what was read. */
export async function changedOutside(paths) {
  const all = await list();
  const shut = !all.includes(open);
  files.value = open;
  if (shut || (paths.includes(open) && !timer)) await go(shut ? all[0] : open, 1, true);
}

/** Open a file at a line; `anew`: read it again even where it is open. */
export async function go(path, line, anew = false) {
  if (timer && !anew) await store();
  if (!path) return;
  if (open !== path || anew) {
    const data = await machine.ask("read", path);
    if (timer && !anew) await store();   // what was typed meanwhile
    open = path;
    shown.open(path, new TextDecoder().decode(data));
  }
  files.value = path;
  mark();
  shown.go(line);
}

async function store() {
  clearTimeout(timer);
  timer = 0;
  if (!open) return;   // of a project that is being opened
  const [path, data] = [open, new TextEncoder().encode(shown.text())];
  performance.mark("pnp-store");
  machine.ask("write", path, data).catch((error) => { kept.textContent = error.message; });   // it may wait for a command that runs
  try {
    kept.textContent = await keep(path, data);
  } catch (error) {
    kept.textContent = error.message;
  }
}

/** What is wrong with the games now. */
async function look() {
  const list = await ask("games.json").catch(() => null);
  const told = list ? await Promise.all(list.games.filter((game) => game.problems).map(({ id }) => ask(address("game", id)))) : [];
  problems = told.flatMap((game) => game?.problems ?? []).map((problem) => {
    const [, path = "", row = "1", column = "0"] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(problem.place) ?? [];
    return { ...problem, path, line: Number(row), column: Number(column) };
  });
  wrong.replaceChildren(...problems.map((problem) => {
    const to = make("button", { type: "button" }, problem.place || "the game");
    to.addEventListener("click", () => problem.path && go(problem.path, problem.line));
    return make("li", {}, to, ` ${problem.what}${problem.hint ? `; ${problem.hint}` : ""}`);
  }));
  mark();
}

const mark = () => shown.mark(problems.filter(({ path }) => path === open));
