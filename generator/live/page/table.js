// The table as a view of the workbench's document: a frame shows it, and both stay as they are left.

import { $, make } from "./state.js";

let frame = null;
let bench = "";     // the workbench's address and title
let title = "";

const isTable = () => location.pathname.endsWith("play.html");

/** The title of the workbench, which is seen unless the table is. */
export function setTitle(text) {
  title = text;
  if (!isTable()) document.title = title;
}

/** Show what the address names: the table or the workbench. */
function show() {
  document.body.classList.toggle("at-table", isTable());
  if (!isTable()) {
    document.title = title;
    $("play").focus({ preventScroll: true });
    return;
  }
  if (frame?.dataset.shown !== location.href) {
    closeTable();
    frame = make("iframe", { class: "table", title: $("play").textContent, src: location.href, "data-shown": location.href });
    document.body.append(frame);
  }
  frame.contentWindow.focus();
}

/** Open the table that the address asks for: `index.html?table#GAME`, to which a table's own address leads in a site. */
export function openAddressed() {
  if (location.search !== "?table") return;
  bench = `index.html${location.hash.split("&")[0]}/components`;
  history.replaceState(null, "", `play.html${location.hash}`);
  show();
}

/** Forget the table: another project is opened. */
export function closeTable() {
  frame?.remove();
  frame = null;
}

/** Open the table at *Play this game*, and the workbench at the table's own way home, without loading either anew. */
export function offerTable() {
  $("play").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;     // another tab has a table of its own
    event.preventDefault();
    bench = location.href;
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
