// The workbench beside the page: panes with their tabs, and the ways from the page to a line of a file.

import * as editor from "./editor.js";
import { box as notes, makeButton, tryWork, makeWordButton } from "./notes.js";
import { $, make } from "./state.js";
import { w } from "./words.js";

const NAMES = { Files: ["pane_files", "open_files"], Make: ["pane_make", "open_make"], Project: ["pane_project", "open_project"] };   // of each pane: on its tab, and on the button that opens it

/** Build the workbench of these panes, by their names; one is called Files. `opened` hears which one is shown. */
export function buildBench(parts, opened = (_name) => {}) {
  const tabs = Object.keys(parts).map((name) => makeWordButton(NAMES[name][0], () => show(name)));
  const shut = makeButton("×", () => show(""));
  shut.dataset.label = "close";
  shut.setAttribute("aria-label", w("close"));
  const box = make("aside", { id: "bench", class: "bench", "aria-label": w("workbench"), "data-label": "workbench", ".hidden": true },
    make("div", { class: "bench-tabs", role: "group", "aria-label": w("workbench"), "data-label": "workbench" }, ...tabs, shut),
    ...Object.values(parts), notes);
  document.body.append(box);
  const openers = Object.keys(parts).map((name) => makeWordButton(NAMES[name][1], () => {
    show(name);
    parts[name].querySelector("summary, select, input, button, textarea")?.focus();
  }));
  $("open-keys").before(...openers);
  let opener = null;   // has the focus again when the workbench closes
  function show(name) {
    if (name) opener = openers[Object.keys(parts).indexOf(name)];
    else if (box.contains(document.activeElement)) opener.focus();
    box.hidden = !name;
    document.body.classList.toggle("benched", Boolean(name));
    Object.entries(parts).forEach(([one, part], at) => {
      part.hidden = one !== name;
      tabs[at].setAttribute("aria-pressed", String(one === name));
    });
    opened(name);
  }
  box.addEventListener("keydown", ({ key, target }) => key === "Escape" && target.id !== "text" && show(""));
  document.addEventListener("click", (event) => {   // a card leads to its line while files are open; a second click, or a key, looks at it
    const item = event.detail === 1 && !box.hidden && !parts.Files.hidden && event.target.closest("#components .look")?.closest(".design");
    if (!item) return;
    event.stopPropagation();
    tryWork(() => editor.goToDesign(item.dataset.design));
  }, true);
  document.addEventListener("click", (event) => {
    const place = event.target.closest("#problem-list code, #detail-fields dd, #arrange-open")?.textContent ?? "";
    const [, path, row] = /^((?:data|templates)\/[^:]+):(\d+)/.exec(place) ?? [];
    if (!path) return;
    event.preventDefault();   // a link leads to an editor beside the browser
    $("detail").close();
    show("Files");
    editor.go(path, Number(row));
  });
  return { box, show };
}
