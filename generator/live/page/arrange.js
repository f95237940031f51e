// Moving and resizing the elements of a face. What is dropped is written into the template, number by number.

import { $, ask, languageName, languages, make, path, state } from "./state.js";

const w = (en, ja) => (navigator.language.startsWith("ja") ? ja : en);
const NEAR = 6;   // px from which an edge is drawn to a line
const AXES = [["x", "width", "left"], ["y", "height", "top"]];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SORTS = { text: w("Text", "テキスト"), textbox: w("Text", "テキスト"), rect: w("Rectangle", "長方形"), svg: w("Drawing", "図") };
const KEYS = [
  w("Arrows: 0.1 mm, with Shift 1 mm", "矢印：0.1 mm、Shiftを足すと1 mm"), w("Alt + arrows: width and height", "Alt＋矢印：幅と高さ"),
  w("+ and −: font size", "＋と−：文字の大きさ"), w("Alt or Ctrl while dragging: no snapping", "ドラッグ中にAltかCtrl：吸着しない"),
  w("Ctrl + Z: undo; Esc: cancel", "Ctrl＋Z：元に戻す、Esc：取り消し"),
];

let on = false;
let key = "";         // the face that is arranged: language and side
let place = null;     // its picture on the page
let face = null;      // its boxes, as the server describes them
let chosen = null;    // one of them
let drag = null;
let dirty = null;     // the box whose numbers are to be written
let writing = false;
let done = [];        // what takes each change back
let news = "";        // what went wrong with the last change
let redraw = () => {};

const overlay = make("div", { class: "arrange", role: "group", "aria-label": w("Elements of the face", "面の要素") });
const safe = make("i", { class: "safe" });
const lines = AXES.map(([axis]) => make("i", { class: `line ${axis}`, ".hidden": true }));
const corners = ["nw", "ne", "sw", "se"].map((corner) => make("i", { class: corner, "data-corner": corner }));
const watch = new MutationObserver(() => load());

export const active = () => on;

/** The faces to show: all, or the one that is arranged. */
export function shown(keys) {
  if (!on) return keys;
  const one = keys.find((names) => names.join(":") === key) ?? keys.find(([lang]) => languages().includes(lang)) ?? keys[0];
  key = one.join(":");
  $("arrange-face").replaceChildren(...keys.map(([lang, side]) =>
    make("option", { value: `${lang}:${side}`, selected: `${lang}:${side}` === key }, `${side} · ${languageName(lang)}`)));
  return [one];
}

/** Lay the boxes over a face that is on the page now. */
export function over(element) {
  overlay.remove();
  watch.disconnect();
  [place, face, chosen, drag, news] = [on ? element : null, null, null, null, ""];
  if (!place) return;
  overlay.replaceChildren();
  place.append(overlay);
  watch.observe(place, { attributeFilter: ["data-version"] });
  describe();
  load();
}

/** Begin or end arranging. */
export function turn(to = !on) {
  on = to && Boolean(state.game?.editable);
  done = [];
  $("detail").classList.toggle("arranging", on);
  $("arrange").setAttribute("aria-pressed", String(on));
  $("arrange-panel").hidden = !on;
  redraw();
}

async function load() {
  const at = place;
  if (!at) return;
  const { design, side, lang } = at.described;
  const answer = await ask(path("boxes", state.game.id, lang, design, `${side}.json`)).catch(() => null);
  if (place !== at || drag || dirty || writing) return;
  if (!answer?.boxes) news = answer?.problems?.join("\n") ?? w("The server does not answer.", "サーバーの応答がありません。");
  else show(answer);
  describe();
}

