// Choosing a move: by clicking, dragging or keys; every legal move is a sentence, too.

import { $, make } from "./state.js";
import { SIGNS, kindOf, makePicture, w } from "./play-pieces.js";

let view = null;      // the table as it is shown
let decide = null;    // called with the move that was chosen
let words = null;     // what a design says: a function that promises a text
let byPiece = new Map();
let byZone = new Map();
let carried = null;   // the piece under the pointer while it is dragged
let quiet = false;    // a drag has just ended: the click that follows it is none

const isCoarse = () => matchMedia("(pointer: coarse)").matches;

export function wire(onMove, readWords) {
  decide = onMove;
  words = readWords;
  const table = $("table");
  table.addEventListener("click", handleClick);
  table.addEventListener("pointerdown", handlePress);
  table.addEventListener("pointerover", handlePointer);
  table.addEventListener("focusin", handleFocus);
  table.addEventListener("contextmenu", (event) => {
    const box = event.target.closest(".piece");
    if (!box?.piece) return;
    event.preventDefault();
    look(box);
  });
  table.addEventListener("keydown", handleArrows);
  for (const root of [$("moves"), $("look-moves"), $("deeds")]) {
    root.addEventListener("click", handlePick);
    root.addEventListener("keydown", handleUpAndDown);
  }
  for (const kind of ["pointerover", "focusin"]) $("moves").addEventListener(kind, (event) => markMove(event.target.closest("button")));
  for (const kind of ["pointerleave", "focusout"]) $("moves").addEventListener(kind, () => markMove(null));
  $("look").addEventListener("click", (event) => { if (event.target === $("look") || event.target.matches(".close")) $("look").close(); });
}

/**
 * Show which pieces and zones of a new view can be chosen, and all moves as a list.
 * @param {Answer.Table} now
 */
export function offer(now) {
  view = now;
  byPiece = new Map();
  byZone = new Map();
  for (const choice of view.choices) {
    for (const key of choice.pieces) byPiece.set(key, [...(byPiece.get(key) ?? []), choice]);
    for (const zone of choice.zones) byZone.set(zone, [...(byZone.get(zone) ?? []), choice]);
  }
  for (const box of $("table").querySelectorAll(".piece")) {
    const choices = choicesOf(box);
    const button = box.querySelector(":scope > .face-button");
    box.classList.toggle("can", choices.length > 0);
    box.classList.toggle("goes", choices.some(({ zones }) => zones.length));   // a finger on it drags it, in every direction
    const what = choices.length === 1 ? choices[0].text : choices.length ? w("choices", { n: choices.length }) : "";
    button.setAttribute("aria-label", [box.piece.n > 1 ? `${box.piece.name} ×${box.piece.total ?? box.piece.n}` : box.piece.name, box.zoneName, what].filter(Boolean).join(", "));
  }
  for (const space of $("table").querySelectorAll(".space")) space.hidden = !byZone.has(space.dataset.zone);
  for (const cell of $("table").querySelectorAll(".cell")) cell.classList.toggle("goal", false);
  list($("moves"), view.choices);
  list($("deeds"), view.choices.filter(({ pieces, zones }) => !pieces.length && !zones.length));
  rove();
}

/**
 * The pieces that a choice begins with where they are not on the table: nobody would see what is chosen.
 * @param {Answer.Choice} choice
 */
function listBesideTable(choice) {
  const aside = view.aside.flatMap((key) => view.places[key].cells.flatMap((cell) => cell.pieces));
  return aside.filter((piece) => choice.pieces.includes(piece.key)).slice(0, 1).map((piece) => sizeElement(make("span", { class: "of" }, makePicture(piece)), piece));
}

/**
 * @param {Element} root
 * @param {Answer.Choice[]} choices
 */
function list(root, choices) {
  root.replaceChildren(...choices.map((choice, at) => {
    const button = make("button", { type: "button", tabindex: at ? "-1" : "0", "data-move": choice.move },
      ...listBesideTable(choice), make("span", { class: "what" }, capitalize(choice.text)), make("kbd", {}, choice.short));
    button.choice = choice;
    return make("li", {}, button);
  }));
}

const capitalize = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The choices that begin with a piece; of a pile those of any card in it. */
export function choicesOf(box) {
  const keys = box.under ? box.under.map((piece) => piece.key) : [box.piece.key];
  const found = keys.flatMap((key) => byPiece.get(key) ?? []);
  return [...new Set(found)];
}

