"""What is loaded and made before the board is shown: for a fast start, the rest comes later."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from terminal.first_frame import BARE_FRAME, FIRST_FRAME, facts, instructions

FOLDERS: Final = ("disk", "rules.variants", "session", "tui.board", "tui.keys")
"""All of them may be loaded: the board that is seen, its keys, and who answers when one comes."""

FILES: Final = {
    "cli": "launch main match options parser play players sources",
    "engines": "analyst faults spec",
    "records": "bounds programs store",
    "rules": "battle clock geometry match moves notation position reasons valley variant",
    "settings": "file preferences values",
    "terminal": "cells environment notices sequences signals streams",
    "tui": "actions app deployment matches navigator screens signals start textual_fixes",
    "tui.battle": "pane screen",
    "tui.looks": "ascii contrast fitted themes",
    "tui.picking": "picker screen",
    "tui.widgets": "appearance match_line prompt size_classes standing",
    "ai": "levels player",
    "words": "clocks match moves",
}
"""Of these folders, only what is drawn or lays it out, and what the session imports.

Hints, questions, records and the words of a typed move come with their first use.
"""

LATER: Final = {
    *("session.blunders", "session.costliest", "session.editor"),
    *("session.fairer", "session.lesson_battle"),
}
"""What of these folders belongs to another screen, or to the end of a match."""

OF_PYTHON: Final = {"argparse", "gc", "gettext"}
"""Modules of the standard library that the first frame needs, and a bare Textual app does not."""

MOST_NAMED_TUPLES: Final = 30
"""Named tuples of ours: each costs as much as a small module, and six times as much as a struct.

They cost less where annotations are not texts: modules that are mostly named tuples do without the
import from `__future__`.
"""

MOST_INSTRUCTIONS: Final = 1.42
"""Most instructions up to the first frame, as a multiple of a bare Textual app's.

It is 1.38 with Python 3.11.
"""


@pytest.fixture(scope="module")
def frame(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    return facts(FIRST_FRAME, tmp_path_factory.mktemp("frame"))


def test_what_the_first_frame_does_not_need_is_loaded_after_it(frame: dict[str, list[str]]) -> None:
    loaded = frame["modules"]
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


def test_nothing_else_is_loaded_that_a_bare_app_does_without(
    frame: dict[str, list[str]], tmp_path: Path
) -> None:
    bare = facts(BARE_FRAME, tmp_path)["modules"]
    others = {name for name in frame["modules"] if name.split(".")[0] not in ("thud", "msgspec")}
    assert sorted(others - {*bare, *OF_PYTHON}) == []


def test_few_classes_and_expressions_are_made_for_the_first_frame(
    frame: dict[str, list[str]],
) -> None:
    assert len(frame["named tuples"]) <= MOST_NAMED_TUPLES, frame["named tuples"]
    # Each costs as much, too: `re` compiles and keeps what a function is given, when it is used.
    assert frame["regular expressions"] == []


def test_the_first_frame_takes_few_instructions(tmp_path: Path) -> None:
    bare, play = (instructions(program, tmp_path) for program in (BARE_FRAME, FIRST_FRAME))
    assert play / bare < MOST_INSTRUCTIONS
