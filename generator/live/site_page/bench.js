// The workbench beside the page: files to edit, commands to run, projects to open and keep.

import * as machine from "./machine.js";
import * as editor from "./editor.js";
import * as folders from "./folder.js";
import * as link from "./link.js";
import * as projects from "./projects.js";
import * as synced from "./synced.js";
import { button, offer, shownBy, tell, trying, withdrawAll } from "./notes.js";
import { bench } from "./panes.js";
import { files } from "./tar.js";
import { make, state } from "./state.js";

const RECIPES = [
  ["Print sheets", "sheets"], ["Rulebooks, booklet, quick start", "rulebook"], ["Everything, with a report", "build"],
  ["Checks", "validate"], ["What is in the box", "list"], ["For PlayingCards.io", "export pcio"],
  ["For Tabletop Simulator", "export tts"], ["Tables (CSV)", "export csv"], ["A game between bots", "play"],
];

let about = null;
let here = {};         // whether this tab alone holds the project, how to open another, and how a file is kept

const log = make("pre", { class: "log", role: "log", tabindex: "0", "aria-label": "What the command says" });
const made = make("ul", { class: "made" });
const line = make("input", { id: "line", spellcheck: "false", autocomplete: "off" });
const recipe = make("select", { id: "recipe" }, ...RECIPES.map(([name, words]) => make("option", { value: words }, name)));
const run = button("Run", () => runLine(), "primary");
const stop = button("Stop", () => open(projects.chosen(), "stopped"));
const which = make("select", { id: "project" });
const rules = make("input", { type: "checkbox", id: "trusted" });
const starter = make("select", { id: "starter" });
const spoken = make("select", { id: "spoken" }, ...projects.LANGUAGES.map(([name, value]) => make("option", { value }, name)));
const wished = make("input", { id: "called", spellcheck: "false", autocomplete: "off", placeholder: "my-game" });
const chosenFile = make("input", { type: "file", accept: ".zip", id: "zip", class: "out" });
const address = make("input", { id: "link", readonly: true, "aria-label": "Link to the project", ".hidden": true });

