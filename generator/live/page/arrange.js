// Moving and resizing the elements of a face. What is dropped is written into the template, number by number.

import { pick as w } from "./words.js";
import { $, ask, languageName, listLanguages, make, state } from "./state.js";

const NEAR = 6;   // px from which an edge is drawn to a line
const AXES = [["x", "width", "left"], ["y", "height", "top"]];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SORTS = { text: w("Text", "テキスト"), textbox: w("Text", "テキスト"), rect: w("Rectangle", "長方形"), svg: w("Drawing", "図") };

export let on = false;             // whether a face is arranged
let key = "";                      // the face that is arranged: language and side
let place = null, face = null;     // its picture on the page, and its boxes as the server describes them
let chosen = null, drag = null;    // one of the boxes, and how it is dragged
let dirty = null, writing = false; // the box whose numbers are to be written, and whether some are under way
let undoing = false;               // whether its numbers are about to be others
let done = [], news = "";          // what takes each change back, and what went wrong with the last
let asked = 0;                     // how often boxes were asked for: an answer from before a change is not shown
let redraw = null;

const overlay = make("div", { class: "arrange", role: "group", tabindex: "-1", "aria-label": w("Elements of the face", "面の要素") });
const safe = make("i", { class: "safe" }), lines = AXES.map(([axis]) => make("i", { class: `line ${axis}`, ".hidden": true }));
const corners = ["nw", "ne", "sw", "se"].map((corner) => make("i", { class: corner, "data-corner": corner }));
const watch = new MutationObserver(() => load());

/** The faces to show: all, or the one that is arranged. */
export function pickShownKeys(keys) {
  if (!on) return keys;
  const one = keys.find((names) => names.join(":") === key) ?? keys.find(([lang]) => listLanguages().includes(lang)) ?? keys[0];
  key = one.join(":");
  $("arrange-face").replaceChildren(...keys.map(([lang, side]) =>
    make("option", { value: `${lang}:${side}`, selected: `${lang}:${side}` === key }, `${side} · ${languageName(lang)}`)));
  return [one];
}

/** Lay the boxes over a face that is on the page now. */
export function layBoxes(element) {
  watch.disconnect();
  overlay.remove();
  [place, face, chosen, drag, news] = [on ? element : null, null, null, null, ""];
  if (!place) return;
  place.append(overlay);
  watch.observe(place, { attributeFilter: ["data-version"] });
  load();
}

/** Begin or end arranging. */
export function turn(to = !on) {
  [on, done] = [to && state.game.editable, []];
  $("detail").classList.toggle("arranging", on);
  $("arrange").ariaPressed = String(on);
  $("arrange-panel").hidden = !on;
  layBoxes(null);
  redraw();
}

async function load() {
  if (!place) return;
  const [at, mine, { design, side, lang }] = [place, asked += 1, place.described];
  overlay.ariaBusy = "true";
  const answer = await ask(["boxes", state.game.id, lang, design, `${side}.json`]).catch(() => null);
  if (place !== at || mine !== asked || drag || dirty || writing) return;
  overlay.ariaBusy = "false";
  if (answer?.boxes) show(answer);
  else $("arrange-said").textContent = answer?.problems?.join("\n") ?? w("The server does not answer.", "サーバーの応答がありません。");
}

function show(answer) {
  const [before, focused] = [chosen?.id, overlay.contains(document.activeElement)];
  const measureArea = (box) => box.width * box.height * (box.tag === "rect" ? 1.001 : 1);
  const met = {};
  face = answer;
  for (const box of face.boxes) {
    box.id = `${box.where} ${met[box.where] = (met[box.where] ?? 0) + 1}`;
    for (const value of Object.values(box.values)) value.number = Number(value.text);
    const title = (SORTS[box.tag] ?? w("Picture", "画像")) + (box.name ? ` “${box.name}”` : "");
    box.element = make("button", { type: "button", class: isFree(box, "x") || isFree(box, "y") ? "box" : "box fixed", title, ".box": box });
    lay(box);
  }
  [...face.boxes].sort((one, other) => measureArea(other) - measureArea(one)).forEach((box, rank) => { box.element.style.zIndex = rank; });
  safe.style.inset = `${formatShare(face.safe, "height")} ${formatShare(face.safe, "width")}`;
  overlay.replaceChildren(safe, ...lines, ...face.boxes.map(({ element }) => element));
  choose(face.boxes.find(({ id }) => id === before) ?? null, news);
  if (focused) (chosen?.element ?? overlay).focus({ preventScroll: true });
}

