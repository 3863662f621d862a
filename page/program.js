// The worker with the program: Pyodide, the packages, and what they need of the browser.
import { extract, unzipped } from "./archive.js";
import * as files from "./files.js";
import { loadPyodide } from "./pyodide/pyodide.mjs";

const LIBRARY = "/lib/library.zip"; // Python's own modules
const STEPS = 5;
const ANOTHER = 2000; // milliseconds that a page which is being left may still hold the files
const MOST_SEARCHES = 4; // workers that search at once
const IN_USE = "Thud is open in another tab or window of this browser. Go on there, or close it.";

let done = 0;
let size = null;
let prefers = null; // what the visitor's browser does
let system = null; // the program's files
let kept = false; // whether files outlive the page
let hear = null; // the program's function that takes a message
const early = []; // messages before it has one

const say = (...message) => postMessage(JSON.stringify(message));

function step() {
  done += 1;
  say("loaded", done / STEPS);
}

let open;
const opened = new Promise((resolve) => { open = resolve; });

self.addEventListener("unhandledrejection", ({ reason }) => console.error(reason));

self.onmessage = ({ data }) => {
  if (data.file) {
    system.writeFile("/tmp/opened", data.file);
    hear('["file"]');
  } else if (data.size) {
    ({ size, prefers } = data);
    open();
  } else if (hear) {
    hear(data);
  } else {
    early.push(data);
  }
};

async function fetched(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const data = await unzipped(answer);
  step();
  return data;
}

let compiled = null;

function core(python) {
  compiled = compiled || new WebAssembly.Module(python.FS.readFile("/program/thud/ai/core.wasm"));
  return compiled;
}

// What the program asks of the browser; `page/python/thud_page` imports it as `thud_host`.
const host = (python) => ({
  address: new URL(".", import.meta.url).href,
  kept,
  processors: Math.min(navigator.hardwareConcurrency || 1, MOST_SEARCHES),
  get columns() { return size.width; },
  get lines() { return size.height; },
  get prefers() { return prefers; },
  opened: () => opened,
  hear(take) {
    hear = take;
    while (hear && early.length) hear(early.shift());
  },
  draw(text) {
    const bytes = new TextEncoder().encode(text);
    postMessage(bytes.buffer, [bytes.buffer]);
  },
  tell: (text) => postMessage(text),
  deliver(name, data) {
    const bytes = data.toJs();
    postMessage({ name, bytes }, [bytes.buffer]);
  },
  choose_file: () => say("choose"),
  as_i64: (call) => () => BigInt(call()),
  searcher(report) {
    const worker = new Worker(new URL("search.js", import.meta.url));
    worker.onmessage = ({ data }) => report(...data);
    worker.onerror = (fault) => report("failed", fault.message);
    worker.postMessage({ module: core(python) });
    return {
      ask: (request, words) => worker.postMessage({ request, words: Uint32Array.from(words) }),
      end: () => worker.terminate(),
    };
  },
});

// Hold the lock until the worker ends; return whether it could be had.
function held(options) {
  return new Promise((resolve) => {
    navigator.locks.request("thud", options, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    }).catch(() => resolve(false));
  });
}

// One page at a time has the files, as one process at home has a match.  A machine that is slow to
// answer is not taken for one on which another page has them.
async function alone() {
  if (!navigator.locks) return; // over http from elsewhere, where nothing is kept either
  if (await held({ ifAvailable: true })) return;
  if (!await held({ signal: AbortSignal.timeout(ANOTHER) })) throw new Error(IN_USE);
}

async function run() {
  const library = fetched("python_stdlib.zip.gz");
  const [log, python, program] = await Promise.all([
    alone().then(files.opened),
    loadPyodide({
      indexURL: new URL("pyodide/", import.meta.url).href,
      env: { HOME: "/home", PYTHONPATH: LIBRARY },
      fsInit: async (FS) => FS.writeFile(LIBRARY, await library, { canOwn: true }),
      stdout: (line) => console.log(line),
      stderr: (line) => console.error(line),
    }).then((made) => { step(); step(); return made; }),
    fetched("program.tar.gz"),
  ]);
  extract(python.FS, program, "/program");
  system = python.FS;
  kept = log !== null;
  files.mount(python.FS, "/thud", log);
  python.registerJsModule("thud_host", host(python));
  step();
  python.runPython("import sys; sys.path.insert(0, '/program')"); // which was not there yet
  return python.runPythonAsync("from thud_page.start import run\nawait run()");
}

run().then((sentence) => {
  say("over", kept ? `${sentence} Your matches are saved.` : sentence);
}, (fault) => {
  console.error(fault);
  say("failed", String(fault.message).trim().split("\n").pop());
});
