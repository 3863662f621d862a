"""A fake ssh: runs the remote command locally.

THUD_FAKE_SSH sets its behaviour; THUD_FAKE_SSH_LOG names a file to log its arguments to.
"""

import json
import os
import signal
import subprocess
import sys
import time

HOW = os.environ.get("THUD_FAKE_SSH", "")
LOG = os.environ.get("THUD_FAKE_SSH_LOG")


FAILURES = {
    "refused": (255, "Warning: something\nssh: connect to host box port 22: Connection refused\n"),
    "denied": (255, "ann@box: Permission denied (publickey,password).\r"),
    "ugly": (255, "\x1b[2Jgone\x07 " + "x" * 5000),
    "silent": (255, ""),
    "crash": (2, "thud: no such command"),
}


def fail(status: int, text: str) -> None:
    print(text, file=sys.stderr, flush=True)
    sys.exit(status)


def main() -> None:
    if LOG:
        with open(LOG, "a", encoding="utf-8") as log:
            print(json.dumps([os.getpid(), os.getpgid(0), *sys.argv[1:]]), file=log)
    if HOW == "locked" and "BatchMode=yes" in sys.argv:
        fail(*FAILURES["denied"])
    if HOW in FAILURES:
        fail(*FAILURES[HOW])
    if HOW == "noise":
        while True:
            print("welcome to box " * 20)
    if HOW == "endless":
        while True:
            sys.stdout.write("x" * 1000)
    if HOW == "wait":
        time.sleep(1000)
    if HOW == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(json.dumps({"m": "relay"}), flush=True)
        time.sleep(1000)
    if HOW == "strange":
        print('[1, 2]\n{"m": "closed", "because": "\\u001b[2Jno"}')
        sys.exit(0)
    if HOW == "motd":
        print("Welcome to box!\n\n{}", flush=True)
        print("Last login: never", file=sys.stderr, flush=True)
    place = sys.argv.index("--")
    sys.exit(subprocess.run(["/bin/sh", "-c", sys.argv[place + 2]], check=False).returncode)


if __name__ == "__main__":
    main()
