// Files that outlive the page: a directory of the program's is in memory, and each change of it is in
// a log in the browser's own file system, on the disk before the change counts as made.
//
// The store writes synchronously, and so does the log: its two files are opened once.  One is the
// log; the other takes its place when it is written anew, shorter.  A record that is cut short, by a
// browser that was killed, is the end of the log, so that a change is there whole or not at all.

const MAGIC = 0x54485544; // "THUD"
const HEAD = 12; // bytes: the magic number, the generation, and their checksum
const RECORD = 8; // bytes before a record: its length, and its checksum
const LEAST = 1 << 20; // bytes of a log that is not worth writing anew
const NO_SPACE = 51; // Emscripten's errors
const NO_INPUT_OUTPUT = 29;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

// A record: what happened as JSON, and the content of a file.
function packed(about, content = new Uint8Array()) {
  const told = encoder.encode(JSON.stringify(about));
  const record = new Uint8Array(RECORD + 4 + told.length + content.length);
  const view = new DataView(record.buffer);
  view.setUint32(0, record.length - RECORD);
  view.setUint32(RECORD, told.length);
  record.set(told, RECORD + 4);
  record.set(content, RECORD + 4 + told.length);
  view.setUint32(4, checksum(record.subarray(RECORD)));
  return record;
}

class Log {
  constructor(handles) {
    this.handles = handles;
    const generations = handles.map(generation);
    this.current = generations[1] > generations[0] ? 1 : 0;
    this.generation = generations[this.current];
    this.end = HEAD;
    if (this.generation === 0) this.begin(handles[0], 1);
  }

  get handle() {
    return this.handles[this.current];
  }

  begin(handle, number) {
    const head = new DataView(new ArrayBuffer(HEAD));
    head.setUint32(0, MAGIC);
    head.setUint32(4, number);
    head.setUint32(8, checksum(new Uint8Array(head.buffer, 0, 8)));
    handle.write(head, { at: 0 });
    handle.flush();
    this.generation = number;
  }

  // Take every record that is whole; what follows is cut off.
  replay(take) {
    const bytes = new Uint8Array(this.handle.getSize());
    this.handle.read(bytes, { at: 0 });
    const view = new DataView(bytes.buffer);
    while (this.end + RECORD + 4 <= bytes.length) {
      const size = view.getUint32(this.end);
      const record = bytes.subarray(this.end + RECORD, this.end + RECORD + size);
      if (record.length < size || size < 4 || checksum(record) !== view.getUint32(this.end + 4)) break;
      const told = new DataView(record.buffer, record.byteOffset).getUint32(0);
      take(JSON.parse(decoder.decode(record.subarray(4, 4 + told))), record.slice(4 + told));
      this.end += RECORD + size;
    }
    this.handle.truncate(this.end);
  }

  append(record) {
    try {
      const written = this.handle.write(record, { at: this.end });
      if (written < record.length) throw new DOMException("cut short", "QuotaExceededError");
      this.handle.flush();
    } catch (fault) {
      cut(this.handle, this.end);
      throw fault;
    }
    this.end += record.length;
  }

  // Write the log anew, in the other file, which counts once its head is written.
  rewrite(records) {
    const [old, other] = [this.handle, this.handles[1 - this.current]];
    try {
      other.truncate(0);
      let end = HEAD;
      for (const record of records) {
        if (other.write(record, { at: end }) < record.length) throw new Error("cut short");
        end += record.length;
      }
      other.flush();
      this.begin(other, this.generation + 1);
      this.current = 1 - this.current;
      this.end = end;
      old.truncate(0);
    } catch (fault) {
      console.warn(fault); // one of them is whole
      // A head that was written all the same would count, while the old one goes on.
      if (this.handle === old) cut(other, 0);
    }
  }
}

function cut(handle, end) {
  try {
    handle.truncate(end);
  } catch {
    // A record that is cut short ends the log when it is read again.
  }
}

function generation(handle) {
  const head = new DataView(new ArrayBuffer(HEAD));
  if (handle.read(head, { at: 0 }) < HEAD || head.getUint32(0) !== MAGIC) return 0;
  return checksum(new Uint8Array(head.buffer, 0, 8)) === head.getUint32(8) ? head.getUint32(4) : 0;
}

