// A table without rules: the pieces of the box, to be drawn, shuffled, flipped, stacked, turned, moved and rolled.

import { $, ask, make, saveFile } from "./state.js";
import { kindOf, known, learn, makePicture, w } from "./play-pieces.js";

const KEY = "pnp.free.";
const SCALE = 1.35;   // px for a mm
const STEP = 10;      // mm that a key moves a stack

let name = "";
let stacks = [];      // each {id, x, y, turn, pieces: [{design, side}]}, the last piece on top
let past = [];        // the tables before, as texts
const faces = new Map();
const names = new Map();
let next = 1;

/** Lay the box out: cards of a kind as a face-down stack, other pieces as heaps of each design. */
function layBoxOut(game) {
  const room = Math.max(320, $("table").clientWidth) / SCALE - 10;
  let x = 8, y = 14, deep = 0;
  const laid = [];
  const put = (kind, pieces) => {
    if (x + kind.width > room && x > 8) { x = 8; y += deep + 12; deep = 0; }
    laid.push({ id: next++, x, y, turn: 0, pieces });
    x += kind.width + 12;
    deep = Math.max(deep, kind.height);
  };
  for (const kind of game.kinds) {
    const deck = kind.form === "card" && kind.designs.every((design) => design.faces.includes("back"));
    const heaps = deck ? [kind.designs] : kind.designs.map((design) => [design]);
    for (const designs of heaps) {
      const pieces = designs.flatMap((design) => Array.from({ length: design.count }, () => ({ design: design.id, side: deck ? "back" : design.faces[0] })));
      if (pieces.length) put(kind, pieces);
    }
  }
  return laid;
}

const writeState = () => JSON.stringify({ free: 1, game: name, next, stacks });

/** Do something that changes the table; it can be taken back. */
function change(text, what) {
  past.push(writeState());
  past = past.slice(-200);
  what();
  stacks = stacks.filter((stack) => stack.pieces.length);
  keep();
  draw();
  $("news").textContent = text;
  $("log").append(make("li", { class: "fresh" }, text));
  $("log").scrollTop = $("log").scrollHeight;
}

function keep() {
  try {
    localStorage.setItem(KEY + name, writeState());
  } catch { /* a browser that keeps nothing, or is full: Save is there */ }
}

/** A table that was kept; null for a text that is none, or names what the box no longer has. */
function read(text) {
  try {
    const kept = JSON.parse(text);
    const good = kept.free === 1 && kept.game === name && Number.isInteger(kept.next) && Array.isArray(kept.stacks) && kept.stacks.every((stack) =>
      [stack.id, stack.x, stack.y, stack.turn].every(Number.isFinite) && Array.isArray(stack.pieces)
        && stack.pieces.every((piece) => faces.get(piece.design)?.includes(piece.side)));
    return good ? kept : null;
  } catch {
    return null;
  }
}

function take(kept) {
  stacks = kept.stacks;
  next = kept.next;
}

const getTop = (stack) => stack.pieces[stack.pieces.length - 1];
const getOtherSide = (piece) => {
  const sides = faces.get(piece.design);
  return sides[(sides.indexOf(piece.side) + 1) % sides.length];
};
const nameStack = (stack) => {
  const piece = getTop(stack);
  const face = piece.side === "back" ? known.kinds[piece.design.split("/")[0]].name : names.get(piece.design);
  return stack.pieces.length > 1 ? `${face} ×${stack.pieces.length}` : face;
};

function drawNumber(below) {
  const limit = Math.floor(2 ** 32 / below) * below;
  const drawn = new Uint32Array(1);
  do crypto.getRandomValues(drawn); while (drawn[0] >= limit);
  return drawn[0] % below;
}

/** The place nearest to a stack, to its right or below, where a piece of its kind lies on nothing else. */
function findFreePlace(stack) {
  const size = kindOf(getTop(stack).design);
  const edge = Math.max(stack.x + 2 * size.w + 8, $("table").clientWidth / SCALE - 10);
  const isFree = (x, y) => stacks.every((one) => {
    const { w: wide, h: high } = kindOf(getTop(one).design);
    return x >= one.x + wide || one.x >= x + size.w || y >= one.y + high || one.y >= y + size.h;
  });
  for (let y = stack.y; ; y += size.h + 10) {
    for (let x = y === stack.y ? stack.x + size.w + 8 : stack.x; x + size.w <= edge; x += size.w + 8) if (isFree(x, y)) return { x, y };
  }
}

