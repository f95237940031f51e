// The project at work where it lives in a folder: changes of this page go there, changes made there come here.

import * as folders from "./folder.js";
import * as machine from "./machine.js";
import * as projects from "./projects.js";
import { offer, tell, withdraw } from "./notes.js";
import { w } from "./words.js";

let at = null;      // the project: its name, its folder, what of a folder is taken, and the editor
let turn = Promise.resolve();

/** One thing after another, so that no look at the folder sees a half of what another writes. */
function runInTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** The project at work from now on, with the editor that shows its files. */
export async function begin(name, takes, alone, editor) {
  const { folder } = await projects.readRecord(name);
  at = folder && alone ? { name, folder, takes, editor } : null;
  await look();
}

/** Nothing is at work until the next project begins, and nothing waits for what was under way. */
export function end() {
  at = null;
  turn = Promise.resolve();
}

/** Read what has changed in the folder, and write what has changed here. */
export async function look() {
  await at?.editor.finishTyping();
  await runInTurn(() => at && compare(at));
}

async function compare(mine) {
  const { name, folder, takes, editor } = mine;
  try {
    if (!await folders.isAllowed(folder)) {
      offer("folder", w("folder_ask", { folder: folder.name }),
        { [w("folder_allow")]: async () => await folders.allow(folder) && look() });
      return;
    }
    withdraw("folder");
    const { taken, back, clashes } = await folders.compareFiles(await folders.listFiles(folder, takes), await projects.listStored(name));
    await take(mine, taken.filter(([path]) => path !== editor.getTypedPath()));   // what is typed at this moment waits for the next look
    for (const path of back) await putBack(mine, path);
    for (const path of clashes) offerVersions(mine, path);
  } catch (error) {
    if (at === mine) tell(describeUnusable(folder, error));
  }
}

const describeUnusable = (folder, error) => w("folder_unusable", { folder: folder.name, why: error.message });

/** A change that is stored goes to the folder; what there is to say of it. */
export const keep = (path) => runInTurn(async () => {
  if (!at) return w("stored");
  const { folder } = at;
  try {
    if (!await folders.isAllowed(folder)) return w("stored_only", { folder: folder.name });
    return await putBack(at, path) ? w("stored_folder", { folder: folder.name }) : w("stored_clash");
  } catch (error) {
    return describeUnusable(folder, error);
  }
});

async function take({ name, editor }, files) {
  if (!files.length) return;
  await projects.storeAgreed(name, files);
  for (const [path] of files) withdraw(path);
  const news = [];
  for (const [path, data] of files) {
    const now = await machine.ask("read", path).catch(() => null);
    if (folders.isSame(now, data)) continue;
    await machine.ask("write", path, data);
    news.push(path);
  }
  if (!news.length) return;
  await editor.reloadFiles(news);
  tell(w(news.length === 1 ? "folder_news" : "folder_many", { path: news[0], n: news.length }));
}

/** Write a file to the folder, unless it has been changed there too; whether it was written. */
async function putBack(mine, path, over = false) {
  const { name, folder } = mine;
  const { data, mark } = (await projects.listStored(name)).find((one) => one.path === path);
  const now = await folders.write(folder, path, data, over ? await folders.markOf(folder, path) : mark);
  if (now === null) {
    offerVersions(mine, path);
    return false;
  }
  await projects.storeAgreed(name, [[path, data, now]]);
  withdraw(path);
  return true;
}

function offerVersions(mine, path) {
  const { folder } = mine;
  const runInTurnWhileOpen = (work) => async () => {
    await mine.editor.finishTyping();   // before its turn: what is typed waits for one as well
    await runInTurn(async () => at === mine && work()).catch((error) => tell(error.message));
  };
  offer(path, w("edit_clash", { path }), {
    [w("edit_mine")]: runInTurnWhileOpen(() => putBack(mine, path, true)),
    [w("edit_theirs")]: runInTurnWhileOpen(async () => {
      const file = await folders.there(folder, path);
      await take(mine, [file ? await folders.read(path, file) : [path, null]]);
    }),
  });
}

const lookWhenVisible = () => document.visibilityState === "visible" && look();
document.addEventListener("visibilitychange", lookWhenVisible);
addEventListener("focus", lookWhenVisible);
