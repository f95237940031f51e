// The designs of a game by kind: built once, then brought up to date piece by piece, so that place and focus stay.

import { makeFace, forget } from "./faces.js";
import { noteButton } from "./note.js";
import { w } from "./words.js";
import { $, ask, inWords, languageName, listLanguages, make, prefs, state } from "./state.js";

let wordsOf = "";

export const listVisible = () => [...$("components").querySelectorAll(".design:not([hidden])")];
export const findPicture = (design) => design.querySelector(".look");

/** @param {Answer.Design} design */
export function sidesOf(design) {
  const shown = prefs.sides === "both" ? design.faces : design.faces.filter((side) => side === prefs.sides);
  return shown.length ? shown : design.faces.slice(0, 1);
}

/** Bring the page to the game as it is described now. */
export function show() {
  const root = $("components");
  const { game } = state;
  if (root.dataset.game !== game.id) {
    root.querySelectorAll(".face").forEach(forget);
    root.replaceChildren();
    root.dataset.game = game.id;
  }
  arrange(root, game.kinds, "kind", (kind) => kind.id, newKind, updateKind);
  filter();
}

/** Children of `parent` for each entry, in order; those that are there stay where they are. */
function arrange(parent, entries, mark, id, create, update) {
  const known = new Map([...parent.children].filter((child) => child.dataset[mark]).map((child) => [child.dataset[mark], child]));
  let next = parent.firstElementChild;
  for (const entry of entries) {
    const key = id(entry);
    let element = known.get(key);
    known.delete(key);
    if (!element) {
      element = create(entry);
      element.dataset[mark] = key;
    }
    if (element === next) next = next.nextElementSibling;
    else parent.insertBefore(element, next);
    update(element, entry);
  }
  for (const gone of known.values()) {
    gone.querySelectorAll(".face").forEach(forget);
    if (gone.matches(".face")) forget(gone);
    gone.remove();
  }
}

/** @param {Answer.Kind} kind */
function newKind(kind) {
  const title = `kind-${kind.id}`;
  return make("section", { class: "kind", "aria-labelledby": title },
    make("header", {}, make("h2", { id: title }), make("p")),
    make("ul", { class: "designs" }));
}

/**
 * @param {Element} section
 * @param {Answer.Kind} kind
 */
function updateKind(section, kind) {
  section.entry = kind;
  const [title, facts] = section.firstElementChild.children;
  title.textContent = inWords(kind.name);
  const stated = kind.stated !== null && kind.stated !== kind.count ? w("stated", { n: kind.stated }) : "";
  const left = kind.option ? w("left_out", { option: kind.option }) : "";
  facts.textContent = `${w("designs", { n: kind.designs.length })} · ${w("printed", { n: kind.count })}${stated}${left} · ${roundMillimetres(kind.width)} × ${roundMillimetres(kind.height)} mm`;
  section.classList.toggle("outlined", kind.outlined || kind.form === "cube");
  for (const [name, value] of [["--w", kind.width], ["--h", kind.height], ["--corner", kind.corner]]) {
    section.style.setProperty(name, value);
  }
  arrange(section.lastElementChild, kind.designs, "design", (design) => design.id, newDesign, updateDesign);
}

const roundMillimetres = (value) => Number(value.toFixed(1));

function newDesign() {
  const item = make("li", { class: "design" },
    make("button", { type: "button", class: "look", tabindex: "-1" },
      make("span", { class: "faces" }),
      make("span", { class: "legend" }, make("b"), " ", make("span"), make("span", { class: "out", "data-word": "x_printed" }, w("x_printed")))),
    make("p", { class: "trouble", ".hidden": true }));
  const note = noteButton(() => item.entry);
  if (note) item.append(note);
  if (note) note.tabIndex = -1;   // `n` reaches it: arrows go from design to design
  return item;
}

/**
 * @param {Element} item
 * @param {Answer.Design} design
 */
