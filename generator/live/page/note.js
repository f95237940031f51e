// Notes about cards, headings of the rulebook and moves, for the playtest session of today (`pnp serve --edit`, a site).

import * as machine from "./machine.js";
import { $, inWords, make, prefer, prefs, say, state } from "./state.js";
import { speak, w } from "./words.js";

const HEADINGS = ":is(h2, h3, h4)[id]";
const word = (name, tag = "span") => make(tag, { "data-word": name });
let about = {};   // the note's subject, as `write` has it

document.body.append(make("dialog", { id: "note", class: "note-form", "aria-labelledby": "note-title" },
  make("form", { id: "note-form", ".onsubmit": store },
    make("h2", { id: "note-title" }),
    make("label", {}, word("note_text"), " ", make("textarea", { id: "note-text", rows: 4, maxlength: 2000, required: true })),
    make("label", {}, word("note_author"), " ", make("input", { id: "note-author", maxlength: 60, autocomplete: "off" })),
    make("label", {}, word("note_players"), " ", make("input", { type: "number", id: "note-players", min: 1, max: 100, required: true })),
    make("p", { id: "note-said", class: "trouble", role: "alert" }),
    make("p", { class: "buttons" }, make("button", { type: "button", class: "close", "data-word": "close", ".onclick": () => $("note").close() }), " ",
      make("button", { class: "primary", id: "note-go", "data-word": "note_store" })))));

/** A button that asks for a note about a design, a heading or a move; null where the page can't write. */
export function noteButton(subject, line = "") {
  const more = line ? { "aria-label": `${w("note")}: ${line}` } : { "data-word": "note", title: "n" };
  return machine.keepsNotes() ? make("button", { type: "button", class: "note-on", ...more, ".onclick": () => write(subject()) }, w("note")) : null;
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

/** Ask for a note about what has this id; a heading has # before it. `saved` gives the saved game of a move with so many `players`. */
export function write({ id, name, players, saved }) {
  about = { id, saved };
  speak($("note"));
  $("note-title").textContent = w("note_on", { name: inWords(name) });
  $("note-author").value = prefs.author ?? "";
  $("note-players").value = players ?? prefs.players ?? 2;
  $("note-players").closest("label").hidden = Boolean(saved);
  $("note-said").textContent = "";
  $("note").showModal();
  $("note-text").focus();
}

async function store(event) {
  event.preventDefault();
  const [text, author, players] = [$("note-text").value.trim(), $("note-author").value.trim(), Number($("note-players").value)];
  prefer(about.saved ? { author } : { author, players });
  $("note-go").disabled = true;
  try {
    const table = about.saved ? { table: await about.saved() } : {};
    const file = await machine.keepNote({ game: state.game.id, about: about.id, text, author, players, ...table });
    $("note-text").value = "";
    $("note").close();
    say(w("note_kept", { file }));
  } catch (error) {   // what was written stays
    $("note-said").textContent = error.message;
  } finally {
    $("note-go").disabled = false;
  }
}
