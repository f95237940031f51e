// The project's files as a tree: the open game's folders first; new files, other names, and files of the reader's computer.

import * as machine from "./machine.js";
import { makeButton, offer, tell, tryWork, makeWordButton } from "./notes.js";
import { inWords, make, state } from "./state.js";
import { w } from "./words.js";

export const PICTURE = /\.(png|jpe?g|webp|gif|avif)$/i;
export const TABLE = /\.(csv|tsv)$/i;
export const TEXT = /\.(ya?ml|svg|md|csv|tsv|json|py|txt)$/i;

const HEAVY = 10 * 2 ** 20;   // bytes from which a picture makes work slow
const MOST_CHOICES = 6;

const folders = make("div", { id: "files" });
const current = make("summary");
const tree = make("details", { class: "tree", open: innerWidth > 900 }, current, folders);
const chosen = make("input", { type: "file", multiple: true, id: "add", class: "out" });
const name = make("input", { id: "path", spellcheck: "false", autocomplete: "off" });
const naming = make("form", { class: "naming", ".hidden": true }, make("label", {}, make("span", { "data-word": "path" }, w("path")), name),
  make("p", { class: "buttons" }, make("button", { class: "primary" }, "OK"), makeWordButton("cancel", () => { naming.hidden = true; })));
export const actions = make("p", { class: "buttons" }, makeWordButton("new_file", () => askName("")), makeWordButton("rename", () => askName(open)),
  makeWordButton("delete", drop), make("label", { class: "file" }, chosen, make("span", { "data-word": "add_files" }, w("add_files"))));
export const box = make("div", { class: "files" }, tree, actions, naming);

let here = null;     // how a file is opened and stored, what a project takes, and what is done after files have changed
let paths = [];
let open = "";
let renamed = "";    // the file that gets the name that is typed; none: a new one

/** What the tree works with: `go`, `keep`, `takes`, `changed`. */
export function begin(given) {
  here = given;
  naming.hidden = true;
}

/** A file's folder, and its place among the folders: the open game's before all others. */
const folderOf = (path) => path.slice(0, path.lastIndexOf("/"));
function getSortKey(folder) {
  const [top, game] = folder.split("/");
  const own = game === state.game?.id ? 0 : 2;
  return `${(["data", "templates"].includes(top) ? own : 4) + (top === "data" ? 0 : 1)} ${folder}`;
}

/** Show these files; `at` is open. */
export function show(all, at) {
  [paths, open] = [all, at];
  current.textContent = at || w("pane_files");
  const known = new Map([...folders.children].map((one) => [one.dataset.folder, one.open]));
  const groups = [...new Set(all.map(folderOf))].sort((a, b) => (getSortKey(a) < getSortKey(b) ? -1 : 1));
  folders.replaceChildren(...groups.map((folder) => {
    const mine = all.filter((path) => folderOf(path) === folder);
    return make("details", { "data-folder": folder, open: known.get(folder) || folder === folderOf(at) },
      make("summary", {}, folder, " ", make("small", {}, String(mine.length))),
      make("ul", {}, ...mine.map((path) => make("li", {}, makeEntry(path)))));
  }));
  for (const one of actions.querySelectorAll("button")) if (one.dataset.word !== "new_file") one.disabled = !at;
}

function makeEntry(path) {
  const found = makeButton(path.slice(path.lastIndexOf("/") + 1), () => {
    if (innerWidth <= 900) tree.open = false;
    tryWork(() => here.go(path, 1));
  });
  found.dataset.path = path;
  if (path === open) found.setAttribute("aria-current", "true");
  return found;
}

function askName(path) {
  renamed = path;
  name.value = path || `data/${state.game?.id ?? "game"}/`;
  naming.hidden = false;
  name.focus();
  name.setSelectionRange(path ? path.lastIndexOf("/") + 1 : name.value.length, name.value.length);
}

/** Write a file where Python reads it, and where the project lives; what there is to say of it. */
async function store(path, data) {
  await machine.ask("write", path, data);
  return here.keep(path, data);
}

async function carryName(event) {
  event.preventDefault();
  await tryWork(async () => {
    const data = renamed ? await machine.ask("read", renamed) : new Uint8Array();
    const path = await machine.ask("admit", name.value.trim(), data, state.game?.id ?? "");
    if (path === renamed) return void (naming.hidden = true);
    if (paths.includes(path)) throw new Error(w("there_already", { path }));
    let said = await store(path, data);
    if (renamed) said = await store(renamed, null);
    naming.hidden = true;
    await here.changed([path]);
    await here.go(path, 1);
    tell(w("of", { what: renamed ? w("renamed", { renamed, path }) : path, said }));
  });
}