/** What can be done with a stack, in words. */
function listActions(stack) {
  const many = stack.pieces.length > 1;
  const said = nameStack(stack);
  const beside = kindOf(getTop(stack).design).w + 8;
  const sides = faces.get(getTop(stack).design);
  return [
    many && ["free_draw", () => {
      const place = findFreePlace(stack), piece = stack.pieces.pop();
      stacks.push({ id: next++, ...place, turn: 0, pieces: [piece.side === "back" ? { ...piece, side: getOtherSide(piece) } : piece] });
    }],
    many && ["free_draw_down", () => { stacks.push({ id: next++, ...findFreePlace(stack), turn: 0, pieces: [stack.pieces.pop()] }); }],
    sides.length > 1 && sides.length < 6 && ["free_flip", () => { stack.pieces = stack.pieces.reverse().map((piece) => ({ ...piece, side: getOtherSide(piece) })); }],
    sides.length >= 6 && ["free_roll", () => { getTop(stack).side = sides[drawNumber(sides.length)]; }],
    many && ["free_shuffle", () => {
      for (let at = stack.pieces.length - 1; at > 0; at -= 1) {
        const with_ = drawNumber(at + 1);
        [stack.pieces[at], stack.pieces[with_]] = [stack.pieces[with_], stack.pieces[at]];
      }
    }],
    many && ["free_spread", () => {
      const pieces = stack.pieces.splice(0);
      pieces.forEach((piece, at) => stacks.push({ id: next++, x: stack.x + at * beside * 0.45, y: stack.y, turn: 0, pieces: [piece] }));
    }],
    ["free_turn", () => { stack.turn = (stack.turn + 90) % 360; }],
    ["free_stack", () => {
      const near = findNearest(stack);
      if (near) { near.pieces.push(...stack.pieces.splice(0)); raise(near); }
    }],
  ].filter(Boolean).map(([word, what]) => ({ text: w(word), what: () => change(`${said}: ${w(word)}`, what) }));
}

function findNearest(stack) {
  const measureDistance = (one) => Math.hypot(one.x - stack.x, one.y - stack.y);
  return stacks.filter((one) => one !== stack).sort((one, two) => measureDistance(one) - measureDistance(two))[0];
}

function raise(stack) {
  stacks = [...stacks.filter((one) => one !== stack), stack];
}

function open(stack) {
  $("look-name").textContent = nameStack(stack);
  $("look-where").textContent = "";
  $("look-words").textContent = "";
  $("look-more").replaceChildren();
  const kind = kindOf(getTop(stack).design);
  const large = make("span", { class: "large" }, makePicture(getTop(stack)));
  for (const [key, value] of [["--w", kind.w], ["--h", kind.h], ["--corner", kind.corner]]) large.style.setProperty(key, value);
  $("look-face").hidden = false;
  $("look-face").replaceChildren(large);
  $("look-moves").replaceChildren(...listActions(stack).map(({ text, what }) => make("li", {}, make("button", { type: "button", ".onclick": () => { $("look").close(); what(); focus(stack); } }, text))));
  if (!$("look").open) $("look").showModal();
  $("look-moves").querySelector("button").focus();
}

function focus(stack) {
  $("areas").querySelector(`[data-stack="${stack.id}"] .face-button`)?.focus({ preventScroll: true });
}

function draw() {
  const root = $("areas");
  const had = document.activeElement?.closest("[data-stack]")?.dataset.stack;
  root.className = "areas free";
  root.replaceChildren(...stacks.map((stack) => {
    const piece = getTop(stack), kind = kindOf(piece.design);
    const box = make("div", { class: `piece form-${kind.form}${kind.outlined ? " outlined" : ""}${stack.pieces.length > 1 ? " heap" : ""}`, "data-stack": stack.id });
    for (const [key, value] of [["--w", kind.w], ["--h", kind.h], ["--pw", kind.w], ["--ph", kind.h], ["--corner", kind.corner], ["--x", stack.x], ["--y", stack.y],
      ["--turn", `${stack.turn}deg`], ["--layers", Math.min(stack.pieces.length, 5)], ["--s", `${SCALE}px`]]) box.style.setProperty(key, value);
    const button = make("button", { type: "button", class: "face-button", "aria-label": nameStack(stack) }, makePicture(piece));
    box.append(button);
    if (stack.pieces.length > 1) box.append(make("span", { class: "number", "aria-hidden": "true" }, `×${stack.pieces.length}`));
    box.stack = stack;
    return box;
  }));
  const deep = Math.max(0, ...stacks.map((stack) => stack.y + kindOf(getTop(stack).design).h));
  root.style.minHeight = `${(deep + 60) * SCALE}px`;
  if (had) root.querySelector(`[data-stack="${had}"] .face-button`)?.focus({ preventScroll: true });
  $("undo").disabled = !past.length;
}

