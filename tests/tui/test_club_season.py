"""A club's season on the board, through the keys."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from club.test_keeper import guests, kept
from club.test_past import named
from club.test_season import against, joins, quick, resigns, written
from thud.tui.widgets.menu import Command
from thud.tui.widgets.modals import ListScreen, TextScreen
from tui.test_club import own, own_places, visiting
from tui.test_club_past import chooses, rows
from waiting import until

__all__ = ["own", "own_places", "quick"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


async def test_a_season_is_joined_looked_at_and_left(
    tmp_path: Path, own: Path, quick: None
) -> None:
    named(tmp_path, b="Bob", c="Cid", d="Dee")
    async with (
        kept(tmp_path),
        guests(tmp_path, "Bob", "Cid", "Dee") as (bob, cid, dee),
        visiting(own) as ann,
    ):
        row = ann.lobby.query_one("#season", Command)
        assert not row.display
        written(tmp_path, "2999-01-01")
        await ann.until(lambda: row.display)
        assert row.said == "join until 01 Jan"
        row.focus()
        await ann.press("enter")
        await ann.see(ListScreen)
        assert rows(ann) == ["Join"]
        await chooses(ann, "Join")
        await ann.until(lambda: row.said == "joined")
        await joins(bob, cid, dee)
        written(tmp_path)
        await ann.until(lambda: row.said == "0 of 6 played")
        await until(lambda: against(bob, "Cid"))
        table = against(bob, "Cid")
        assert table
        await resigns(cid, table)
        await ann.until(lambda: row.said == "1 of 6 played")
        await ann.press("enter")
        await ann.see(ListScreen)
        said = str(ann.app.screen.query_one("#said").render())
        assert said.splitlines()[:2] == [
            "Winter: Classic, 3 days a move",
            "1 of 6 matches have been played.",
        ]
        assert "1. Bob: 2 points, 1 match, margin +64" in rows(ann)
        await chooses(ann, "Cross table")
        await ann.see(TextScreen)
        assert "1 Bob" in ann.text("VerticalScroll Static")
        await ann.press("escape")
        await ann.see(ListScreen)
        await chooses(ann, "1. Bob")
        await ann.see(TextScreen)
        assert "Against Cid: won, 64 : 0." in ann.text("VerticalScroll Static")
        await ann.press("escape")
        await ann.see(ListScreen)
        await chooses(ann, "Leave the season")
        await ann.until(lambda: rows(ann) == ["Leave", "Stay"])
        assert "no result of yours counts" in str(ann.app.screen.query_one("#said").render())
        await chooses(ann, "Leave")
        await ann.until(lambda: row.said == "1 of 3 played")
        assert ann.app.screen is ann.lobby
