// The workbench beside the page: files to edit, commands to run, projects to open and keep.

import * as machine from "./machine.js";
import * as editor from "./editor.js";
import * as folders from "./folder.js";
import * as link from "./link.js";
import * as projects from "./projects.js";
import * as synced from "./synced.js";
import { makeButton, offer, setShow, tell, tryWork, withdrawAll, makeWordButton } from "./notes.js";
import { buildBench } from "./panes.js";
import { closeTable } from "./table.js";
import { iterateFiles } from "./tar.js";
import { make, saveFile, state } from "./state.js";
import { pageLanguage, speak, w } from "./words.js";

const RECIPES = [
  ["make_sheets", "sheets"], ["make_books", "rulebook"], ["make_all", "build"], ["make_checks", "validate"], ["make_list", "list"],
  ["make_pcio", "export pcio"], ["make_tts", "export tts"], ["make_csv", "export csv"], ["make_play", "play"],
];

let about = null;
let here = {};         // whether this tab alone holds the project, how to open another, and how a file is kept

const log = make("pre", { class: "log", role: "log", tabindex: "0", "data-label": "make_output" });
const made = make("ul", { class: "made" });
const line = make("input", { id: "line", spellcheck: "false", autocomplete: "off" });
const recipe = make("select", { id: "recipe" }, ...RECIPES.map(([name, words]) => make("option", { value: words, "data-word": name })));
const run = makeWordButton("run", () => runLine(), "primary");
const stop = makeWordButton("stop", () => open(projects.getChosen(), w("stopped")));
const which = make("select", { id: "project" });
const rules = make("input", { type: "checkbox", id: "trusted" });
const starter = make("select", { id: "starter" });
const spokenIn = make("select", { id: "spoken" }, ...projects.LANGUAGES.map(([name, value]) => make("option", { value }, name)));
const wished = make("input", { id: "called", spellcheck: "false", autocomplete: "off", placeholder: "my-game" });
const chosenFile = make("input", { type: "file", accept: ".zip", id: "zip", class: "out" });
const address = make("input", { id: "link", readonly: true, "data-label": "link_to", ".hidden": true });

const save = (name, data, type = "application/octet-stream") => saveFile(name, new Blob([data], { type }));

