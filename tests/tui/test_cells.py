"""The size of squares that is reckoned without drawing is the one that is drawn."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
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
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.widget import Board
from thud.tui.start import PlayMatch
from thud.tui.widgets.size_classes import LARGE_PANEL

SIZES = [
    SMALLEST,
    SMALLEST_UPRIGHT,
    (60, 45),
    (80, 24),
    (80, 52),
    (80, 61),
    (80, 73),
    (110, 76),
    (120, 80),
    (109, 40),
    (114, 37),
    (116, 37),
    (117, 37),
    (120, 40),
    (160, 50),
    (200, 60),
    (260, 110),
]


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_squares_are_as_large_as_reckoned(size: tuple[int, int]) -> None:
    app = ThudApp(PlayMatch(Session(Match(VARIANTS["classic"]))))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, BattleScreen)
        assert not app.screen.has_class("-too-small")
        assert app.screen.query_one(Board).cell == cell_at(*size)


@pytest.mark.parametrize(
    "size",
    [(SMALLEST[0] - 1, SMALLEST_UPRIGHT[1] - 1), (200, SMALLEST[1] - 1), (47, 90)],
    ids=str,
)
async def test_too_small_is_too_small(size: tuple[int, int]) -> None:
    app = ThudApp(PlayMatch(Session(Match(VARIANTS["classic"]))))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert app.screen.has_class("-too-small")
        assert cell_at(*size) is None


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
