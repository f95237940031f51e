// The table's page: the project as it is stored, and the table.

import * as projects from "./projects.js";
import { enter, open } from "./entrance.js";

await enter(async () => {
  const about = await open(projects.chosen());
  await import("./play.js");
  return about;
});
