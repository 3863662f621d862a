"""Entry point of the single executable file.

Engines are started as `sys.executable -P -m thud engine …` (engines/spec.py), and here the
executable is this file: so it handles these arguments as Python would.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from typing import Final

_AS_PYTHON: Final = ["-P", "-m"]


def module_in(arguments: Sequence[str]) -> str | None:
    """Return the module of `thud` to run in place of the program, None for the program itself."""
    module = arguments[2] if len(arguments) > 2 and [*arguments[:2]] == _AS_PYTHON else ""
    return module if module.partition(".")[0] == "thud" else None


def main() -> int:
    """Run the program, or a module of it given by `-P -m`."""
    if module := module_in(sys.argv[1:]):
        sys.argv[1:4] = []
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    from thud.__main__ import main as thud

    return thud()


if __name__ == "__main__":
    sys.exit(main())
