"""Modules imported before the board is shown: for a fast start, the rest is imported later."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from terminal.emulator import Terminal

TELL: Final = """
import os, sys
from pathlib import Path
from thud.cli.main import main
from thud.tui.battle.screen import BattleScreen

async def tell(screen):
    Path(sys.argv[1]).write_text("\\n".join(sys.modules))
    os._exit(0)

BattleScreen.begin = tell
main(["play"])
"""
"""Plays until the first frame has been drawn, and tells what is loaded then."""

FOLDERS: Final = ("disk", "rules.variants", "session", "tui.board", "tui.keys")
"""All of them may be loaded: the board that is seen, its keys, and who answers when one comes."""

FILES: Final = {
    "cli": "launch main match options parser play players sources",
    "engines": "analyst faults outlook spec",
    "records": "annotation annotation_store bounds editing formats programs record store tree",
    "records.tgn": "notes writer",
    "review": "judgement",
    "rules": "battle clock geometry match moves notation position reasons setup "
    "symmetry tactics threats typed valley variant",
    "settings": "file preferences values",
    "terminal": "cells environment notices sequences signals streams",
    "tui": "actions app deployment matches navigator screens signals start textual_fixes",
    "tui.battle": "pane questions screen widgets",
    "tui.looks": "ascii contrast fitted themes",
    "tui.picking": "picker questions screen",
    "tui.widgets": "appearance margin_graph match_line move_list prompt size_classes standing",
    "ai": "levels player scores",
    "wording": "clocks hints match moves records remarks session",
}
"""Of these folders, only what is drawn or lays it out, the questions of a match, what the session
and its hints import, and what saves a move.
"""

LATER: Final = {"session.costliest", "session.editor", "session.lesson_battle"}
"""What of these folders belongs to another screen, or to the end of a match."""

OTHERS: Final = {"platformdirs", "rich", "textual", "typing_extensions", "thud", "attr"}
"""The packages beside the standard library; a bare Textual app loads them, too.

Rich 14.2 loads `attr` where something else has installed it.
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    directory = tmp_path_factory.mktemp("startup")
    told = directory / "modules"
    environment = {"THUD_DATA_DIR": str(directory), "THUD_CONFIG_DIR": str(directory)}
    with Terminal([sys.executable, "-c", TELL, str(told)], environment=environment) as terminal:
        assert terminal.wait_for_end() == 0
    return set(told.read_text().split())


def test_what_the_first_frame_does_not_need_is_loaded_after_it(loaded: set[str]) -> None:
    ours = {name.removeprefix("thud.") for name in loaded if name.startswith("thud.")}
    packages = {name.rpartition(".")[0] for name in ours} | {
        *FOLDERS,
        *FILES,
        "rules.variants",
    }
    allowed = {f"{folder}.{name}" for folder, names in FILES.items() for name in names.split()}
    assert [name for name in allowed | LATER if find_spec(f"thud.{name}") is None] == []
    allowed |= {name for name in ours if name.startswith(tuple(f"{each}." for each in FOLDERS))}
    assert sorted(ours - packages - (allowed - LATER) - {"__main__", "text"}) == []


def test_no_other_package_is_loaded_before_the_first_frame(loaded: set[str]) -> None:
    installed = {
        each.stem.split(".")[0]
        for path in sys.path
        if path.endswith("-packages")
        for each in Path(path).iterdir()
    }
    public = {name.split(".")[0] for name in loaded if not name.startswith("_")}
    assert public & installed <= OTHERS
