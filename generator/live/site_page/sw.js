// Between the page and the line: files of this site are kept, everything else is asked of the Python in the page.

const VERSION = "VERSION_OF_THIS_SITE";
const HOME = new URL("./", location.href).href;
const OURS = `pnp ${HOME} `;
const STORE = OURS + VERSION;
const TYPES = {
  html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", mjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8", webp: "image/webp", png: "image/png", webmanifest: "application/manifest+json", svg: "image/svg+xml; charset=utf-8", json: "application/json", wasm: "application/wasm",
};
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; object-src 'none'; base-uri 'none'";

const streams = new Set();   // how to end each; a browser lets no newer worker in while one goes on
const coming = new Map();    // path -> promise of what is under way
let leaving = false;
let known;   // what the site says of its files: their SHA-256, and which are packed

addEventListener("install", (event) => event.waitUntil(fetchKept("site.json")));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith(OURS) && name !== STORE) await caches.delete(name);
  await clients.claim();
})()));

addEventListener("message", ({ data, ports: [port] }) => {
  if (data === "keep everything") keepEverything().then(() => port.postMessage(""), (error) => port.postMessage(error.word || String(error)));
  if (data === "make way") {
    leaving = true;
    for (const end of streams) end();
  }
  if (data === "take over") { skipWaiting(); clients.claim(); }
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (!request.url.startsWith(HOME) || !["GET", "POST"].includes(request.method)) return;
  event.respondWith(answer(event, request.url.slice(HOME.length).split("#")[0]));
});

async function answer(event, target) {
  const path = decodeURIComponent(target.split("?")[0]) || "index.html";
  if (event.request.method === "GET" && (path === "site.json" || path === "sw.js" || path in await listFiles())) return fetchKept(path);
  return askPage(event, target);
}

async function listFiles() {
  return (await fetchDescription()).sums;
}

async function fetchDescription() {
  known ??= fetchKept("site.json").then((found) => found.json());
  return known.catch((error) => { known = undefined; throw error; });
}

const computeSum = async (data) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A file of the site; what two ask for at once comes once. */
async function fetchKept(path) {
  if (!coming.has(path)) coming.set(path, fetchFile(path).finally(() => coming.delete(path)));
  return (await coming.get(path)).clone();
}

/** A file of the site: as it is kept, else from the line and kept from now on, unless the line has another site by now. */
async function fetchFile(path) {
  const store = await caches.open(STORE);
  const address = HOME + path.split("/").map(encodeURIComponent).join("/");
  const there = await store.match(address);
  if (there) return there;
  const packed = path !== "site.json" && (await fetchDescription()).packed.includes(path);
  const came = await fetch(packed ? `${address}.bin` : address, { cache: "no-cache" });
  if (!came.ok) return came;
  const type = TYPES[path.split(".").pop()] ?? "application/octet-stream";
  const headers = { "Content-Type": type, "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff" };
  const data = await (packed ? unpack(came.body) : came.arrayBuffer()).catch(() => new ArrayBuffer(0));
  const sum = path === "site.json" ? "" : (await listFiles())[path];
  if (sum && sum !== await computeSum(data)) return new Response(JSON.stringify(["other_version", { path }]), { status: 409 });   // a word of the page, which has its language
  const whole = new Response(data, { headers });
  await store.put(address, whole.clone()).catch(() => {});   // a browser without room keeps what it has
  return whole;
}

const OVER = 1;                       // what the decoder says at the end; more is an error
const [INPUT, OUTPUT] = [1, 4];       // where its places in memory are told; behind each, how much is used and there
let decoder;                          // a promise of its module

/** What is packed by xz, as it was. */
async function unpack(stream) {
  decoder ??= fetchKept("xz.wasm").then((found) => found.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes));
  const compiled = await decoder.catch((error) => { decoder = undefined; throw error; });
  const exports = /** @type {any} */ ((await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (compiled), {})).exports);
  const context = exports.create_context();
  const readState = () => new Uint32Array(exports.memory.buffer, context, 6);
  const [room] = readState();
  const parts = [];
  let said = 0;
  const take = (piece) => {
    new Uint8Array(exports.memory.buffer, readState()[INPUT], piece.length).set(piece);
    exports.supply_input(context, piece.length);
    let now;
    let full;
    do {
      said = exports.get_next_output(context);
      now = readState();
      parts.push(new Uint8Array(exports.memory.buffer, now[OUTPUT], now[OUTPUT + 1]).slice());
      full = now[OUTPUT + 1] === room;
      now[OUTPUT + 1] = 0;
    } while (!said && (full || now[INPUT + 1] < now[INPUT + 2]));
  };
  const reader = stream.getReader();
  for (let come = await reader.read(); !come.done; come = await reader.read()) {
    for (let from = 0; from < come.value.length && !said; from += room) take(come.value.subarray(from, from + room));
  }
  if (!said) take(new Uint8Array(0));   // that there is nothing more
  if (said !== OVER) throw new Error("damaged");
  return new Blob(parts).arrayBuffer();
}

async function keepEverything() {
  for (const path in await listFiles()) {
    const kept = await fetchKept(path);
    if (!kept.ok) throw Object.assign(new Error(`${path}: ${kept.status}`), { word: kept.status === 409 && await kept.json() });
  }
}

/** What the page's Python says. */
async function askPage(event, target) {
  if (leaving && target === "events") return new Response(null, { status: 204 });   // so that nobody asks for them again
  const page = await pageOf(event.clientId);
  if (!page) return new Response("", { status: 503 });
  const body = event.request.method === "POST" ? await event.request.text() : undefined;
  const { port1, port2 } = new MessageChannel();
  const first = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
  page.postMessage({ target, body }, [port2]);
  const reply = await first;
  return reply.stream ? openStream(event, port1) : new Response(reply.body, reply);
}

async function pageOf(id) {
  const found = id && await clients.get(id);
  if (found?.frameType === "top-level") return found;
  const pages = await clients.matchAll({ type: "window" });
  const tops = pages.filter((page) => page.frameType === "top-level");
  return tops.find((page) => page.focused) ?? tops.find((page) => page.visibilityState === "visible") ?? tops[0];
}

function openStream(event, port) {
  let over;
  let to;
  event.waitUntil(new Promise((resolve) => { over = resolve; }));
  const leave = () => {
    streams.delete(end);
    port.postMessage("enough");
    over();
  };
  const end = () => {
    to.close();
    leave();
  };
  streams.add(end);
  const body = new ReadableStream({
    start(controller) {
      to = controller;
      port.onmessage = ({ data }) => (data ? to.enqueue(data) : end());
      port.postMessage("go on");
    },
    cancel: leave,
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
}
