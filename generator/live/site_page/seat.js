// The table's page: the project as it is stored, and the table; of a guest, or within the workbench, the table alone.

import * as guest from "./guest.js";
import * as host from "./host.js";
import * as machine from "./machine.js";
import * as projects from "./projects.js";
import { enter, open } from "./entrance.js";
import { offerRoom, openRoom } from "./play-room.js";
import { w } from "./words.js";

const WISH = "pnp.room";     // the room that a table within the workbench asked for

if (frameElement) {
  // A room needs a program of its own: the table becomes a page of its own first.
  offerRoom({ open: (...room) => new Promise(() => {
    sessionStorage.setItem(WISH, JSON.stringify(room));
    parent.location.reload();
  }) });
  await import("./play.js");
  document.documentElement.dataset.site = "open";
} else if (guest.isGuest()) {
  await enter(guest.enter, guest.answer);
} else {
  await enter(async () => {
    const about = await open(projects.getChosen());
    machine.keepNotesWith(async (path, data) => {
      if (!await projects.hold(projects.getChosen())) throw new Error(w("note_elsewhere"));
      await projects.keep(projects.getChosen(), path, data);
    });
    host.offer();
    const [game, players, names] = JSON.parse(sessionStorage.getItem(WISH)) ?? [];
    sessionStorage.removeItem(WISH);
    if (game) await openRoom(game, { players, names });
    await import("./play.js");
    return about;
  });
}

// Another link in the same tab is another room.
addEventListener("hashchange", () => location.reload());
