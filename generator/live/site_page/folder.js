// A folder of the reader's computer, where the browser lends one: what lies there, what has changed, what goes back.

import { w } from "./words.js";

export const offered = "showDirectoryPicker" in window;

/** Where a project lives in a folder that the reader chooses; null if they choose none. */
export async function pickFolder() {
  try {
    return await window.showDirectoryPicker({ id: "project", mode: "readwrite" });
  } catch (error) {
    if (error.name === "AbortError") return null;
    throw error;
  }
}

export const isAllowed = async (folder) => await folder.queryPermission({ mode: "readwrite" }) === "granted";
export const allow = async (folder) => await folder.requestPermission({ mode: "readwrite" }) === "granted";

/** By this a file is known to be the one that was read or written last: its time and its size. */
const makeMark = ({ lastModified, size }) => `${lastModified}/${size}`;

async function* iterateBelow(folder, path) {
  for await (const [name, handle] of folder.entries()) {
    if (name.startsWith(".") || name.startsWith("__") || name.endsWith(".crswap")) continue;   // the last: half written by a browser
    if (handle.kind === "directory") yield* iterateBelow(handle, `${path}${name}/`);
    else yield [`${path}${name}`, await handle.getFile()];
  }
}

/** The files of a project's folder by their paths; an Error where they can't be those of a project. `takes`: see site.json. */
export async function listFiles(folder, takes) {
  const all = new Map();
  let bytes = 0;
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== "directory" || !takes.folders.includes(name)) continue;
    for await (const [path, file] of iterateBelow(handle, `${name}/`)) {
      all.set(path, file);
      bytes += file.size;
      if (all.size > takes.files) throw new Error(w("too_many", { name: folder.name, most: takes.files.toLocaleString("en") }));
      if (bytes > takes.bytes) throw new Error(w("too_much", { name: folder.name, most: takes.bytes / 2 ** 20 }));
    }
  }
  return all;
}

/** A file as it is stored: path, data, mark. */
export const read = async (path, file) => [path, new Uint8Array(await file.arrayBuffer()), makeMark(file)];

export const isSame = (one, other) => one === other || Boolean(one && other && one.length === other.length && one.every((byte, at) => byte === other[at]));

/**
 * What of a folder is not as it was stored: `taken` changed there alone (path, data or null, mark), `back` changed here
 * alone (paths), and `clashes` on both sides (paths).
 */
export async function compareFiles(files, stored) {
  const [taken, back, clashes] = [[], [], []];
  const here = new Map(stored.map((one) => [one.path, one]));
  for (const [path, file] of files) {
    const known = here.get(path);
    if (known?.mark === makeMark(file)) {
      if (known.ours) back.push(path);
      continue;
    }
    const came = await read(path, file);
    if (!known?.ours || isSame(known.data, came[1])) taken.push(came);
    else clashes.push(path);
  }
  for (const { path, ours, mark } of stored) {
    if (files.has(path)) continue;
    if (!ours) taken.push([path, null]);
    else if (mark) clashes.push(path);
    else back.push(path);
  }
  return { taken, back, clashes };
}

async function findPlace(folder, path, create) {
  const steps = path.split("/");
  const name = steps.pop();
  let home = folder;
  for (const step of steps) home = await home.getDirectoryHandle(step, { create });
  return home.getFileHandle(name, { create });
}

async function remove(folder, path) {
  const steps = path.split("/");
  const name = steps.pop();
  let home = folder;
  for (const step of steps) home = await home.getDirectoryHandle(step);
  await home.removeEntry(name);
}

/** A file as it is there now; null where there is none. */
export async function there(folder, path) {
  try {
    return await (await findPlace(folder, path, false)).getFile();
  } catch (error) {
    if (error.name === "NotFoundError") return null;
    throw error;
  }
}

/** Write a file (data null: take it away) if it is still the one with this mark (undefined: there was none); its mark now, null if it is another. */
export async function write(folder, path, data, mark) {
  const before = await there(folder, path);
  if ((before ? makeMark(before) : undefined) !== mark) {
    const [, now, found] = before ? await read(path, before) : [];
    return before && isSame(now, data) ? found : null;
  }
  if (!data) {
    if (before) await remove(folder, path);
    return undefined;
  }
  const handle = await findPlace(folder, path, true);
  const stream = await handle.createWritable();   // a file beside it, which takes its place when it is closed
  await stream.write(data);
  await stream.close();
  return makeMark(await handle.getFile());
}

export const markOf = async (folder, path) => {
  const file = await there(folder, path);
  return file ? makeMark(file) : undefined;
};
