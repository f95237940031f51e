// Notes about cards, for the playtest session of today (`pnp serve --edit`).

import * as machine from "./machine.js";
import { $, inWords, make, prefer, prefs, say, state } from "./state.js";
import { w } from "./words.js";

let about = "";   // the design that the note is about

/** A button that asks for a note about a design; null where the page can't write. */
export function noteButton(design) {
  if (!state.edits) return null;
  const button = make("button", { type: "button", class: "note-on", "data-word": "note", title: "n" }, w("note"));
  button.addEventListener("click", () => write(design()));
  return button;
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
