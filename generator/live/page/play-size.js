// How large a table is shown, and how it is laid: as large as has room on the screen, so that little has to be scrolled to.

import { $ } from "./state.js";
import { measureArea } from "./play-pieces.js";

/** px for a mm: at least; at least for a row that is not to be broken; at most. */
const LIMITS = { own: [0.95, 1.15, 2.1], middle: [0.62, 0.8, 1.9], other: [0.36, 0.45, 1] };
const NARROW = { own: [0.75, 0.85, 1.3], middle: [0.45, 0.5, 1.2], other: [0.3, 0.3, 0.6] };
const OWN_MOST = 0.58;   // of the table's height: one's own area is never higher, so that the rest can be seen above it
const OWN_IDLE = 0.3;    // the same while nothing of one's own can be chosen: what can be lies above it
const OWN_LEAST = 0.6;   // of its size: so much smaller it may become for that, before it is scrolled

let share = 1;           // how far from the smallest to the largest size everything is shown
let broad = false;       // rows of a plan stand beside each other where there is room for it
const folded = new Map();   // by seat: whether the reader has folded a player's area, or unfolded it

const isNarrow = () => innerWidth <= 992;

/** Fold a player's area, or unfold it: it stays so. */
export function fold(area) {
  folded.set(area.dataset.seat, !area.classList.contains("folded"));
}

/**
 * Give a view its size. What fits stays as it is while a game goes on, unless `anew`; `size` is the reader's own factor.
 * The pieces of one's own are larger than those of the others; one's own area never leaves the screen.
 */
export function fit(view, size, anew) {
  const areas = [...$("areas").querySelectorAll(".area")].map((element) => {
    const kind = element.classList.contains("own") ? "own" : element.classList.contains("other") ? "other" : "middle";
    return { element, kind, room: element.clientWidth - 22, ...measureArea(element.area, view.places) };
  });
  const own = areas.find(({ kind }) => kind === "own")?.element;
  own?.classList.remove("stays");
  for (const { element, kind } of areas) if (kind === "other") show(element, folded.get(element.dataset.seat) ?? false);
  lay(broad);
  const table = $("table").clientHeight;
  set(areas, size, anew ? 1 : share);
  const room = measureRest();
  if (room < 0 || anew || (share < 1 && room > table / 7)) settle(areas, size);
  if (measureRest() < 0) {       // where room is short the others show no more than their points, unless asked
    for (const { element, kind } of areas) {
      if (kind === "other" && !folded.has(element.dataset.seat) && !hasChoice(element.area, view)) show(element, true);
    }
    settle(areas, size);
  }
  if (own) keep(own, table, view);
}

/** The larger of two ways to lay the rows: below each other, as the plan has them, or beside each other. */
function settle(areas, size) {
  const tried = [false, true].map((way) => {
    lay(way);
    return { way, fits: search(areas, size), share };
  });
  const [plain, wide] = tried;
  const best = wide.fits > plain.fits || (wide.fits === plain.fits && wide.share > plain.share + 0.03) ? wide : plain;
  lay(best.way);
  set(areas, size, best.share);
}

/** The largest share that fits; whether any does: 0, or the px that are missing, below 0. */
function search(areas, size) {
  set(areas, size, 1);
  if (measureRest() >= 0) return 0;
  set(areas, size, 0);
  if (measureRest() < 0) return measureRest();
  let low = 0, high = 1;
  for (let step = 0; step < 5; step += 1) {
    const middle = (low + high) / 2;
    set(areas, size, middle);
    if (measureRest() >= 0) low = middle;
    else high = middle;
  }
  set(areas, size, low);
  return 0;
}

function lay(way) {
  broad = way;
  $("areas").classList.toggle("broad", way);
}

function set(areas, size, to) {
  share = to;
  const limits = isNarrow() ? NARROW : LIMITS;
  const scales = { own: Infinity, other: Infinity, middle: Infinity };
  for (const { kind, rows, piece, room } of areas) {
    const [least, unbroken, most] = limits[kind].map((limit) => limit * size);
    const whole = room / Math.max(piece, ...rows.filter((wide) => room / wide >= unbroken));
    scales[kind] = Math.min(scales[kind], least + share * (most - least), whole);
  }
  for (const { kind } of areas) $("areas").style.setProperty(`--s-${kind}`, `${Math.max(0.25, scales[kind]).toFixed(3)}px`);
}

/** px of height that nothing needs; below 0, so many are missing. */
function measureRest() {
  const root = $("areas"), style = getComputedStyle(root);
  const lines = new Map();
  for (const element of root.children) lines.set(element.offsetTop, Math.max(lines.get(element.offsetTop) ?? 0, element.offsetHeight));
  const gap = parseFloat(style.rowGap) || 0;
  const areas = [...lines.values()].reduce((sum, high) => sum + high + gap, -gap) + parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  return $("table").clientHeight - $("aside").offsetHeight - $("banner").offsetHeight - Math.ceil(areas);
}

function show(element, whether) {
  element.classList.toggle("folded", whether);
  element.querySelector(".tab")?.setAttribute("aria-expanded", String(!whether));
}

/**
 * Whether something can be chosen, or laid down, in an area.
 * @param {Element} area
 * @param {Answer.Table} view
 */
function hasChoice(area, view) {
  const cells = area.rows.flat(9).flatMap((key) => [...view.places[key].cells, ...view.places[key].spaces]);
  const zones = new Set(cells.map((cell) => cell.zone)), pieces = new Set(cells.flatMap((cell) => cell.pieces ?? []).map((piece) => piece.key));
  return view.choices.some((choice) => choice.zones.some((zone) => zones.has(zone)) || choice.pieces.some((key) => pieces.has(key)));
}

/** One's own area stays at the lower edge: made smaller, and scrolled in itself, rather than hiding all above it. */
function keep(own, table, view) {
  const most = table * (hasChoice(own.area, view) ? OWN_MOST : OWN_IDLE), usual = parseFloat($("areas").style.getPropertyValue("--s-own"));
  if (measureRest() < 0) {
    for (let by = 1; by > OWN_LEAST && own.offsetHeight > most; by -= 0.05) $("areas").style.setProperty("--s-own", `${(usual * by).toFixed(3)}px`);
  }
  $("areas").style.setProperty("--own-most", `${measureRest() < 0 ? most : table}px`);
  own.classList.add("stays");
}
