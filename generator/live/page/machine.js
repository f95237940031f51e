// The project's files by the server of `pnp serve --edit`. A site has a machine.js of its own in the place of this one.

import { joinPath as address, state } from "./state.js";
import { w } from "./words.js";

const known = new Map();     // path -> the file's bytes as they were read or written last; null where there is no file
const turns = new Map();     // path -> the last piece of work with the file
const writes = new Map();    // path -> the last time it was written

/** One thing after another with each file, so that no answer is older than what the page knows. */
function runInTurn(path, work) {
  const done = (turns.get(path) ?? Promise.resolve()).catch(() => {}).then(work);
  turns.set(path, done);
  return done;
}

async function send(method, where, body, headers = {}) {
  const answer = await fetch(where, { method, body, headers, cache: "no-store" });
  if (!answer.ok) throw Object.assign(new Error(WRONG[answer.status]?.() ?? `${where}: ${answer.status}`), { status: answer.status });
  if (answer.status === 204) return null;   // no file of this path
  if (!answer.headers.get("Content-Type").startsWith("application/json")) return new Uint8Array(await answer.arrayBuffer());
  const told = await answer.json();
  if (told?.problems) throw new Error(told.problems.join("\n"));
  return told;
}

const WRONG = {
  404: () => w("edit_gone"), 405: () => w("edit_gone"),   // an address with an old secret leads nowhere
  412: () => w("edit_changed"),
};

const BYTES = { "Content-Type": "application/octet-stream" };

const fetchFile = (path) => send("GET", address("file", path));

async function hash(data) {
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Write a file, or delete it (null), if it still is what the page knows. */
async function put(path, data) {
  const before = known.get(path) ?? null;
  const condition = before === null ? { "If-None-Match": "*" } : { "If-Match": `"${await hash(before)}"` };
  await send(data === null ? "DELETE" : "PUT", address("file", path), data, { ...(data && BYTES), ...condition });
  known.set(path, data);
}

const isSame = (one, other) => one === other || Boolean(one && other && one.length === other.length && one.every((byte, at) => byte === other[at]));

/** @type {Record<string, (...values: any) => Promise<any>>} */
const steps = {
  read: (path) => runInTurn(path, async () => {
    known.set(path, await fetchFile(path));
    if (known.get(path) === null) throw new Error(w("edit_missing", { path }));
    return known.get(path);
  }),
  write: (path, data) => {
    writes.set(path, runInTurn(path, () => put(path, data)));
    return writes.get(path);
  },
  admit: (path, data, game) => send("POST", `${address("admit", path)}?${new URLSearchParams({ game })}`, data, BYTES),
  /** Change cells of a table as the page knows it; its bytes before and after. `written` tells whether they are stored. */
  async cells(path, changes) {
    const before = known.get(path);
    const data = await send("POST", address("cells", path), new Blob([changes, "\n", before]), BYTES);
    steps.write(path, data).catch(() => {});
    return [before, data];
  },
};

const JSON_TYPE = { "Content-Type": "application/json" };

export const keepsNotes = () => state.edits;

/** Store a note; the path of its session's file. @returns {Promise<string>} */
export const keepNote = (note) => send("POST", "note", JSON.stringify(note), JSON_TYPE);

/**
 * Ask for one of the steps, or what the program knows of a file.
 * @template {keyof Answer.Steps} What
 * @param {What} what
 * @returns {Promise<Answer.Steps[What]>}
 */
export const ask = (what, ...values) => (steps[what]
  ? steps[what](...values) : send("POST", "ask", JSON.stringify([what, ...values]), JSON_TYPE));

/** The last time a file was written: a promise that fails with it. */
export const fetchWritten = (path) => writes.get(path);

/** Whether a file is another than the page knows. */
export const hasChanged = (path) => runInTurn(path, async () => known.has(path) && !isSame(known.get(path), await fetchFile(path)));

/** Know a file as it is now, and write over it. */
export const overwrite = (path, data) => runInTurn(path, async () => {
  known.set(path, await fetchFile(path));
  await put(path, data);
});