function show(answer) {
  const focused = overlay.contains(document.activeElement);
  const before = chosen && [chosen.where, chosen.nth].join();
  const met = {};
  const size = (box) => box.width * box.height * (box.tag === "rect" ? 1.001 : 1);
  [face, chosen] = [answer, null];
  for (const box of face.boxes) {
    box.where = [box.file, box.line, box.column].join(":");
    box.nth = met[box.where] = (met[box.where] ?? -1) + 1;
    for (const value of Object.values(box.values)) value.number = Number(value.text);
    const title = (SORTS[box.tag] ?? w("Picture", "画像")) + (box.name ? ` “${box.name}”` : "");
    box.element = make("button", { type: "button", class: "box", title, "aria-label": title, ".box": box });
    box.element.classList.toggle("fixed", !free(box, "x") && !free(box, "y"));
    lay(box);
  }
  [...face.boxes].sort((one, other) => size(other) - size(one)).forEach((box, rank) => { box.element.style.zIndex = rank; });
  safe.style.inset = `${(face.safe / face.height) * 100}% ${(face.safe / face.width) * 100}%`;
  overlay.replaceChildren(safe, ...lines, ...face.boxes.map(({ element }) => element));
  choose(face.boxes.find((box) => [box.where, box.nth].join() === before) ?? null, news);
  if (focused) (chosen ?? face.boxes[0])?.element.focus({ preventScroll: true });
}

const free = (box, axis) => Boolean(box.scale && box.values[axis]);
const sizes = (box) => Boolean(box.scale && (box.tag === "text" ? box.values["font-size"] : box.values.width && box.values.height));

function lay(box) {
  for (const [axis, side, edge] of AXES) {
    box.element.style[edge] = `${(box[axis] / face[side]) * 100}%`;
    box.element.style[side] = `${(box[side] / face[side]) * 100}%`;
  }
}

function choose(box, said = "") {
  [chosen, news] = [box, said];
  for (const one of face.boxes) one.element.classList.toggle("chosen", one === box);
  corners.forEach((corner) => (box && sizes(box) ? box.element.append(corner) : corner.remove()));
  describe();
}

/** Say what is chosen, where it stands and what of it can be moved. */
function describe() {
  const box = chosen;
  const moves = box ? ["x", "y"].filter((axis) => free(box, axis)) : [];
  $("arrange-name").textContent = box?.element.title ?? "";
  $("arrange-open").hidden = !box?.line;
  $("arrange-open").textContent = box?.line ? box.where : "";
  $("arrange-open").href = box && face.files[box.file] ? `vscode://file${face.files[box.file].path}:${box.line}:${box.column}` : "#";
  $("arrange-source").textContent = box?.source ?? "";
  $("arrange-source").hidden = !box || moves.length === 2;
  $("arrange-undo").disabled = !done.length;
  $("arrange-values").replaceChildren(...Object.entries(box?.values ?? {}).flatMap(([name, value]) => {
    const field = make("input", { type: "number", step: "0.1", "aria-label": name, ".value": value.number });
    field.addEventListener("change", () => { value.number = Number(field.value); save(box); });
    return [make("dt", {}, name), make("dd", {}, field, ` ${value.unit || "mm"}`)];
  }));
  const why = !box ? w("Click a text or picture and drag it.", "文字や画像をクリックして、ドラッグしてください。")
    : !face.files[box.file] ? w("This template is not in your project.", "このテンプレートはプロジェクトの中にありません。")
      : !box.scale ? w("It is turned or mirrored. Change it at its line:", "回転または反転しています。次の行で変えてください。")
        : !moves.length ? w("Its place is computed. Change it at its line:", "位置は計算で決まります。次の行で変えてください。")
          : moves.length === 1 ? w(`Only ${moves} is a plain number here:`, `数値なのは ${moves} だけです。`) : "";
  $("arrange-said").textContent = [news, why,
    box?.times > 1 && w(`The template draws it ${box.times} times here; all of them change.`, `ここに${box.times}回描かれ、すべて変わります。`),
    box?.file.startsWith("templates/common/") && w("All games share this file.", "すべてのゲームに共通のファイルです。")].filter(Boolean).join("\n");
}