const formatShare = (mm, side) => `${(mm / face[side]) * 100}%`;
const isFree = (box, axis) => Boolean(box.scale && box.values[axis]);
const hasSize = ({ tag, scale, values }) => scale && (tag === "text" ? values["font-size"] : values.width && values.height);

function lay(box) {
  for (const [axis, side, edge] of AXES) Object.assign(box.element.style, { [edge]: formatShare(box[axis], side), [side]: formatShare(box[side], side) });
}

function choose(box, said = "") {
  [chosen, news] = [box, said];
  for (const { element } of face.boxes) element.classList.toggle("chosen", element === box?.element);
  corners.forEach((corner) => (box && hasSize(box) ? box.element.append(corner) : corner.remove()));
  describe();
}

/** Say what is chosen, where it stands and what of it can be moved. */
function describe() {
  const [box, file] = [chosen, face?.files[chosen?.file]];
  const moves = box ? ["x", "y"].filter((axis) => isFree(box, axis)) : [];
  const why = !box ? w("Click a text or picture and drag it.", "文字や画像をクリックして、ドラッグしてください。")
    : !file ? w("This template is not in your project.", "このテンプレートはこのプロジェクトの中にありません。")
    : file.drawn ? w("A drawing program saved this template. Move it there.", "描画ソフトで保存されたテンプレートです。そのソフトで動かしてください。")
    : !box.scale ? w("It is turned or mirrored. Change it at its line:", "回転または反転しています。次の行で変えてください。")
    : !moves.length ? w("Its place is computed. Change it at its line:", "位置は計算で決まります。次の行で変えてください。")
    : moves.length === 1 ? w(`Only ${moves} is a plain number here:`, `数値なのは ${moves} だけです。`) : "";
  const times = box?.times > 1 && w(`The template draws it ${box.times} times here; all of them change.`, `ここに${box.times}回描かれ、すべて変わります。`);
  const common = box?.file.startsWith("templates/common/") && w("All games share this file.", "すべてのゲームに共通のファイルです。");
  $("arrange-name").textContent = box?.element.title ?? "";
  $("arrange-said").textContent = [news, why, times, common].filter(Boolean).join("\n");
  $("arrange-open").textContent = box?.where ?? "";
  $("arrange-open").href = file ? `vscode://file${file.path}:${box.line}:${box.column}` : "#";
  $("arrange-source").textContent = moves.length < 2 ? box?.source ?? "" : "";
  $("arrange-undo").disabled = !done.length;
  const [list, values] = [$("arrange-values"), box?.values ?? {}];
  const changeValue = ({ target: { name, value } }) => {
    if (value) chosen.values[name].number = Number(value);
    save(chosen);
  };
  if (list.dataset.of !== `${box?.id}${Object.keys(values)}`) list.replaceChildren(...Object.entries(values).flatMap(([name, { unit }]) =>
    [make("dt", {}, name), make("dd", {}, make("input", { type: "number", step: "0.1", name, "aria-label": name, ".onchange": changeValue }), ` ${unit || "mm"}`)]));
  list.dataset.of = `${box?.id}${Object.keys(values)}`;
  for (const field of list.querySelectorAll("input")) if (field !== document.activeElement) field.value = values[field.name].number;
}

const copyBox = ({ x, y, width, height, values }) =>
  ({ x, y, width, height, numbers: Object.fromEntries(Object.entries(values).map(([name, { number }]) => [name, number])) });

