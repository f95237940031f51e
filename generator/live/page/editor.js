// The editor for the project's files: what is wrong stands at its line, and every change is stored and drawn at once.

import * as files from "./files.js";
import * as machine from "./machine.js";
import { makeGrid } from "./grid.js";
import { makeWordButton } from "./notes.js";
import { ask, make, state } from "./state.js";
import { pageLanguage, w } from "./words.js";

const REST = 250;   // ms without a key, until a change counts
const LOOK = 150;   // ms that the cursor stays on a line, until its card shows

const wrong = make("ol", { class: "wrong", id: "wrong" });
const kept = make("p", { class: "small", role: "status" });
const picture = make("div", { class: "picture-pane", ".hidden": true });
const other = makeWordButton("as_text", () => { asText = !asText; go(open, 1, true); });   // a table, the other way
const box = make("div", { class: "editing" });

let shown = null;    // the field: plain.js or codemirror.js
let cells = null;    // grid.js
let open = "";
let keep = null;     // how a changed file is stored; a promise of what there is to say of it
let timer = 0;
let looking = 0;
let asText = false;
let problems = [];
let typed = false;   // whether the open file is in the field

/** The editor, with CodeMirror where this site has it; a Promise. */
export async function makePane({ parts, takes }) {
  const { makeField } = await (Object.keys(parts.editor).length ? import("./codemirror.js") : import("./plain.js"));
  shown = makeField({
    changed: () => {
      clearTimeout(timer);
      timer = setTimeout(store, REST);
    },
    store,
    moved: (line) => {
      clearTimeout(looking);
      looking = setTimeout(() => lookAt(designAt(line)), LOOK);
    },
    offers: (path, text, at) => machine.ask("offers", path, text, at, [pageLanguage()]),
    hint: (path, text, at) => machine.ask("hint", path, text, at, [pageLanguage()]),
    picture: (key) => document.querySelector(`.face[data-key$="${CSS.escape(key.slice(key.indexOf(":")))}"] img.picture`)?.src,   // in the language on show
  });
  cells = makeGrid({ keep: (path, data) => keep(path, data), told: (said) => { kept.textContent = said; }, look: lookAt });
  files.begin({ go, keep: (path, data) => keep(path, data), takes, changed: reloadFiles });
  files.actions.append(other);
  files.takeDrops(box);
  addEventListener("described", () => cells.refresh());
  addEventListener("pagehide", () => timer && store());
  addEventListener("beforeunload", (event) => {   // a cell takes Python, which ends with the page
    if (!cells.busy()) return;
    cells.settled();
    event.preventDefault();
  });
  addEventListener("news", look);
  box.append(files.box, shown.box, cells.box, picture, wrong, kept);
  return box;
}

/** The files of the project that is open now. */
export async function begin(here) {
  box.inert = false;
  holdCells(false);
  ({ keep } = here);
  const paths = await machine.ask("files");
  const components = paths.filter((path) => /^data\/[^/]+\/components\.yaml$/.test(path));
  const first = components.find((path) => path.split("/")[1] === state.game?.id) ?? components[0] ?? paths.find((path) => files.TEXT.test(path));   // the page may still be on another project's game
  const next = paths.includes(open) ? open : first;
  clearTimeout(timer);
  timer = 0;
  open = "";   // of another project
  shown.forget();
  await go(next, 1);
  files.show(paths, open);
  look();
}

/** Nothing that is typed waits any more: it is stored, or it was told why not. */
export const finishTyping = async () => {
  if (timer) await store();
  await cells.settled();
};

/** No cell can be changed while a command runs: it would wait for it, and end with it. */
export const holdCells = (yes) => { cells.box.inert = yes; };

/** Nothing can be typed until a project begins. */
export const disable = () => { box.inert = true; };

/** The path of the file that is open. */
export const getOpenPath = () => open;

/** The path of the file in which something was typed that waits to be stored. */
export const getTypedPath = () => (timer || cells.busy() ? open : "");

/** Show files again that are others now than what was read. */
export async function reloadFiles(paths) {
  const all = await machine.ask("files");
  const shut = !all.includes(open);
  if (shut || (paths.includes(open) && !timer)) {
    const held = document.activeElement;
    box.inert = true;   // what would be typed meanwhile belongs to a text that goes
    await go(shut ? all.find((path) => files.TEXT.test(path)) : open, 1, true).finally(() => { box.inert = false; });
    if (box.contains(held)) held.focus();
  }
  files.show(all, open);
}

