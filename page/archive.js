// The program's files, which come as one compressed archive: Python would unpack it in a second.

const BLOCK = 512; // bytes of tar's headers, and what contents are padded to
const decoder = new TextDecoder();

// Decompress what is fetched while it comes.
export async function unzipped(answer) {
  const stream = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function text(bytes) {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

// Write the files of a tar archive (ustar) below a directory.
export function extract(FS, archive, place) {
  for (let at = 0; archive[at]; ) {
    const head = archive.subarray(at, at + BLOCK);
    const prefix = text(head.subarray(345, 500));
    const path = `${place}/${prefix ? `${prefix}/` : ""}${text(head.subarray(0, 100))}`;
    const size = parseInt(text(head.subarray(124, 136)), 8);
    const start = at + BLOCK;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, archive.subarray(start, start + size), { canOwn: true });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
}
