"""`thud completions SHELL`: print the shell's completions, built with the package."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

import thud
from thud.text import joined

_NAMES: Final = {"bash": "thud.bash", "zsh": "_thud", "fish": "thud.fish"}
_PACKAGE: Final = Path(thud.__file__).parent
_PLACES: Final = (_PACKAGE / "shell", _PACKAGE.parents[1] / "build" / "shell")
"""Where completions are: in the package, or in the build directory of a source tree."""


def add_completions(command: argparse.ArgumentParser) -> None:
    """Add the shell's name."""
    command.add_argument(
        "shell", choices=[*_NAMES], metavar="SHELL", help=f"the shell: {joined(_NAMES, 'or')}"
    )


def completions(arguments: Namespace) -> None:
    """Print the completions for a shell.

    Raises:
        ValueError: this copy of the program was never built.
    """
    name = _NAMES[arguments.shell]
    made = next((each for place in _PLACES if (each := place / name).exists()), None)
    if made is None:
        raise ValueError("this copy of Thud has no completions: install Thud to get them")
    sys.stdout.write(made.read_text(encoding="utf-8"))