/** A number as the template will have it: tenths of a mm, or hundredths where a line or a unit asks for them. */
const rounded = ({ per }, number, exact) => Number(number.toFixed(per > 1 ? 3 : per < 1 || exact ? 2 : 1));

const kept = ({ x, y, width, height, values }) => ({ x, y, width, height,
  numbers: Object.fromEntries(Object.entries(values).map(([name, { number }]) => [name, number])) });

/** Put a box where it was, moved by (x, y) mm, and wider and higher by (width, height) mm. */
function put(box, from, by, exact) {
  AXES.flatMap(([axis, side], at) => [[axis, at], [side, at]]).forEach(([name, at]) => {
    const value = box.values[name];
    if (!value || !by[name]) return;
    const unit = value.per * box.scale[at];
    const number = rounded(value, from.numbers[name] + by[name] / unit, exact);
    value.number = name.length > 1 ? Math.max(number, 0.1) : number;
    box[name] = from[name] + (value.number - from.numbers[name]) * unit;
  });
  lay(box);
  describe();
}

/** Give a box another font size. A line of text grows about its anchor. */
function grow(box, from, number) {
  const value = box.values["font-size"];
  value.number = Math.max(0.5, Number(number.toFixed(1)));
  const by = value.number / from.numbers["font-size"];
  if (box.tag === "text") {
    AXES.forEach(([axis, side], at) => {
      box[axis] = box.anchor[at] + (from[axis] - box.anchor[at]) * by;
      box[side] = from[side] * by;
    });
    lay(box);
  }
  describe();
}

/** How far the nearest line of an axis is from one of these edges, and where; null if none is near. */
function attract(edges, axis, side, reach) {
  const whole = face[side];
  const others = face.boxes.filter((one) => one.where !== chosen.where);
  const targets = [face.safe, whole / 2, whole - face.safe, 0, whole, ...others.flatMap((one) => [0, 0.5, 1].map((part) => one[axis] + part * one[side]))];
  const found = edges.flatMap((edge) => targets.map((at) => ({ by: at - edge, at })));
  return found.reduce((best, one) => (Math.abs(one.by) < (best ? Math.abs(best.by) - 1e-6 : reach) ? one : best), null);
}

function began(event) {
  const { box } = event.target.closest("button") ?? {};
  if (!box || event.button) return;
  event.preventDefault();
  const { corner = "" } = event.target.dataset;
  box.element.focus({ preventScroll: true });
  if (box !== chosen) choose(box);
  if (corner || free(box, "x") || free(box, "y")) {
    drag = { corner, from: kept(box), x: event.clientX, y: event.clientY };
    overlay.setPointerCapture(event.pointerId);
  }
}

function moved(event) {
  if (!drag) return;
  const { from, corner } = drag;
  const scale = place.getBoundingClientRect().width / face.width;
  const pulled = { x: (event.clientX - drag.x) / scale, y: (event.clientY - drag.y) / scale };
  drag.far ||= Math.hypot(pulled.x, pulled.y) * scale > 2;
  if (!drag.far) return;
  if (corner && chosen.tag === "text") {
    const [axis, side, at] = corner.includes("n") ? ["y", 0, 1] : ["x", corner.includes("e") * from.width, 0];
    const arm = from[axis] + side - chosen.anchor[at];
    if (Math.abs(arm) > 0.2) grow(chosen, from, from.numbers["font-size"] * (1 + pulled[axis] / arm));
    return;
  }
  const by = {};
  let exact = false;
  AXES.forEach(([axis, side, edge], at) => {
    const first = corner.includes("wn"[at]);
    const bound = corner ? first && !free(chosen, axis) : !free(chosen, axis);
    const start = from[axis] + pulled[axis];
    const edges = [start, start + from[side] / 2, start + from[side]].filter((_, part) => !corner || part === (first ? 0 : 2));
    const line = bound || event.altKey || event.ctrlKey || event.metaKey ? null : attract(edges, axis, side, NEAR / scale);
    const way = bound ? 0 : pulled[axis] + (line?.by ?? 0);
    if (!corner || first) by[axis] = way;
    if (corner) by[side] = first ? -way : way;
    lines[at].hidden = !line;
    if (line) lines[at].style[edge] = `${(line.at / face[side]) * 100}%`;
    exact ||= Boolean(line);
  });
  put(chosen, from, by, exact);
}

