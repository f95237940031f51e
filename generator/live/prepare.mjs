// Compiles the modules of a folder with the very Python that a browser will run, begins the program with them, and keeps
// the memory of what has begun. node prepare.mjs FOLDER, which holds runtime/, program/, project/ and fonts/

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { prepareDecoders } from "./site_page/codecs.js";
import { BUNDLED, memoryOf, PROGRAM, PROJECT, recordMemory, writer } from "./site_page/start.mjs";

const [, , folder] = process.argv;
const indexURL = `${folder}/runtime/`;
const { loadPyodide } = await import(pathToFileURL(`${indexURL}pyodide.mjs`));
const { default: create } = await import(pathToFileURL(`${indexURL}pyodide.asm.mjs`));

function* listBelow(name, inner = "") {
  for (const entry of readdirSync(`${folder}/${name}/${inner}`, { withFileTypes: true })) {
    const path = inner + entry.name;
    if (entry.isDirectory()) yield* listBelow(name, `${path}/`);
    else yield [path, new Uint8Array(readFileSync(`${folder}/${name}/${path}`))];
  }
}

const compiler = await loadPyodide({ indexURL });
compiler.FS.mkdirTree(PROGRAM);
compiler.FS.mount(compiler.FS.filesystems.NODEFS, { root: `${folder}/program` }, PROGRAM);
compiler.runPython(`
import compileall, py_compile
compileall.compile_dir("${PROGRAM}", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
`);

await prepareDecoders({ WEBP: readFileSync(`${indexURL}webp.wasm`), JPEG: readFileSync(`${indexURL}jpeg-turbo.wasm`) });
const program = [...listBelow("program")];
const python = await recordMemory({ loadPyodide, create }, { indexURL }, program);
const put = writer(python);
for (const [path, data] of program) put(PROGRAM, path, data, true);
for (const [path, data] of listBelow("project")) put(PROJECT, path, data, true);
for (const [path, data] of listBelow("fonts")) put(`${BUNDLED}/fonts`, path, data, true);
const loaded = python.runPython(`
import gc, json, sys
sys.path.insert(0, "${PROGRAM}")
from PIL import Image, ImageOps, ImageSequence
Image.preinit()
from generator.live.browser_bridge import Inside
place = Inside("${PROJECT}")
gc.collect()
json.dumps(sorted(path.removeprefix("${PROGRAM}/") for one in sys.modules.values() if (path := getattr(one, "__file__", None) or "").startswith("${PROGRAM}/")))
`);
writeFileSync(`${folder}/loaded.json`, loaded);
clearFreed(python._module);
writeFileSync(`${folder}/started.bin`, Buffer.concat(memoryOf(python)));

/** Overwrite freed memory with zeros, which take no room in a packed file. */
function clearFreed(machine) {
  const taken = [];
  for (const size of [2 ** 20, 2 ** 16, 4096, 1024, 512, 256, 128, 64]) {
    const end = machine._sbrk(0);
    while (machine._sbrk(0) === end) {   // until memory must grow for more
      const place = machine._malloc(size);
      machine.HEAPU8.fill(0, place, place + size);
      taken.push(place);
    }
  }
  for (const place of taken) machine._free(place);
}
