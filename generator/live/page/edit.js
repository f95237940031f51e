// Writing in the live page of `pnp serve --edit`: the panes of a site's workbench, over the files on the disk.

import * as editor from "./editor.js";
import * as machine from "./machine.js";
import { TABLE } from "./files.js";
import { offer, setShow, tell, tryWork, withdraw } from "./notes.js";
import { buildBench } from "./panes.js";
import { ask } from "./state.js";
import { w } from "./words.js";

const unsaved = new Set();   // paths of files of which the page has another version than the disk

/** Wait until a file is written; what there is to say of it. Where another program has changed it, the reader decides. */
async function keep(path, data) {
  try {
    await machine.fetchWritten(path);
  } catch (error) {
    unsaved.add(path);
    if (error.status === 412) offerVersions(path, data);
    throw error;
  }
  settle(path);
  return w("edit_saved");
}

function settle(path) {
  unsaved.delete(path);
  withdraw(path);
}

function offerVersions(path, data) {
  offer(path, w("edit_clash", { path }), {
    [w("edit_mine")]: () => tryWork(async () => {
      await machine.overwrite(path, data);
      settle(path);
      if (TABLE.test(path)) await editor.reloadFiles([path]);
      tell(w("edit_saved"));
    }),
    [w("edit_theirs")]: () => tryWork(async () => {
      settle(path);
      await editor.reloadFiles([path]);
    }),
  });
}

/** Show what other programs have changed, except over what is not saved. */
async function look() {
  const path = editor.getOpenPath();
  if (unsaved.has(path) || editor.getTypedPath()) return;
  const changed = await machine.hasChanged(path);
  if (editor.getOpenPath() === path && !unsaved.has(path)) await editor.reloadFiles(changed ? [path] : []);
}

export async function begin() {
  const { show, box } = buildBench({ Files: await editor.makePane(await ask(["edit.json"])) });
  setShow(() => box.hidden && show("Files"));
  await editor.begin({ keep });
  addEventListener("news", () => tryWork(look));
  addEventListener("beforeunload", (event) => {
    if (!unsaved.size && !editor.getTypedPath()) return;
    editor.finishTyping();
    event.preventDefault();
  });
}
