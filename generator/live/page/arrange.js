// Move and resize the texts and pictures of a card with mouse or keys. The server writes the numbers into the template.

import { $, ask, make, path, state } from "./state.js";

const SNAP = 0.7;          // mm within which an edge takes the place of a line
const WAIT = 500;          // ms after the last key before the change is written

let on = false;
let undo = [];             // what each change replaced, the last one at the end
const read = {};           // game -> the server's reading of its files that knows of the last change
let keyed = null;          // a change by keys that is not written yet

/** Offer the button where the server lets the page change files. */
export function offer(may) {
  $("arrange").hidden = !may;
}

export function toggle() {
  on = !on;
  $("arrange").setAttribute("aria-pressed", String(on));
  tell(on ? "Drag a text or picture. Arrows move it by 0.1 mm, with Shift by 1 mm; Alt and arrows change its size, + and − its type." : "");
  refresh();
}

/** Lay the boxes anew over each face of the open design. */
export function refresh() {
  if (keyed || document.querySelector(".movable.dragged")) return;
  for (const place of $("detail-faces").querySelectorAll(".face")) {
    if (on) lay(place);
    else place.querySelector(".arranged")?.remove();
  }
}

function tell(text) {
  $("arrange-news").textContent = text;
  $("arrange-news").hidden = !text;
}

async function lay(place) {
  const { design, side, lang } = place.described;
  const game = state.game?.id;
  if (!game || !kindOf(place)) return;
  const answer = await ask(path("movable", game, lang, design, `${side}.json`)).catch(() => null);
  if (!on || !(answer?.read >= (read[game] ?? 0)) || !place.isConnected || !kindOf(place) || keyed || document.querySelector(".movable.dragged")) return;
  const held = document.activeElement?.dataset?.at;
  const layer = make("div", { class: "arranged" });
  place.querySelector(".arranged")?.remove();
  place.append(layer);
  for (const item of answer.movable ?? []) {
    const box = make("button", { type: "button", class: "movable", "data-at": item.at, "aria-label": item.name, title: item.at },
      item.can.includes("width") || item.can.includes("height") ? make("i", { "aria-hidden": "true" }) : null);
    put(box, item, place);
    layer.append(box);
    box.addEventListener("pointerdown", (event) => grab(event, place, box, item, answer.movable));
    box.addEventListener("keydown", (event) => key(event, place, box, item));
    if (item.at === held) box.focus({ preventScroll: true });
  }
}

const kindOf = (place) => state.game?.kinds.find((kind) => kind.designs.some((one) => one.id === place.described.design));
const scale = (place) => place.clientWidth / kindOf(place).width;

function put(box, item, place) {
  const by = scale(place);
  Object.assign(box.style, { left: `${item.x * by}px`, top: `${item.y * by}px`, width: `${item.width * by}px`, height: `${item.height * by}px` });
}

/** Where the edges and middles of a box snap to: the safe zone, the middle of the card, the edges and middles of others. */
function lines(place, item, all) {
  const { width, height, safe } = kindOf(place);
  const others = all.filter((other) => other.at !== item.at);
  const edges = (from, size) => [from, from + size / 2, from + size];
  return {
    x: [safe, width / 2, width - safe, ...others.flatMap((other) => edges(other.x, other.width))],
    y: [safe, height / 2, height - safe, ...others.flatMap((other) => edges(other.y, other.height))],
  };
}

/** How far to go further so that one of the spots meets a line, and that line. */
function snapped(spots, candidates) {
  const found = spots.flatMap((spot) => candidates.map((line) => [line - spot, line]))
    .filter(([far]) => Math.abs(far) <= SNAP).sort(([one], [other]) => Math.abs(one) - Math.abs(other))[0];
  return found ?? [0, null];
}

