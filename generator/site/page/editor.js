// A plain editor for the project's texts: what is wrong stands at its line, and every change is stored and drawn at once.

import * as machine from "./machine.js";
import * as projects from "./projects.js";
import { $, ask, make, path as address, state } from "./state.js";

const REST = 250;   // ms without a key, until a change counts

const files = make("select", { id: "files", "aria-label": "File" });
const text = make("textarea", { id: "text", wrap: "off", spellcheck: "false", autocapitalize: "off", "aria-label": "Text of the file" });
const lines = make("div", { class: "lines", "aria-hidden": "true" });
const wrong = make("ol", { class: "wrong", id: "wrong" });
const kept = make("p", { class: "small", role: "status" });

let open = "";
let alone = true;
let timer = 0;
let problems = [];

export function pane() {
  files.addEventListener("change", () => go(files.value, 1));
  text.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(store, REST);
    number();
  });
  text.addEventListener("scroll", () => { lines.scrollTop = text.scrollTop; });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    store();
  });
  addEventListener("pagehide", () => timer && store());
  const news = new EventSource("events");
  news.addEventListener("game", look);
  news.addEventListener("hello", look);
  return make("div", { class: "editing" }, files, make("div", { class: "edit" }, lines, text), wrong, kept);
}

/** The files of the project that is open now. */
export async function begin(here) {
  ({ alone } = here);
  const paths = await machine.ask("files");
  files.replaceChildren(...paths.map((path) => make("option", { value: path }, path)));
  const first = paths.find((path) => path === `data/${state.game?.id}/components.yaml`) ?? paths[0];
  const next = paths.includes(open) ? open : first;
  open = "";   // of another project
  await go(next, 1);
  look();
}

/** Open a file at a line. */
export async function go(path, line) {
  if (timer) await store();
  if (!path) return;
  if (open !== path) {
    const data = await machine.ask("read", path);
    text.value = new TextDecoder().decode(data);
    open = path;
  }
  files.value = path;
  number();
  const start = text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const end = text.value.indexOf("\n", start);
  if (line > 1) {
    text.focus();
    text.setSelectionRange(start, end < 0 ? text.value.length : end);
  }
  const height = parseFloat(getComputedStyle(text).lineHeight) || 18;
  text.scrollTop = Math.max(0, (line - 6) * height);
}

async function store() {
  clearTimeout(timer);
  timer = 0;
  const [path, data] = [open, new TextEncoder().encode(text.value)];
  performance.mark("pnp-store");
  try {
    const drawn = machine.ask("write", path, data);
    if (alone) await projects.keep(projects.chosen(), path, data);
    await drawn;
    kept.textContent = alone ? "stored in this browser" : "not stored: this project is open in another tab";
  } catch (error) {
    kept.textContent = error.message;
  }
}

/** What is wrong with the games now. */
async function look() {
  const list = await ask("games.json").catch(() => null);
  const told = list ? await Promise.all(list.games.filter((game) => game.problems).map(({ id }) => ask(address("game", id)))) : [];
  problems = told.flatMap((game) => game?.problems ?? []).map((problem) => {
    const [, path = "", row = "1"] = /^(.*?)(?::(\d+))?(?::\d+)?$/.exec(problem.place) ?? [];
    return { ...problem, path, line: Number(row) };
  });
  wrong.replaceChildren(...problems.map((problem) => {
    const to = make("button", { type: "button" }, problem.place || "the game");
    to.addEventListener("click", () => problem.path && go(problem.path, problem.line));
    return make("li", {}, to, ` ${problem.what}${problem.hint ? `; ${problem.hint}` : ""}`);
  }));
  number();
}

/** Numbers beside the lines, marked where something is wrong. */
function number() {
  const here = new Map(problems.filter(({ path }) => path === open).map(({ line, what }) => [line, what]));
  const count = text.value.split("\n").length;
  lines.replaceChildren(...Array.from({ length: count }, (_, at) => {
    const what = here.get(at + 1);
    return make("span", what ? { class: "marked", title: what } : {}, what ? `● ${at + 1}` : String(at + 1));
  }));
  text.setAttribute("aria-invalid", String(here.size > 0));
  lines.scrollTop = text.scrollTop;
}
