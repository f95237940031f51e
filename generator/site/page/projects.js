// Projects in the browser's own storage: what was changed of the site's games, and projects that were opened from a zip.

export const OWN = "";   // the name of the site's own games: of these only what was changed is stored

const PLACE = `pnp ${new URL("./", document.baseURI).pathname}`;

let base = null;
let holding = null;

function opened() {
  base ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(PLACE, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("projects", { keyPath: "name" });
      asked.result.createObjectStore("files", { keyPath: ["project", "path"] }).createIndex("project", "project");
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(new Error(`this browser stores nothing (${asked.error?.message ?? "not allowed"})`));
  });
  return base;
}

/** All or nothing: what `work` puts and deletes is there once this ends, whatever happens to the page meanwhile. */
async function changed(work) {
  const deal = (await opened()).transaction(["projects", "files"], "readwrite", { durability: "strict" });
  return new Promise((resolve, reject) => {
    deal.oncomplete = () => resolve();
    deal.onabort = () => reject(new Error(deal.error?.name === "QuotaExceededError"
      ? "this browser's storage is full, and the change was not stored: save the project as a zip, then make room"
      : `the change was not stored (${deal.error?.message ?? "ended"})`));
    work(deal.objectStore("projects"), deal.objectStore("files"));
  });
}

async function found(work) {
  const deal = (await opened()).transaction(["projects", "files"]);
  return new Promise((resolve, reject) => {
    const asked = work(deal.objectStore("projects"), deal.objectStore("files"));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** The names of the projects that were opened here. */
export const names = async () => (await found((projects) => projects.getAll())).map(({ name }) => name);

/** Paths and contents of what is stored of a project. */
export async function files(project) {
  const all = await found((_, stored) => stored.index("project").getAll(project));
  return all.map(({ path, data }) => [path, data]);
}

export const keep = (project, path, data) => changed((_, stored) => stored.put({ project, path, data }));

/** Store a whole project under a name, instead of what had that name. */
export function add(name, contents) {
  return changed((projects, stored) => {
    projects.put({ name });
    stored.delete(IDBKeyRange.bound([name], [name, []]));
    for (const [path, data] of contents) stored.put({ project: name, path, data });
  });
}

/** Forget a project; of the site's own games what was changed. */
export function forget(name) {
  return changed((projects, stored) => {
    projects.delete(name);
    stored.delete(IDBKeyRange.bound([name], [name, []]));
  });
}

/** Whether this tab alone changes the project from now on; another tab that has it open keeps it. */
export function hold(name) {
  holding?.();
  return new Promise((resolve) => {
    navigator.locks.request(`${PLACE} ${name}`, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      return lock && new Promise((end) => { holding = end; });
    });
  });
}

const CHOSEN = `${PLACE} project`;
const TRUSTED = `${PLACE} trusted`;

export const chosen = () => localStorage.getItem(CHOSEN) ?? OWN;
export const choose = (name) => localStorage.setItem(CHOSEN, name);

/** Whether the reader has said that a project's rules may run. */
export const trusted = (name) => sessionStorage.getItem(`${TRUSTED} ${name}`) === "yes";
export const trust = (name, yes) => sessionStorage.setItem(`${TRUSTED} ${name}`, yes ? "yes" : "no");