function handlePick(event) {
  const button = event.target.closest("button[data-move]");
  if (button) take(button.choice);
}

function take(choice) {
  $("look").close();
  markMove(null);
  decide(choice.move);
}

function handleClick(event) {
  if (quiet) { quiet = false; return; }
  const space = event.target.closest(".space");
  if (space) { ask(byZone.get(space.dataset.zone) ?? [], space.zoneName); return; }
  const box = event.target.closest(".piece");
  if (!box?.piece) return;
  const choices = choicesOf(box);
  // A mouse shows a card before it is clicked; a finger has to open it first.
  if (choices.length === 1 && !isCoarse() && !(box.under?.length > 1)) take(choices[0]);
  else look(box);
}

/** One of several moves, asked for in sentences. */
function ask(choices, where) {
  if (choices.length === 1) take(choices[0]);
  else if (choices.length) show(null, choices, where, "");
}

/** A piece at close range, with what can be done with it. */
export function look(box) {
  show(box.piece, choicesOf(box), box.piece.name, box.zoneName, box.under ?? []);
}

function show(piece, choices, name, where, pile = []) {
  $("look-name").textContent = name;
  $("look-where").textContent = where;
  $("look-face").replaceChildren(...(piece ? [showLarge(piece)] : []));
  $("look-face").hidden = !piece;
  list($("look-moves"), choices);
  $("look-words").textContent = "";
  $("look-more").replaceChildren(...(pile.length > 1 ? pile.map((one) => {
    const small = sizeElement(make("button", { type: "button", class: "thumb", "aria-label": one.name }, makePicture(one)), one);
    const own = byPiece.get(one.key) ?? [];
    small.classList.toggle("can", own.length > 0);
    small.addEventListener("click", () => {
      if (own.length === 1) take(own[0]);
      else show(one, own, one.name, where, pile);
    });
    return small;
  }) : []));
  if (!$("look").open) $("look").showModal();
  ($("look-moves").querySelector("button") ?? $("look").querySelector(".close")).focus();
  if (piece && !piece.hidden) words(piece.design).then((text) => { if ($("look-name").textContent === name) $("look-words").textContent = text; });
}

const showLarge = (piece) => sizeElement(make("span", { class: "large" }, makePicture(piece)), piece);

function sizeElement(element, piece) {
  const { w: wide, h: high, corner } = kindOf(piece.design);
  for (const [name, value] of [["--w", wide], ["--h", high], ["--corner", corner]]) element.style.setProperty(name, value);
  return element;
}

/** What the pointer or the focus is on, large at the side. */
function closeUp(box) {
  const root = $("close-up");
  root.hidden = !box || box.piece.hidden;
  if (root.hidden || root.dataset.of === box.piece.key) return;
  root.dataset.of = box.piece.key;
  root.replaceChildren(showLarge(box.piece), make("p", {}, make("b", {}, box.piece.name), ` ${box.zoneName}`));
}

function handlePointer(event) {
  if (event.pointerType === "touch" || carried) return;
  const box = event.target.closest(".piece");
  if (box && !box.piece) return;
  if (box) closeUp(box);
  markGoals(box ? choicesOf(box) : []);
}

function handleFocus(event) {
  const box = event.target.closest(".piece");
  if (!box?.piece) return;
  closeUp(box);
  markGoals(choicesOf(box));
}

/** Mark where a piece can go. */
function markGoals(choices) {
  const zones = new Set(choices.flatMap((choice) => choice.zones));
  for (const part of $("table").querySelectorAll(".cell, .space")) part.classList.toggle("goal", zones.has(part.dataset.zone));
}

/** Mark what a move of the list begins with and leads to. */
function markMove(button) {
  const choice = button?.choice;
  const keys = new Set(choice?.pieces ?? []);
  for (const box of $("table").querySelectorAll(".piece")) {
    const own = box.under ? box.under.some((piece) => keys.has(piece.key)) : keys.has(box.piece.key);
    box.classList.toggle("meant", own);
  }
  markGoals(choice ? [choice] : []);
}

// Dragging: a copy follows the pointer, the zones to which the piece can go are marked.

