// The host of a room: this browser holds the game, and guests' browsers connect to it. No server is in between.

import * as machine from "./machine.js";
import { announce, serve } from "./channel.js";
import { begin, connect, invite, isStun, readAnswer } from "./handshake.js";
import { offerRoom } from "./play-room.js";
import { make, prefer, prefs } from "./state.js";
import { copyButton } from "./guest.js";
import { w } from "./words.js";

const guests = new Map();      // seat -> the connection that is invited or there, by `state`: invited, here, away
const NEWS = "event: room\n";
const LINKS = "pnp room";      // where pages of one browser tell each other of answers

let game = "";
let dialog = null;
let shown = 0;                 // the seat that the dialog is about

/** Whether this browser can hold a room. */
export const offered = "RTCPeerConnection" in globalThis;

/** Offer to open rooms on this page. */
export function offer() {
  offerRoom({
    async open(of, players, names) {
      await machine.ask("open_room", of, players, names);
      game = of;
      machine.listen({ postMessage: (event) => event && new TextDecoder().decode(event).startsWith(NEWS) && guests.forEach(({ channel }) => announce(channel)) });
      addEventListener("beforeunload", (event) => event.preventDefault());      // the room ends with this page
      addEventListener("pagehide", () => guests.forEach(({ connection }) => connection.close()));
      new BroadcastChannel(LINKS).onmessage = async ({ data, target }) => {
        if (typeof data?.answer === "string" && await takeAnswer(data.answer).catch(() => false)) target.postMessage({ taken: data.answer });
      };
    },
    state: (seat) => guests.get(seat)?.state ?? "",
    away: () => w("room_away"),
    button: (seat, name) => guests.get(seat)?.state === "here" ? null
      : make("button", { type: "button", ".onclick": () => show(seat, name), "aria-label": w("of", { what: w("room_invite"), said: name }) }, w("room_invite")),
    freed: (seat) => leave(seat),
  });
}

function leave(seat) {
  const one = guests.get(seat);
  guests.delete(seat);
  one?.connection.close();
}

const announceChange = () => machine.tellAll(new TextEncoder().encode(`${NEWS}data: {}\n\n`));

/** What is asked of a guest, and what becomes of the connection. */
async function handleInvited(seat, name, stun) {
  const { connection, channel } = begin(stun);
  const one = { connection, channel, stun, state: guests.get(seat)?.state === "away" ? "away" : "invited", answered: false };
  const setState = (state) => {
    if (guests.get(seat) !== one || one.state === state) return;
    one.state = state;
    announceChange();
  };
  let seated = null;
  serve(channel, async ({ target, body }) => {
    await seated;
    return machine.ask("answer", `/${target}`, body, seat);
  });
  channel.addEventListener("open", async () => {
    seated = machine.ask("seat_guest", seat);
    await seated;
    setState("here");
    if (shown === seat) dialog.close();
  });
  channel.addEventListener("close", () => setState("away"));
  connection.addEventListener("connectionstatechange", () => {
    const { connectionState: state } = connection;
    if (state === "connected" && channel.readyState === "open") setState("here");
    if (state === "disconnected" && one.state === "here") setState("away");
    if (state === "failed") handleFailure(seat, one);
  });
  Object.assign(one, await invite(connection, { game, seat: name, stun }));
  guests.get(seat)?.connection.close();
  guests.set(seat, one);
  return one;
}

/** A guest who can't be reached: the next one needs another invitation. */
function handleFailure(seat, one) {
  if (guests.get(seat) !== one) return;
  one.connection.close();
  if (one.state === "here" || one.state === "away") { one.state = "away"; one.answered = true; announceChange(); }
  else guests.delete(seat);
  if (shown === seat) showStatus(w("room_unreached"));
}

/** Connect to the guest of an answer; an Error where it is to no invitation of this page. True once it is accepted. */
async function takeAnswer(text) {
  const { id, side } = await readAnswer(text);
  const one = [...guests.values()].find((guest) => guest.id === id);
  if (!one || one.answered) throw new Error(w(one ? "room_answered" : "room_other_answer"));
  one.answered = true;
  await connect(one.connection, side);
  return true;
}

const showStatus = (text) => { dialog.querySelector("[role=status]").textContent = text; };

/** How a seat's guest comes in, step by step. */
async function show(seat, name) {
  dialog?.remove();
  shown = seat;
  const status = make("p", { role: "status" });
  const code = make("img", { alt: w("room_code"), width: "240", height: "240", hidden: true });
  const link = make("input", { readonly: true, "aria-label": w("room_link"), class: "room-link", ".onfocus": ({ target }) => target.select() });
  const answer = make("textarea", { rows: "2", "aria-label": w("room_answer"), class: "room-answer", autocomplete: "off", spellcheck: "false" });
  const stun = make("input", { ".value": prefs.stun ?? "", placeholder: "stun.example.org:3478", "aria-label": w("room_stun"), class: "room-stun", autocomplete: "off", spellcheck: "false" });
  const renew = async (anew) => {
    try {
      const old = guests.get(seat);
      const one = !anew && old && !old.answered ? old : await handleInvited(seat, name, prefs.stun ?? "");
      link.value = one.link;
      code.hidden = true;
      code.src = `data:image/svg+xml,${encodeURIComponent(await machine.ask("draw_code", one.link))}`;
      code.hidden = false;
    } catch (error) {
      if (!link.value) status.textContent = error.message;      // a link too long for a code is still a link
    }
  };
  stun.addEventListener("change", () => {
    if (!isStun(stun.value.trim())) { status.textContent = w("room_no_stun"); return; }
    prefer({ stun: stun.value.trim() });
    link.value = "";
    renew(true);
  });
  const go = async () => {
    try {
      await takeAnswer(answer.value);
      status.textContent = w("room_connecting");
    } catch (error) {
      status.textContent = error.message;
    }
  };
  dialog = make("dialog", { class: "room-guest", "aria-labelledby": "room-guest-title" }, make("h2", { id: "room-guest-title" }, w("of", { what: w("room_invite"), said: name })),
    make("ol", {}, make("li", {}, make("p", {}, w("room_step_send")), code, link, copyButton(() => link.value)),
      make("li", {}, make("p", {}, w("room_step_answer")), answer, make("button", { type: "button", class: "primary", ".onclick": go }, w("room_connect")))),
    status, make("details", {}, make("summary", {}, w("room_far")), make("p", {}, w("room_far_how")), stun),
    make("p", { class: "buttons" }, make("button", { type: "button", class: "close", ".onclick": () => dialog.close() }, w("close"))));
  dialog.addEventListener("close", () => { shown = 0; });
  document.body.append(dialog);
  dialog.showModal();
  await renew(false);
}
