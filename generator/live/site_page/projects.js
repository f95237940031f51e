// Projects in the browser's own storage: what was changed of the site's games, and projects of the reader's own.

import * as folders from "./folder.js";
import { w } from "./words.js";

export const LANGUAGES = [["日本語 + English", "ja en"], ["English", "en"], ["日本語", "ja"]];   // of a new project
export const OWN = "";   // the name of the site's own games: of these only what was changed is stored

const PLACE = `pnp ${new URL("./", document.baseURI).pathname}`;
const FORMAT = 1;   // of a stored project; a page that knows less than was stored leaves all of it alone

const waiting = new Map();   // path -> data: changes of this tab's to its project that are not stored (null: the file is gone)
let base = null;
let held = null;             // the name of the project that this tab alone changes
let release = (_value) => {};

function openDatabase() {
  base ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(PLACE, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("projects", { keyPath: "name" });
      asked.result.createObjectStore("files", { keyPath: ["project", "path"] }).createIndex("project", "project");
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => { asked.result.close(); base = null; };   // a newer page in another tab
      resolve(asked.result);
    };
    asked.onerror = () => {
      base = null;
      reject(new Error(w(asked.error?.name === "VersionError" ? "storage_newer" : "storage_none", { why: asked.error?.message ?? "IndexedDB" })));
    };
  });
  return base;
}

/** The name of a project for the reader. */
export const getShownName = (name) => name || w("own_games");

/** A project's record, if this page knows how it was stored. */
function checkRecord(record, name) {
  if (record?.format > FORMAT) throw new Error(w("project_newer", { name: getShownName(name) }));
  return record;
}

const makeError = (error) => new Error(w(error?.name === "QuotaExceededError" ? "storage_full" : "storage_failed", { why: error?.message ?? "IndexedDB" }));

/**
 * All or nothing: what `work` puts and deletes is there once this ends, whatever happens to the page meanwhile. It gets
 * the records of projects, their files, and this project's record. An Error if nothing was stored.
 */
async function changeRecords(name, work) {
  const deal = (await openDatabase()).transaction(["projects", "files"], "readwrite", { durability: "strict" });
  const projects = deal.objectStore("projects");
  return new Promise((resolve, reject) => {
    let refusal = null;
    deal.oncomplete = () => resolve();
    deal.onabort = () => reject(refusal ?? makeError(deal.error));
    const asked = projects.get(name);
    asked.onsuccess = () => {
      try {
        work(projects, deal.objectStore("files"), checkRecord(asked.result, name));
      } catch (error) {
        refusal = error instanceof DOMException ? makeError(error) : error;
        deal.abort();
      }
    };
  });
}