function ended(event) {
  if (!drag) return;
  const { far, from } = drag;
  drag = null;
  lines.forEach((line) => { line.hidden = true; });
  if (event.type === "pointerup" && far) save(chosen);
  else load();
}

/** Write the numbers of a box that differ from the template's. What changes meanwhile is written afterwards. */
async function save(box) {
  dirty = box;
  if (writing) return;
  while (dirty) {
    const { file, line, column, values } = dirty;
    const changes = Object.entries(values).filter(([, value]) => value.number !== Number(value.text));
    dirty = null;
    const undo = changes.length && await send({ file, line, column, values: Object.fromEntries(changes.map(([name, { text, number }]) => [name, [text, number]])) });
    if (!undo) break;
    for (const [name, [text]] of Object.entries(undo.values)) values[name].text = text;
    done.push(undo);
  }
  dirty = null;
  load();
}

/** Have the server carry out a change. Return what takes it back, or null. */
async function send(order) {
  writing = true;
  const answer = await (state.write ?? post)({ digest: face.files[order.file]?.digest ?? "", ...order }).catch((error) => ({ problems: [error.message] }));
  writing = false;
  news = answer.problems?.join("\n") ?? "";
  if (news) done = [];
  else face.files[order.file].digest = answer.digest;
  return news ? null : { ...order, digest: answer.digest, values: answer.undo };
}

async function post(order) {
  const answer = await fetch("edit", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) });
  return answer.ok ? answer.json() : { problems: [`${answer.status} ${answer.statusText}`] };
}

async function undo() {
  if (writing || drag || !done.length) return;
  await send(done.pop());
  load();
}

function pressed(event) {
  const { key: name, target } = event;
  const move = ARROWS[name]?.map((one) => one * (event.shiftKey ? 1 : 0.1));
  const size = chosen?.scale && chosen.values["font-size"];
  if (!on || (target.matches("input, select") && name !== "Escape")) return;
  if ((event.ctrlKey || event.metaKey) && name.toLowerCase() === "z") undo();
  else if (name === "Escape" && drag) ended(event);
  else if (name === "Escape" && chosen) choose(null);
  else if (name === "Escape") turn(false);
  else if (/^[-+=]$/.test(name) && size && !drag) {
    grow(chosen, kept(chosen), size.number + (name === "-" ? -1 : 1) * (size.per < 1 ? 0.5 : 0.1));
    save(chosen);
  } else if (move && chosen?.scale && !drag) {
    const resized = event.altKey && chosen.tag !== "text";
    put(chosen, kept(chosen), resized ? { width: move[0], height: move[1] } : { x: move[0], y: move[1] }, true);
    save(chosen);
  } else if (!move) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Wire the parts of the page; `again` shows the design anew. */
export function begin(again) {
  redraw = again;
  $("arrange").textContent = w("Arrange", "配置");
  $("arrange-undo").textContent = w("Undo", "元に戻す");
  $("arrange-keys").append(...KEYS.map((said) => make("li", {}, said)));
  $("arrange").addEventListener("click", () => turn());
  $("arrange-undo").addEventListener("click", undo);
  $("arrange-face").addEventListener("change", () => { key = $("arrange-face").value; redraw(); });
  $("detail").addEventListener("keydown", pressed, true);
  const events = { pointerdown: began, pointermove: moved, pointerup: ended, pointercancel: ended };
  for (const [name, handle] of Object.entries(events)) overlay.addEventListener(name, handle);
  overlay.addEventListener("focusin", ({ target }) => target.box !== chosen && choose(target.box));
}
