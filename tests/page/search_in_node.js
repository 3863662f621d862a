// Runs page/search.js in Node as in a worker: a module, a request and random words in, its answer out.
const { readFileSync } = require("node:fs");
const vm = require("node:vm");

const [script, wasm, request, words] = process.argv.slice(2);
globalThis.postMessage = ([kind, text]) => {
  if (kind !== "report") console.log(JSON.stringify([kind, text]));
};
vm.runInThisContext(readFileSync(script, "utf8"), script);
onmessage({ data: { module: new WebAssembly.Module(readFileSync(wasm)) } });
onmessage({ data: { request, words: Uint32Array.from(JSON.parse(words)) } });
