// Compiles the modules of a folder with the very Python that a browser will run, begins the program with them, and keeps
// the memory of what has begun. node prepare.mjs FOLDER, which holds runtime/, program/, project/ and fonts/

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { prepareDecoders } from "./site_page/codecs.js";
import { BUNDLED, memoryOf, PROGRAM, PROJECT, recorded, writer } from "./site_page/start.mjs";

const [, , folder] = process.argv;
const indexURL = `${folder}/runtime/`;
const { loadPyodide } = await import(pathToFileURL(`${indexURL}pyodide.mjs`));
const { default: create } = await import(pathToFileURL(`${indexURL}pyodide.asm.mjs`));

function* below(name, inner = "") {
  for (const entry of readdirSync(`${folder}/${name}/${inner}`, { withFileTypes: true })) {
    const path = inner + entry.name;
    if (entry.isDirectory()) yield* below(name, `${path}/`);
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
const program = [...below("program")];
const python = await recorded({ loadPyodide, create }, { indexURL }, program);
const put = writer(python);
for (const [path, data] of program) put(PROGRAM, path, data, true);
for (const [path, data] of below("project")) put(PROJECT, path, data, true);
for (const [path, data] of below("fonts")) put(`${BUNDLED}/fonts`, path, data, true);
python.runPython(`
import gc, sys
sys.path.insert(0, "${PROGRAM}")
from generator.live.browser_bridge import Inside
place = Inside("${PROJECT}")
place.prepare()
gc.collect()
`);
writeFileSync(`${folder}/started.bin`, gzipSync(memoryOf(python)));
