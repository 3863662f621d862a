"""The page that runs the program in a browser, played as by people."""

from __future__ import annotations

import pytest

from club.serving import DOWN, ENTER
from page.browser import SLOW, Player, chromium, page_url, player, playwright

__all__ = ["chromium", "page_url", "player", "playwright"]

pytestmark = pytest.mark.browser


def test_a_battle_with_the_computer_begins_where_nothing_is_installed(
    player: Player, page_url: str
) -> None:
    player.come(page_url)
    player.wait_for("Play the computer")
    assert "Host" not in player.text
    assert "Join" not in player.text
    player.send(DOWN, ENTER)
    player.wait_for("pick up a dwarf")
    player.send(":")
    player.wait_for("Tab completes")
    player.send("f1 f5", ENTER)
    player.wait_for(lambda: "dF1-F5" in player.text and "pick up a dwarf" in player.text, SLOW)
    # A hint is a long search, by another worker: keys are still heard meanwhile.
    player.send("i")
    player.wait_for("Try this:", SLOW)
    assert not player.faults


def test_nothing_of_the_page_comes_from_elsewhere(player: Player, page_url: str) -> None:
    player.come(page_url)
    assert all(url.startswith((page_url, "blob:", "data:")) for url in player.asked)
    assert not player.context.cookies()