/** Put a box where it was, moved by (x, y) mm and enlarged by (width, height) mm: to tenths, or hundredths on an `exact` axis. */
function placeBox(box, from, by, exact) {
  for (const [name, way] of Object.entries(by)) {
    const value = box.values[name];
    if (!value || !way) continue;
    const axis = AXES.findIndex((names) => names.includes(name));
    const unit = value.per * box.scale[axis];
    const number = Number((from.numbers[name] + way / unit).toFixed(value.per > 1 ? 3 : value.per < 1 || exact[axis] ? 2 : 1));
    value.number = name.length > 1 ? Math.max(number, 0.1) : number;   // a size is above 0
    box[name] = from[name] + (value.number - from.numbers[name]) * unit;
  }
  lay(box);
  describe();
}

/** Give a box another font size. A line of text grows about its anchor. */
function resizeBox(box, from, number) {
  const by = (box.values["font-size"].number = Math.max(0.5, Number(number.toFixed(1)))) / from.numbers["font-size"];
  if (box.tag === "text") AXES.forEach(([axis, side], at) => {
    box[axis] = box.anchor[at] + (from[axis] - box.anchor[at]) * by;
    box[side] = from[side] * by;
  });
  lay(box);
  describe();
}

/** How far the nearest line of an axis is from one of these edges, and where; null if none is near. */
function attract(edges, axis, side, reach) {
  const others = face.boxes.filter((one) => one.where !== chosen.where).flatMap((one) => [0, 0.5, 1].map((part) => one[axis] + part * one[side]));
  const found = [face.safe, face[side] / 2, face[side] - face.safe, 0, face[side], ...others].flatMap((at) => edges.map((edge) => ({ by: at - edge, at })));
  return found.reduce((best, one) => (Math.abs(one.by) < (best ? Math.abs(best.by) - 1e-6 : reach) ? one : best), null);
}

function beginDrag(event) {
  const [{ corner = "" }, { box }] = [event.target.dataset, event.target.closest("button") ?? {}];
  if (!box || event.button || undoing) return;
  event.preventDefault();
  box.element.focus({ preventScroll: true });
  if (box !== chosen) choose(box);
  if (!corner && !isFree(box, "x") && !isFree(box, "y")) return;
  drag = { corner, from: copyBox(box), x: event.clientX, y: event.clientY };
  overlay.setPointerCapture(event.pointerId);
}

function moveBox(event) {
  if (!drag) return;
  const [{ from, corner }, scale] = [drag, place.getBoundingClientRect().width / face.width];
  const pulled = { x: (event.clientX - drag.x) / scale, y: (event.clientY - drag.y) / scale };
  drag.far ||= Math.hypot(pulled.x, pulled.y) * scale > 2;
  if (!drag.far) return;
  if (corner && chosen.tag === "text") {
    const arms = AXES.map(([axis, side], at) => from[axis] + corner.includes("es"[at]) * from[side] - chosen.anchor[at]);
    const [far, at] = arms.map((arm, axis) => [arm, axis]).reduce((one, other) => (Math.abs(one[0]) >= Math.abs(other[0]) ? one : other));
    resizeBox(chosen, from, from.numbers["font-size"] * (1 + pulled["xy"[at]] / (Math.abs(far) > 0.2 ? far : from.height)));
    return;
  }
  const by = {};
  AXES.forEach(([axis, side, edge], at) => {
    const first = corner.includes("wn"[at]);
    const bound = (first || !corner) && !isFree(chosen, axis);
    const edges = [0, 0.5, 1].filter((part) => !corner || part === (first ? 0 : 1)).map((part) => from[axis] + pulled[axis] + part * from[side]);
    const line = bound || event.altKey || event.ctrlKey || event.metaKey ? null : attract(edges, axis, side, NEAR / scale);
    const way = bound ? 0 : pulled[axis] + (line?.by ?? 0);
    Object.assign(by, !corner ? { [axis]: way } : first ? { [axis]: way, [side]: -way } : { [side]: way });
    lines[at].hidden = !line;
    if (line) lines[at].style[edge] = formatShare(line.at, side);
  });
  placeBox(chosen, from, by, lines.map(({ hidden }) => !hidden));
}

