// A project as a link: what was changed of it, packed into that part of an address which a browser sends to nobody.

import { LANGUAGES } from "./projects.js";

const MARK = "#project=";
const LONGEST = 32 * 1024;        // characters of the whole address
const MOST = 8 * 2 ** 20;         // bytes that a link may unpack to

/** Whether the page's address holds a project. */
export const there = () => location.hash.startsWith(MARK);

/** The address of a project, with what is said of it and its files as an archive; an Error if it is too long. */
export async function written(about, archive) {
  const packed = await through(archive, new CompressionStream("deflate-raw"), Infinity);
  const home = new URL("./", document.baseURI).href;
  const link = `${home}#${new URLSearchParams({ ...about, files: coded(packed) })}`;
  if (link.length <= LONGEST) return link;
  throw new Error(`as a link this project is ${Math.ceil(link.length / 1024)} kB long, more than the ${LONGEST / 1024} kB that programs pass on; save it as a zip`);
}

/** What the page's address holds: what is said of the project, and its files as an archive. */
export async function read() {
  const hash = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  if (hash.length > LONGEST) throw new Error(`the link was not opened: it is longer than ${LONGEST / 1024} kB; ask for the project as a zip`);
  const { files = "", project, from = "", called = "", spoken: asked = "", program = "" } = Object.fromEntries(new URLSearchParams(hash));
  const name = project.replace(/[\p{C}\s]+/gu, " ").trim().slice(0, 60) || "project";
  const spoken = LANGUAGES.some(([, value]) => value === asked) ? asked : "";
  let packed;
  try {
    packed = Uint8Array.from(atob(files.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new Error(CUT);
  }
  return { name, from, called, spoken, program, archive: await through(packed, new DecompressionStream("deflate-raw"), MOST) };
}

const CUT = "the link was not opened: it is damaged or was cut short; ask for it again, or for a zip";

function coded(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 4096) letters += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Bytes through a stream, counted as they come: it ends where there are too many. */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw new Error(CUT); });
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error(`the link was not opened: it unpacks to more than ${most / 2 ** 20} MiB`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
