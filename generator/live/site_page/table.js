// The table as a view of the workbench's document: it asks the Python that is at work here, and both stay as they are left.

import { keepNote } from "./machine.js";
import * as projects from "./projects.js";
import { $, make } from "./state.js";

let frame = null;
let bench = "";     // the workbench's address and title
let title = "";

const isTable = () => location.pathname.endsWith("/play.html");

/** Show what the address names: the table or the workbench. */
function show() {
  document.body.classList.toggle("at-table", isTable());
  if (!isTable()) {
    document.title = title;
    $("play").focus({ preventScroll: true });
    return;
  }
  const shown = JSON.stringify([location.href, projects.getChosen()]);
  if (frame?.dataset.shown !== shown) {
    frame?.remove();
    frame = make("iframe", { class: "table", title: $("play").textContent, src: location.href, "data-shown": shown });
    document.body.append(frame);
  }
  frame.contentWindow.focus();
}

/** Open the table at *Play this game*, and the workbench at the table's own way home, without loading either anew. */
export function offerTable() {
  Object.assign(globalThis, { keepNote });   // the table in the frame stores its notes through this page
  $("play").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;     // another tab has a table of its own
    event.preventDefault();
    [bench, title] = [location.href, document.title];
    history.pushState(null, "", event.currentTarget.href);
    show();
  });
  addEventListener("home", () => {
    history.pushState(null, "", bench);
    show();
  });
  addEventListener("popstate", () => (isTable() || document.body.classList.contains("at-table")) && show());
}

addEventListener("hashchange", (event) => {   // a table's address is none of the workbench's views
  if (isTable()) event.stopImmediatePropagation();
});
