"""The keys on the last line."""

from __future__ import annotations

import pytest

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.session.law import Hold
from thud.tui.keys.bar import KeyBar
from tui.driver import Player, playing


async def shown(player: Player) -> str:
    """Return the last line, when it has caught up with the keys."""
    await player.pilot.pause()
    return player.screen.query_one(KeyBar).render().plain


def places(line: str, *names: str) -> list[int]:
    return [line.index(name) for name in names]


@pytest.mark.parametrize("width", sampled([80, 79, 120]))
async def test_what_comes_and_goes_moves_nothing_that_stays(width: int) -> None:
    stays = ("Enter Choose", "Tab Next", ": Type", "i Hint", "e End", "q Quit", "F1 Help")
    async with playing(size=(width, 40)) as player:
        before = places(await shown(player), *stays)
        for keys in (("F1", "F5"), ("G1",), ()):
            await player.choose(*keys)
            line = await shown(player)
            assert places(line, *stays) == before
            assert len(line) <= width
            assert "u Undo" in line or not player.match.battle.moves
        await player.press("e")
        assert player.question
        assert places(await shown(player), "F1 Help") == before[-1:]


@pytest.mark.parametrize("width", [79, 80])
async def test_the_card_of_keys_is_always_offered(width: int) -> None:
    async with playing(size=(width, 24)) as player:
        for keys in ((), ("F1",), ("F5",), ("G1",)):
            await player.choose(*keys)
            line = await shown(player)
            assert line.endswith("q Quit F1 Help")
            assert "? Keys" in line


async def test_fingers_are_shown_no_keys_to_press() -> None:
    async with playing(size=(120, 40)) as player:
        player.app.touched = True
        player.screen.refresh_bindings()
        await player.pilot.pause()
        line = await shown(player)
        assert "Hint" in line
        assert "i Hint" not in line


async def test_what_waits_for_ones_turn_keeps_its_place() -> None:
    seats = parse_contender("human"), parse_contender("random")
    async with playing(size=(120, 40), seats=seats) as player:
        before = places(await shown(player), "i Hint", "e End")
        await player.screen.session.request(Hold())
        await player.play("dF1-F5")
        assert places(await shown(player), "i Hint", "e End") == before
        await player.press("i", "e")
        assert player.question == ""
        assert player.message.endswith("It is Bert's turn.")


@pytest.mark.parametrize(("variant", "agrees"), [("classic", True), ("koom", False)])
async def test_the_end_is_offered_only_where_a_computer_may_agree(
    variant: str, *, agrees: bool
) -> None:
    seats = parse_contender("human"), parse_contender("cpu:1")
    async with playing(variant, size=(120, 40), seats=seats) as player:
        line = await shown(player)
        assert "i Hint" in line
        assert "t Threats" in line
        assert ("e End" in line) is agrees


async def test_a_click_presses_a_key_and_between_keys_does_nothing() -> None:
    async with playing(size=(120, 40)) as player:
        assert "Undo" not in await shown(player)
        await player.play("dF1-F5")
        line = await shown(player)
        await player.pilot.click(KeyBar, offset=(line.index("q Quit") - 1, 0))
        await player.pilot.pause()
        assert len(player.match.battle.moves) == 1
        await player.pilot.click(KeyBar, offset=(line.index("Undo") + 1, 0))
        await player.pilot.pause()
        assert player.match.battle.moves == ()
        assert "Redo" in await shown(player)
