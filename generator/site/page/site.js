// The entrance of a site: what the live page's server does is set up here, in this browser, before the page begins.

import * as bench from "./bench.js";
import * as machine from "./machine.js";
import * as projects from "./projects.js";
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
  const project = { base: name === projects.OWN, files: await projects.files(name), trusted: projects.trusted(name) };
  const about = await machine.begin(project, far);
  room.remove();
  return about;
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
  port1.onmessage = ({ data }) => bench.tell(data ? `not all of the site could be kept: ${data}` : "kept: this site now works without a line");
  navigator.serviceWorker.controller.postMessage("keep everything", [port2]);
}

/** A newer site waits until the reader wants it: nothing changes under their hands. */
function offerNewer(registration) {
  const offer = () => registration.waiting && bench.offer("A newer version of this site is here.", "Load it", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    registration.waiting.postMessage("take over");
  });
  offer();
  registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", offer));
}

try {
  document.querySelector("main").prepend(room);
  const registration = await between();
  const name = projects.chosen();
  const [about, alone] = [await open(name), await projects.hold(name)];
  await import("./app.js");
  await bench.begin(about, { alone, open });
  keepEverything();
  offerNewer(registration);
  document.documentElement.dataset.site = "open";
} catch (error) {
  room.classList.add("failed");
  said.textContent = error.message;
  await bench.rescue(error, { open }).catch(() => {});
}
