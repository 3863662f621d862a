"""The page that runs the program in a browser, played as by people."""

from __future__ import annotations

import pytest

from club.serving import DOWN, ENTER
from page.browser import (
    SLOW,
    Player,
    as_dwarfs,
    chromium,
    page_url,
    player,
    players,
    playwright,
)
from thud.records.links import link_to
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS

__all__ = ["chromium", "page_url", "player", "players", "playwright"]

pytestmark = pytest.mark.browser


def test_a_battle_with_the_computer_begins_where_nothing_is_installed(
    player: Player, page_url: str
) -> None:
    player.come(page_url)
    player.wait_for("The computer")
    assert "Host" not in player.text
    assert "Join" not in player.text
    as_dwarfs(player)
    player.send("c")
    player.wait_for("pick up a dwarf")
    player.send(":")
    player.wait_for("Tab Complete")
    player.send("f1 f5", ENTER)
    player.wait_for(lambda: "dF1-F5" in player.text and "pick up a dwarf" in player.text, SLOW)
    # A hint is a long search, by another worker: keys are still heard meanwhile.
    player.send("i")
    player.wait_for("Try this:", SLOW)
    assert "weak on this machine" not in player.text
    assert not player.faults


def test_nothing_of_the_page_comes_from_elsewhere(player: Player, page_url: str) -> None:
    player.come(page_url)
    assert all(url.startswith((page_url, "blob:", "data:")) for url in player.asked)
    assert not player.context.cookies()


END = "#position=classic:5/7/9/11/13/15/15/5dTR7/15/15/13/11/9/7/5%20d"
"""A position in which a dwarf can capture the only troll."""


def test_a_battle_with_level_2_is_played_to_its_end(player: Player, page_url: str) -> None:
    player.come(page_url + END)
    player.wait_for("play it")
    player.send("p")
    player.wait_for("Who plays from here?")
    player.send(DOWN, DOWN, ENTER)
    player.wait_for("Bell Ringer")
    player.wait_for("pick up a dwarf")
    player.send(":")
    player.wait_for("Tab Complete")
    player.send("f8 g8", ENTER)
    player.wait_for("begin battle 2")
    assert not player.faults


def test_a_match_is_there_after_the_page_was_loaded_anew_or_closed(
    player: Player, page_url: str
) -> None:
    player.come(page_url)
    player.wait_for("Lessons")
    as_dwarfs(player)
    player.send("c")
    player.wait_for("pick up a dwarf")
    player.send(":")
    player.wait_for("Tab Complete")
    player.send("f1 f5", ENTER)
    player.wait_for("dF1-F5")
    # At once: the computer may be in the middle of its move.
    player.page.reload()
    player.wait_for("Lessons", SLOW)
    player.wait_for("1 match")
    player.send("r")
    player.wait_for(lambda: "dF1-F5" in player.text and "pick up a dwarf" in player.text, SLOW)
    player.kill()
    player.come(page_url)
    player.wait_for("1 match")


def test_a_second_tab_says_so(player: Player, page_url: str) -> None:
    player.come(page_url)
    second = player.context.new_page()
    second.goto(page_url)
    second.get_by_text("open in another tab").wait_for()
    player.page.close()
    second.get_by_role("button", name="Try again").click()
    second.locator("#notice").wait_for(state="hidden", timeout=1000 * SLOW)


def test_a_lesson(player: Player, page_url: str) -> None:
    player.come(page_url)
    player.wait_for("Lessons")
    player.send("L")
    player.wait_for("Hurls along a line")
    player.send(ENTER)
    player.wait_for("Your move")
    assert not player.faults


def test_the_puzzle_of_the_day_and_a_review(player: Player, page_url: str) -> None:
    player.come(f"{page_url}#day")
    player.wait_for("Find the")
    player.send("q")
    player.wait_for("Lessons")
    match = Match(VARIANTS["classic"])
    for text in ("dF1-F5", "TG7-F6xF5", "dE2-E3"):
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    link = link_to(Record.of(match))
    player.page.evaluate("(hash) => { location.hash = hash; }", link.partition("#")[2])
    player.wait_for("TG7-F6xF5")
    player.send("m")
    player.wait_for("The review is ready", 2 * SLOW)
    player.send("m")
    player.wait_for("accuracy")
    assert not player.faults
