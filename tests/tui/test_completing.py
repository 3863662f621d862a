"""Tab completes a move that is typed."""

import pytest

from tui.driver import playing


@pytest.mark.parametrize(("typed", "played"), [("f1-f", "dF1-F2"), ("f1f1", "dF1-F10")])
async def test_tab_takes_the_first_way_to_go_on(typed: str, played: str) -> None:
    async with playing() as player:
        await player.press("colon", *typed, "tab", "enter")
        assert played in player.moves
