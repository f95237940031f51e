// The table's page: the project as it is stored, and the table; of a guest the table alone.

import * as guest from "./guest.js";
import * as host from "./host.js";
import * as machine from "./machine.js";
import * as projects from "./projects.js";
import { enter, open } from "./entrance.js";
import { w } from "./words.js";

if (guest.isGuest()) {
  await enter(guest.enter, guest.answer);
} else {
  await enter(async () => {
    const about = await open(projects.chosen());
    machine.keepNotesWith(async (path, data) => {
      if (!await projects.hold(projects.chosen())) throw new Error(w("note_elsewhere"));
      await projects.keep(projects.chosen(), path, data);
    });
    host.offer();
    await import("./play.js");
    return about;
  });
}

// Another link in the same tab is another room.
addEventListener("hashchange", () => location.reload());
