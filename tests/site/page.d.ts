// What the compiler of test_script_types.py does not know: elements and events carry what the scripts hang on them,
// a service worker has names of its own, and the build adds modules that have no types.
interface EventTarget { [name: string]: any }
interface Element { [name: string]: any }
interface Event { [name: string]: any }
interface Navigator { connection?: { saveData: boolean } }
declare const clients: any;
declare function skipWaiting(): Promise<void>;
declare module "*.js";
declare module "*.mjs";
