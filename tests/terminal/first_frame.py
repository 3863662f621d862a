"""What it takes to show the first frame of `thud play`, and of a bare Textual app."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from shutil import which
from typing import Any, Final

import pytest

from terminal.emulator import TIMEOUT, Terminal

BARE: Final = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("bare")
"""
"""A bare Textual app."""

_TELL: Final = """
import os, sys

async def tell(_):
    if path := sys.argv[1:]:
        import json, re
        modules = dict(sys.modules)
        ours = [module for name, module in modules.items() if name.startswith("thud.")]
        classes = [each for each in tuple.__subclasses__() if each.__module__.startswith("thud.")]
        facts = {
            "modules": list(modules),
            "named tuples": [f"{each.__module__}.{each.__name__}" for each in classes],
            "regular expressions": [
                f"{module.__name__}.{name}"
                for module in ours
                for name, value in vars(module).items()
                if isinstance(value, re.Pattern)
            ],
        }
        open(path[0], "w").write(json.dumps(facts))
    os._exit(0)
"""
"""Ends the program when the first frame has been drawn, and first tells what was made by then."""

BARE_FRAME: Final = f"{_TELL}{BARE}\nBare.on_ready = tell\nBare().run()"

FIRST_FRAME: Final = f"""{_TELL}
from thud.cli.main import main
from thud.tui.battle.screen import BattleScreen

BattleScreen.begin = tell
main(["play"])
"""


def facts(program: str, directory: Path) -> dict[str, list[str]]:
    """Return the modules, named tuples and regular expressions that exist at the first frame."""
    told = directory / "facts"
    _run([sys.executable, "-c", program, str(told)], directory)
    found: Any = json.loads(told.read_text())
    return dict(found)


def instructions(program: str, directory: Path) -> int:
    """Return the number of instructions up to the first frame.

    It varies by two in ten thousand, however busy the machine is.  Without valgrind the test is
    skipped, or fails if THUD_VALGRIND is set.
    """
    if which("valgrind") is None:
        fault = "valgrind is not installed"
        (pytest.fail if os.environ.get("THUD_VALGRIND") else pytest.skip)(fault)
    command = [sys.executable, "-c", program]
    # The first run may compile modules.
    _run(command, directory)
    log = directory / "log"
    tool = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
    _run(["valgrind", *tool, f"--log-file={log}", *command], directory)
    found = re.search(r"I +refs: +([\d,]+)", log.read_text())
    assert found, log.read_text()
    return int(found[1].replace(",", ""))


def _run(command: list[str], directory: Path) -> None:
    places = ("THUD_DATA_DIR", "THUD_CONFIG_DIR", "THUD_CACHE_DIR")
    environment = {**dict.fromkeys(places, str(directory)), "PYTHONHASHSEED": "0"}
    with Terminal(command, environment=environment) as terminal:
        # Counting instructions is some forty times as slow.
        assert terminal.wait_for_end(10 * TIMEOUT) == 0, terminal.text