function handlePress(event) {
  const box = event.target.closest(".piece");
  const choices = box?.piece ? choicesOf(box).filter((choice) => choice.zones.length) : [];
  if (!choices.length || event.button || (event.pointerType === "touch" && !box.classList.contains("goes"))) return;
  const start = { x: event.clientX, y: event.clientY };
  const held = event.target.closest(".face-button");
  const move = (now) => {
    if (!carried && Math.hypot(now.clientX - start.x, now.clientY - start.y) > 7) {
      const ghost = held.cloneNode(true);
      const frame = held.getBoundingClientRect();
      ghost.className = "ghost";
      ghost.style.width = `${frame.width}px`;
      ghost.style.height = `${frame.height}px`;
      document.body.append(ghost);
      carried = { box, ghost, choices };
      box.classList.add("lifted");
      markGoals(choices);
    }
    if (carried) {
      carried.ghost.style.left = `${now.clientX}px`;
      carried.ghost.style.top = `${now.clientY}px`;
    }
  };
  const end = (now) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (!carried) return;
    const { ghost } = carried;
    carried = null;
    ghost.remove();
    box.classList.remove("lifted");
    markGoals([]);
    quiet = true;
    setTimeout(() => { quiet = false; }, 0);
    if (now.type === "pointercancel") return;
    const zone = document.elementsFromPoint(now.clientX, now.clientY)
      .map((element) => element.closest("[data-zone]")?.dataset.zone)
      .find((one) => choices.some((choice) => choice.zones.includes(one)));
    if (zone !== undefined) ask(choices.filter((choice) => choice.zones.includes(zone)), box.piece.name);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

// Keys: one stop of the Tab key for the table, one for the list; arrows go on from there.

const listStops = () => [...$("table").querySelectorAll(".face-button, .space:not([hidden])")].filter((one) => one.offsetParent);

/** One piece of the table is reached by Tab: the one that had the focus, else one that can be chosen. */
function rove(to = null) {
  const all = listStops();
  const old = $("table").querySelector("[data-stop]");
  const next = to ?? all.find((one) => one.closest(".piece.can")) ?? all[0];
  old?.removeAttribute("data-stop");
  for (const one of all) one.tabIndex = -1;
  if (next) {
    next.tabIndex = 0;
    next.dataset.stop = "";
  }
}

function handleArrows(event) {
  const here = event.target.closest(".face-button, .space");
  if (!here || here.closest("[data-stack]")) return;
  if (event.key === " " && here.matches(".face-button")) {
    event.preventDefault();
    look(here.closest(".piece"));
    return;
  }
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!way) return;
  event.preventDefault();
  const next = findTowards(here, way);
  if (!next) return;
  rove(next);
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The nearest stop in a direction: what is straight ahead counts as nearer. */
function findTowards(here, [dx, dy]) {
  const findMiddle = (one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = findMiddle(here);
  let best = null, least = Infinity;
  for (const one of listStops()) {
    if (one === here) continue;
    const [ox, oy] = findMiddle(one);
    const along = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (along < 2) continue;
    const far = along + 2.5 * aside;
    if (far < least) { best = one; least = far; }
  }
  return best;
}

/** The next piece that can be chosen, in reading order. */
export function nextChoice(by = 1) {
  const all = [...listStops().filter((one) => one.matches(".space") || one.closest(".piece")?.classList.contains("can")), ...$("deeds").querySelectorAll("button")];
  if (!all.length) { $("moves").querySelector("button")?.focus(); return; }
  const at = all.indexOf(document.activeElement);
  const next = all[(at + by + all.length) % all.length];
  if (!next.matches("[data-move]")) rove(next);
  next.focus();
}

function handleUpAndDown(event) {
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined || at < 0) return;
  event.preventDefault();
  const next = all[Math.max(0, Math.min(all.length - 1, to))];
  for (const one of all) one.tabIndex = one === next ? 0 : -1;
  next.focus();
}

/** Show a hint: the move of the list, and what it begins with. */
export function showHint(move) {
  const button = $("moves").querySelector(`button[data-move="${move}"]`);
  for (const one of $("moves").querySelectorAll(".hinted")) one.classList.remove("hinted");
  if (!button) return;
  button.classList.add("hinted");
  button.scrollIntoView({ block: "nearest" });
  for (const one of $("moves").querySelectorAll("button")) one.tabIndex = one === button ? 0 : -1;
  button.focus();
  markMove(button);
}

export const getSign = (seat) => SIGNS[(seat - 1) % SIGNS.length];
