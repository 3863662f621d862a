"""The size of squares that is reckoned without drawing is the one that is drawn."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from thud.settings.values import SETTINGS_INFO
from thud.terminal.cells import (
    CELLS,
    PANEL,
    SMALLEST,
    SMALLEST_UPRIGHT,
    WIDE_PANEL,
    cell_at,
    size_needed,
)
from thud.tui.widgets.size_classes import LARGE_PANEL
from tui.driver import playing

SIZES = [SMALLEST, SMALLEST_UPRIGHT, (60, 45), (80, 52), (80, 61), (80, 73), (110, 76)]
SIZES += [(109, 40), (116, 37), (117, 37), (120, 80), (200, 60), (260, 110)]
TOO_SMALL = [(SMALLEST[0] - 1, SMALLEST_UPRIGHT[1] - 1), (200, SMALLEST[1] - 1), (47, 90)]


@pytest.mark.slow
async def test_squares_are_as_large_as_reckoned(full: bool) -> None:
    every = 1 if full else 4
    async with playing() as player:
        for size in *SIZES[::every], *TOO_SMALL[::every]:
            await player.pilot.resize_terminal(*size)
            await player.pilot.pause()
            assert player.screen.has_class("-too-small") is (size in TOO_SMALL)
            cell = None if size in TOO_SMALL else player.board.cell
            assert cell_at(*size) == cell, size


def test_the_settings_say_how_large_the_board_is() -> None:
    notes = SETTINGS_INFO["cell"].notes
    for cell in CELLS:
        width, height = size_needed(cell)
        said = f"The board takes {width} columns and {height} rows."
        assert notes[f"{cell.width}x{cell.height}"] == said


def test_the_panel_is_as_wide_as_is_reckoned() -> None:
    styles = files("thud.tui").joinpath("thud.tcss").read_text()
    shared = re.findall(r"^ +#panel \{ width: (\d+);", styles, re.MULTILINE)
    assert [int(width) for width in shared] == [PANEL, WIDE_PANEL]
    # In a battle the border is a column of its own.
    own = dict(re.findall(r"^BattleScreen(\S*) #panel \{ width: (\d+);", styles, re.MULTILINE))
    assert {size: int(width) + 1 for size, width in own.items()} == {
        "": PANEL,
        ".-wide": WIDE_PANEL,
        ".-large": LARGE_PANEL,
    }
