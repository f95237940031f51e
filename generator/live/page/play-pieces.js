// Places and pieces of a table as elements: laid by its plan, each piece a button with its printed face.

import { ask, make, joinPath } from "./state.js";

export const SIGNS = ["●", "▲", "■", "◆", "★", "⬟", "✚", "⬢"];

/** What every part of the table knows: the game, its words, the sizes of kinds. */
export const known = { game: "", lang: "", kinds: {}, words: {}, versions: new Map(), seated: [], room: null };

export const w = (name, values = {}) =>
  Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), known.words[name] ?? name);

const STRENGTHS = { greedy: "bot_easy", "look-ahead": "bot_thoughtful", "search:200": "bot_strong" };

/** The bots that most people need, weakest first. */
export const USUAL_BOTS = Object.keys(STRENGTHS);

/** What a bot is called: how strong it is, where there is a word for it. */
export const botName = (bot) => (STRENGTHS[bot] ? w(STRENGTHS[bot]) : bot);

export const pointsText = (n) => (n === 1 ? w("points_one") : w("points", { n }));

export const kindOf = (design) => known.kinds[design.split("/")[0]];

/** The address of a face; its version stands in it, so that the browser keeps it. */
function address(design, side) {
  const version = known.versions.get(`${known.lang}:${side}:${design}`);
  const query = version ? `?v=${version}` : "";
  return `${joinPath("face", known.game, known.lang, design, `${side}.svg`)}${query}`;
}

/** Learn the versions of all faces that a view shows, those that are known already once more if `anew`. */
export async function learn(keys, anew = false) {
  const wanted = [...new Set(keys)].filter((key) => anew || !known.versions.has(key));
  for (let at = 0; at < wanted.length; at += 150) {
    const answer = await ask(["faces", known.game], wanted.slice(at, at + 150).map((key) => ["face", key]));
    for (const { design, face, lang, version } of answer?.faces ?? []) known.versions.set(`${lang}:${face}:${design}`, version);
  }
}

/** @param {Answer.Table} view */
export const faceKeys = (view) => Object.values(view.places).flatMap((place) =>
  [...place.cells.flatMap((cell) => cell.pieces), ...place.on]
    .filter((piece) => piece.side).map((piece) => `${known.lang}:${piece.side}:${piece.design}`));

/** The picture of a piece's face, or blank paper. */
export function makePicture(piece) {
  if (!piece.side) return make("span", { class: "blank" });
  return make("img", { alt: "", src: address(piece.design, piece.side), draggable: "false", decoding: "async",
    "data-face": `${known.lang}:${piece.side}:${piece.design}` });
}

function sizeElement(element, kind, turned = 0) {
  const across = turned % 180 === 0;
  element.style.setProperty("--w", across ? kind.w : kind.h);
  element.style.setProperty("--h", across ? kind.h : kind.w);
  element.style.setProperty("--pw", kind.w);
  element.style.setProperty("--ph", kind.h);
  element.style.setProperty("--corner", kind.corner);
}

/** A piece: a box of its size with a button in it. `zone` is where it lies, in words and by name. */
export function pieceElement(piece, zone, zoneName, { turned = 0, layers = 1 } = {}) {
  const kind = kindOf(piece.design);
  const box = make("div", { class: `piece form-${kind.form}${kind.outlined ? " outlined" : ""}`, "data-key": piece.key, "data-zone": zone });
  sizeElement(box, kind, turned);
  box.classList.toggle("turned", piece.turned);
  box.classList.toggle("stands", piece.stands);
  box.style.setProperty("--turn", `${turned}deg`);
  box.style.setProperty("--layers", layers);
  box.classList.toggle("heap", layers > 1);
  box.piece = piece;
  box.zone = zone;
  box.zoneName = zoneName;
  const button = make("button", { type: "button", class: "face-button", tabindex: "-1", "data-key": piece.key }, makePicture(piece));
  box.append(button);
  if (piece.n > 1 || layers > 1) {
    const number = `×${piece.total ?? piece.n}`;
    box.append(make("span", { class: "number", "aria-hidden": "true" }, number));
    box.style.setProperty("--digits", number.length);
  }
  if (piece.turned) box.append(make("span", { class: "down-sign", "aria-hidden": "true" }, "⌄"));
  return box;
}

/**
 * A piece on a space of a board below it.
 * @param {Answer.Place["on"][number]} spot
 */
