// Python in a thread of its own: it answers what the page asks, one thing after another, and draws ahead in between.

import { loadPyodide } from "./runtime/pyodide.mjs";
import { BUNDLED, placeLater, PROGRAM, PROJECT, resumeMachine, writer } from "./start.mjs";
import { prepareDecoders } from "./codecs.js";
import { iterateFiles as listFiles } from "./tar.js";

const MEMORY = "started.bin";
const TELLING = ["begin", "command"];   // the steps that tell how far they are: to no other comes more than what was asked

let python;     // the machine
let put;        // writes a file into it
let place;      // the `Inside` of generator/live/browser_bridge.py: the project at work
let changed;    // whether files may have changed since the last piece of work
let due = 0;    // when the next piece of work ahead begins

function take(path) {
  const target = `${PROJECT}/${path}`;
  if (python.FS.analyzePath(target).exists) python.FS.unlink(target);
}

/**
 * Python with everything in it, as it was when the site was made where its memory is there; else, or where that fails
 * by whatever, anew. `laid` lays the files into it and opens the project; gets whether it is as it was, and returns it.
 */
async function beginPython(program, memory, laid) {
  const settings = { indexURL: new URL("runtime/", location.href).href };
  const finishStart = (machine, again) => {
    python = machine;
    put = writer(python);
    laid(again);
    return again;
  };
  if (memory) {
    try {
      return finishStart(await resumeMachine(settings, program, memory), true);
    } catch (error) {
      if (error?.type === "ProblemsFound") throw error;   // of the project: Python is well
      console.warn("The program begins anew, as its memory can't be taken up here:", error);
    }
  }
  return finishStart(await loadPyodide(settings), false);
}

/** @satisfies {{ [What in Exclude<keyof Answer.Steps, keyof Answer.Questions>]: (...values: any) => Answer.Steps[What] | Promise<Answer.Steps[What]> }} */
const steps = {
  /** Load everything, then open the project: the site's own games if `base`, with these files in their places. */
  async begin({ base, files, trusted, fresh, anew = false }, tell) {
    const about = await (await fetch("site.json")).json();
    const sizes = Object.assign({}, ...Object.values(about.parts));
    const runtime = Object.keys(about.parts.runtime);
    const start = Object.keys(about.parts.start);
    const total = [...runtime, "program.tar", "games.tar", ...start].reduce((sum, path) => sum + sizes[path], 0);
    let done = 0;
    const countFile = (path) => tell({ done: (done += sizes[path]), of: total });
    const [webp, jpeg, program, games, memory, starters] = await Promise.all([
      load("runtime/webp.wasm", countFile),
      load("runtime/jpeg-turbo.wasm", countFile),
      load("program.tar", countFile).then((tar) => [...listFiles(tar)]),
      load("games.tar", countFile).then((tar) => [...listFiles(tar)]),
      start.length && !anew ? load(MEMORY, countFile) : null,
      fresh?.from && fresh.from !== "site" ? load("starters.tar").then(listFiles) : [],
    ]);
    await prepareDecoders({ WEBP: webp, JPEG: jpeg });
    if (memory) tell({ resuming: true });
    const again = await beginPython(program, memory, (asItWas) => {
      for (const [path, data] of program) put(PROGRAM, path, data, true);
      python.FS.mkdirTree(`${PROJECT}/data`);
      if (base) for (const [path, data] of games) put(PROJECT, path, data, true);
      for (const [path, inside] of Object.entries(about.later)) placeLazily(path, inside);
      tell({ done: total, of: total });
      const same = asItWas && base && !trusted;   // the memory holds the site's own games, read without their rules
      if (same) {
        place = python.globals.get("place");
        place.resume();
      }
      for (const [path, data] of files) if (data) put(PROJECT, path, data); else take(path);
      if (!asItWas) python.runPython(`import sys; sys.path.insert(0, "${PROGRAM}")`);
      for (const [path, data] of starters) put(BUNDLED, path, data);
      if (fresh) files = beginnings(fresh, games);
      if (fresh) for (const [path, data] of files) put(PROJECT, path, data);
      if (!same) place = python.pyimport("generator.live.browser_bridge").Inside.callKwargs(PROJECT, { trusted });
    });
    changed = files.length > 0;
    return { ...about, again, files };
  },

  /** Reply to the page, or in a room to the guest on a seat. */
  answer(target, order, seat = 0) {
    const [status, type, policy, cache, body] = convertValue(place.answer(target, order, seat));
    return { status, body, headers: { "Content-Type": type, "Content-Security-Policy": policy, "Cache-Control": cache } };
  },

  open_room: (game, players, names) => place.open_room(game, players, python.toPy(names)),
  seat_guest: (seat) => place.seat_guest(seat),
  draw_code: (text) => python.pyimport("generator.live.routes").draw_code(text),
  hello: () => convertValue(place.hello()),
  read: (path) => python.FS.readFile(`${PROJECT}/${path}`),
  admit: (path, data, game) => place.admit(path, python.toPy(data).tobytes(), game),
  /** Change cells of a table, in one step; its bytes before and after. */
  cells(path, changes) {
    const before = steps.read(path);
    const data = convertValue(place.change_table(path, changes));
    steps.write(path, data);
    return [before, data];
  },
  /** The files of a new project; what projects begin from is loaded for the first. */
  async begun(name, starter, languages = []) {
    if (!python.FS.analyzePath(`${BUNDLED}/packs`).exists) {
      for (const [path, data] of listFiles(await load("starters.tar"))) put(BUNDLED, path, data);
    }
    return beginnings({ called: name, from: starter, languages }, []);
  },
  write(path, data) {
    if (data) put(PROJECT, path, data);
    else take(path);
    changed = true;
  },
  /** Carry out an order of the page: `edit` a template, or store a `note`. */
  order(what, order) {
    changed = true;
    return JSON.parse(place.carry_out(what, JSON.stringify(order)));
  },
  pack: (files) => convertValue(place.pack_files(python.toPy(files))),
  archive: (what) => convertValue(place.archive(what)),
  unpack: (data, part = false) => [...convertValue(python.pyimport("generator.live.browser_bridge").unpack_project.callKwargs(python.toPy(data).tobytes(), { part }))],

  /** Run a command; what it says is told as it comes. */
  command(words, tell) {
    const code = place.command(JSON.stringify(words), (said) => tell({ said }));
    changed = true;
    return { code, made: convertValue(place.list_output()) };
  },
};