function updateDesign(item, design) {
  item.entry = design;
  const [button, trouble] = item.children;
  const [faces, legend] = button.children;
  const places = listLanguages().flatMap((lang) => sidesOf(design).map((side) => ({ lang, side })));
  const kind = state.game.kinds.find((one) => one.designs.includes(design));
  const wide = `max(calc(${places.length} * ${kind.width} * var(--mm) + ${places.length - 1} * 2 * var(--mm)), 7rem)`;
  item.style.setProperty("--wide", wide);
  item.style.setProperty("--high", `calc(${kind.height} * var(--mm) + 3.4rem)`);
  arrange(faces, places, "key", ({ lang, side }) => `${lang}:${side}:${design.id}`,
    ({ lang, side }) => makeFace(design, side, lang), () => {});
  const name = inWords(design.name);
  const short = design.id.split("/").slice(1).join("/") || design.id;
  const own = name !== inWords(kind.name);
  legend.children[0].textContent = own ? name : short;
  legend.children[1].textContent = own ? `${short} · ×${design.count}` : `×${design.count}`;
  const mine = state.game.problems.filter((problem) => problem.designs.includes(design.id)).slice(0, 3);
  trouble.hidden = !mine.length;
  trouble.replaceChildren(...(mine.length ? [make("strong", {}, w("last_good"))] : []),
    ...mine.map((problem) => make("span", {}, `${problem.place ? `${problem.place}: ` : ""}${problem.what}`)));
  item.classList.toggle("failing", mine.length > 0);
}

/** Hide what is not looked for. */
export function filter() {
  const asked = normalizeText(state.search).split(/\s+/).filter(Boolean);
  let shown = 0;
  let all = 0;
  for (const section of $("components").querySelectorAll(".kind")) {
    let here = 0;
    for (const item of section.lastElementChild.children) {
      const { entry } = item;
      const fits = (!state.kind || section.entry.id === state.kind)
        && Object.entries(state.fields).every(([field, value]) => !value || entry.fields[field] === value)
        && (!asked.length || matches(section.entry, entry, asked));
      item.hidden = !fits;
      here += fits ? 1 : 0;
      all += 1;
    }
    section.hidden = !here;
    shown += here;
  }
  $("tally").textContent = shown === all ? w("designs", { n: all }) : w("some_designs", { n: shown, of: all });
  showEmpty(shown, all);
  rove();
}

function showEmpty(shown, all) {
  let note = $("components").querySelector(".empty");
  if (shown || !all) {
    note?.remove();
  } else if (!note) {
    note = make("p", { class: "empty" }, w("nothing_like"));
    $("components").append(note);
  }
}

const normalizeText = (text) => text.normalize("NFKC").toLowerCase();

/**
 * @param {Answer.Kind} kind
 * @param {Answer.Design} design
 * @param {string[]} asked
 */
function matches(kind, design, asked) {
  const words = [design.id, ...Object.values(design.name), ...Object.values(kind.name),
    ...Object.values(design.fields), ...Object.values(state.words?.[design.id] ?? {})];
  const text = normalizeText(words.join("\n"));
  return asked.every((word) => text.includes(word));
}

/** What the faces say, asked for when somebody searches. */
export async function readWords() {
  const { game } = state;
  if (!game) return;
  const now = `${game.id} ${game.generation}`;
  if (wordsOf === now) return;
  wordsOf = now;
  const answer = await ask(["words", game.id]).catch(() => null);
  if (wordsOf !== now) return;
  if (answer) {
    state.words = answer.words;
    filter();
  } else {
    wordsOf = "";
  }
}

/** Another game is opened: its words are not known. */
export function forgetWords() {
  state.words = null;
  wordsOf = "";
}

/** One design at a time can be reached by Tab, the others by arrows. */
export function rove(to = null) {
  const designs = listVisible();
  const current = to ?? designs.find((item) => findPicture(item).tabIndex === 0) ?? designs[0];
  $("components").querySelectorAll(".look").forEach((button) => {
    button.tabIndex = current && button === findPicture(current) ? 0 : -1;
  });
}

