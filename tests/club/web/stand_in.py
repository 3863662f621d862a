"""A stand-in for a visitor's program: it echoes its input and obeys commands.

It speaks the packet protocol of Textual's web driver.  The typed commands are `leave`, `fail`,
`file`, `much`, `flood`, `nonsense`, `deaf`, `write` and `scribble`; anything else is only echoed.
"""

import json
import os
import signal
import sys
import time

from textual_serve._binary_encode import dump

SECRET_FILE = b"1. dF1-F5\n" * 20_000


def say(kind: bytes, payload: bytes) -> None:
    data = kind + len(payload).to_bytes(4, "big") + payload
    while data:
        data = data[os.write(1, data) :]


def tell(**about: object) -> None:
    say(b"M", json.dumps(about).encode())


def heard() -> tuple[bytes, bytes]:
    head = exactly(5)
    return head[:1], exactly(int.from_bytes(head[1:], "big"))


def exactly(size: int) -> bytes:
    data = b""
    while len(data) < size:
        if not (more := os.read(0, size - len(data))):
            sys.exit(0)
        data += more
    return data


def obey(word: bytes, left: list[bytes]) -> None:
    if word == b"leave":
        tell(type="exit")
        sys.exit(0)
    if word == b"fail":
        sys.exit("something was wrong")
    if word == b"file":
        left[:] = [SECRET_FILE]
        tell(type="deliver_file_start", key="k", path='/home/x/../"a\n b".tgn')
    if word == b"write":
        tell(type="writing", now=True)
    if word == b"scribble":
        tell(type="writing", now="x" * 4096)
        say(b"D", b"scribbled")
    if word == b"much":
        for _ in range(32):
            say(b"D", b"x" * 65536)
    if word == b"flood":
        while True:
            say(b"D", b"x" * 65536)
    if word == b"nonsense":
        say(b"Q", b"")
    if word == b"deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        say(b"D", b"deaf now")
        time.sleep(3600)


def main() -> None:
    os.write(1, b"__GANGLION__\n")
    size = f"{os.environ['COLUMNS']}x{os.environ['ROWS']}"
    say(b"D", f"begun {size} {os.getpid()}".encode())
    left: list[bytes] = []
    while True:
        kind, payload = heard()
        about = json.loads(payload) if kind == b"M" else {}
        if about.get("type") == "deliver_chunk_request":
            piece, left[0] = left[0][: about["size"]], left[0][about["size"] :]
            say(b"P", dump(("deliver_chunk", about["key"], piece)))
            continue
        if about.get("type") == "prefers":
            say(b"M", json.dumps({"type": "looks", "ground": about}).encode())
            continue
        say(b"D", kind + payload)
        obey(payload, left)


if __name__ == "__main__":
    main()
