// Writing in the live page of `pnp serve --edit`: the panes of a site's workbench, over the files on the disk.

import * as editor from "./editor.js";
import * as machine from "./machine.js";
import { TABLE } from "./files.js";
import { offer, shownBy, tell, trying, withdraw } from "./notes.js";
import { bench } from "./panes.js";
import { ask } from "./state.js";
import { w } from "./words.js";

const unsaved = new Set();   // paths of files of which the page has another version than the disk

/** Wait until a file is written; what there is to say of it. Where another program has changed it, the reader decides. */
async function keep(path, data) {
  try {
    await machine.written(path);
  } catch (error) {
    unsaved.add(path);
    if (error.status === 412) clash(path, data);
    throw error;
  }
  settle(path);
  return w("edit_saved");
}

function settle(path) {
  unsaved.delete(path);
  withdraw(path);
}

function clash(path, data) {
  offer(path, w("edit_clash", { path }), {
    [w("edit_mine")]: () => trying(async () => {
      await machine.overwrite(path, data);
      settle(path);
      if (TABLE.test(path)) await editor.changedOutside([path]);
      tell(w("edit_saved"));
    }),
    [w("edit_theirs")]: () => trying(async () => {
      settle(path);
      await editor.changedOutside([path]);
    }),
  });
}

/** Show what other programs have changed, except over what is not saved. */
async function look() {
  const path = editor.shownPath();
  if (unsaved.has(path) || editor.typing()) return;
  const changed = await machine.changed(path);
  if (editor.shownPath() === path && !unsaved.has(path)) await editor.changedOutside(changed ? [path] : []);
}

export async function begin() {
  const { show, box } = bench({ Files: await editor.pane(await ask("edit.json")) });
  shownBy(() => box.hidden && show("Files"));
  await editor.begin({ keep });
  addEventListener("news", () => trying(look));
  addEventListener("beforeunload", (event) => {
    if (!unsaved.size && !editor.typing()) return;
    editor.settled();
    event.preventDefault();
  });
}
