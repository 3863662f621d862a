"""A fake engine that misbehaves as its argument says.  It knows one first move of Classic."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import count

MOVE = "dF1-F5"


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def introduce(how: str) -> None:
    say("Fake engine, hello \x1b[2J", "id name Fake \x07")
    say("option name Answer type string default none")
    if how == "options":
        for number in count():
            say(f"option name Answer{number} type string default none")
    if how != "classic only":
        say("option name Variant type combo default classic var classic var koom")
    say("uciok")


def go(how: str) -> None:
    if how == "crash":
        print("first line\nwhat a \x1b[31mpity", file=sys.stderr)
        sys.exit(3)
    if how == "mute":
        print("I hold my tongue", file=sys.stderr, flush=True)
        os.close(sys.stdout.fileno())
        time.sleep(600)
    if how in ("late", "deaf"):
        say("info depth 1 score cp 5 pv dF1-F5 TG7-F6")
        return
    if how == "illegal":
        say("bestmove dF1-G3")
    elif how == "no move":
        say("info string I am tired", "bestmove 0000")
    elif how == "nothing":
        say("bestmove")
    elif how == "garbage":
        sys.stdout.buffer.write(b"\xff\x00\xfe\n" * 50_000 + b"info depth\ninfo score cp pv x\n")
        say("info depth 2 score cp -7 nodes 3 time 9 pv dF1-F5 dF5-F1", f"bestmove {MOVE}")
    elif how == "line":
        while True:
            sys.stdout.write("x" * 100_000)
    else:
        say("info depth 1 score mate -2 pv dF1-F5", f"bestmove {MOVE} end")


def main(how: str) -> None:
    if how == "silent":
        time.sleep(600)
    if how == "child":
        # A wrapper that waits for its child process, which ignores `quit`.
        child = subprocess.Popen([sys.executable, __file__, "deaf"])
        say(f"info string {child.pid}")
        child.wait()
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                introduce(how)
            case ["isready"] if how != "unready":
                say("readyok")
            case ["go", *_]:
                go(how)
            case ["stop"] if how == "late":
                say(f"bestmove {MOVE}")
            case ["quit"] if how != "deaf":
                break
    if how == "deaf":
        time.sleep(600)


if __name__ == "__main__":
    main(sys.argv[1])