for (const what of ["files", "table", "use", "offers", "hint"]) steps[what] = (...values) => JSON.parse(place.ask(JSON.stringify([what, ...values])));

/** The files of a new project: of a starter or the site's games (`from`), a zip (`data`) or both, or of a `drawing`. */
function beginnings({ called, from, data = null, drawing = null, languages = [] }, games) {
  const bridge = python.pyimport("generator.live.browser_bridge");
  const bytes = data && python.toPy(data).tobytes();
  if (drawing) return [...convertValue(bridge.begin_project(called, "drawing", bytes))];
  const first = from === "site" ? games : from ? convertValue(bridge.begin_project.callKwargs(called, from, { languages: python.toPy(languages) })) : [];
  const own = data ? convertValue(bridge.unpack_project.callKwargs(bytes, { part: Boolean(from) })) : [];
  return [...new Map([...first, ...own])];
}

/** Place what is read when it is first needed: a file beside the program's, or the files `inside` an archive by their sizes. */
function placeLazily(path, inside) {
  if (typeof inside === "number") {
    placeLater(python, BUNDLED, path, inside, () => loadNow(path));
    return;
  }
  let there = null;
  const findFile = (name) => (there ??= new Map(listFiles(loadNow(path)))).get(name);
  for (const [name, size] of Object.entries(inside)) placeLater(python, PROGRAM, name, size, () => findFile(name));
}

/** A file of the site, at once: Python waits for it. */
function loadNow(path) {
  const asked = new XMLHttpRequest();
  asked.open("GET", path, false);
  asked.responseType = "arraybuffer";
  asked.send();
  if (asked.status !== 200) throw new Error(`${path}: ${asked.status}`);
  return new Uint8Array(asked.response);
}

/** A value of Python's as one of the page's; a dict becomes a Map, whatever this runtime would make of it. */
function convertValue(value) {
  if (!value?.toJs) return value;
  const made = value.toJs({ dict_converter: (pairs) => new Map(pairs) });
  value.destroy();
  return made;
}

async function load(path, came = (_path) => {}) {
  const answer = await fetch(path);
  if (!answer.ok) throw Object.assign(new Error(`${path}: ${answer.status}`), { word: answer.status === 409 && await answer.json() });
  const data = new Uint8Array(await answer.arrayBuffer());
  came(path);
  return data;
}

function runRound() {
  due = 0;
  const before = changed;
  changed = false;
  if (place.work(before)) scheduleRound();
  flush();
}

function scheduleRound() {
  if (place && !due) due = setTimeout(runRound, 0);
}

function flush() {
  const news = place ? convertValue(place.news()) : [];
  if (news.length) postMessage({ news });
}

/** What went wrong, in the program's own words where it has any, else by a word of the page with its values where there is one. */
function describeError(error) {
  if (error?.word) return error.word;
  const said = String(error?.message ?? error);
  return error?.type === "ProblemsFound" ? said.split("ProblemsFound: ").pop().trim() : said.trim().split("\n").slice(-3).join("\n");
}

addEventListener("message", async ({ data: { id, what, values } }) => {
  try {
    const tell = (told) => postMessage({ id, told });
    const value = await steps[what](...values, ...(TELLING.includes(what) ? [tell] : []));
    postMessage({ id, value });
  } catch (error) {
    postMessage({ id, problem: describeError(error) });
  }
  flush();
  scheduleRound();
});
