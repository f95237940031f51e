// The workbench beside the page: files to edit, commands to run, projects to open and keep.

import * as machine from "./machine.js";
import * as editor from "./editor.js";
import * as projects from "./projects.js";
import { $, make, state } from "./state.js";

const RECIPES = [
  ["Print sheets", "sheets"], ["Rulebooks, booklet, quick start", "rulebook"], ["Everything, with a report", "build"],
  ["Checks", "validate"], ["What is in the box", "list"], ["For PlayingCards.io", "export pcio"],
  ["For Tabletop Simulator", "export tts"], ["Tables (CSV)", "export csv"], ["A game between bots", "play"],
];

let about = null;
let here = {};         // whether this tab alone holds the project, and how to open another

const note = make("p", { class: "note", role: "status" });
const log = make("pre", { class: "log", role: "log", tabindex: "0", "aria-label": "What the command says" });
const made = make("ul", { class: "made" });
const line = make("input", { id: "line", spellcheck: "false", autocomplete: "off" });
const recipe = make("select", { id: "recipe" }, ...RECIPES.map(([name, words]) => make("option", { value: words }, name)));
const run = button("Run", () => runLine(), "primary");
const stop = button("Stop", () => start(projects.chosen(), "stopped"));
const which = make("select", { id: "project" });
const rules = make("input", { type: "checkbox", id: "trusted" });
const chosenFile = make("input", { type: "file", accept: ".zip", id: "zip", class: "out" });

function button(name, act, kind = "") {
  const found = make("button", { type: "button", class: kind }, name);
  found.addEventListener("click", act);
  return found;
}

/** A word to the reader, at the foot of the workbench. */
export function tell(text) {
  note.replaceChildren(text);
}

/** A word with something to do about it. */
export function offer(text, act, todo) {
  note.replaceChildren(`${text} `, button(act, todo));
}

