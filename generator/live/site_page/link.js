// A project as a link: what was changed of it, packed into that part of an address which a browser sends to nobody.

import { encodeBytes, decodeLetters, pipeBytes } from "./coded.js";
import { LANGUAGES } from "./projects.js";
import { w } from "./words.js";

const MARK = "#project=";
const LONGEST = 32 * 1024;        // characters of the whole address
const MOST = 8 * 2 ** 20;         // bytes that a link may unpack to

/** Whether the page's address holds a project. */
export const isThere = () => location.hash.startsWith(MARK);

/** The address of a project, with what is said of it and its files as an archive; an Error if it is too long. */
export async function write(about, archive) {
  const packed = await pipeBytes(archive, new CompressionStream("deflate-raw"));
  const home = new URL("./", document.baseURI).href;
  const link = `${home}#${new URLSearchParams({ ...about, files: encodeBytes(packed) })}`;
  if (link.length <= LONGEST) return link;
  throw new Error(w("link_unsent", { size: Math.ceil(link.length / 1024), most: LONGEST / 1024 }));
}

/** What the page's address holds: what is said of the project, and its files as an archive. */
export async function read() {
  const hash = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  if (hash.length > LONGEST) throw new Error(w("link_long", { most: LONGEST / 1024 }));
  const { files = "", project, from = "", called = "", spoken: asked = "", program = "" } = Object.fromEntries(new URLSearchParams(hash));
  const name = project.replace(/[\p{C}\s]+/gu, " ").trim().slice(0, 60) || "project";
  const spoken = LANGUAGES.some(([, value]) => value === asked) ? asked : "";
  const archive = await unpackFiles(files);
  return { name, from, called, spoken, program, archive };
}

async function unpackFiles(files) {
  try {
    return await pipeBytes(decodeLetters(files), new DecompressionStream("deflate-raw"), MOST);
  } catch (error) {
    throw new Error(w(error instanceof RangeError ? "link_large" : "link_damaged", { most: MOST / 2 ** 20 }), { cause: error });
  }
}
