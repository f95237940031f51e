// The workbench's page: the project, the live page, and the workbench beside it.

import * as start from "./start.js";
import * as link from "./link.js";
import * as projects from "./projects.js";
import { fetchAbout, fetchAhead, enter, open, takeOver } from "./entrance.js";
import { keepNote } from "./machine.js";
import { offer, tell } from "./notes.js";
import { openAddressed } from "./table.js";
import { phrase, speak, w } from "./words.js";

/** Fetch what was not needed yet, so that the next visit needs no connection. */
function keepEverything() {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => tell(data ? w("offline_partly", { why: phrase(data) }) : w("offline"));
  navigator.serviceWorker.controller.postMessage("keep everything", [port2]);
}

/** A newer site waits until the reader wants it: nothing changes under their hands. */
function offerNewer(registration) {
  const offerLoading = () => registration.waiting && offer("newer", w("newer"), { [w("newer_load")]: () => takeOver(registration) });
  offerLoading();
  registration.addEventListener("updatefound", () => registration.installing.addEventListener("statechange", offerLoading));
}

/** Another tab has let a newer site in: this one goes on, but hears nothing any more. */
function offerAgain() {
  offer("newer", w("newer_elsewhere"), { [w("newer_load")]: () => location.reload() });
}

addEventListener("hashchange", (event) => {   // a link that is opened in this tab is none of the page's own addresses
  if (!link.isThere()) return;
  event.stopImmediatePropagation();
  dispatchEvent(new Event("linked"));
});

/** What the reader chooses on the start page, where the address names nothing. */
async function askChoice(wrong = "") {
  if (!wrong && !start.isAsked()) return {};
  const own = await projects.listNames().catch(() => []);
  return start.choose(await fetchAbout(), own, wrong);
}

/** Open what was chosen; a promise of the site's description, and whether this tab alone holds the project. */
async function openChosen({ hash = "", project, folder, fresh }) {
  if (fresh) {
    const found = await open(projects.OWN, fresh);
    const { from, called, spoken, wish } = fresh;
    projects.choose(await projects.create(wish ?? called, found.files, from ? { from, called, spoken } : {}));
    return [found, await projects.hold(projects.getChosen())];
  }
  if (hash) history.replaceState(null, "", hash);
  if (hash || project !== undefined) projects.choose(project ?? projects.OWN);
  if (folder) projects.choose((await projects.openProjectFolder(folder, (await fetchAbout()).takes)).name);
  const name = projects.getChosen();
  const alone = await projects.hold(name);   // before it is read: what another tab stores meanwhile would be lost
  return [await open(name), alone];
}

speak();
const first = askChoice();   // the reader chooses while the site's worker settles
await enter(async (registration) => {
  if (start.isAsked()) fetchAhead();
  let chosen = await first;
  let opened = null;
  while (!opened) {
    try {
      opened = await openChosen(chosen);
    } catch (error) {
      if (!chosen.fresh && !chosen.folder) throw error;
      chosen = await askChoice(error.message);
    }
  }
  const [found, alone] = opened;
  Object.assign(globalThis, { keepNote });   // the table in a frame stores its notes through this page
  openAddressed();
  await import("./app.js");
  const bench = await import("./bench.js");
  await bench.begin(found, { alone, open });
  keepEverything();
  offerNewer(registration);
  navigator.serviceWorker.addEventListener("controllerchange", offerAgain);
  return found;
});