/** Bytes as a file of the reader's. */
function save(name, data, type = "application/octet-stream") {
  const link = make("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What is wrong is told, and nothing else happens. */
async function trying(work) {
  try {
    return await work();
  } catch (error) {
    tell(error.message);
    return null;
  }
}

const words = (text) => [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

async function runLine() {
  log.textContent = "";
  made.replaceChildren();
  run.disabled = true;
  tell("at work …");
  const trust = projects.trusted(projects.chosen()) && /^(build|rulebook|validate|play)$/.test(words(line.value)[0]);
  const asked = [...words(line.value), ...(trust ? ["--trust-rules"] : [])];
  const done = await trying(() => machine.command(asked, (text) => { log.append(text); log.scrollTop = log.scrollHeight; }));
  run.disabled = false;
  if (!done) return;
  tell(done.code ? `ended with ${done.code}` : "done");
  if (done.made.length > 1) made.append(make("li", {}, button("All as a zip", () => trying(async () => save("made.zip", await machine.ask("archive", "made"))))));
  made.append(...done.made.map((path) => make("li", {}, button(path.replace(/^output\//, ""),
    () => trying(async () => save(path.split("/").pop(), await machine.ask("read", path)))))));
}

function fill() {
  line.value = [recipe.value, state.game?.id].filter(Boolean).join(" ");
}

async function start(name, why) {
  projects.choose(name);
  here.alone = await projects.hold(name);
  const opened = await trying(() => here.open(name));
  run.disabled = false;
  await showProjects();
  if (!opened) return;
  await editor.begin(here);
  tell(here.alone ? why : "this project is open in another tab, which stores its changes; what is changed here is lost unless it is saved as a zip");
}

async function showProjects() {
  const all = await projects.names().catch(() => []);
  which.replaceChildren(make("option", { value: projects.OWN }, "The games of this site"),
    ...all.map((name) => make("option", { value: name }, name)));
  which.value = projects.chosen();
  rules.checked = projects.trusted(projects.chosen());
}

async function openZip() {
  const [file] = chosenFile.files;
  if (!file) return;
  await trying(async () => {
    const contents = await machine.ask("unpack", new Uint8Array(await file.arrayBuffer()));
    const name = file.name.replace(/\.zip$/i, "") || "project";
    await projects.add(name, contents);
    await start(name, `${contents.length} files opened from ${file.name}`);
  });
  chosenFile.value = "";
}

function forget() {
  const name = projects.chosen();
  const what = name === projects.OWN ? "every change to this site's games" : `the project ${name}`;
  if (!confirm(`Forget ${what}? It is stored in this browser alone.`)) return;
  trying(async () => {
    await projects.forget(name);
    await start(projects.OWN, `${what} was forgotten`);
  });
}

const saveZip = () => trying(async () => save(`${projects.chosen() || "games"}.zip`, await machine.ask("archive", "project"), "application/zip"));

function panes() {
  const lacks = about?.lacks.length ? `Not to be had here: ${about.lacks.join(", ")}, and what needs them (docs/browser.md).` : "";
  return {
    Files: editor.pane(),
    Make: make("div", {}, make("label", {}, "What ", recipe), make("label", { class: "line" }, make("span", {}, "pnp"), line),
      make("p", { class: "buttons" }, run, stop), log, made),
    Project: make("div", {}, make("label", {}, "Project ", which),
      make("p", { class: "buttons" }, make("label", { class: "file" }, chosenFile, make("span", {}, "Open a zip…")), button("Save as a zip", saveZip), button("Forget", forget)),
      make("label", {}, rules, " Run the rules that this project brings: a program of its author's. It runs in this page's Python, and can reach what this site stores in this browser."),
      make("p", { class: "small" }, "Everything stays in this browser: nothing is sent anywhere. A browser may clear its storage; a zip is yours."),
      make("p", { class: "small" }, lacks)),
  };
}

function wire() {
  const parts = panes();
  const tabs = Object.keys(parts).map((name) => button(name, () => show(name)));
  const box = make("aside", { id: "bench", class: "bench", "aria-label": "Workbench", ".hidden": true },
    make("div", { class: "bench-tabs", role: "group", "aria-label": "Workbench" }, ...tabs, button("×", () => show(""))),
    ...Object.values(parts), note);
  document.body.append(box);
  $("open-keys").before(...Object.keys(parts).map((name) => button(`${name}…`, () => show(name))));
  function show(name) {
    box.hidden = !name;
    document.body.classList.toggle("benched", Boolean(name));
    Object.entries(parts).forEach(([one, part], at) => {
      part.hidden = one !== name;
      tabs[at].setAttribute("aria-pressed", String(one === name));
    });
    if (name === "Make" && !line.value) fill();
  }
  recipe.addEventListener("change", fill);
  line.addEventListener("keydown", ({ key }) => key === "Enter" && !run.disabled && runLine());
  which.addEventListener("change", () => start(which.value, "opened"));
  rules.addEventListener("change", () => {
    projects.trust(projects.chosen(), rules.checked);
    start(projects.chosen(), rules.checked ? "rules of this project run until this tab is closed" : "rules of this project do not run");
  });
  chosenFile.addEventListener("change", openZip);
  document.addEventListener("click", ({ target }) => {
    const place = target.closest("#problem-list code, #detail-fields dd")?.textContent ?? "";
    const [, path, row] = /^((?:data|templates)\/[^:]+):(\d+)/.exec(place) ?? [];
    if (!path) return;
    $("detail").close();
    show("Files");
    editor.go(path, Number(row));
  });
}

export async function begin(site, now) {
  [about, here] = [site, now];
  wire();
  await showProjects();
  await editor.begin(here);
  if (!here.alone) tell("this project is open in another tab, which stores its changes; what is changed here is lost unless it is saved as a zip");
}

/** A project that can't be opened at all: others still can. */
export async function rescue(error, now) {
  if (projects.chosen() === projects.OWN) return;
  document.querySelector(".starting").append(button("Open the games of this site instead", () => {
    projects.choose(projects.OWN);
    location.reload();
  }));
  here = now;
}
