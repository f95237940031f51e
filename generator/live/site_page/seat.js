// The table's page: within the workbench, of a guest, or of the host of a room. Any other table goes to the workbench.

import * as guest from "./guest.js";
import * as host from "./host.js";
import { getChosen } from "./projects.js";
import { enter, open } from "./entrance.js";
import { offerRoom, openRoom } from "./play-room.js";

const WISH = "pnp.room";     // the room that a table within the workbench asked for
const wish = sessionStorage.getItem(WISH);

if (frameElement) {
  // A room needs a program of its own: the table becomes a page of its own first.
  if (host.offered) offerRoom({ open: (...room) => new Promise(() => {
    sessionStorage.setItem(WISH, JSON.stringify(room));
    parent.location.reload();
  }) });
  Object.assign(globalThis, { fetch: parent.fetch, EventSource: parent.EventSource });   // this tab's Python answers, not another's
  await import("./play.js");
  document.documentElement.dataset.site = "open";
} else if (guest.isGuest()) {
  await enter(guest.enter, guest.answer);
} else if (wish) {
  await enter(async () => {
    const about = await open(getChosen());
    const [game, players, names] = JSON.parse(wish);
    sessionStorage.removeItem(WISH);
    host.offer();
    await openRoom(game, { players, names });
    await import("./play.js");
    return about;
  });
} else {
  location.replace(`index.html?table${location.hash}`);   // see table.js
}

// Another link in the same tab is another room.
addEventListener("hashchange", () => location.reload());