// Open the log; null where the browser keeps nothing.
export async function opened() {
  try {
    const root = await navigator.storage.getDirectory();
    const directory = await root.getDirectoryHandle("thud", { create: true });
    const handles = [];
    for (const name of ["log-1", "log-2"]) {
      const file = await directory.getFileHandle(name, { create: true });
      handles.push(await file.createSyncAccessHandle());
    }
    return new Log(handles);
  } catch (fault) {
    console.warn(fault);
    return null;
  }
}

// Mount a directory whose files are kept in a log.
export function mount(FS, place, log) {
  const memory = FS.filesystems.MEMFS;
  let replaying = true;

  function keep(about, content) {
    if (replaying) return;
    // Before, and not after: some changes are kept before they are made, and a log that is written
    // anew between the two would not have them.
    if (log.end > LEAST && log.end > 4 * size(node(place))) log.rewrite(records(place));
    try {
      log.append(packed(about, content));
    } catch (fault) {
      throw new FS.ErrnoError(fault.name === "QuotaExceededError" ? NO_SPACE : NO_INPUT_OUTPUT);
    }
  }

  const node = (path) => FS.lookupPath(path).node;

  function keepFile(file) {
    if (!file.unkept) return;
    keep(aboutFile(file), content(file));
    file.unkept = false;
  }

  const content = (file) => file.contents.subarray(0, file.usedBytes);
  const aboutFile = (file) => ({ do: "write", path: FS.getPath(file), mode: file.mode, mtime: +file.mtime });

  function size(directory) {
    return Object.values(directory.contents).reduce(
      (sum, each) => sum + (FS.isDir(each.mode) ? size(each) : each.usedBytes + 200), 0);
  }

  function* records(path) {
    for (const each of Object.values(node(path).contents)) {
      if (FS.isDir(each.mode)) {
        yield packed({ do: "mkdir", path: FS.getPath(each) });
        yield* records(FS.getPath(each));
      } else {
        yield packed(aboutFile(each), content(each));
      }
    }
  }

  function watched(made) {
    const { node_ops: nodes, stream_ops: streams } = made;
    if (FS.isDir(made.mode)) {
      made.node_ops = {
        ...nodes,
        mknod(parent, name, mode, dev) {
          if (FS.isDir(mode)) keep({ do: "mkdir", path: `${FS.getPath(parent)}/${name}` });
          return watched(memory.createNode(parent, name, mode, dev));
        },
        rename(old, directory, name) {
          const from = FS.getPath(old);
          keep({ do: "rename", from, to: `${FS.getPath(directory)}/${name}` });
          nodes.rename(old, directory, name);
        },
        unlink(parent, name) {
          keep({ do: "unlink", path: `${FS.getPath(parent)}/${name}` });
          nodes.unlink(parent, name);
        },
        rmdir(parent, name) {
          nodes.rmdir(parent, name);
          keep({ do: "rmdir", path: `${FS.getPath(parent)}/${name}` });
        },
        symlink() {
          throw new FS.ErrnoError(63); // not permitted
        },
      };
    } else {
      made.node_ops = {
        ...nodes,
        setattr(file, changes) {
          nodes.setattr(file, changes);
          if (changes.size !== undefined) file.unkept = true;
          else if (!file.unkept) keep({ do: "touch", path: FS.getPath(file), mtime: +file.mtime });
        },
      };
      made.stream_ops = {
        ...streams,
        write(stream, ...rest) {
          const written = streams.write(stream, ...rest);
          stream.node.unkept = true;
          return written;
        },
        fsync(stream) {
          keepFile(stream.node);
          return 0;
        },
        close(stream) {
          if (stream.node.parent.contents[stream.node.name] === stream.node) keepFile(stream.node);
        },
      };
      made.unkept = true; // an empty file is one, too
    }
    return made;
  }

  function redo(about, data) {
    switch (about.do) {
      case "write":
        FS.writeFile(about.path, data);
        FS.chmod(about.path, about.mode & 0o777);
        FS.utime(about.path, about.mtime, about.mtime);
        node(about.path).unkept = false;
        break;
      case "touch": FS.utime(about.path, about.mtime, about.mtime); break;
      case "mkdir": FS.mkdir(about.path); break;
      case "rename": FS.rename(about.from, about.to); break;
      case "unlink": FS.unlink(about.path); break;
      case "rmdir": FS.rmdir(about.path); break;
    }
  }

  FS.mkdirTree(place);
  FS.mount({ mount: (mounted) => watched(memory.mount(mounted)) }, {}, place);
  if (!log) return;
  log.replay((about, data) => {
    try {
      redo(about, data);
    } catch (fault) {
      console.warn(about, fault);
    }
  });
  replaying = false;
}