function placeOnSpace(spot) {
  const box = pieceElement(spot, spot.zone, "");
  box.classList.add("on-board");
  const [a, b, , , x, y] = spot.matrix;
  box.style.setProperty("--x", x);
  box.style.setProperty("--y", y);
  box.style.setProperty("--spin", `${Math.atan2(b, a)}rad`);
  return box;
}

/** @param {Answer.Place["spaces"][number]} space */
function makeSpaceTarget(space) {
  const [x, y, wide, high] = space.box;
  const button = make("button", { type: "button", class: "space", tabindex: "-1", "data-zone": space.zone, "aria-label": space.name, hidden: true });
  for (const [name, value] of [["--x", x], ["--y", y], ["--w", wide], ["--h", high]]) button.style.setProperty(name, value);
  button.zoneName = space.name;
  return button;
}

/**
 * One cell of a place: the pieces of one zone.
 * @param {Answer.Place} place
 * @param {Answer.Place["cells"][number]} cell
 */
function cellElement(place, cell) {
  const element = make("div", { class: "cell", "data-zone": cell.zone });
  element.zoneName = cell.name || place.name;
  const { pieces } = cell;
  const total = pieces.reduce((sum, piece) => sum + piece.n, 0);
  const makePiece = (piece, more = {}) => pieceElement(piece, cell.zone, element.zoneName, { turned: place.turned, ...more });
  if (!pieces.length) {
    element.classList.add("vacant");
    if (known.kinds[place.room]) {
      const room = make("span", { class: "room" });
      sizeElement(room, known.kinds[place.room], place.turned);
      element.append(room);
    } else element.append(make("span", { class: "room small" }));
    return element;
  }
  if (place.lies === "pile") {
    const top = makePiece({ ...pieces[0], total }, { layers: Math.min(total, total < 10 ? 3 : 5) });
    top.under = pieces;
    element.append(top);
  } else {
    const large = pieces.some((piece) => piece.stands) ? pieces.find((piece) => !piece.stands) : null;
    const elements = pieces.filter((piece) => !piece.stands || !large).map((piece) =>
      makePiece(piece, { layers: piece.n > 1 ? Math.min(piece.n, 4) : 1 }));
    element.append(...elements);
    if (large) {
      const feet = make("div", { class: "standing-on" });
      feet.append(...pieces.filter((piece) => piece.stands).flatMap((piece) =>
        Array.from({ length: Math.min(piece.n, 4) }, () => makePiece({ ...piece, n: 1 }))));
      elements[0].append(feet);
    }
  }
  element.style.setProperty("--n", pieces.length);
  return element;
}

/** The name of a zone within its owner's area, where nobody has to be told whose it is. */
function dropOwner(text, player) {
  return text.replace(w("of_player", { player }), "").trim() || text;
}

/**
 * @param {string} key
 * @param {Answer.Place} place
 * @param {Answer.Area} area
 */
function placeElement(key, place, area) {
  const element = make("div", { class: `place lies-${place.lies}`, "data-place": key, role: "group", "aria-label": place.name });
  element.classList.toggle("aid", place.aid);
  element.style.setProperty("--gap", place.gap);
  const body = make("div", { class: "body" });
  const cells = place.cells.filter((cell) => cell.pieces.length || place.room || cell.zone).map((cell) => cellElement(place, cell));
  if (place.lines.length) {
    let at = 0;
    const each = place.cells.length === 1 ? [...cells[0].children] : cells;
    for (const number of [...place.lines, each.length]) {
      const line = make("div", { class: "line-of" });
      line.append(...each.slice(at, at + number));
      if (place.cells.length === 1) { line.dataset.zone = place.cells[0].zone; line.classList.add("cell"); line.zoneName = place.cells[0].name; }
      at += number;
      if (line.children.length) body.append(line);
    }
  } else body.append(...cells);
  for (const spot of place.on) findBelow(body, spot)?.append(placeOnSpace(spot));
  for (const space of place.spaces) findBelow(body, space)?.append(makeSpaceTarget(space));
  const text = area.seat && key.startsWith("zone ") ? dropOwner(place.name, area.name) : place.name;
  const label = make("p", { class: "label" }, text);
  label.style.setProperty("--long", [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 2 : 1), 0));
  element.append(body, label);
  return element;
}

const findBelow = (body, spot) => body.querySelector(`.piece[data-key="${CSS.escape(spot.under)}"]`);

/**
 * @param {Answer.Row} entry
 * @param {Answer.Places} places
 * @param {boolean} down
 * @param {Answer.Area} area
 */
