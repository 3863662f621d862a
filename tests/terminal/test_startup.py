"""Modules imported before the board is shown: for a fast start, the rest is imported later."""

from __future__ import annotations

import sys
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
    "rules": "battle clock geometry handicaps match moves notation position reasons setup "
    "symmetry tactics threats typed valley variant",
    "settings": "file preferences values",
    "terminal": "cells environment notices sequences signals streams",
    "tui": "actions app caret deployment matches navigator screens signals start textual_fixes",
    "tui.battle": "evaluation_bar pane participants_screen presenter questions screen",
    "tui.looks": "ascii contrast fitted themes",
    "tui.picking": "move_entry pane picker questions screen selection",
    "tui.widgets": "appearance chat_log clocks margin_graph marked_list match_line modals "
    "move_list prompt size_classes standing",
    "ai": "levels player scores",
    "wording": "clocks hints match moves pieces records remarks session",
}
"""Of these folders, only what is drawn or lays it out, the questions and dialogs of a match, what
the session and its hints import, and the records' own place.
"""

LATER: Final = {"session.editor", "session.lesson_battle", "session.truce"}
"""What of these folders belongs to a question or to another screen."""

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
