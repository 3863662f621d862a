"""What a visitor of a club can do with a table of their own in the lobby."""

from pathlib import Path

import pytest

from thud.tui.widgets.modals import ListScreen
from tui.test_club import keeper, opens, own, own_places, visiting

__all__ = ["keeper", "own", "own_places"]


@pytest.mark.slow
async def test_who_opened_a_table_closes_it_while_its_seat_is_free(own: Path) -> None:
    async with visiting(own) as ann:
        await opens(ann)
        await ann.press("q")
        await ann.press("y")
        await ann.until(lambda: ann.app.screen is ann.lobby and bool(ann.tables))
        await ann.press("J", "enter")
        await ann.see(ListScreen)
        await ann.press("end", "enter")
        await ann.until(lambda: not ann.tables)
