"""Where the program begins when it is a single file that brings its own Python.

Computers are processes of the Python that runs here (engines/spec.py), and that is this very file:
so it takes what they are started with, `-P -m thud engine …`, as Python would.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from typing import Final

_AS_PYTHON: Final = ["-P", "-m"]


def module_in(arguments: Sequence[str]) -> str | None:
    """Return the module of the program that shall run as a process, None for the program."""
    module = arguments[2] if len(arguments) > 2 and [*arguments[:2]] == _AS_PYTHON else ""
    return module if module.partition(".")[0] == "thud" else None


def main() -> int:
    """Run the program, or one of its modules in its place."""
    if module := module_in(sys.argv[1:]):
        sys.argv[1:4] = []
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    from thud.__main__ import main as thud

    return thud()


if __name__ == "__main__":
    sys.exit(main())
