// Notes about cards and headings of the rulebook, for the playtest session of today (`pnp serve --edit`, a site).

import * as machine from "./machine.js";
import { $, inWords, make, prefer, prefs, say, state } from "./state.js";
import { w } from "./words.js";

const HEADINGS = ":is(h2, h3, h4)[id]";
let about = "";   // the design, or the heading with # before it

/** A button that asks for a note about a design or a heading; null where the page can't write. */
export function noteButton(design) {
  if (!machine.keepsNotes()) return null;
  const button = make("button", { type: "button", class: "note-on", "data-word": "note", title: "n" }, w("note"));
  button.addEventListener("click", () => write(design()));
  return button;
}

/** Add a button to each heading of a book that is shown in a frame. */
export function addNoteButtons(frame) {
  for (const heading of frame.contentDocument.querySelectorAll(HEADINGS)) {
    const [lang, words] = [frame.contentDocument.documentElement.lang, heading.textContent];
    const button = noteButton(() => ({ id: `#${decodeURIComponent(heading.id)}`, name: { [lang]: words } }));
    if (!button) return;   // the page can't write
    Object.assign(button.style, { marginInlineStart: ".6em", font: "600 .8rem system-ui, sans-serif", verticalAlign: "middle" });
    heading.append(button);
  }
  frame.contentDocument.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {   // keys are not heard outside the frame
    if (key === "n" && !ctrlKey && !metaKey && !altKey) noteHeading(frame);
  });
}

/** Ask for a note about the heading that is read in a frame: the last one above its middle, or the first. */
export function noteHeading(frame) {
  const all = [...frame.contentDocument.querySelectorAll(HEADINGS)];
  const read = all.findLast((one) => one.getBoundingClientRect().top < frame.clientHeight / 2) ?? all[0];
  read?.querySelector(".note-on")?.click();
}

/** Ask for a note about a design. */
export function write({ id, name }) {
  about = id;
  $("note-title").textContent = w("note_on", { name: inWords(name) });
  $("note-author").value = prefs.author ?? "";
  $("note-players").value = prefs.players ?? 2;
  $("note-said").textContent = "";
  $("note").showModal();
  $("note-text").focus();
}

async function store(event) {
  event.preventDefault();
  const [text, author, players] = [$("note-text").value.trim(), $("note-author").value.trim(), Number($("note-players").value)];
  prefer({ author, players });
  $("note-go").disabled = true;
  try {
    const file = await machine.keepNote({ game: state.game.id, about, text, author, players });
    $("note-text").value = "";
    $("note").close();
    say(w("note_kept", { file }));
  } catch (error) {   // what was written stays
    $("note-said").textContent = error.message;
  } finally {
    $("note-go").disabled = false;
  }
}

$("note-form").addEventListener("submit", store);
