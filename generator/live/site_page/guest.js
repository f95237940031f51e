// A guest's page: the table alone, without Python. The host's browser replies to what it asks.

import { makeClient } from "./channel.js";
import { accept, begin, readInvitation } from "./handshake.js";
import { make } from "./state.js";
import { w } from "./words.js";

const KNOCKING = 5000;      // ms between two looks for the host while the host has not pasted the answer
const ANSWERING = 3000;     // ms within which a page of this browser that holds the room says so
const LINKS = "pnp room";
const GUEST = "&guest";     // in the address of a table whose game another browser holds

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const TYPES = ["application/json", "image/svg+xml", "text/html", "text/plain"];

const streams = new Set();
let request = null;         // asks the host

/** Whether the address is a guest's, or an answer for the host. */
export const isGuest = () => /^#(invitation|answer)=/.test(location.hash) || location.hash.endsWith(GUEST);

/** Answer what the service worker passes on. Nothing that a host sends may be more than data: it brings no scripts. */
export async function answer({ target, body }, port) {
  if (target === "events" && request) {
    port.onmessage = ({ data }) => (data === "enough" ? streams.delete(port) : port.postMessage(new TextEncoder().encode("retry: 300\n\nevent: hello\ndata: {}\n\n")));
    streams.add(port);
    port.postMessage({ stream: true });
    return;
  }
  const reply = request ? await request(target, body) : { status: 503, headers: {}, body: "" };
  const type = String(reply.headers["Content-Type"]);
  port.postMessage({ status: reply.status, body: reply.body, headers: {
    "Content-Type": TYPES.includes(type.split(";")[0]) ? type : "text/plain", "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store" } });
}

/** A button that copies a link; a phone offers its own ways to send it. */
export function copyButton(text) {
  const button = make("button", { type: "button" }, w("room_copy"));
  button.addEventListener("click", async () => {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: text() }).catch(() => {});      // the reader has changed their mind
    else button.textContent = w(await navigator.clipboard?.writeText(text()).then(() => true, () => false) ? "room_copied" : "room_copy_by_hand");
  });
  return button;
}

function showBox(...parts) {
  const found = make("section", { class: "starting guest" }, ...parts);
  document.querySelector("main").prepend(found);
  return found;
}

/** Ask for a click: a page that only opens a link connects to nobody. */
function askForClick(...parts) {
  return new Promise((done) => {
    const found = showBox(...parts, make("p", { class: "buttons" }, make("button", { type: "button", class: "primary", ".onclick": () => { found.remove(); done(); } }, w("room_join"))));
  });
}

/** Give an answer to a page of this browser that holds the room; whether there is one. */
function passOn(link) {
  return new Promise((done) => {
    const pages = new BroadcastChannel(LINKS);
    pages.onmessage = ({ data }) => data?.taken === link && done(true);
    pages.postMessage({ answer: link });
    setTimeout(() => done(false), ANSWERING);
  });
}

/** Connect to the host, then show the table as any other. */
export async function enter() {
  const { hash } = location;
  if (hash.endsWith(GUEST)) throw new Error(w("room_left"));
  if (hash.startsWith("#answer=")) {
    const there = await passOn(location.href);
    showBox(make("p", {}, w(there ? "room_answer_given" : "room_answer_here")));
    return {};
  }
  const { game, seat, stun, side } = await readInvitation(hash);
  history.replaceState(null, "", `#${game}${GUEST}`);
  await askForClick(make("h2", {}, w("room_invited", { seat })), make("p", {}, w("room_invited_how")));
  const { connection, channel } = begin(stun);
  const { link, knock } = await accept(connection, side);
  const field = make("textarea", { readonly: true, rows: "3", "aria-label": w("room_answer"), class: "room-answer", ".value": link, ".onfocus": ({ target }) => target.select() });
  const waiting = showBox(make("p", {}, w("room_step_back")), field, copyButton(() => link), make("p", { role: "status", class: "soft" }, w("room_waits_for_host")));
  const again = setInterval(knock, KNOCKING);
  passOn(link);      // host and guest may be pages of one browser
  await new Promise((done) => { channel.addEventListener("open", done, { once: true }); });
  clearInterval(again);
  waiting.remove();
  request = makeClient(channel, () => streams.forEach((port) => port.postMessage(new TextEncoder().encode("event: room\ndata: {}\n\n"))));
  addEventListener("pagehide", () => connection.close());
  const showLeft = () => document.querySelector(".guest") ?? showBox(make("p", { role: "alert" }, w("room_left")));
  channel.addEventListener("close", showLeft);
  connection.addEventListener("connectionstatechange", () => {
    if (connection.connectionState !== "failed") return;
    connection.close();
    showLeft();
  });
  await import("./play.js");
  return {};
}
