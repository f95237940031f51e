// Compiles the modules of a folder with the very Python that a browser will run, and tries whether the program begins.
// node prepare.mjs FOLDER, which holds runtime/ and program/

import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${folder}/runtime/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/runtime/` });
python.FS.mkdirTree("/pnp");
python.FS.mount(python.FS.filesystems.NODEFS, { root: `${folder}/program` }, "/pnp");
python.runPython(`
import compileall, py_compile, sys
sys.path.insert(0, "/pnp")
compileall.compile_dir("/pnp", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
import generator.cli.inside
`);
