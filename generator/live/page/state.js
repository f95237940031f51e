// What the page shows now, what the reader prefers, and the few things that every part needs.

export const state = {
  /** @type {Answer.Listed[]} */
  games: [],          // the list
  /** @type {Answer.Game} */
  game: null,         // the one that is open, as the server describes it
  view: "components",
  search: "",
  kind: "",
  fields: {},         // field -> value that is chosen
  /** @type {Answer.Routes["words"]["words"]} */
  words: null,        // design -> what it says
  edits: false,       // whether the server lets the page change files
};

const DEFAULTS = { lang: "", pair: "", paper: "", sides: "front", guides: false, zoom: 1, scale: 1 };
const KEY = "pnp.page";

export const prefs = { ...DEFAULTS, ...readStored() };

function readStored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) || {};
  } catch {
    return {};
  }
}

export function prefer(changes) {
  Object.assign(prefs, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch { /* a browser that keeps nothing */ }
}

export const $ = (id) => document.getElementById(id);

/** An element with attributes, properties (`.name`) and children; texts are always texts. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith(".")) element[name.slice(1)] = value;
    else if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Give the reader a file to save. */
export function saveFile(name, blob) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * JSON of this server at an address of some steps; null where there is nothing of that name. `signal` gives the question up.
 * @template {readonly string[]} const Steps
 * @param {Steps} steps
 * @param {URLSearchParams | Record<string, string> | string[][]} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answer.To<Steps>>}
 */
export async function ask(steps, query = {}, signal = undefined) {
  const asked = String(new URLSearchParams(query));
  const answer = await fetch(joinPath(...steps) + (asked && `?${asked}`), { cache: "no-store", signal });
  return answer.ok ? answer.json() : null;
}

/**
 * Hear one kind of the server's news.
 * @template {keyof Answer.Events} What
 * @param {EventSource} news
 * @param {What} what
 * @param {(said: Answer.Events[What]) => void} act
 */
export const hear = (news, what, act) => news.addEventListener(what, ({ data }) => act(JSON.parse(data)));

/** An address beside the page's own, wherever that stands. */
export const joinPath = (...steps) => steps.map(encodeURIComponent).join("/");

export function say(text) {
  $("news").textContent = text;
}

/** The languages that are shown: one, or all of the game's. Until one is chosen it is what the browser's owner reads. */
export function listLanguages() {
  const known = state.game?.languages ?? [];
  if (prefs.lang === "*") return known;
  const lang = read().find((one) => known.includes(one)) ?? known[0];
  return lang ? [lang] : [];
}

const read = () => [prefs.lang, ...navigator.languages.map((lang) => lang.split("-")[0])];

/** Words of a game that need not be the open one, in a language that the reader knows. */
export const forReader = (texts) => texts[read().find((lang) => lang in texts)] ?? Object.values(texts)[0] ?? "";

export function inWords(texts) {
  const [lang] = listLanguages();
  return texts[lang] ?? Object.values(texts)[0] ?? "";
}

const NAMES = { ja: "日本語", en: "English", de: "Deutsch", fr: "Français", es: "Español", zh: "中文", ko: "한국어" };
export const languageName = (lang) => lang.split("+").map((one) => NAMES[one] ?? one).join(" + ");