function arrangeEntry(entry, places, down, area) {
  if (!Array.isArray(entry)) return placeElement(entry, places[entry], area);
  const group = make("div", { class: down ? "stack-of" : "row-of" });
  group.append(...entry.map((one) => arrangeEntry(one, places, !down, area)));
  return group;
}

/**
 * The width of an arrangement in mm, as far as it must not be broken.
 * @param {Answer.Row} entry
 * @param {Answer.Places} places
 * @param {boolean} down
 */
function measureWidth(entry, places, down) {
  if (Array.isArray(entry)) {
    const parts = entry.map((one) => measureWidth(one, places, !down));
    return down ? Math.max(0, ...parts) : parts.reduce((sum, part) => sum + part + 6, -6);
  }
  const place = places[entry];
  const getWidth = (piece) => { const kind = kindOf(piece.design); return place.turned % 180 ? kind.h : kind.w; };
  const room = known.kinds[place.room]?.w ?? 20;
  const cells = place.cells.filter((cell) => cell.pieces.length || place.room || cell.zone);
  const listLooseWidths = (pieces) => pieces.filter((piece) => !piece.stands).map((piece) => getWidth(piece) + place.gap);
  const addAll = (parts) => parts.reduce((all, part) => all + part, 0);
  if (place.lies === "pile") return addAll(cells.map((cell) => (cell.pieces[0] ? getWidth(cell.pieces[0]) : room) + 5));
  if (place.lies === "columns" || place.lies === "column") return addAll(cells.map((cell) => (cell.pieces[0] ? getWidth(cell.pieces[0]) : room) + place.gap));
  const parts = place.cells.length === 1 ? listLooseWidths(place.cells[0].pieces) : cells.map((cell) => Math.max(0, addAll(listLooseWidths(cell.pieces))) || room);
  if (place.lines.length) {
    let at = 0;
    return Math.max(...[...place.lines, parts.length].map((number) => addAll(parts.slice(at, at += number))));
  }
  return Math.max(room, place.lies === "fan" ? Math.min(addAll(parts), 260) : addAll(parts));
}

/**
 * The widest row and the widest piece of an area, mm: what its scale hangs on.
 * @param {Answer.Area} area
 * @param {Answer.Places} places
 */
export function measureArea(area, places) {
  const rows = area.rows.filter((row) => row.length).map((row) => measureWidth(row, places, false));
  const keys = /** @type {string[]} */ (area.rows.flat(9));
  const widest = keys.flatMap((key) => places[key].cells.flatMap((cell) => cell.pieces.map((piece) => kindOf(piece.design).w)));
  return { rows, piece: Math.max(20, ...widest) };
}

/**
 * An area of the table: the middle, or what a player has before him.
 * @param {Answer.Area} area
 * @param {Answer.Table} view
 */
export function areaElement(area, view) {
  const { places } = view;
  const element = make("section", { class: `area ${area.seat ? (area.near ? "own" : "other") : "middle"}`, "aria-label": area.name });
  element.area = area;
  if (area.seat) {
    const points = view.points[area.seat - 1];
    const tab = make(...(area.near ? ["p", { class: "tab" }] : ["button", { class: "tab", type: "button", "aria-expanded": "true" }]),
      make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[(area.seat - 1) % SIGNS.length]),
      make("span", {}, area.name), make("span", { class: "points" }, points === null ? "?" : pointsText(points)));
    if (known.seated[area.seat - 1]) tab.append(make("span", { class: "who" }, known.seated[area.seat - 1]));
    element.dataset.seat = area.seat;
    element.append(tab);
  }
  const rows = make("div", { class: "rows" });
  const lines = area.rows.filter((row) => row.length).map((row) => {
    const line = make("div", { class: "row-of" });
    line.append(...(Array.isArray(row) ? row : [row]).map((one) => arrangeEntry(one, places, true, area)));
    return { row, line };
  });
  // Columns that belong to the places of another row stand right below them, as far from each other as these.
  for (const under of lines) {
    const columns = under.row.length === 1 ? String(under.row[0]) : "";
    const above = places[columns]?.lies === "columns" && lines.find(({ row }) => row !== under.row && row.length === places[columns].cells.length);
    if (!above) continue;
    places[columns].gap = 6;
    under.line.querySelector(".place").style.setProperty("--gap", 6);
    above.line = make("div", { class: "together" }, above.line, under.line);
    under.line = null;
  }
  rows.append(...lines.map(({ line }) => line).filter(Boolean));
  element.append(rows);
  return element;
}
