"""The fork server of a club: `python -P -m thud.club.fork_server NUMBER [DIRECTORY…]`.

It has imported the program, has one thread, and knows nothing of the club's or a visitor's: a new
process is told its variables and given its files by the club itself.  It is forked twice, so that
the club, which adopts orphans, becomes its parent, and it lives on when the server ends.  Processes
of `multiprocessing.forkserver` are children of the server, which unpickles what it is sent.

`thud.club.forks` is the club's side, and imports nothing of this.
"""

from __future__ import annotations

import gc
import json
import locale
import os
import pkgutil
import socket
import sys
import time
from contextlib import suppress
from importlib import import_module, reload
from itertools import chain
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from textual import constants, layouts

from thud import exercises, plain, tui
from thud.club import process, sandbox
from thud.club.broker import BROKER_VARIABLE
from thud.exercises.puzzles.book import puzzles
from thud.rules.variants import VARIANTS

_LOADED_LATER: Final = (
    *("concurrent.futures.thread", "resource", "textual.drivers.linux_driver", "textual.pilot"),
    *("textual.drivers.headless_driver", "textual.scrollbar", "thud.club.in_lines"),
    *("thud.club.shown", "thud.club.storage", "thud.club.web.driver", "thud.rules.measured"),
)
"""Modules beside the interface's that load where they are needed first."""

_STREAMS: Final = (
    ("stdin", "r", "surrogateescape"),
    ("stdout", "w", "surrogateescape"),
    ("stderr", "w", "backslashreplace"),
)
"""The standard streams by their numbers: name, mode, and what becomes of what cannot be encoded."""

_LONGEST: Final = 1 << 16


def main() -> int:
    """Fork a process for each request, until the club closes the connection.

    The first argument is the connection's number.  To the directories that follow, if any, the
    server jails itself, with all that it forks.

    Returns:
        the exit status: the server's, and in each process that of its visitor.
    """
    asking = socket.socket(fileno=int(sys.argv[1]))
    _preload()
    if own := [Path(each) for each in sys.argv[2:]]:
        sandbox.confine(own)
    gc.collect()
    gc.freeze()
    gc.collect()  # else visitors would collect no old objects before they have many more
    asking.send(b"+")
    while numbers := socket.recv_fds(asking, 1, 1)[1]:
        with socket.socket(fileno=numbers[0]) as asked:
            try:
                is_new = _fork_twice()
            except OSError:  # as many run as may: the club is told by the connection's end
                continue
            if is_new:
                asking.close()
                _become_visitor(asked)
                break
    else:
        return 0
    return process.main()


def _preload() -> None:
    """Import all that visitors may see."""
    packages = (exercises, plain, tui, layouts)
    walked = (pkgutil.walk_packages(each.__path__, f"{each.__name__}.") for each in packages)
    for name in (*_LOADED_LATER, *(each.name for each in chain(*walked))):
        import_module(name)
    # The tables that every visitor would read anew:
    cell_len("\N{DRAGON}")  # the widths of all characters
    puzzles()
    for variant in VARIANTS.values():
        _ = variant.measured


def _fork_twice() -> bool:
    """Return whether this is the new process; its parent is the club.

    Raises:
        OSError: there is none.
    """
    if between := os.fork():
        os.waitpid(between, 0)
        return False
    between = os.getpid()
    try:
        if os.fork():
            os._exit(0)
    except OSError:
        os._exit(1)
    while os.getppid() == between:
        time.sleep(0.001)
    return True


def _become_visitor(asked: socket.socket) -> None:
    """Take over what the club says: the environment and the open files, and no others."""
    os.setsid()
    try:
        asked.send(str(os.getpid()).encode())
        told, numbers, *_ = socket.recv_fds(asked, _LONGEST, len(_STREAMS) + 1)
    except OSError:
        told, numbers = b"", []
    variables = json.loads(told or b"{}")
    if not told or len(numbers) != len(_STREAMS) + (BROKER_VARIABLE in variables):
        os._exit(1)  # the club has given up, or files run short
    asked.close()
    for number, given in enumerate(numbers):
        os.dup2(given, number)
    for given in numbers:
        if given >= len(numbers):
            os.close(given)
    if BROKER_VARIABLE in variables:
        variables[BROKER_VARIABLE] = str(len(_STREAMS))
    os.environ.clear()
    os.environ.update(variables)
    reload(constants)
    encoding = _locale_encoding()
    for number, (name, mode, errors) in enumerate(_STREAMS):
        lines = 1 if name == "stderr" or os.isatty(number) else -1
        stream = os.fdopen(number, mode, lines, encoding, errors, closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _locale_encoding() -> str:
    """Take over the environment's locale, as Python does when it starts; return its encoding."""
    with suppress(locale.Error):
        locale.setlocale(locale.LC_CTYPE, "")
    named = locale.setlocale(locale.LC_CTYPE) not in ("C", "POSIX")
    return locale.getencoding().lower() if named else "utf-8"


if __name__ == "__main__":
    sys.exit(main())
