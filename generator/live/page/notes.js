// Words to the reader at the foot of the workbench: what has just happened, and questions that stay until they are answered.

import { make } from "./state.js";
import { w } from "./words.js";

const note = make("p", { class: "note", role: "status" });
const asked = make("ul", { class: "offers", role: "alert" });
const LASTING = ["newer", "link"];   // topics that have nothing to do with the project at work
let seen = () => {};   // brings the workbench into sight

export const box = make("div", { class: "notes" }, asked, note);

export function makeButton(name, act, kind = "") {
  const found = make("button", { type: "button", class: kind }, name);
  found.addEventListener("click", act);
  return found;
}

/** A button whose text is one of the page's words, in each language that the page is turned to. */
export function makeWordButton(name, act, kind = "") {
  const found = makeButton(w(name), act, kind);
  found.dataset.word = name;
  return found;
}

/** How to bring the workbench into sight, from now on. */
export function setShow(show) {
  seen = show;
  if (asked.children.length) show();
}

/** A word to the reader; the next takes its place. */
export function tell(text) {
  note.replaceChildren(text);
}

/** A word that stays, with what can be done about it: names with functions. One of each `topic`, the newest. */
export function offer(topic, text, choices) {
  const line = make("li", { "data-topic": topic }, make("span", {}, text));
  line.append(...Object.entries(choices).map(([name, act]) => makeButton(name, () => { line.remove(); act(); })));
  withdraw(topic);
  asked.append(line);
  seen();
}

/** What is no question any more. */
export function withdraw(topic) {
  for (const line of [...asked.children]) if (line.dataset.topic === topic) line.remove();
}

/** Questions about the project at work go with it. */
export function withdrawAll() {
  for (const line of [...asked.children]) if (!LASTING.includes(line.dataset.topic)) line.remove();
}

/** What is wrong is told, and nothing else happens. */
export async function tryWork(work) {
  try {
    return await work();
  } catch (error) {
    tell(error.message);
    return null;
  }
}
