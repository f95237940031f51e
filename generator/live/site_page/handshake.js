// What two browsers must know of each other to connect, in links: the invitation of the host, and the guest's answer.

import { encodeBytes, decodeLetters, pipeBytes } from "./coded.js";
import { w } from "./words.js";

const GATHERING = 4000;       // ms to find one's own addresses: a STUN server that is silent delays no longer
const LONGEST = 4000;         // letters of a link, and bytes that it unpacks to: many times as much as one needs
const MOST = 16;              // addresses of one browser

const TEXT = /^[^\p{C}]{0,80}$/u;
const PRINT = /^[\w-]{43}$/;
const STUN = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?)?$/i;
const SIDE = [/^[\w+/]{4,256}$/, /^[\w+/]{22,256}$/, PRINT];             // of ICE: its name and password; of DTLS: the hash of its key
const PARTS = { invitation: [/^[\w-]{1,64}$/, TEXT, STUN, ...SIDE], answer: [PRINT, ...SIDE] };
const CANDIDATE = /^([hs]) ([\w-]{22}|[0-9.]{7,15}|[0-9a-f:.]{2,45}) ([0-9]{1,5})$/i;

export const isStun = (text) => STUN.test(text);

/** A browser's end of a connection, with the one channel that it is for. */
export function begin(stun) {
  const connection = new RTCPeerConnection({ iceServers: stun ? [{ urls: `stun:${stun}` }] : [] });
  const channel = connection.createDataChannel("room", { negotiated: true, id: 0 });
  channel.binaryType = "arraybuffer";
  return { connection, channel };
}

const encodeHex = (hex) => encodeBytes(Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16)));
const decodeHex = (letters) => [...decodeLetters(letters)].map((byte) => byte.toString(16).padStart(2, "0"));

/** This browser's side of a connection, once it has found its addresses. */
async function describe(connection) {
  const found = new Promise((done) => {
    const look = () => connection.iceGatheringState === "complete" && done();
    connection.addEventListener("icegatheringstatechange", look);
    setTimeout(done, GATHERING);
  });
  await connection.setLocalDescription();
  await found;
  const { sdp } = connection.localDescription;
  const readValue = (name) => sdp.match(new RegExp(`^a=${name}(.*?)\\r?$`, "m"))[1];
  const listCandidates = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx)/gim)].map(([, address, port, type]) =>
    `${type[0].toLowerCase()} ${address.endsWith(".local") ? encodeHex(address.slice(0, -6).replaceAll("-", "")) : address} ${port}`);
  return [readValue("ice-ufrag:"), readValue("ice-pwd:"), encodeHex(readValue("fingerprint:sha-256 ").replaceAll(":", "")), ...listCandidates.slice(0, MOST)];
}

/** One side as browsers describe it to each other. Each part was checked: none can hold another line. */
function writeSdp([name, password, print], setup) {
  return ["v=0", "o=- 0 0 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=group:BUNDLE 0", "m=application 9 UDP/DTLS/SCTP webrtc-datachannel", "c=IN IP4 0.0.0.0",
    "a=mid:0", "a=sctp-port:5000", `a=setup:${setup}`, `a=ice-ufrag:${name}`, `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${decodeHex(print).join(":").toUpperCase()}`, ""].join("\r\n");
}

function candidates([name, , , ...addresses]) {
  return addresses.map((said, at) => {
    const [, type, address, port] = said.match(CANDIDATE);
    const at22 = /^[\w-]{22}$/.test(address) && decodeHex(address).join("");
    const host = at22 ? `${at22.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5")}.local` : address;
    const [ahead, kind] = type === "h" ? [2113937151, "host"] : [1677729535, "srflx raddr 0.0.0.0 rport 0"];
    return { candidate: `candidate:${at + 1} 1 udp ${ahead - at} ${host} ${port} typ ${kind}`, sdpMid: "0", usernameFragment: name };
  });
}

/** Tell a connection of the other side. */
async function watchConnection(connection, side, type) {
  await connection.setRemoteDescription({ type, sdp: writeSdp(side, type === "offer" ? "actpass" : "active") });
  for (const one of candidates(side)) await connection.addIceCandidate(one);
}

async function encode(kind, parts) {
  const packed = await pipeBytes(new TextEncoder().encode(parts.join("\n")), new CompressionStream("deflate-raw"));
  return `${document.baseURI.split("#")[0]}#${kind}=${encodeBytes(packed)}`;
}

/** The parts of a link, or of what follows # in it; an Error if it is none that a browser wrote. */
async function decode(kind, text) {
  try {
    const letters = text.trim().split(`${kind}=`)[1];
    if (letters.length > LONGEST) throw new RangeError("too long");
    const packed = await pipeBytes(decodeLetters(letters), new DecompressionStream("deflate-raw"), LONGEST);
    const parts = new TextDecoder("utf-8", { fatal: true }).decode(packed).split("\n");
    const shape = PARTS[kind];
    const addresses = parts.slice(shape.length);
    if (!shape.every((one, at) => one.test(parts[at] ?? "\n")) || addresses.length > MOST || !addresses.every((one) => CANDIDATE.test(one))) throw new TypeError(kind);
    return parts;
  } catch {
    throw new Error(w(kind === "answer" ? "room_no_answer" : "room_no_invitation"));
  }
}

/** Invite to a seat: the link for the guest, and by what the answer to it is known. */
export async function invite(connection, { game, seat, stun }) {
  const side = await describe(connection);
  return { link: await encode("invitation", [game, seat, stun, ...side]), id: side[2] };
}

/** What an invitation says. */
export async function readInvitation(text) {
  const [game, seat, stun, ...side] = await decode("invitation", text);
  return { game, seat, stun, side };
}

/** Accept an invitation: the link for the host, and how to look for the host once more while one waits. */
export async function accept(connection, side) {
  await watchConnection(connection, side, "offer");
  const link = await encode("answer", [side[2], ...await describe(connection)]);
  return { link, knock: () => candidates(side).forEach((one) => connection.addIceCandidate(one).catch(() => {})) };
}

/** The invitation that an answer is to, and the guest's side. */
export async function readAnswer(text) {
  const [id, ...side] = await decode("answer", text);
  return { id, side };
}

/** Connect to the guest who answered. */
export const connect = (connection, side) => watchConnection(connection, side, "answer");
