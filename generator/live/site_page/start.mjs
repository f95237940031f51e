// How Python comes up as it was when the site was made: its memory of then is laid into the same machine again.
// prepare.mjs makes that memory, worker.js takes it up: both place files and compiled libraries by this.
//
// Memory names functions by their places in a table, so that the table must be the same here and there: the same
// compiled modules are loaded before Python begins, in one order; and the one function that not every machine can have
// (Python's trampoline, which needs a young WebAssembly) has its place there all the same.

export const PROGRAM = "/pnp";
export const PROJECT = "/project";
export const BUNDLED = `${PROGRAM}/generator/bundled`;

const EXTENSION = /\.(abi3|cpython-[^/]*)\.so$/;   // a compiled module of Python's
const UNTOUCHED = Date.UTC(2000, 0, 1);            // the hour of files that nobody has changed since the site was made
const EIO = 29;                                    // what a machine calls a disk that can't be read
const HEAD = 16;                                   // bytes before the memory: how many places the table has, how many bytes are
const PAGE = 4096;                                 // memory is kept without such pages that are empty: most are

/** A function that writes a file below a folder of the machine; `made`: as the site was made, not by the reader. */
export function writer(python) {
  const folders = new Set();
  return (root, path, data, made = false) => {
    const target = `${root}/${path}`;
    const folder = target.slice(0, target.lastIndexOf("/"));
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(target, data, { canOwn: true });
    if (made) python.FS.utime(target, UNTOUCHED, UNTOUCHED);
  };
}

/** Place a file of so many bytes whose content is read when it is first needed. An error of `read` is one of the disk. */
export function placeLater(python, root, path, size, read) {
  writer(python)(root, path, new Uint8Array(0), true);
  const { node } = python.FS.lookupPath(`${root}/${path}`);
  let data = null;
  Object.defineProperty(node, "contents", {
    get() {
      try {
        return data ??= read();
      } catch (error) {
        console.warn(`${path} can't be read:`, error);
        throw new python.FS.ErrnoError(EIO);
      }
    },
    set(fresh) { data = fresh; },
  });
  node.usedBytes = size;
}

/** A machine whose memory can be kept, with the compiled modules of the program (pairs of path and content). */
export async function recordMemory(runtime, settings, program) {
  const python = await runtime.loadPyodide({ ...settings, createPyodideModule: machine(runtime.create, extensions(program)), _makeSnapshot: true });
  python.early = new Set(Object.keys(python._module.LDSO.loadedLibsByName));
  return python;
}

/** The memory of such a machine, in pieces. An Error where libraries came in later, whose functions would be missing. */
export function memoryOf(python) {
  const made = python._module;
  const late = Object.keys(made.LDSO.loadedLibsByName).filter((name) => !python.early.has(name));
  if (late.length) throw new Error(`loaded too late: ${late}`);
  made.HEAP32[trampoline(made)] = 0;
  const memory = python.makeMemorySnapshot();
  const pages = Array.from({ length: Math.ceil(memory.length / PAGE) }, (_, at) => memory.subarray(at * PAGE, (at + 1) * PAGE));
  const used = pages.map((page) => page.some(Boolean));
  const head = new Uint8Array(HEAD + pages.length);
  const numbers = new DataView(head.buffer);
  [made.wasmTable.length, memory.length].forEach((value, at) => numbers.setUint32(4 * at, value, true));
  head.set(used, HEAD);
  return [head, ...pages.filter((_, at) => used[at])];
}

/** The machine with this memory; an Error where it can't be the same here. */
export async function resumeMachine(settings, program, kept) {
  const { loadPyodide } = await import("./runtime/pyodide.mjs");
  const { default: create } = await import("./runtime/pyodide.asm.mjs");
  const memory = new Uint8Array(number(kept, 4));
  const used = kept.subarray(HEAD, HEAD + Math.ceil(memory.length / PAGE));
  let from = HEAD + used.length;
  for (let at = 0; at < used.length; at += 1) {
    if (!used[at]) continue;
    memory.set(kept.subarray(from, from + PAGE), at * PAGE);
    from += PAGE;
  }
  const python = await loadPyodide({
    ...settings,
    createPyodideModule: machine(create, extensions(program), number(kept, 0), memory.length - number(memory, 4)),
    _loadSnapshot: memory,
  });
  python._module.HEAP32[trampoline(python._module)] = python._module.ownTrampoline;
  return python;
}

const number = (bytes, at) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/** Compiled modules among the program's files, in one order: their memory and functions lie where they are loaded. */
const extensions = (program) => program.filter(([path]) => EXTENSION.test(path)).sort(([a], [b]) => (a < b ? -1 : 1));

/** Where Python keeps the number of its trampoline, in words of memory. */
const trampoline = (made) => (made.__PyRuntime + made.HEAP32[made.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET >> 2]) >> 2;

/** What makes the machine; `places` in its table and bytes of memory are what it must have, where they are known. */
function machine(create, modules, places = 0, size = 0) {
  const lay = (made) => {
    made.ownTrampoline = made.HEAP32[trampoline(made)];
    if (!made.ownTrampoline) made.wasmTable.grow(1);
    for (const [path, bytes] of modules) {
      const library = made.newDSO(`${PROGRAM}/${path}`, undefined, "loading");
      Object.assign(library, { refcount: Infinity, global: false });
      library.exports = made.loadWebAssemblyModule(bytes, { global: false, nodelete: true, loadAsync: false }, library.name, {}, undefined);
    }
  };
  return async (settings) => {
    const made = await create({ ...settings, preRun: [...(settings.preRun ?? []), lay] });
    if (places && made.wasmTable.length !== places) throw new Error(`the machine has ${made.wasmTable.length} functions, not ${places}`);
    if (size > made.HEAP8.length) made._emscripten_resize_heap(size);
    return made;
  };
}