function grab(event, place, box, item, all) {
  if (event.button) return;
  event.preventDefault();
  box.focus({ preventScroll: true });
  box.setPointerCapture(event.pointerId);
  box.classList.add("dragged");
  const by = scale(place);
  const sized = event.target.matches("i");
  const from = [event.clientX, event.clientY];
  const candidates = lines(place, item, all);
  let now = { ...item };
  const drag = (moved) => {
    const [dx, dy] = [(moved.clientX - from[0]) / by, (moved.clientY - from[1]) / by];
    now = sized ? { ...item, width: Math.max(1, item.width + dx), height: Math.max(1, item.height + dy) }
      : { ...item, x: item.x + dx, y: item.y + dy };
    place.querySelectorAll(".snap").forEach((line) => line.remove());
    if (!moved.altKey) {
      for (const [axis, size, step] of [["x", "width", dx], ["y", "height", dy]]) {
        if (!step) continue;
        const spots = sized ? [now[axis] + now[size]] : [now[axis], now[axis] + now[size] / 2, now[axis] + now[size]];
        const [far, line] = snapped(spots, candidates[axis]);
        now[sized ? size : axis] += far;
        if (line === null) continue;
        const shown = make("span", { class: `snap ${axis}` });
        shown.style.setProperty("--at", `${line * by}px`);
        place.querySelector(".arranged").append(shown);
      }
    }
    put(box, now, place);
  };
  const drop = (ended) => {
    for (const [name, listener] of [["pointermove", drag], ["pointerup", drop], ["pointercancel", drop]]) box.removeEventListener(name, listener);
    box.classList.remove("dragged");
    place.querySelectorAll(".snap").forEach((line) => line.remove());
    const changed = sized ? [now.width - item.width, now.height - item.height] : [now.x - item.x, now.y - item.y];
    if (ended.type === "pointercancel" || !changed.some((far) => Math.abs(far) >= 0.005)) put(box, item, place);
    else send(place, item, sized ? { grow: kept(item, changed, ["width", "height"]) } : { move: kept(item, changed, ["x", "y"]) }, now);
  };
  for (const [name, listener] of [["pointermove", drag], ["pointerup", drop], ["pointercancel", drop]]) box.addEventListener(name, listener);
}

/** The steps along the axes for which the template has a number, or all where it has none: the server says why not. */
const kept = (item, steps, names) => (names.some((name) => item.can.includes(name)) ? steps.map((step, at) => (item.can.includes(names[at]) ? step : 0)) : steps);

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function key(event, place, box, item) {
  if (event.key === "z" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    takeBack(place);
    return;
  }
  const arrow = ARROWS[event.key];
  const type = { "+": 0.5, "-": -0.5 }[event.key];
  if (event.key === "Escape" && keyed) {
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(keyed.timer);
    keyed = null;
    put(box, item, place);
    return;
  }
  if (!arrow && !type) return;
  event.preventDefault();
  event.stopPropagation();
  clearTimeout(keyed?.timer);
  keyed ??= { move: [0, 0], grow: [0, 0], type: 0 };
  const step = event.shiftKey ? 1 : 0.1;
  if (arrow) keyed[event.altKey ? "grow" : "move"] = keyed[event.altKey ? "grow" : "move"].map((far, at) => far + arrow[at] * step);
  else keyed.type += type;
  const { move, grow } = keyed;
  const now = { x: item.x + move[0], y: item.y + move[1], width: item.width + grow[0], height: item.height + grow[1] };
  put(box, now, place);
  keyed.timer = setTimeout(() => {
    const { timer, ...order } = keyed;
    keyed = null;
    send(place, item, order, now);
  }, WAIT);
}

/** Ask for a change. `now` is where the element will stand; without it, a change is taken back. */
async function send(place, item, order, now = null) {
  const answer = await fetch(path("move", state.game.id), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ face: place.dataset.key, at: item.at, ...order }),
  }).then((reply) => (reply.ok ? reply.json() : null)).catch(() => null);
  if (answer?.new) {
    read[state.game.id] = answer.read;
    if (now) undo.push({ at: item.at, set: answer.old });
    Object.assign(item, now);   // the news of the picture brings the rest
    const numbers = Object.entries(answer.new).map(([name, text]) => `${name}="${text}"`).join(" ");
    tell(`${item.at}: ${numbers}${undo.length ? "; Ctrl+Z takes it back" : ""}`);
  } else {
    tell(answer?.problems?.join("\n") ?? `${item.at}: the change was refused; has the template changed?`);
    refresh();
  }
}

function takeBack(place) {
  const last = undo.pop();
  if (last) send(place, last, { set: last.set });
}
