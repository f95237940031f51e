// The page's side of the Python thread: questions with their answers, streams of news, and how to stop it.

import { phrase, w } from "./words.js";

const waiting = new Map();   // number -> how to end a question
const streams = new Set();   // ports of those who listen for news
let worker = null;
let number = 0;
let ready = null;            // a promise of the site's description

const LONGEST = 60_000;   // ms that Python's memory may take to be taken up: a damaged one can keep it busy for ever

/** Begin with a project; what was under way before is given up. `hear` is told how far loading is. @returns {Promise<Answer.Steps["begin"]>} */
export function begin(project, hear) {
  ready = start(project, hear);
  return ready;
}

function start(project, hear) {
  end(w("stopped"));
  const begun = new Worker(new URL("worker.js", document.baseURI), { type: "module" });
  worker = begun;
  begun.addEventListener("message", ({ data }) => begun === worker && hearAnswer(data));
  begun.addEventListener("error", (event) => begun === worker && end(event.message || w("no_program")));   // one that was given up may still fail
  return new Promise((resolve, reject) => {
    let watch = 0;
    const restart = () => resolve(start({ ...project, anew: true }, hear));
    const handleNews = (news) => { if (news.resuming) watch = setTimeout(restart, LONGEST); else hear(news); };
    sendQuestion("begin", [project], handleNews).then(resolve, reject).finally(() => clearTimeout(watch));
  });
}

/**
 * Ask for one of the worker's steps; an Error with the program's words where it has a problem.
 * @template {keyof Answer.Steps} What
 * @param {What} what
 * @returns {Promise<Answer.Steps[What]>}
 */
export async function ask(what, ...values) {
  await ready;
  return sendQuestion(what, values);
}

/** How notes are stored with the project's files, from now on. */
export let keepNotesWith;
const keeper = new Promise((resolve) => { keepNotesWith = resolve; });

export const keepsNotes = () => true;

/** Store a note; the path of its session's file, which goes where the other files of the project are. */
export async function keepNote(note) {
  if (frameElement) return parent.keepNote(note);   // a table within the workbench has its Python
  const file = await ask("order", "note", note);
  if (file.problems) throw new Error(file.problems.join("\n"));
  await (await keeper)(file, await ask("read", file));
  return file;
}

/** Run a command; `hear` gets what it says, piece by piece. @returns {Promise<Answer.Steps["command"]>} */
export async function runCommand(words, hear) {
  await ready;
  return sendQuestion("command", [words], ({ said }) => hear(said));
}

function sendQuestion(what, values, hear = () => {}) {
  return new Promise((resolve, reject) => {
    number += 1;
    waiting.set(number, { resolve, reject, hear });
    worker.postMessage({ id: number, what, values });
  });
}

function hearAnswer({ id, told, value, problem, news }) {
  if (news) {
    news.forEach(tellAll);
    return;
  }
  const asker = waiting.get(id);
  if (!asker) return;
  if (told) {
    asker.hear(told);
    return;
  }
  waiting.delete(id);
  if (problem === undefined) asker.resolve(value);
  else asker.reject(new Error(phrase(problem)));
}

function end(why) {
  worker?.terminate();
  for (const { reject } of waiting.values()) reject(new Error(why));
  waiting.clear();
  for (const port of streams) port.postMessage(null);   // whoever listens comes back
  streams.clear();
}

/** Let a port hear all news from now on. */
export const listen = (port) => streams.add(port);

/** Tell news to all who listen. */
export function tellAll(event) {
  for (const port of streams) port.postMessage(event);
}

/** Answer what the service worker passes on. */
export async function answer({ target, body }, port) {
  try {
    if (target === "events") {
      const hello = await ask("hello").catch(() => null);
      port.onmessage = ({ data }) => {
        if (data === "enough") streams.delete(port);
        else for (const part of [new TextEncoder().encode("retry: 300\n\n"), hello]) port.postMessage(part);   // no greeting ends it; a refusal would be the last that is asked
      };
      streams.add(port);
      port.postMessage({ stream: true });
    } else {
      port.postMessage(await ask("answer", `/${target}`, body));
    }
  } catch (error) {
    port.postMessage({ status: 503, body: error.message, headers: { "Content-Type": "text/plain; charset=utf-8" } });
  }
}