async function drop() {
  const path = open;
  if (!path || !confirm(w("delete_file", { path }))) return;
  await tryWork(async () => {
    const said = await store(path, null);
    await here.changed([path]);
    tell(w("of", { what: w("deleted", { path }), said }));
  });
}

/** Files of the reader's computer: each goes where its type belongs; what can't be taken is told, the others come in. */
export async function add(files) {
  const wrong = [];
  /** @type {[path: string, data: Uint8Array][]} */
  const found = [];
  for (const file of files) {
    try {
      if (file.size > here.takes.bytes) throw new Error(w("too_large", { name: file.name, most: here.takes.bytes / 2 ** 20 }));
      const data = new Uint8Array(await file.arrayBuffer());
      found.push([await machine.ask("admit", file.name, data, state.game?.id ?? ""), data]);
      if (data.length > HEAVY) wrong.push(w("heavy", { name: file.name, size: (data.length / 1e6).toFixed(1) }));
    } catch (error) {
      wrong.push(error.message);
    }
    tell(w("looking", { n: found.length + wrong.length, of: files.length }));
  }
  const there = found.filter(([path]) => paths.includes(path)).map(([path]) => path);
  const over = !there.length || confirm(there.length === 1 ? w("replace_one", { path: there[0] }) : w("replace", { n: there.length }));
  const taken = found.filter(([path]) => over || !there.includes(path));
  let said = "";
  if (over) for (const path of there) await machine.ask("read", path);   // what is replaced was seen
  for (const [path, data] of taken) said = await store(path, data).catch((error) => error.message);
  await here.changed(taken.map(([path]) => path));
  const table = taken.map(([path]) => path).find((path) => /\.(csv|tsv|xlsx|ods)$/i.test(path));
  if (table) offerTable(table);
  tell([said ? w("of", { what: w("added", { n: taken.length }), said }) : w("added", { n: taken.length }), ...wrong].join("\n"));
}

/** A table of the reader's as the cards of one kind. */
function offerTable(path) {
  const kinds = (state.game?.kinds ?? []).slice(0, MOST_CHOICES);
  if (!kinds.length) return;
  offer("table", w("rows_as_cards", { path }), {
    ...Object.fromEntries(kinds.map((kind) => [inWords(kind.name), () => tryWork(async () => {
      const [changed, text] = await machine.ask("use", path, kind.id);
      await machine.ask("read", changed);   // what is replaced was seen
      const said = await store(changed, new TextEncoder().encode(text));
      await here.changed([changed]);
      await here.go(TABLE.test(path) ? path : changed, 1);
      tell(w("of", { what: w("list_of", { path, kind: inWords(kind.name) }), said }));
    })])),
    [w("not_now")]: () => {},
  });
}

naming.addEventListener("submit", carryName);
naming.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  naming.hidden = true;
});
chosen.addEventListener("change", async () => {
  await tryWork(() => add([...chosen.files]));
  chosen.value = "";
});

/** Files that are dropped on an element come in. */
export function takeDrops(element) {
  element.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    element.classList.add("over");
  });
  element.addEventListener("dragleave", (event) => element.contains(event.relatedTarget) || element.classList.remove("over"));
  element.addEventListener("drop", (event) => {
    element.classList.remove("over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    tryWork(() => add([...event.dataTransfer.files]));
  });
}

/** A picture file as a picture, with its size. */
export function showPicture(path, data) {
  const [, type] = /\.(\w+)$/.exec(path);
  const image = make("img", { alt: path });
  const facts = make("p", { class: "small" });
  image.addEventListener("load", () => { facts.textContent = w("pixels", { wide: image.naturalWidth, high: image.naturalHeight, size: (data.length / 1000).toFixed(0) }); });
  image.addEventListener("error", () => { facts.textContent = w("no_picture", { size: (data.length / 1000).toFixed(0) }); });
  const reader = new FileReader();
  reader.addEventListener("load", () => { image.src = reader.result; });
  reader.readAsDataURL(new Blob([data], { type: `image/${type.toLowerCase().replace("jpg", "jpeg")}` }));
  return make("div", { class: "seen" }, image, facts);
}
