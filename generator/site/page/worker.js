// Python in a thread of its own: it answers what the page asks, one thing after another, and draws ahead in between.

import { loadPyodide } from "./runtime/pyodide.mjs";
import { unpacked } from "./tar.js";

const PROGRAM = "/pnp";
const PROJECT = "/project";
const FONTS = `${PROGRAM}/generator/bundled`;

let python;     // the machine
let place;      // the `Inside` of generator/cli/inside.py: the project at work
let due = 0;    // when the next piece of work ahead begins
const folders = new Set();

function put(root, path, data) {
  const target = `${root}/${path}`;
  const folder = target.slice(0, target.lastIndexOf("/"));
  if (!folders.has(folder)) python.FS.mkdirTree(folder);
  folders.add(folder);
  python.FS.writeFile(target, data, { canOwn: true });
}

function take(path) {
  const target = `${PROJECT}/${path}`;
  if (python.FS.analyzePath(target).exists) python.FS.unlink(target);
}

const steps = {
  /** Load everything, then open the project: the site's own games if `base`, with these files in their places. */
  async begin({ base, files, trusted }, tell) {
    const about = await (await fetch("site.json")).json();
    const sizes = Object.assign({}, ...Object.values(about.parts));
    const runtime = Object.keys(about.parts.runtime);
    const archives = ["program.tar.gz", ...(base ? ["games.tar.gz"] : [])];
    const fonts = Object.keys(about.parts.fonts);
    const total = [...runtime, ...archives, ...fonts].reduce((sum, path) => sum + sizes[path], 0);
    let done = 0;
    const came = (bytes) => tell({ done: (done += bytes), of: total });
    const machine = loadPyodide({ indexURL: new URL("runtime/", location).href })
      .then((made) => { came(runtime.reduce((sum, path) => sum + sizes[path], 0)); return made; });
    const fetched = Promise.all(fonts.map(async (path) => [path, await load(path, came)]));
    const opened = archives.map(async (path) => unpacked(await load(path, came)));
    python = await machine;
    folders.clear();
    for (const [path, data] of await opened[0]) put(PROGRAM, path, data);
    python.FS.mkdirTree(`${PROJECT}/data`);
    if (base) for (const [path, data] of await opened[1]) put(PROJECT, path, data);
    for (const [path, data] of await fetched) put(FONTS, path, data);
    for (const [path, data] of files) if (data) put(PROJECT, path, data); else take(path);
    tell({ done: total, of: total });
    python.runPython(`import sys; sys.path.insert(0, "${PROGRAM}")`);
    place = python.pyimport("generator.cli.inside").Inside.callKwargs(PROJECT, { trusted });
    return about;
  },

  answer(target) {
    const [status, type, policy, cache, body] = plain(place.answer(target));
    return { status, body, headers: { "Content-Type": type, "Content-Security-Policy": policy, "Cache-Control": cache } };
  },

  hello: () => plain(place.hello()),
  files: () => plain(place.files()),
  read: (path) => python.FS.readFile(`${PROJECT}/${path}`),
  write: (path, data) => put(PROJECT, path, data),
  archive: (what) => plain(place.archive(what)),
  unpack: (data) => [...plain(python.pyimport("generator.site.archive").unpack_project(python.toPy(data).tobytes()))],

  /** Run a command; what it says is told as it comes. */
  command(words, tell) {
    const code = place.command(JSON.stringify(words), (said) => tell({ said }));
    return { code, made: plain(place.made()) };
  },
};

function plain(value) {
  if (!value?.toJs) return value;
  const made = value.toJs();
  value.destroy();
  return made;
}

async function load(path, came) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const data = new Uint8Array(await answer.arrayBuffer());
  came(data.byteLength);
  return data;
}

function round() {
  due = 0;
  if (place.work()) soon();
  flush();
}

function soon() {
  if (place && !due) due = setTimeout(round, 0);
}

function flush() {
  const news = place ? plain(place.news()) : [];
  if (news.length) postMessage({ news });
}

/** What went wrong, in the program's own words where it has any. */
function words(error) {
  const said = String(error?.message ?? error);
  return error?.type === "ProblemsFound" ? said.split("ProblemsFound: ").pop().trim() : said.trim().split("\n").slice(-3).join("\n");
}

addEventListener("message", async ({ data: { id, what, values } }) => {
  try {
    const value = await steps[what](...values, (told) => postMessage({ id, told }));
    postMessage({ id, value });
  } catch (error) {
    postMessage({ id, problem: words(error) });
  }
  flush();
  soon();
});
