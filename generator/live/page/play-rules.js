// Rules beside the table: the quick start or the rulebook in a frame that runs no scripts, one key away.

import { known, w } from "./play-pieces.js";
import { $, make, joinPath } from "./state.js";

let books = [];      // what the game has, the shortest first
let shown = "";

/** The books of the game that is open; "quickstart" and "rulebook" are all there may be. */
export function offerRules(names) {
  books = [...names].sort();
  $("rules-open").hidden = !books.length;
  $("rules-books").replaceChildren(...books.map((name) => make("button", { type: "button", "aria-pressed": "false", "data-book": name, ".onclick": () => read(name) }, w(name))));
  shown = "";
  $("rules-frame").replaceChildren();
  if (!$("rules").hidden) read(books[0]);
}

function read(name) {
  if (shown !== name) {
    $("rules-frame").replaceChildren(make("iframe", { title: w(name), sandbox: "allow-same-origin", src: joinPath(name, known.game, `${known.lang}.html`) }));
  }
  shown = name;
  for (const one of $("rules-books").children) one.setAttribute("aria-pressed", String(one.dataset.book === name));
}

/** Show the rules, or put them away; the focus goes with them and comes back. */
export function turnRules() {
  const show = $("rules").hidden && books.length > 0;
  $("rules").hidden = !show;
  $("rules-open").setAttribute("aria-expanded", String(show));
  if (show) read(shown || books[0]);
  (show ? $("rules-close") : $("rules-open")).focus({ preventScroll: true });
}

export function wireRules() {
  $("rules-open").addEventListener("click", turnRules);
  $("rules-close").addEventListener("click", turnRules);
  $("rules").addEventListener("keydown", (event) => { if (event.key === "Escape") turnRules(); });
}