const splitLine = (text) => [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

async function runLine() {
  log.textContent = "";
  made.replaceChildren();
  run.disabled = true;
  editor.holdCells(true);
  await editor.finishTyping();   // what was typed a moment ago is made too
  tell(w("running"));
  const trust = projects.isTrusted(projects.getChosen()) && /^(build|rulebook|validate|play)$/.test(splitLine(line.value)[0]);
  const asked = [...splitLine(line.value), ...(trust ? ["--trust-rules"] : [])];
  const done = await tryWork(() => machine.runCommand(asked, (text) => { log.append(text); log.scrollTop = log.scrollHeight; }));
  run.disabled = false;
  editor.holdCells(false);
  if (!done) return;
  tell(w(done.code ? "ended" : "done", done));
  if (done.made.length > 1) made.append(make("li", {}, makeWordButton("all_zip", () => tryWork(async () => save("made.zip", await machine.ask("archive", "made"))))));
  made.append(...done.made.map((path) => make("li", {}, makeButton(path.replace(/^output\//, ""),
    () => tryWork(async () => save(path.split("/").pop(), await machine.ask("read", path)))))));
}

function fill() {
  line.value = [recipe.value, state.game?.id].filter(Boolean).join(" ");
}

/** Open another project, or this one anew; where it can't be opened, the one that was open stays. */
async function open(name, why) {
  if (name !== projects.getChosen() && projects.countUnstored()) {
    which.value = projects.getChosen();
    offer("leave", w("leave", { n: projects.countUnstored() }), {
      [w("save_zip")]: saveZip,
      [w("leave_lost")]: () => { projects.giveUp(); open(name, why); },
    });
    return;
  }
  const before = projects.getChosen();
  try {
    await projects.readRecord(name);
  } catch (error) {   // nothing of what is open is given up for it
    which.value = before;
    tell(error.message);
    return;
  }
  synced.end();
  await editor.finishTyping();
  editor.disable();
  withdrawAll();
  let said = why;
  try {
    await turnTo(name);
  } catch (error) {
    said = name === before ? error.message : w("project_closed", { name: projects.getShownName(name), why: error.message });
    if (name !== before) await tryWork(() => turnTo(before));
  }
  run.disabled = false;
  await showProjects();
  tell(said);
}

async function turnTo(name) {
  const alone = await projects.hold(name);
  await here.open(name);
  closeTable();
  projects.choose(name);
  here.alone = alone;
  await showProject();
}

/** The project that has just been opened, in the editor and beside its folder. */
async function showProject() {
  const name = projects.getChosen();
  address.hidden = true;
  await editor.begin({ keep });
  await synced.begin(name, about.takes, here.alone, editor);
  if (here.alone) return;
  offer("alone", w("elsewhere"), { [w("elsewhere_copy")]: () => tryWork(keepCopy) });
}

machine.keepNotesWith(async (path, data) => {
  if (!here.alone) throw new Error(w("elsewhere_unsaved"));
  tell(await keep(path, data));
  await editor.reloadFiles([path]);
});

/** Store a changed file; what there is to say of it. */
async function keep(path, data) {
  if (!here.alone) {
    projects.remember(path, data);
    return w("elsewhere_unsaved");
  }
  await projects.keep(projects.getChosen(), path, data);
  return synced.keep(path);
}

/** Every file of the project at work, as it is now. */
async function readWholeProject() {
  await editor.finishTyping();
  return machine.ask("unpack", await machine.ask("archive", "project"));
}

async function keepCopy() {
  const name = await projects.create(projects.getChosen() || "games", await readWholeProject());
  projects.giveUp();
  await open(name, w("project_copy", { name }));
}

async function showProjects() {
  const all = await projects.listNames().catch(() => []);
  which.replaceChildren(make("option", { value: projects.OWN, "data-word": "own_games" }, w("own_games")),
    ...all.map((name) => make("option", { value: name }, name)));
  which.value = projects.getChosen();
  rules.checked = projects.isTrusted(projects.getChosen());
}

async function openZip() {
  const [file] = chosenFile.files;
  if (!file) return;
  await tryWork(async () => {
    if (file.size > about.takes.bytes) throw new Error(w("too_much", { name: file.name, most: about.takes.bytes / 2 ** 20 }));
    const contents = await machine.ask("unpack", new Uint8Array(await file.arrayBuffer()));
    const name = await projects.create(file.name.replace(/\.zip$/i, "") || "project", contents);
    await open(name, w("project_from", { name, n: contents.length }));
  });
  chosenFile.value = "";
}

/** A project of the reader's own, from one of the program's starters. */
async function beginNew() {
  const called = wished.value.trim();
  await tryWork(async () => {
    if ((await projects.listNames()).includes(called)) throw new Error(w("project_there", { name: called }));
    const contents = await machine.ask("begun", called, starter.value, spokenIn.value.split(" "));
    const name = await projects.create(called, contents, { from: starter.value, called, spoken: spokenIn.value });
    await open(name, w("project_from", { name, n: contents.length }));
  });
}

/** The project of a folder: the one that is there already, else a new one. */
async function openFolder() {
  await tryWork(async () => {
    const folder = await folders.pickFolder();
    if (!folder) return;
    const { name } = await projects.openProjectFolder(folder, about.takes);
    await open(name, w("folder_open", { folder: folder.name }));
  });
}

/** Write the whole project into an empty folder, where it lives from now on. */
async function saveFolder() {
  await tryWork(async () => {
    const folder = await folders.pickFolder();
    if (!folder) return;
    if ((await folders.listFiles(folder, about.takes)).size) throw new Error(w("folder_taken", { folder: folder.name }));
    const contents = [];
    for (const [path, data] of await readWholeProject()) contents.push([path, data, await folders.write(folder, path, data)]);
    let name = projects.getChosen();
    if (name === projects.OWN || !here.alone) name = await projects.create(folder.name, contents, { folder });
    else {
      await projects.storeAgreed(name, contents);
      await projects.settle(name, folder);
    }
    projects.giveUp();
    await open(name, w("folder_saved", { n: contents.length, folder: folder.name }));
  });
}

/** The files that a project began with, by their paths; nothing where that is not known. */
async function fetchBeginning({ from, called, spoken }) {
  if (from === "site") return iterateFiles(new Uint8Array(await (await fetch("games.tar")).arrayBuffer()));
  if (!from) return [];
  if (!about.from.some(({ id }) => id === from)) throw new Error(w("link_starter", { name: from }));
  return machine.ask("begun", called, from, spoken.split(" ").filter(Boolean));
}

/** A link to the project: what was changed of what it began with, else all of it. */
async function showLink() {
  await tryWork(async () => {
    const name = projects.getChosen();
    const { from = name === projects.OWN ? "site" : "", called = "", spoken = "" } = await projects.readRecord(name);
    const before = new Map(await fetchBeginning({ from, called, spoken }));
    const all = new Map(await readWholeProject());
    const based = [...before.keys()].every((path) => all.has(path));
    const changes = new Map([...all].filter(([path, data]) => !based || !folders.isSame(before.get(path), data)));
    if (!changes.size) throw new Error(w("link_empty"));
    const said = { project: name || "games", program: about.program, ...(based && from ? { from, called, spoken } : {}) };
    address.value = await link.write(said, await machine.ask("pack", changes));
    address.hidden = false;
    address.select();
    const copied = await navigator.clipboard?.writeText(address.value).then(() => w("link_copied"), () => "") ?? "";
    tell(`${w("link_holds", { n: changes.size, size: (address.value.length / 1024).toFixed(1) })} ${copied}`);
  });
}

/** The project of the link by which the page was opened, if the reader wants it. */
async function askLink() {
  await tryWork(async () => {
    const { name, from, called, spoken, program, archive } = await link.read();
    const changes = await machine.ask("unpack", archive, Boolean(from));
    const older = program === about.program ? "" : w("start_older", { theirs: program || "?", ours: about.program });
    offer("link", `${w("start_link", { name, size: Math.ceil(archive.length / 1024) })} ${older}`, {
      [w("start_yes")]: () => tryWork(async () => {
        const contents = new Map([...await fetchBeginning({ from, called, spoken }), ...changes]);
        const fresh = await projects.create(name, contents, from ? { from, called, spoken } : {});
        await open(fresh, w("project_from", { name: fresh, n: contents.size }));
      }),
      [w("start_no")]: () => {},
    });
  });
}

function forget() {
  const name = projects.getChosen();
  if (!here.alone) {
    tell(w("elsewhere_close"));
    return;
  }
  const [question, said] = name === projects.OWN ? [w("own_forget"), w("own_reset")] : [w("delete_file", { path: name }), w("deleted", { path: name })];
  if (!confirm(`${question} ${w("forget_note")}`)) return;
  tryWork(async () => {
    synced.end();
    await projects.forget(name);
    await open(projects.OWN, said);
  });
}

/** Change numbers of a template as the page orders, and store the file. */
async function change(order) {
  await editor.finishTyping();
  /** @type {Answer.Orders["edit"]} */
  const answer = await machine.ask("order", "edit", order);
  if (answer.problems) return answer;
  tell(await keep(order.file, await machine.ask("read", order.file)));
  await editor.reloadFiles([order.file]);
  return answer;
}

const saveZip = () => tryWork(async () => {
  await editor.finishTyping();
  save(`${projects.getChosen() || "games"}.zip`, await machine.ask("archive", "project"), "application/zip");
});

async function buildPanes() {
  const makeLabel = (word, field) => make("label", {}, make("span", { "data-word": word }), field);
  return {
    Files: await editor.makePane(about),
    Make: make("div", {}, makeLabel("pane_make", recipe), make("label", { class: "line" }, make("span", {}, "pnp"), line),
      make("p", { class: "buttons" }, run, stop), log, made),
    Project: make("div", {}, makeLabel("pane_project", which),
      make("p", { class: "buttons" }, make("label", { class: "file" }, chosenFile, make("span", { "data-word": "open_zip" })), makeWordButton("save_zip", saveZip),
        ...(folders.offered ? [makeWordButton("start_folder", openFolder), makeWordButton("save_folder", saveFolder)] : []), makeWordButton("link", showLink), makeWordButton("forget", forget)), address,
      make("div", { class: "new" }, makeLabel("new_name", wished), makeLabel("new_starter", starter), makeLabel("language", spokenIn),
        make("p", { class: "buttons" }, makeWordButton("new_begin", beginNew))),
      make("label", { class: "new" }, rules, make("span", { "data-word": "rules_trust" })),
      make("p", { class: "small", "data-word": "project_note" }),
      about.lacks.length ? make("p", { class: "small", "data-word": "project_lacks", "data-values": JSON.stringify({ names: about.lacks.join(", ") }) }) : null),
  };
}

async function wire() {
  const parts = await buildPanes();
  const { show, box } = buildBench(parts, (name) => name === "Make" && !line.value && fill());
  speak(box);
  spokenIn.value = pageLanguage();
  setShow(() => box.hidden && show("Project"));
  recipe.addEventListener("change", fill);
  line.addEventListener("keydown", ({ key }) => key === "Enter" && !run.disabled && runLine());
  which.addEventListener("change", () => open(which.value, w("project_open", { name: projects.getShownName(which.value) })));
  rules.addEventListener("change", () => {
    projects.trust(projects.getChosen(), rules.checked);
    open(projects.getChosen(), w(rules.checked ? "rules_run" : "rules_rest"));
  });
  chosenFile.addEventListener("change", openZip);
}

/** The workbench of the site, with the project that is open: `now` says whether this tab alone holds it, and how to open another. */
export async function begin(site, now) {
  [about, here] = [site, now];
  state.write = change;
  starter.append(...about.from.map(({ id }) => make("option", { value: id, "data-word": `starter_${id}` })));
  await wire();
  await showProjects();
  await showProject();
  addEventListener("beforeunload", (event) => projects.countUnstored() && event.preventDefault());
  addEventListener("linked", askLink);
  if (link.isThere()) await askLink();
}