/** Bytes as a file of the reader's. */
function save(name, data, type = "application/octet-stream") {
  const link = make("a", { href: URL.createObjectURL(new Blob([data], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const words = (text) => [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

async function runLine() {
  log.textContent = "";
  made.replaceChildren();
  run.disabled = true;
  editor.holdCells(true);
  await editor.settled();   // what was typed a moment ago is made too
  tell("at work …");
  const trust = projects.trusted(projects.chosen()) && /^(build|rulebook|validate|play)$/.test(words(line.value)[0]);
  const asked = [...words(line.value), ...(trust ? ["--trust-rules"] : [])];
  const done = await trying(() => machine.command(asked, (text) => { log.append(text); log.scrollTop = log.scrollHeight; }));
  run.disabled = false;
  editor.holdCells(false);
  if (!done) return;
  tell(done.code ? `ended with ${done.code}` : "done");
  if (done.made.length > 1) made.append(make("li", {}, button("All as a zip", () => trying(async () => save("made.zip", await machine.ask("archive", "made"))))));
  made.append(...done.made.map((path) => make("li", {}, button(path.replace(/^output\//, ""),
    () => trying(async () => save(path.split("/").pop(), await machine.ask("read", path)))))));
}

function fill() {
  line.value = [recipe.value, state.game?.id].filter(Boolean).join(" ");
}

/** Open another project, or this one anew; where it can't be opened, the one that was open stays. */
async function open(name, why) {
  if (name !== projects.chosen() && projects.unstored()) {
    which.value = projects.chosen();
    offer("leave", `${projects.unstored()} changed files of this project are not stored anywhere.`, {
      "Save as a zip": saveZip,
      "Go on without them": () => { projects.giveUp(); open(name, why); },
    });
    return;
  }
  const before = projects.chosen();
  try {
    await projects.about(name);
  } catch (error) {   // nothing of what is open is given up for it
    which.value = before;
    tell(error.message);
    return;
  }
  synced.end();
  await editor.settled();
  editor.rest();
  withdrawAll();
  let said = why;
  try {
    await turnTo(name);
  } catch (error) {
    said = name === before ? error.message : `${name || "what you changed of this site's games"} was not opened: ${error.message}`;
    if (name !== before) await trying(() => turnTo(before));
  }
  run.disabled = false;
  await showProjects();
  tell(said);
}

async function turnTo(name) {
  const alone = await projects.hold(name);
  await here.open(name);
  projects.choose(name);
  here.alone = alone;
  await shown();
}

/** The project that has just been opened, in the editor and beside its folder. */
async function shown() {
  const name = projects.chosen();
  address.hidden = true;
  await editor.begin({ keep });
  await synced.begin(name, about.takes, here.alone, editor);
  if (here.alone) return;
  offer("alone", "This project is open in another tab, which stores its changes. What is changed here is not stored.",
    { "Keep what is here as another project": () => trying(keepCopy) });
}

machine.keepNotesWith(async (path, data) => {
  tell(await keep(path, data));
  await editor.changedOutside([path]);
});

/** Store a changed file; what there is to say of it. */
async function keep(path, data) {
  if (!here.alone) {
    projects.remember(path, data);
    return "not stored: this project is open in another tab";
  }
  await projects.keep(projects.chosen(), path, data);
  return synced.keep(path);
}

/** Every file of the project at work, as it is now. */
async function whole() {
  await editor.settled();
  return machine.ask("unpack", await machine.ask("archive", "project"));
}

async function keepCopy() {
  const name = await projects.create(projects.chosen() || "games", await whole());
  projects.giveUp();
  await open(name, `kept as ${name}`);
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
    if (file.size > about.takes.bytes) throw new Error(`${file.name} has more than ${about.takes.bytes / 2 ** 20} MiB; remove files that the project does not need`);
    const contents = await machine.ask("unpack", new Uint8Array(await file.arrayBuffer()));
    const name = await projects.create(file.name.replace(/\.zip$/i, "") || "project", contents);
    await open(name, `${contents.length} files opened from ${file.name}, as the project ${name}`);
  });
  chosenFile.value = "";
}

/** A project of the reader's own, from one of the program's starters. */
async function beginNew() {
  const called = wished.value.trim();
  await trying(async () => {
    if ((await projects.names()).includes(called)) throw new Error(`there is a project ${called} already; choose another name, or forget that one`);
    const contents = await machine.ask("begun", called, starter.value, spoken.value.split(" "));
    const name = await projects.create(called, contents, { from: starter.value, called, spoken: spoken.value });
    await open(name, `${contents.length} files of the starter ${starter.value}`);
  });
}

/** The project of a folder: the one that is there already, else a new one. */
async function openFolder() {
  await trying(async () => {
    const folder = await folders.picked();
    if (!folder) return;
    const { name, count } = await projects.ofFolder(folder, about.takes);
    await open(name, count ? `${count} files opened from the folder ${folder.name}; changes go there` : `opened from the folder ${folder.name}`);
  });
}

/** Write the whole project into an empty folder, where it lives from now on. */
async function saveFolder() {
  await trying(async () => {
    const folder = await folders.picked();
    if (!folder) return;
    if ((await folders.listed(folder, about.takes)).size) throw new Error(`the folder ${folder.name} holds a project already; choose an empty one, or open that`);
    const contents = [];
    for (const [path, data] of await whole()) contents.push([path, data, await folders.write(folder, path, data)]);
    let name = projects.chosen();
    if (name === projects.OWN || !here.alone) name = await projects.create(folder.name, contents, { folder });
    else {
      await projects.agree(name, contents);
      await projects.settle(name, folder);
    }
    projects.giveUp();
    await open(name, `${contents.length} files saved in the folder ${folder.name}; changes go there`);
  });
}

/** The files that a project began with, by their paths; nothing where that is not known. */
async function beginnings({ from, called, spoken }) {
  if (from === "site") return files(new Uint8Array(await (await fetch("games.tar")).arrayBuffer()));
  if (!from) return [];
  if (!Object.hasOwn(await machine.ask("starters"), from)) throw new Error(`the link was not opened: this site has no starter ${from}`);
  return machine.ask("begun", called, from, spoken.split(" ").filter(Boolean));
}

/** A link to the project: what was changed of what it began with, else all of it. */
async function showLink() {
  await trying(async () => {
    const name = projects.chosen();
    const { from = name === projects.OWN ? "site" : "", called = "", spoken = "" } = await projects.about(name);
    const before = new Map(await beginnings({ from, called, spoken }));
    const all = new Map(await whole());
    const based = [...before.keys()].every((path) => all.has(path));
    const changes = new Map([...all].filter(([path, data]) => !based || !folders.same(before.get(path), data)));
    if (!changes.size) throw new Error("nothing of this project was changed, so that a link would hold nothing");
    const said = { project: name || "games", program: about.program, ...(based && from ? { from, called, spoken } : {}) };
    address.value = await link.written(said, await machine.ask("pack", changes));
    address.hidden = false;
    address.select();
    const copied = await navigator.clipboard?.writeText(address.value).then(() => ", which was copied", () => "") ?? "";
    tell(`${changes.size} files in a link of ${(address.value.length / 1024).toFixed(1)} kB${copied}. All of them are in it, and nowhere else; who opens it gets a project of their own.`);
  });
}

/** The project of the link by which the page was opened, if the reader wants it. */
async function askLink() {
  await trying(async () => {
    const { name, from, called, spoken, program, archive } = await link.read();
    const changes = await machine.ask("unpack", archive, Boolean(from));
    const older = program === about.program ? "" : ` It was made with version ${program || "?"} of the program; this is ${about.program}.`;
    offer("link", `The link holds a project, ${name}: ${changes.length} files. Open it as a new project? Nothing of yours is changed.${older}`, {
      "Open it": () => trying(async () => {
        const made = await projects.create(name, new Map([...await beginnings({ from, called, spoken }), ...changes]), from ? { from, called, spoken } : {});
        await open(made, `opened from a link, as the project ${made}`);
      }),
      "No": () => {},
    });
  });
}

async function showStarters() {
  const all = Object.entries(await machine.ask("starters"));
  starter.replaceChildren(...all.map(([name, shows]) => make("option", { value: name }, shows ? `${name}: ${shows}` : name)));
}

function forget() {
  const name = projects.chosen();
  if (!here.alone) {
    tell("this project is open in another tab; close that first");
    return;
  }
  const what = name === projects.OWN ? "every change to this site's games" : `the project ${name}`;
  if (!confirm(`Forget ${what}? Files in a folder stay; what is stored in this browser alone is lost.`)) return;
  trying(async () => {
    synced.end();
    await projects.forget(name);
    await open(projects.OWN, `${what} was forgotten`);
  });
}

/** Change numbers of a template as the page orders, and store the file. */
async function change(order) {
  await editor.settled();
  const answer = await machine.ask("order", "edit", order);
  if (answer.problems) return answer;
  tell(await keep(order.file, await machine.ask("read", order.file)));
  await editor.changedOutside([order.file]);
  return answer;
}

const saveZip = () => trying(async () => {
  await editor.settled();
  save(`${projects.chosen() || "games"}.zip`, await machine.ask("archive", "project"), "application/zip");
});

async function panes() {
  const lacks = about?.lacks.length ? `Not to be had here: ${about.lacks.join(", ")}, and what needs them (docs/browser.md).` : "";
  return {
    Files: await editor.pane(about),
    Make: make("div", {}, make("label", {}, "What", recipe), make("label", { class: "line" }, make("span", {}, "pnp"), line),
      make("p", { class: "buttons" }, run, stop), log, made),
    Project: make("div", {}, make("label", {}, "Project", which),
      make("p", { class: "buttons" }, make("label", { class: "file" }, chosenFile, make("span", {}, "Open a zip…")), button("Save as a zip", saveZip),
        ...(folders.offered ? [button("Open a folder…", openFolder), button("Save to a folder…", saveFolder)] : []), button("Link", showLink), button("Forget", forget)), address,
      make("div", { class: "new" }, make("label", {}, "New, called", wished), make("label", {}, "from", starter), make("label", {}, "in", spoken),
        make("p", { class: "buttons" }, button("Begin", beginNew))),
      make("label", { class: "new" }, rules, make("span", {}, "Run the rules that this project brings: a program of its author's. It runs in this page's Python, and can reach what this site stores in this browser.")),
      make("p", { class: "small" }, "Everything stays in this browser: nothing is sent anywhere. A browser may clear its storage; a zip is yours."),
      make("p", { class: "small" }, lacks)),
  };
}

async function wire() {
  const parts = await panes();
  const { show, box } = bench(parts, (name) => name === "Make" && !line.value && fill());
  spoken.value = projects.LANGUAGES.map(([, value]) => value).find((value) => value === navigator.language.split("-")[0]) ?? "ja en";
  shownBy(() => box.hidden && show("Project"));
  recipe.addEventListener("change", fill);
  line.addEventListener("keydown", ({ key }) => key === "Enter" && !run.disabled && runLine());
  which.addEventListener("change", () => open(which.value, "opened"));
  rules.addEventListener("change", () => {
    projects.trust(projects.chosen(), rules.checked);
    open(projects.chosen(), rules.checked ? "rules of this project run until this tab is closed" : "rules of this project do not run");
  });
  chosenFile.addEventListener("change", openZip);
}

/** The workbench of the site, with the project that is open: `now` says whether this tab alone holds it, and how to open another. */
export async function begin(site, now) {
  [about, here] = [site, now];
  state.write = change;
  await wire();
  await showProjects();
  await showStarters();
  await shown();
  addEventListener("beforeunload", (event) => projects.unstored() && event.preventDefault());
  addEventListener("linked", askLink);
  if (link.there()) await askLink();
}
