"""A stand-in for a visitor's program, which prints what it receives; see `test_ssh.py`."""

import json
import os
import signal
import sys
import time

BEGIN, END = "\x1b[?1049h", "\x1b[?1049l"


def tell(*words: object) -> None:
    """Print a line."""
    os.write(1, " ".join(map(str, words)).encode() + b"\n")


def size(*_: object) -> None:
    """Print the terminal's size."""
    tell("size", *os.get_terminal_size(0))


def leave(*_: object) -> None:
    """Exit cleanly."""
    tell(END + "good bye")
    os._exit(143)


def flood() -> None:
    """Write for ever."""
    while True:
        os.write(1, b"x" * 4096)


def draw_much() -> None:
    """Write more than any buffer on the way to a terminal holds, then create the file `drawn`."""
    for _ in range(1024):
        os.write(1, b"x" * 4096)
    with open("drawn", "w"):
        pass


def hear(key: bytes) -> None:
    """Handle a key."""
    if key == b"q":
        tell(END + "gone")
        sys.exit(7)
    if key == b"f":
        flood()
    if key == b"d":
        draw_much()
    if key == b"s":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if key == b"z":
        time.sleep(3600)
    tell("heard", ascii(key.decode("latin-1")))


def main() -> None:
    """Report what happens until a key ends the program."""
    signal.signal(signal.SIGWINCH, size)
    signal.signal(signal.SIGTERM, leave)
    with open("told.json.part", "w") as file:
        json.dump({"pid": os.getpid(), "environment": dict(os.environ)}, file)
    os.replace("told.json.part", "told.json")
    tell(BEGIN + "here", os.environ["VISITOR_NAME"], os.environ["TERM"])
    size()
    while key := os.read(0, 1):
        hear(key)


if __name__ == "__main__":
    main()
