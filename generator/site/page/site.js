// The entrance of a site: what the live page's server does is set up here, in this browser, before the page begins.

import * as bench from "./bench.js";
import * as link from "./link.js";
import * as machine from "./machine.js";
import * as projects from "./projects.js";
import { button, offer, tell } from "./notes.js";
import { make } from "./state.js";

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const bar = make("progress", { max: "1", value: "0", "aria-label": "Loading" });
const said = make("p", { role: "status" }, "The program is being loaded …");
const room = make("section", { class: "starting" }, make("h2", {}, "One moment"), said, bar);

function far({ done, of }) {
  bar.value = done / of;
  said.textContent = done < of
    ? `Loading Python, the program, its fonts and games: ${megabytes(done)} of ${megabytes(of)}. From this site alone, and once: it is kept for the next visit.`
    : "The program begins …";
}

/** Open a project, with what is stored of it; what the tab showed before is given up. */
export async function open(name) {
  document.querySelector("main").prepend(room);
  said.hidden = false;
  room.classList.remove("failed");
  try {
    const project = { base: name === projects.OWN, files: await projects.files(name), trusted: projects.trusted(name) };
    return await machine.begin(project, far);
  } finally {
    room.remove();
  }
}

/** The service worker, once it stands between this page and the line. */
async function between() {
  if (!navigator.serviceWorker) throw new Error("this browser lets no page work by itself here; the site must come by https, or from this computer (localhost)");
  const registration = await navigator.serviceWorker.register("sw.js", { updateViaCache: "none" });
  if (!navigator.serviceWorker.controller) {
    const there = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
    registration.active?.postMessage("take over");   // a page that was loaded anew by force has none
    await there;
  }
  navigator.serviceWorker.addEventListener("message", ({ data: { target }, ports: [port] }) => machine.answer(target, port));
  navigator.serviceWorker.startMessages();
  return registration;
}

/** Fetch what was not needed yet, so that the next visit needs no line. */
function keepEverything() {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => tell(data ? `not all of the site could be kept: ${data}` : "kept: this site now works without a line");
  navigator.serviceWorker.controller.postMessage("keep everything", [port2]);
}

/** A newer site waits until the reader wants it: nothing changes under their hands. */
function offerNewer(registration) {
  const told = () => registration.waiting && offer("newer", "A newer version of this site is here.", { "Load it": () => takeOver(registration) });
  told();
  registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", told));
}

function takeOver(registration) {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  navigator.serviceWorker.controller?.postMessage("make way");
  registration.waiting.postMessage("take over");
}

/** Another tab has let a newer site in: this one goes on, but hears nothing any more. */
function offerAgain() {
  offer("newer", "Another tab has loaded a newer version of this site. What is changed here is still stored, but not drawn until this page is loaded again.",
    { "Load it": () => location.reload() });
}

addEventListener("hashchange", (event) => {   // a link that is opened in this tab is none of the page's own addresses
  if (!link.there()) return;
  event.stopImmediatePropagation();
  dispatchEvent(new Event("linked"));
});

let registration = null;
try {
  document.querySelector("main").prepend(room);
  registration = await between();
  projects.choose(projects.chosen());
  const name = projects.chosen();
  const alone = await projects.hold(name);   // before it is read: what another tab stores meanwhile would be lost
  const about = await open(name);
  await import("./app.js");
  await bench.begin(about, { alone, open });
  keepEverything();
  offerNewer(registration);
  navigator.serviceWorker.addEventListener("controllerchange", offerAgain);
  Object.assign(document.documentElement.dataset, { site: "open", started: about.again ? "as it was" : "anew" });
} catch (error) {
  document.querySelector("main").prepend(room);
  room.classList.add("failed");
  said.textContent = error.message;
  bench.rescue();
  if (registration?.waiting) room.append(button("Load the newer version of this site", () => takeOver(registration)));
}