async function findRecords(work) {
  const deal = (await openDatabase()).transaction(["projects", "files"]);
  return new Promise((resolve, reject) => {
    const asked = work(deal.objectStore("projects"), deal.objectStore("files"));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

const findRecord = (name) => findRecords((projects) => projects.get(name));

/** The names of the reader's own projects. */
export const listNames = async () => (await findRecords((projects) => projects.getAll())).map(({ name }) => name).filter((name) => name !== OWN);

/** What is known of a project: `from` what it began, the `folder` that it lives in; an Error where a newer site stored it. */
export const readRecord = async (name) => checkRecord(await findRecord(name), name) ?? { name };

/** All that is stored of a project: path, data (null: the file is gone), and of a folder's files `mark` and `ours` (folder.js). */
export async function listStored(name) {
  checkRecord(await findRecord(name), name);
  return findRecords((_, files) => files.index("project").getAll(name));
}

/** Paths and contents of a project, with this tab's changes that are not stored; null where a file is gone. */
export async function listFiles(name) {
  const there = new Map((await listStored(name)).map(({ path, data }) => [path, data]));
  if (name === getChosen()) for (const [path, data] of waiting) there.set(path, data);
  return [...there];
}

/** How many files of this tab's project have changes that are not stored. */
export const countUnstored = () => waiting.size;
export const giveUp = () => waiting.clear();

/** Keep a change in this tab, for as long as it is open. */
export const remember = (path, data) => waiting.set(path, data);

/** Store a change of this tab's project, and whatever could not be stored before. */
export async function keep(name, path, data) {
  waiting.set(path, data);
  const all = [...waiting];
  await changeRecords(name, (projects, files, there) => {
    projects.put({ ...there, name, format: FORMAT });
    for (const [one, text] of all) {
      const asked = files.get([name, one]);
      asked.onsuccess = () => files.put({ ...asked.result, project: name, path: one, data: text, ours: true });
    }
  });
  for (const [one, text] of all) if (waiting.get(one) === text) waiting.delete(one);
}

/** Store files as they are in the project's folder: path, data (null: gone) and mark of each. */
export function storeAgreed(name, contents) {
  return changeRecords(name, (_, files) => {
    for (const [path, data, mark] of contents) {
      if (data) files.put({ project: name, path, data, mark, ours: false });
      else files.delete([name, path]);
    }
  });
}

/** From now on a project lives in a folder. */
export const settle = (name, folder) => changeRecords(name, (projects, _, there) => { projects.put({ ...there, name, format: FORMAT, folder }); });

/** Store a new project under a name that none has yet, like the one that is wished for; a promise of it. */
export async function create(wish, contents, more = {}) {
  const taken = new Set(await listNames());
  const nameNumbered = (number) => [wish || "project", ...(number > 1 ? [number] : [])].join(" ");
  let number = 1;
  while (taken.has(nameNumbered(number))) number += 1;
  const name = nameNumbered(number);
  await changeRecords(name, (projects, files) => {
    projects.add({ ...more, name, format: FORMAT });   // another tab's of this name, made a moment ago, stays
    for (const [path, data, mark] of contents) files.put({ project: name, path, data, mark, ours: false });
  });
  trust(name, false);
  return name;
}

/** The project of a folder: the one that is there already, else a new one. */
export async function openProjectFolder(folder, takes) {
  for (const name of await listNames()) {
    const known = (await readRecord(name).catch(() => ({}))).folder;
    if (known && await known.isSameEntry(folder)) return { name };
  }
  const files = await folders.listFiles(folder, takes);
  if (![...files.keys()].some((path) => path.startsWith("data/"))) throw new Error(w("folder_no_data", { folder: folder.name }));
  const contents = await Promise.all([...files].map(([path, file]) => folders.read(path, file)));
  return { name: await create(folder.name, contents, { folder }) };
}

/** Forget a project; of the site's own games what was changed. */
export async function forget(name) {
  await changeRecords(name, (projects, files) => {
    projects.delete(name);
    files.delete(IDBKeyRange.bound([name], [name, []]));
  });
  trust(name, false);
  if (name === getChosen()) giveUp();
}

/** Whether this tab alone changes the project from now on; another tab that has it open keeps it. */
export function hold(name) {
  if (held === name) return Promise.resolve(true);
  release();
  [held, release] = [null, () => {}];
  return new Promise((resolve) => {
    navigator.locks.request(`${PLACE} ${name}`, { ifAvailable: true }, (lock) => {
      if (lock) held = name;
      resolve(Boolean(lock));
      return lock && new Promise((end) => { release = end; });
    });
  });
}

const CHOSEN = `${PLACE} project`;
const TRUSTED = `${PLACE} trusted`;

let now = null;   // this tab's project: another tab may choose another

export const getChosen = () => now ?? localStorage.getItem(CHOSEN) ?? OWN;
export function choose(name) {
  now = name;
  try {
    localStorage.setItem(CHOSEN, name);
  } catch { /* a browser without room opens with another project next time */ }
}

/** Whether the reader has said that a project's rules may run. */
export const isTrusted = (name) => sessionStorage.getItem(`${TRUSTED} ${name}`) === "yes";
export function trust(name, yes) {
  if (yes) sessionStorage.setItem(`${TRUSTED} ${name}`, "yes");
  else sessionStorage.removeItem(`${TRUSTED} ${name}`);
}