function endDrag({ type }) {
  const far = type === "pointerup" && drag?.far;
  drag = null;
  for (const line of lines) line.hidden = true;
  (far ? save : load)(chosen);
}

/** Write the numbers of a box that differ from the template's. What changes meanwhile is written afterwards. */
async function save(box) {
  dirty = box;
  while (dirty && !writing) {
    const { file, line, column, values } = dirty;
    const changes = Object.entries(values).filter(([, { number, text }]) => number !== Number(text));
    dirty = null;
    if (!changes.length) break;
    const back = await send({ file, line, column, values: Object.fromEntries(changes.map(([name, { text, number }]) => [name, [text, number]])) });
    if (!back) break;
    for (const [name, [text]] of Object.entries(back.values)) values[name].text = text;
    done.push(back);
  }
  if (writing) return;
  dirty = null;
  load();
}

/** Have the server carry out a change. Return what takes it back, or null. */
async function send(order) {
  [writing, asked] = [true, asked + 1];
  overlay.ariaBusy = "true";
  const whole = { digest: face.files[order.file]?.digest ?? "", ...order };
  const answer = await (state.write ?? post)(whole).catch((error) => ({ problems: [error.message] }));
  writing = false;
  news = answer.problems?.join("\n") ?? "";
  if (news) done = [];
  else if (face.files[order.file]) face.files[order.file].digest = answer.digest;
  return news ? null : { ...order, digest: answer.digest, values: answer.undo };
}

const post = (order) => fetch("edit", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(order) })
  .then((answer) => (answer.ok ? answer.json() : { problems: [`${answer.status} ${answer.statusText}`] }));

async function undo() {
  if (writing || drag || undoing || !done.length) return;
  undoing = true;
  await send(done.pop());
  await load();
  undoing = false;
}

function handleKey(event) {
  const { key: name, target } = event;
  const move = ARROWS[name]?.map((one) => one * (event.shiftKey ? 1 : 0.1));
  const size = chosen?.scale && chosen.values["font-size"];
  if (!on || (target.matches("input, select") && name !== "Escape")) return;
  if ((event.ctrlKey || event.metaKey) && name.toLowerCase() === "z") undo();
  else if (name === "Escape") (drag ? endDrag : chosen ? () => choose(null) : () => turn(false))(event);
  else if (/^[-+=]$/.test(name) && size && !drag && !undoing) {
    resizeBox(chosen, copyBox(chosen), size.number + (name === "-" ? -1 : 1) * (size.per < 1 ? 0.5 : 0.1));
    save(chosen);
  } else if (move && chosen?.scale && !drag && !undoing) {
    placeBox(chosen, copyBox(chosen), event.altKey ? { width: move[0], height: move[1] } : { x: move[0], y: move[1] }, [true, true]);
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
  $("arrange-keys").textContent = w("Arrows: 0.1 mm, with Shift 1 mm\nAlt + arrows: width and height\n+ and −: font size\nAlt or Ctrl while dragging: no snapping\nCtrl + Z: undo; Esc: cancel",
    "矢印：0.1 mm、Shiftを足すと1 mm\nAlt＋矢印：幅と高さ\n＋と−：文字の大きさ\nドラッグ中にAltかCtrl：吸着しない\nCtrl＋Z：元に戻す、Esc：取り消し");
  $("arrange").onclick = () => turn();
  $("arrange-undo").onclick = undo;
  $("arrange-face").onchange = () => { key = $("arrange-face").value; redraw(); };
  $("detail").addEventListener("keydown", handleKey, true);
  Object.assign(overlay, { onpointerdown: beginDrag, onpointermove: moveBox, onpointerup: endDrag, onpointercancel: endDrag });
  for (const name of ["focusin", "click"]) overlay.addEventListener(name, ({ target: { box } }) => box && box !== chosen && choose(box));
}
