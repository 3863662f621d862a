// Runs page/files.js in Node, with the built page's Pyodide and a disk in memory.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const [pyodide, files] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const { Log, mount } = await import(files);

const library = gunzipSync(readFileSync(`${pyodide}/../python_stdlib.zip.gz`));

class Disk {
  bytes = new Uint8Array();
  most = Infinity; // bytes
  getSize() { return this.bytes.length; }
  truncate(size) {
    const kept = this.bytes.subarray(0, size);
    this.bytes = new Uint8Array(size);
    this.bytes.set(kept);
  }
  read(view, { at }) {
    const found = this.bytes.subarray(at, at + view.byteLength);
    new Uint8Array(view.buffer, view.byteOffset).set(found);
    return found.length;
  }
  write(view, { at }) {
    const end = at + view.byteLength;
    if (end > this.most) throw new DOMException("", "QuotaExceededError");
    if (end > this.bytes.length) this.truncate(end);
    this.bytes.set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength), at);
    return view.byteLength;
  }
  flush() {
    if (this.broken) throw new Error("the disk is broken");
  }
}

async function opened(disks) {
  const python = await loadPyodide({
    env: { HOME: "/", PYTHONPATH: "/lib/library.zip" },
    fsInit: async (FS) => FS.writeFile("/lib/library.zip", library),
  });
  const log = new Log(disks);
  mount(python.FS, "/thud", log);
  python.globals.set("end", () => log.end);
  python.runPython(`
from pathlib import Path
import os

def write(name, data):
    with open(name, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())

def fill(target):
    "Write until a record of the least size would let the log be written anew."
    while end() < target - 2000:
        Path("/thud/full").write_bytes(b"x" * 1000)
    Path("/thud/full").write_bytes(b"x" * (target - end() - 110))

def kept():
    return sorted((str(each), each.read_bytes()[:9].decode()) for each in Path("/thud").rglob("*")
                  if each.is_file() and each.name != "full")
`);
  return python;
}

async function keeps(name, code, upset = () => {}) {
  const disks = [new Disk(), new Disk()];
  const python = await opened(disks);
  python.globals.set("upset", (how) => upset(disks, how));
  python.runPython(code);
  const before = python.runPython("str(kept())");
  const after = (await opened(disks)).runPython("str(kept())");
  console.log(before === after ? "same" : "DIFFERENT", name, before, after);
}

const AT = "1 << 20";
await keeps("renamed as the log is written anew", `
write("/thud/match", b"old")
write("/thud/new", b"new")
fill(${AT})
os.replace("/thud/new", "/thud/match")
write("/thud/next", b"next")
os.replace("/thud/next", "/thud/match")
`);
await keeps("deleted as the log is written anew", `
write("/thud/match", b"old")
fill(${AT})
os.unlink("/thud/match")
`);
await keeps("a directory that could not be kept", `
upset("full")
try:
    os.mkdir("/thud/matches")
except OSError:
    pass
upset("empty")
os.makedirs("/thud/matches", exist_ok=True)
write("/thud/matches/match", b"new")
`, (disks, how) => disks.forEach((each) => { each.most = how === "full" ? 0 : Infinity; }));
await keeps("the log could not be written anew", `
write("/thud/match", b"old")
fill(${AT})
Path("/thud/more").write_bytes(b"x" * 1000)
upset("broken")
os.unlink("/thud/match")
write("/thud/match", b"new")
upset("whole")
`, (disks, how) => { disks[1].broken = how === "broken"; });
