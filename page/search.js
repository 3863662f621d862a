// The compiled search, alone in a worker: a request in, its thoughts and its answer out.
// `core/src/core.rs` describes both.

const decoder = new TextDecoder();
let exported = null;
let words = [];

const read = (at, size) => decoder.decode(new Uint8Array(exported.memory.buffer, at >>> 0, size));

// A number below `limit`, by as many random words as Python's `random.shuffle` takes.
function below(limit) {
  const bits = 32 - Math.clz32(limit);
  let drawn = limit;
  while (drawn >= limit) {
    if (!words.length) throw new Error("too few random numbers");
    drawn = words[0] >>> (32 - bits);
    words = words.subarray(1);
  }
  return drawn;
}

function shuffle(at, size) {
  const order = Uint32Array.from({ length: size }, (_, place) => place);
  if (words.length) {
    for (let place = size - 1; place > 0; place -= 1) {
      const other = below(place + 1);
      [order[place], order[other]] = [order[other], order[place]];
    }
  }
  new Uint32Array(exported.memory.buffer, at >>> 0, size).set(order);
}

const host = {
  now: () => BigInt(Math.round(performance.now() * 1000)),
  should_stop: () => 0, // whoever stops it ends the worker
  report: (at, size) => postMessage(["report", read(at, size)]),
  shuffle,
};

onmessage = ({ data }) => {
  try {
    if (data.module) {
      exported = new WebAssembly.Instance(data.module, { host }).exports;
      return;
    }
    words = data.words;
    const request = new TextEncoder().encode(data.request);
    const at = exported.input(request.length) >>> 0; // may move the memory
    new Uint8Array(exported.memory.buffer, at, request.length).set(request);
    const where = BigInt.asUintN(64, exported.answer());
    postMessage(["answer", read(Number(where >> 32n), Number(where & 0xffffffffn))]);
  } catch (fault) {
    postMessage(["failed", String(fault)]);
  }
};
