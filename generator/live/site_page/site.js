// The workbench's page: the project, the live page, and the workbench beside it.

import * as bench from "./bench.js";
import * as link from "./link.js";
import * as projects from "./projects.js";
import { enter, open, takeOver } from "./entrance.js";
import { offer, tell } from "./notes.js";

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

await enter(async (registration) => {
  const name = projects.chosen();
  const alone = await projects.hold(name);   // before it is read: what another tab stores meanwhile would be lost
  const about = await open(name);
  await import("./app.js");
  await bench.begin(about, { alone, open });
  keepEverything();
  offerNewer(registration);
  navigator.serviceWorker.addEventListener("controllerchange", offerAgain);
  return about;
});