/** The design in a direction from this one, as the eye sees it. */
export function findTowards(item, key) {
  const designs = listVisible();
  const at = designs.indexOf(item);
  if (key === "ArrowRight") return designs[at + 1];
  if (key === "ArrowLeft") return designs[at - 1];
  if (key === "Home") return designs[0];
  if (key === "End") return designs.at(-1);
  const here = item.getBoundingClientRect();
  const down = key === "ArrowDown";
  const rows = designs.map((other) => ({ other, box: other.getBoundingClientRect() }))
    .filter(({ box }) => (down ? box.top > here.top + 1 : box.top < here.top - 1));
  const row = down ? Math.min(...rows.map(({ box }) => box.top)) : Math.max(...rows.map(({ box }) => box.top));
  const middle = here.left + here.width / 2;
  const far = ({ box }) => Math.abs(box.left + box.width / 2 - middle);
  return rows.filter(({ box }) => Math.abs(box.top - row) < 2).sort((one, other) => far(one) - far(other))[0]?.other;
}

/** The selects for kinds and for fields with few values. */
export function buildFilters() {
  const { game } = state;
  if (!game.kinds.some((kind) => kind.id === state.kind)) state.kind = "";
  for (const field of Object.keys(state.fields)) {
    if (!game.filters.some((one) => one.field === field && isInKind(one))) delete state.fields[field];
  }
  const kinds = makeFilter(w("fact_kind"), w("all_kinds"), game.kinds.map((kind) => [kind.id, inWords(kind.name)]), state.kind,
    (value) => { state.kind = value; buildFilters(); $("filters").firstElementChild.focus(); });
  const fields = game.filters.filter(isInKind).map((one) => makeFilter(one.field, w("any", { field: one.field.replaceAll("_", " ") }),
    one.values.map((value) => [value.value, inWords(value.label)]), state.fields[one.field] ?? "",
    (value) => { state.fields[one.field] = value; }));
  $("filters").replaceChildren(...(game.kinds.length > 1 ? [kinds] : []), ...fields);
  const langs = game.languages.map((lang) => make("option", { value: lang }, languageName(lang)));
  const all = game.languages.length > 1 ? [make("option", { value: "*" }, w("all_languages"))] : [];
  $("lang").replaceChildren(...langs, ...all);
  $("lang").value = prefs.lang === "*" && all.length ? "*" : listLanguages()[0] ?? "";
}

/** Whether the kind that is chosen has a field at all. */
function isInKind({ field }) {
  const kind = state.game.kinds.find((one) => one.id === state.kind);
  return !kind || kind.designs.some((design) => field in design.fields);
}

function makeFilter(name, any, values, chosen, choose) {
  const select = make("select", { "aria-label": name.replaceAll("_", " "), "data-field": name },
    make("option", { value: "" }, any), ...values.map(([value, label]) => make("option", { value }, label)));
  select.value = chosen;
  select.classList.toggle("on", Boolean(select.value));
  select.addEventListener("change", () => {
    choose(select.value);
    select.classList.toggle("on", Boolean(select.value));
    filter();
  });
  return select;
}

/** What is wrong, above everything else. */
export function showProblems() {
  const { problems: wrong, stale } = state.game;
  $("problems").hidden = !wrong.length;
  $("problems-title").textContent = w("problems_in", { n: wrong.length });
  $("problems").querySelector(".why").hidden = !stale && !wrong.some((problem) => problem.designs.length);
  $("problem-list").replaceChildren(...wrong.map((problem) => make("li", {},
    problem.place ? make("code", {}, problem.place) : "", ` ${problem.what}`,
    problem.hint ? make("span", { class: "hint" }, `; ${problem.hint}`) : "",
    ...problem.designs.slice(0, 4).map((id) => makeJump(id)),
    problem.designs.length > 4 ? make("span", { class: "hint" }, w("more", { n: problem.designs.length - 4 })) : "")));
}

function makeJump(id) {
  const button = make("button", { type: "button", class: "to" }, id);
  button.addEventListener("click", () => {
    const item = $("components").querySelector(`[data-design="${CSS.escape(id)}"]`);
    if (!item) return;
    item.scrollIntoView({ block: "center" });
    rove(item);
    findPicture(item).focus();
  });
  return button;
}