/** Open a file at a line; `anew`: read it again even where it is open. */
export async function go(path, line, anew = false) {
  if (timer && !anew) await store();
  if (!path) return;
  if (open !== path || anew) {
    const data = await machine.ask("read", path);
    if (timer && !anew) await store();   // what was typed meanwhile
    if (open && open !== path) asText = false;
    open = path;
    const asCells = files.TABLE.test(path) && !asText && await cells.open(path).then(() => true, (error) => { kept.textContent = error.message; });
    if (open !== path) return;   // another was opened meanwhile
    typed = files.TEXT.test(path) && !asCells;
    if (typed) shown.open(path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(data));
    else if (!asCells) picture.replaceChildren(files.PICTURE.test(path) ? files.showPicture(path, data) : make("p", { class: "small" }, w("not_shown", { n: data.length.toLocaleString() })));
    shown.box.hidden = !typed;
    cells.box.hidden = !asCells;
    picture.hidden = typed || Boolean(asCells);
    other.hidden = !files.TABLE.test(path);
    other.dataset.word = typed ? "as_cells" : "as_text";
    other.textContent = w(other.dataset.word);
    files.show(await machine.ask("files"), open);
    if (open !== path) return;
  }
  mark();
  (typed ? shown : cells).go(line);
}

async function store() {
  clearTimeout(timer);
  timer = 0;
  if (!open || !typed) return;   // of a project that is being opened
  const [path, data] = [open, new TextEncoder().encode(shown.text())];
  performance.mark("pnp-store");
  machine.ask("write", path, data).catch((error) => { kept.textContent = error.message; });   // it may wait for a command that runs
  try {
    kept.textContent = await keep(path, data);
  } catch (error) {
    kept.textContent = error.message;
  }
}

const listDesigns = () => (state.game?.kinds ?? []).flatMap((kind) => kind.designs);

/** The design that a line of the open file belongs to: the last that begins above it, where nothing else has begun. */
function designAt(line) {
  const lines = shown.text().split("\n");
  const measureIndent = (at) => lines[at - 1]?.search(/\S/) ?? -1;
  const findLine = ({ place }) => (place.startsWith(`${open}:`) ? Number(place.slice(open.length + 1).split(":")[0]) : 0);
  const above = listDesigns().filter((one) => findLine(one) && findLine(one) <= line);
  if (!above.length) return "";
  const last = above.reduce((best, one) => (findLine(one) > findLine(best) ? one : best));
  const start = findLine(last);
  for (let at = start + 1; at <= line; at += 1) if (measureIndent(at) >= 0 && measureIndent(at) <= measureIndent(start)) return "";
  return last.id;
}

/** Bring a card into sight, with a ring around it. `asked`: even where the page shows something else. */
function lookAt(id, asked = false) {
  for (const one of document.querySelectorAll(".design.here")) one.classList.remove("here");
  const item = id && document.querySelector(`.design[data-design="${CSS.escape(id)}"]`);
  if (!item) return;
  item.classList.add("here");
  if (asked && item.closest(".view").hidden) document.querySelector("#tab-components").click();
  item.scrollIntoView({ block: "nearest" });
}

/** Open the line of a design. */
export async function goToDesign(id) {
  const [, path, line] = /^(.*?):(\d+)/.exec(listDesigns().find((one) => one.id === id)?.place ?? "") ?? [];
  if (!path || !(await machine.ask("files")).includes(path)) return;
  await go(path, Number(line));
  lookAt(id);
}

/** What is wrong with the games now. */
async function look() {
  const list = await ask(["games.json"]).catch(() => null);
  const told = list ? await Promise.all(list.games.filter((game) => game.problems).map(({ id }) => ask(["game", id]))) : [];
  problems = told.flatMap((game) => game?.problems ?? []).map((problem) => {
    const [, path = "", row = "1", column = "0"] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(problem.place) ?? [];
    return { ...problem, path, line: Number(row), column: Number(column) };
  });
  wrong.replaceChildren(...problems.map((problem) => {
    const to = make("button", { type: "button" }, problem.place || w("the_game"));
    to.addEventListener("click", () => problem.path && go(problem.path, problem.line));
    return make("li", {}, to, ` ${problem.what}${problem.hint ? `; ${problem.hint}` : ""}`);
  }));
  mark();
}

/** What is wrong with the open file, where it stands. */
function mark() {
  const mine = problems.filter(({ path }) => path === open);
  if (typed) shown.mark(mine);
  else cells.mark(mine);
}