/** Drag a stack; on another one it joins it, elsewhere it lies where it is let go. */
function handlePress(event) {
  const box = event.target.closest("[data-stack]");
  if (!box || event.button) return;
  const { stack } = box;
  const start = { x: event.clientX, y: event.clientY };
  let moved = false;
  event.preventDefault();
  box.querySelector(".face-button").focus({ preventScroll: true });
  const move = (now) => {
    moved ||= Math.hypot(now.clientX - start.x, now.clientY - start.y) > 6;
    if (moved) { box.style.translate = `${now.clientX - start.x}px ${now.clientY - start.y}px`; box.style.zIndex = 9; }
  };
  const end = (now) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    box.style.translate = "";
    if (!moved) { if (now.type === "pointerup") open(stack); return; }
    if (now.type === "pointercancel") return;
    const goal = document.elementsFromPoint(now.clientX, now.clientY).map((one) => one.closest("[data-stack]")).find((one) => one && one !== box);
    change(`${nameStack(stack)}: ${w(goal ? "free_stacked" : "free_moved")}`, () => {
      if (goal) goal.stack.pieces.push(...stack.pieces.splice(0));
      else {
        stack.x = Math.max(0, stack.x + (now.clientX - start.x) / SCALE);
        stack.y = Math.max(0, stack.y + (now.clientY - start.y) / SCALE);
      }
      raise(goal ? goal.stack : stack);
    });
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

function handleKey(event) {
  const stack = event.target.closest("[data-stack]")?.stack;
  if (!stack || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
  if (way) {
    event.preventDefault();
    change(`${nameStack(stack)}: ${w("free_moved")}`, () => { stack.x = Math.max(0, stack.x + way[0]); stack.y = Math.max(0, stack.y + way[1]); });
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(stack);
  }
}

function undo() {
  const last = past.pop();
  if (!last) return;
  take(JSON.parse(last));
  keep();
  draw();
  $("news").textContent = w("undone");
}

function save() {
  saveFile(`${name}-table.json`, new Blob([writeState()], { type: "application/json" }));
}

function roll(sides) {
  const number = 1 + drawNumber(sides);
  $("turn").textContent = `⚄ ${number}`;
  $("news").textContent = w("free_rolled", { n: number, of: sides });
  $("log").append(make("li", { class: "fresh" }, w("free_rolled", { n: number, of: sides })));
}

/** Open the table of a game without its rules; `problems` say why it has none, where it was not asked for. */
export async function openFree(of, problems = []) {
  name = of;
  const game = await ask(["game", of]);
  if (!game) return;
  for (const kind of game.kinds) {
    for (const design of kind.designs) {
      faces.set(design.id, design.faces);
      names.set(design.id, design.name[known.lang] ?? design.id);
    }
  }
  await learn([...faces].flatMap(([design, sides]) => sides.map((side) => `${known.lang}:${side}:${design}`)));
  let kept = null;
  try {
    kept = read(localStorage.getItem(KEY + of));
  } catch { /* a browser that keeps nothing */ }
  if (kept) take(kept);
  else stacks = layBoxOut(game);
  document.body.classList.add("without-rules");
  $("turn").textContent = w("free_title");
  $("status").replaceChildren(...[w("free_note"), ...problems].map((line) => make("li", {}, line)));
  const die = make("button", { type: "button", ".onclick": () => roll(6) }, w("free_die"));
  $("deeds").replaceChildren(make("li", {}, die));
  const buttons = [["free_again", () => change(w("free_again"), () => { stacks = layBoxOut(game); })]];
  const file = make("input", { type: "file", accept: ".json,application/json" });
  file.addEventListener("change", async () => {
    const found = file.files[0] && file.files[0].size < 3000000 ? read(await file.files[0].text()) : null;
    file.value = "";
    if (found) change(w("open_file"), () => take(found));
    else $("turn").textContent = w("free_bad_file");
  });
  $("moves").replaceChildren(...buttons.map(([word, what]) => make("li", {}, make("button", { type: "button", ".onclick": what }, w(word)))),
    make("li", {}, make("label", { class: "file" }, file, make("span", {}, w("open_file")))));
  $("log").replaceChildren();
  $("undo").onclick = undo;
  $("save").onclick = save;
  $("hint").hidden = true;
  $("standing").hidden = true;
  $("areas").addEventListener("pointerdown", handlePress);
  $("areas").addEventListener("keydown", handleKey);
  draw();
}
