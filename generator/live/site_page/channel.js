// Requests and replies over a channel between two browsers: a guest's page asks, the host's replies to one after another.

const PART = 16 * 1024;        // bytes in one message
const FULL = 1024 * 1024;      // bytes on their way to a guest before more of them wait
const WAITING = 400;           // requests of one guest that wait: more than a page makes at once
const LONGEST = 12_000;        // letters of a request
const FAULTS = 20;             // messages that no page sends, before the guest who sends them is cut off
const LARGEST = 64 * 2 ** 20;  // bytes of a reply
const REFUSED = { headers: { "Content-Type": "text/plain; charset=utf-8" }, body: "" };

/** A guest's request; null for a message that is none. */
function readRequest(data) {
  if (typeof data !== "string" || data.length > LONGEST) return null;
  let said;
  try {
    said = JSON.parse(data);
  } catch {
    return null;
  }
  const { id, target, body } = said ?? {};
  return Number.isInteger(id) && typeof target === "string" && (body === undefined || typeof body === "string") ? { id, target, body } : null;
}

/** Reply to what comes over a channel; `answer` gets target and body of a request. One who sends what no page sends is cut off. */
export function serve(channel, answer) {
  let turn = Promise.resolve();
  let waiting = 0;
  let faults = 0;
  channel.onmessage = ({ data }) => {
    const asked = readRequest(data);
    if (!asked && (faults += 1) > FAULTS) channel.close();
    if (!asked) return;
    if (waiting >= WAITING) {      // a reply without a body may stand between the parts of another
      if (channel.bufferedAmount > FULL) channel.close();
      else channel.send(JSON.stringify({ id: asked.id, status: 429, headers: REFUSED.headers, size: 0 }));
      return;
    }
    waiting += 1;
    turn = turn.then(() => answer(asked)).catch((error) => ({ ...REFUSED, status: 503, body: error.message }))
      .then((reply) => channel.readyState === "open" && send(channel, asked.id, reply)).finally(() => { waiting -= 1; });
  };
}

async function send(channel, id, { status, headers, body }) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  channel.send(JSON.stringify({ id, status, headers, size: bytes.length }));
  for (let at = 0; at < bytes.length; at += PART) {
    if (channel.bufferedAmount > FULL) await waitUntilDrained(channel);
    if (channel.readyState !== "open") return;      // the guest has gone in the middle
    channel.send(bytes.subarray(at, at + PART));
  }
}

function waitUntilDrained(channel) {
  channel.bufferedAmountLowThreshold = FULL / 2;
  return new Promise((done) => {
    for (const event of ["bufferedamountlow", "close"]) channel.addEventListener(event, done, { once: true });
  });
}

/** Tell a guest that the table has changed; what has changed is for the guest to ask. */
export const announce = (channel) => channel.readyState === "open" && channel.send(JSON.stringify({ news: true }));

/** A function that asks over a channel; `news` is called where the table has changed. Without the host each request fails. */
export function makeClient(channel, news) {
  const asked = new Map();
  let number = 0;
  let coming = null;
  const end = ({ id, status, headers, parts }) => {
    asked.get(id)?.({ status, headers, body: new Blob(parts) });
    asked.delete(id);
  };
  channel.onmessage = ({ data }) => {
    if (typeof data !== "string") {
      coming.parts.push(data);
      coming.left -= data.byteLength;
      if (coming.left <= 0) end(coming);
      return;
    }
    const said = JSON.parse(data);
    if (said.news) { news(); return; }
    if (said.size > LARGEST) { channel.close(); return; }
    const head = { ...said, left: said.size, parts: [] };
    if (head.left) coming = head;
    else end(head);
  };
  const gone = { ...REFUSED, status: 503 };
  channel.addEventListener("close", () => {
    for (const done of asked.values()) done(gone);
    asked.clear();
  });
  return (target, body) => new Promise((done) => {
    if (channel.readyState !== "open") { done(gone); return; }
    asked.set(number += 1, done);
    channel.send(JSON.stringify({ id: number, target, body }));
  });
}
