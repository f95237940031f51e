// One design at close range: every side in every language, what it says and where it stands in the files.

import * as arrange from "./arrange.js";
import { listVisible } from "./cards.js";
import { makeFace, forget } from "./faces.js";
import { noteButton } from "./note.js";
import { w } from "./words.js";
import { $, ask, inWords, languageName, listLanguages, make, state } from "./state.js";

let open = null;

export function look(item) {
  if (open !== item.entry.id) $("detail-words").replaceChildren();
  open = item.entry.id;
  fill();
  if (!$("detail").open) $("detail").showModal();
  readWords();
}

/** What this design says; all the others' words would take longer. */
async function readWords() {
  const [game, design] = [state.game.id, open];
  const answer = await ask(["words", game], { of: design }).catch(() => null);
  if (!answer || open !== design || state.game?.id !== game) return;
  const said = answer.words[design] ?? {};
  const order = ownFirst().filter((lang) => said[lang]);
  $("detail-words").replaceChildren(...order.flatMap((lang) => [make("dt", {}, languageName(lang)), make("dd", { lang, class: "words" }, said[lang])]));
}

/** The same again with what the game says now. */
export function lookAgain() {
  fill();
  if (open) readWords();
}

function fill() {
  const kind = state.game?.kinds.find((one) => one.designs.some((design) => design.id === open));
  if (!open || !kind) return;
  const design = kind.designs.find((one) => one.id === open);
  $("detail-name").textContent = inWords(design.name);
  showFaces(kind, design);
  const facts = [[w("fact_id"), design.id], [w("fact_copies"), design.count], [w("fact_kind"), inWords(kind.name)], [w("fact_where"), design.place],
    ...Object.entries(design.fields).filter(([name]) => name !== "title" && name !== "name")];
  $("detail-fields").replaceChildren(...facts.flatMap(([name, value]) =>
    [make("dt", {}, name.replaceAll("_", " ")), make("dd", {}, String(value))]));
  const wrong = state.game.problems.filter((problem) => problem.designs.includes(open));
  $("detail-trouble").hidden = !wrong.length;
  $("detail-trouble").textContent = wrong.map((one) => [one.place, one.what].filter(Boolean).join(": ")).join("\n");
}

/** The game's languages, that of the reader first. */
const ownFirst = () => [...new Set([...listLanguages(), ...state.game.languages])];

/**
 * @param {Answer.Kind} kind
 * @param {Answer.Design} design
 */
function showFaces(kind, design) {
  const root = $("detail-faces");
  $("arrange").hidden = !state.game.editable;
  const keys = arrange.pickShownKeys(ownFirst().flatMap((lang) => design.faces.map((side) => [lang, side])));
  const now = `${state.game.id} ${design.id} ${keys.join(" ")} ${arrange.on}`;
  if (root.dataset.now === now) return;
  root.dataset.now = now;
  root.querySelectorAll(".face").forEach(forget);
  root.classList.toggle("outlined", kind.outlined);
  const room = arrange.on ? Math.min(innerWidth * 0.55 / kind.width, (innerHeight * 0.94 - 150) / kind.height)
    : Math.min(innerWidth * 0.8, 620) / (kind.width * Math.min(keys.length, 2));
  const fit = room / parseFloat(getComputedStyle(root).getPropertyValue("--mm"));
  const size = arrange.on ? fit : Math.max(0.4, Math.min(2, fit));
  root.style.setProperty("--w", String(kind.width * size));
  root.style.setProperty("--h", String(kind.height * size));
  root.style.setProperty("--corner", String(kind.corner * size));
  root.replaceChildren(...keys.map(([lang, side]) => {
    const place = makeFace(design, side, lang);
    place.alt = `${design.name[lang]}, ${sideName(side)}, ${languageName(lang)}`;
    return make("figure", {}, place, make("figcaption", {}, `${sideName(side)} · ${languageName(lang)}`, noteButton(() => design)));
  }));
  arrange.layBoxes(root.querySelector(".face"));
}

/** What a side is called: front and back have words, others their own names. */
const sideName = (side) => (side === "front" || side === "back" ? w(side) : side);

/** The one before or after, among those that are shown. */
export function step(by) {
  const designs = listVisible();
  const at = designs.findIndex((item) => item.entry.id === open);
  const next = designs[at + by];
  if (next) look(next);
}

export function closeDetail() {
  const item = [...$("components").querySelectorAll(".design")].find((one) => one.entry.id === open);
  open = null;
  $("detail-faces").querySelectorAll(".face").forEach(forget);
  $("detail-faces").replaceChildren();
  delete $("detail-faces").dataset.now;
  arrange.turn(false);
  return item;
}

arrange.begin(fill);
