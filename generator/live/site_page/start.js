// The start page: what this is, what one can begin with. It comes from static files; Python is loaded after the choice.

import * as link from "./link.js";
import * as projects from "./projects.js";
import { makeButton, makeWordButton } from "./notes.js";
import { make, prefer } from "./state.js";
import * as folders from "./folder.js";
import { pageLanguage, speak, w } from "./words.js";

const room = make("main", { id: "start", class: "start", tabindex: "-1" });
const error = make("p", { class: "start-error", role: "alert", ".hidden": true });

/** Whether the address names no game, so that the reader has to choose. */
export const isAsked = () => !location.hash.slice(1) || link.isThere();

/**
 * Show the start page, with what went wrong before; a promise of the choice: a game's `hash`, a stored `project`, a
 * `folder`, or a new project's beginnings as worker.js takes them (`fresh`). `own` are names of stored projects.
 * @param {Answer.Site} about
 * @param {string[]} own
 */
export async function choose(about, own, wrong = "") {
  return new Promise((resolve) => {
    const finish = (choice) => {
      room.remove();
      document.body.classList.remove("at-start");
      resolve(choice);
    };
    error.textContent = wrong;
    error.hidden = !wrong;
    room.replaceChildren(...[makeHead(), error, ...(link.isThere() ? [askLink(about, finish)] : []),
      ...(own.length ? [makeSection("start_go_on", make("p", { class: "ways" }, ...own.map((project) => makeButton(project, () => finish({ project })))))] : []),
      makeSection("start_play", make("ul", { class: "fans" }, ...about.games.map((game) => makeGame(game, finish)))),
      makeSection("start_own", make("ul", { class: "fans small" }, ...about.from.map((one) => makeStarter(one, finish)))),
      makeSection("start_open", makeOpener(about, finish)),
      make("p", { class: "soft", "data-word": "start_note" }),
      about.docs ? make("p", {}, make("a", { href: about.docs, "data-word": "start_docs" })) : null].filter(Boolean));
    document.body.append(room);
    document.body.classList.add("at-start");
    speak();
  });
}

function makeHead() {
  const langs = make("p", { class: "langs" }, ...[["en", "English"], ["ja", "日本語"]].map(([lang, name]) => {
    const one = makeButton(name, () => {
      prefer({ lang });
      speak();
      for (const picture of room.querySelectorAll("img[data-ways]")) show(picture);
      for (const part of room.querySelectorAll("[data-title]")) part.textContent = pickTitle(JSON.parse(part.dataset.title));
    });
    one.lang = lang;
    return one;
  }));
  return make("header", {}, make("img", { src: "icon.svg", alt: "", width: "44", height: "44" }), make("h1", { "data-word": "name" }), langs,
    make("p", { class: "says", "data-word": "start_says" }));
}

function makeSection(name, ...parts) {
  return make("section", { "aria-labelledby": name }, make("h2", { id: name, "data-word": name }), ...parts);
}

/** Attributes of what says a word with these values, in each language that the page is turned to. */
const bindWord = (word, values) => ({ "data-word": word, "data-values": JSON.stringify(values) });

const pickTitle = (texts) => texts[pageLanguage()] ?? Object.values(texts)[0];

/** Three pieces fanned out, in the page's language where there is one of it. */
function makeFan(pictures) {
  const images = Object.values(pictures)[0].map((_, at) => make("img", { alt: "", decoding: "async", "data-ways": JSON.stringify(Object.fromEntries(
    Object.entries(pictures).map(([lang, paths]) => [lang, paths[at]]))) }));
  images.forEach(show);
  return make("span", { class: "fan", "aria-hidden": "true" }, ...images);
}

function show(image) {
  image.src = pickTitle(JSON.parse(image.dataset.ways));
}

/**
 * @param {Answer.Site["games"][number]} game
 * @param {(choice: object) => void} done
 */
function makeGame({ id, title: texts, players: [fewest, most], pictures }, done) {
  const play = { href: `index.html?table#${encodeURIComponent(id)}`, ".onclick": () => projects.choose(projects.OWN) };
  return make("li", {}, make("a", play, makeFan(pictures), make("b", { "data-title": JSON.stringify(texts) }, pickTitle(texts)),
    make("small", bindWord("start_players", { n: fewest === most ? most : `${fewest}–${most}` }))),
  makeWordButton("start_made", () => done({ hash: `#${encodeURIComponent(id)}/components` })));
}

/**
 * @param {Answer.Site["from"][number]} starter
 * @param {(choice: object) => void} done
 */
function makeStarter({ id, pictures }, done) {
  const one = makeButton("", () => {
    const spoken = pageLanguage();   // a game in one language needs no fonts of others
    done({ fresh: { called: "my-game", from: id, spoken, languages: [spoken] } });
  });
  one.append(makeFan(pictures), make("b", { "data-word": `starter_${id}` }));
  return make("li", {}, one);
}

/**
 * @param {Answer.Site} about
 * @param {(choice: object) => void} done
 */
function makeOpener(about, done) {
  const file = make("input", { type: "file", accept: ".zip,.svg", class: "out", id: "start-file" });
  file.addEventListener("change", async () => {
    const [one] = file.files;
    if (one.size > about.takes.bytes) {
      error.textContent = w("too_much", { name: one.name, most: about.takes.bytes / 2 ** 20 });
      error.hidden = false;
      return;
    }
    const data = new Uint8Array(await one.arrayBuffer());
    const called = one.name.replace(/\.(zip|svg)$/i, "") || "project";
    done({ fresh: /\.svg$/i.test(one.name) ? { called: "my-game", drawing: one.name, data } : { called, data } });
  });
  const folder = makeWordButton("start_folder", async () => {
    const found = await folders.pickFolder();
    if (found) done({ folder: found });
  });
  return make("p", { class: "ways" }, make("label", { class: "file" }, file, make("span", { "data-word": "start_file" })), folders.offered ? folder : null);
}

/**
 * Ask whether the project in the address is to be opened, before anything is loaded for it.
 * @param {Answer.Site} about
 * @param {(choice: object) => void} done
 */
function askLink(about, done) {
  const box = make("section", { class: "start-link", role: "group" });
  link.read().then(({ name, from, called, spoken, program, archive }) => {
    const older = program === about.program ? [] : [make("p", bindWord("start_older", { theirs: program || "?", ours: about.program }))];
    box.append(make("p", bindWord("start_link", { name, size: Math.ceil(archive.length / 1024) })), ...older,
      make("p", { class: "ways" }, makeWordButton("start_yes", () => done({ fresh: { called: called || name, wish: name, from, spoken, languages: spoken.split(" ").filter(Boolean), data: archive } }), "primary"),
        makeWordButton("start_no", () => box.remove())));
    speak(box);
  }, (why) => box.append(make("p", {}, why.message)));
  return box;
}
