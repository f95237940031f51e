// A room: the server holds the game, this screen is one seat, the large screen, or a guest who looks for a seat.

import { SIGNS, USUAL_BOTS, botName, known, w } from "./play-pieces.js";
import { $, make } from "./state.js";

const HOST = 0, GUEST = -1;

/** How this page opens a room itself and lets guests in; null where a server does. */
let own = null;

export const offerRoom = (does) => { own = does; };

export const offersRoom = () => own !== null;

/** Open a room of a game as it was described for a table. Its guests are named where any of them is. */
export const openRoom = (game, { players, names }) =>
  own.open(game, players, names.some(Boolean) ? names.map((one, at) => one.replaceAll(",", " ").trim() || w("seat", { n: at + 1 })) : []);

const KEY = `pnp.room.${location.pathname}`;      // the seat that was taken by this invitation

/** Send an order: the server carries it out once, however often it is sent. @returns {Promise<Answer.Orders["order"]>} */
export async function sendOrder(what) {
  const answer = await fetch("order", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(makeFields(what)) });
  const told = answer.ok ? await answer.json() : null;
  if (!told) throw new Error(w("room_gone"));
  if (told.problems) throw new Error(told.problems.join("\n"));
  return told;
}

/** An order knows the change that its screen has seen, unless it only concerns seats. */
function makeFields({ number, ...what }) {
  return ["take", "free", "bots"].includes(what.do) ? what : { number, ...what };
}

const seatOf = (key) => `../${key}/`;

/** A guest who opens the invitation again goes back to the seat, as long as it is his. */
export async function takeSeatAgain() {
  const key = known.room === GUEST && readStored();
  if (!key) return;
  const { ok } = await fetch(seatOf(key), { method: "HEAD" });
  if (ok) {
    location.replace(seatOf(key) + location.hash);
    await new Promise(() => {});
  }
}

function readStored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

async function take(seat, tell) {
  const key = (await tell({ do: "take", seat }))?.key;
  if (!key) return;      // another guest was faster
  try {
    localStorage.setItem(KEY, key);
  } catch { /* a browser that keeps nothing: the address of the seat is enough */ }
  location.replace(seatOf(key) + location.hash);
}

/** Who sits where, in words for the table. */
export const describeSeats = ({ eyes, seats, bot }) => seats.map(({ taken }, at) => at + 1 === eyes ? w("you") : describeState(taken, bot));

const describeState = (taken, bot) => taken ? w("person") : bot ? w("bot_called", { bot: botName(bot) }) : w("room_free");

const button = (text, act, more = {}) => make("button", { type: "button", ...more, ".onclick": act }, text);

/**
 * Show what concerns the room: seats and invitation, a wish to take back, what stops the bots.
 * @param {Answer.Table} view
 */
export function showRoom({ room, names }, tell) {
  const parts = [
    ...room.trouble.map((line) => make("p", { class: "trouble" }, line)),
    ...(room.undo ? wish(room, names, tell) : []),
    ...(room.eyes === HOST ? buildHost(room, names, tell) : room.eyes === GUEST ? buildGuest(room, names, tell) : []),
  ];
  const now = JSON.stringify([room, names, own && room.seats.map((_, at) => own.state(at + 1))]);
  $("room").hidden = !parts.length;
  if ($("room").dataset.shown !== now) $("room").replaceChildren(...parts);      // what has the focus keeps it
  $("room").dataset.shown = now;
}

function wish({ eyes, seats, undo: { seat, agreed } }, names, tell) {
  const asks = eyes > 0 && !agreed.includes(eyes);
  const missing = seats.map((_, at) => at + 1).filter((one) => seats[one - 1].taken && !agreed.includes(one));
  return [make("p", { role: "status" }, w("room_asks", { player: names[seat - 1] })), asks
    ? make("p", { class: "buttons" }, button(w("room_agree"), () => tell({ do: "agree" }), { class: "primary" }), button(w("room_refuse"), () => tell({ do: "refuse" })))
    : make("p", { class: "soft" }, w("room_waits", { player: missing.map((one) => names[one - 1]).join(", ") }))];
}

const makeRow = (at, ...more) => make("li", {}, make("span", { class: "sign", "aria-hidden": "true" }, SIGNS[at % SIGNS.length]), ...more);

function buildGuest({ seats }, names, tell) {
  const free = seats.map(({ taken }, at) => taken ? null : makeRow(at, button(names[at], () => take(at + 1, tell), { class: "primary" }))).filter(Boolean);
  return free.length ? [make("h2", {}, w("room_take")), make("ul", { class: "room-seats" }, ...free)] : [make("p", {}, w("room_full"))];
}

function buildHost({ seats, bot, link }, names, tell) {
  const bots = make("select", { ".onchange": ({ target }) => tell({ do: "bots", bot: target.value }) }, ...["", ...USUAL_BOTS].map((one) =>
    make("option", { value: one, ".selected": one === bot }, one ? w("bot_called", { bot: botName(one) }) : w("room_wait"))));
  const invitation = own ? [] : [make("details", { class: "room-invite", ".open": seats.some(({ taken }) => !taken) }, make("summary", {}, w("room_join")),
      make("img", { src: "invitation.svg", alt: w("room_join"), width: "240", height: "240" }),
      make("input", { readonly: true, ".value": link, "aria-label": w("link"), ".onfocus": ({ target }) => target.select() }))];
  const free = async (seat) => await tell({ do: "free", seat }) && own?.freed(seat);
  const describeSeat = (taken, at) => taken && own?.state(at + 1) === "away" ? own.away() : describeState(taken, bot);
  return [
    ...invitation,
    make("ul", { class: "room-seats" }, ...seats.map(({ taken }, at) => makeRow(at, make("b", {}, names[at]), make("span", { class: "soft" }, describeSeat(taken, at)),
      own?.button(at + 1, names[at]) ?? null, taken ? button(w("room_release"), () => free(at + 1), { "aria-label": `${w("room_release")}: ${names[at]}` }) : null))),
    make("label", { class: "line" }, make("span", {}, w("room_bots")), bots),
  ];
}
