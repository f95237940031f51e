// The entrance of each page of a site: what the live page's server does is set up here, in this browser, before it begins.

import * as machine from "./machine.js";
import * as projects from "./projects.js";
import { makeButton } from "./notes.js";
import { make } from "./state.js";
import { pageLanguage, speak, w } from "./words.js";

const bar = make("progress", { max: "1", value: "0", "data-label": "start_moment" });
const said = make("p", { role: "status" });
const room = make("section", { class: "starting" }, make("h2", { "data-word": "start_moment" }), said, bar);

/** What the site says of itself: its games, its files and their sizes. @returns {Promise<Answer.Site>} */
export const fetchAbout = async () => (await fetch("site.json")).json();

/** Fetch what every game needs while the reader still looks around, unless they pay for each byte. */
export async function fetchAhead() {
  if (navigator.connection?.saveData) return;
  const { parts } = await fetchAbout();
  for (const part of ["runtime", "program", "games", "start"]) {
    for (const path of Object.keys(parts[part])) await fetch(path, { priority: "low" }).catch(() => {});   // what fails is asked for again
  }
}

function showProgress({ done, of }) {
  bar.value = done / of;
  said.textContent = done < of
    ? w("start_loading", { left: ((of - done) / 1e6).toFixed(1) })
    : w("start_begins");
}

/** Open a project, with what is stored of it, or a new one from its beginnings; what the tab showed before is given up. */
export async function open(name, fresh = null) {
  document.querySelector("main").prepend(room);
  speak(room);
  said.hidden = false;
  room.classList.remove("failed");
  try {
    const project = fresh ? { base: false, files: [], trusted: false, fresh }
      : { base: name === projects.OWN, files: await projects.listFiles(name), trusted: projects.isTrusted(name) };
    return await machine.begin(project, showProgress);
  } finally {
    room.remove();
  }
}

/** The service worker, once it stands between this page and the line. */
async function connectWorker(answer) {
  if (!navigator.serviceWorker) throw new Error(w("no_worker"));
  const registration = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
  if (!navigator.serviceWorker.controller) {
    const there = new Promise((resolve) => { navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
    registration.active?.postMessage("take over");   // a page that was loaded anew by force has none
    await there;
  }
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => answer(data, port));
  navigator.serviceWorker.startMessages();
  return registration;
}

/** Let a newer site in, and load the page anew by it. */
export function takeOver(registration) {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  navigator.serviceWorker.controller?.postMessage("make way");
  registration.waiting.postMessage("take over");
}

/** A project that can't be opened at all: others still can. */
function rescue() {
  if (projects.getChosen() === projects.OWN) return;
  room.append(makeButton(w("own_open"), () => {
    projects.choose(projects.OWN);
    location.reload();
  }));
}

/** Begin a page: `begin` opens the project and then the page, a promise of the site's description; `answer` replies to what the page asks. */
export async function enter(begin, answer = machine.answer) {
  let registration = null;
  try {
    document.documentElement.lang = pageLanguage();
    document.title = w("name");
    speak(room);
    document.querySelector("main").prepend(room);
    registration = await connectWorker(answer);
    room.remove();
    projects.choose(projects.getChosen());
    const about = await begin(registration);
    Object.assign(document.documentElement.dataset, { site: "open", started: about.again ? "as it was" : "anew" });
  } catch (error) {
    document.getElementById("start")?.remove();
    document.body.classList.remove("at-start");
    document.querySelector("main").prepend(room);
    room.classList.add("failed");
    said.textContent = error.message;
    rescue();
    if (registration?.waiting) room.append(makeButton(w("newer_load"), () => takeOver(registration)));
  }
}
