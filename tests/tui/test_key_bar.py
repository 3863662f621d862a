"""The keys on the last line."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.records.store import Store
from thud.session.law import Hold
from thud.tui.app import ThudApp
from thud.tui.keys.bar import KeyBar
from thud.tui.start import Front
from thud.tui.widgets.prompt import PromptAnswer, Question
from tui.driver import Player, playing


async def shown(player: Player) -> str:
    """Return the last line, when it has caught up with the keys."""
    await player.pilot.pause()
    return player.app.screen.query_one(KeyBar).render().plain


def places(line: str, *names: str) -> list[int]:
    return [line.index(name) for name in names]


@pytest.mark.parametrize("width", sampled([80, 79, 120]))
async def test_what_comes_and_goes_moves_nothing_that_stays(width: int) -> None:
    stays = ("Enter Choose", "Tab Next", ": Type", "i Hint", "e End", "F1 Help", "q Quit")
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
        assert places(await shown(player), "q Quit") == before[-1:]


@pytest.mark.parametrize("width", [80, 120])
async def test_after_a_battle_the_footer_begins_with_what_enter_does(width: int) -> None:
    async with playing(size=(width, 24)) as player:
        for onward in "Battle 2", "New match":
            await player.press("R", "y")
            line = " ".join((await shown(player)).split())
            assert line.startswith(f"Enter {onward} m Review r Replay ")
            assert line.endswith("? Keys F1 Help q Quit")
            await player.press("n")


@pytest.mark.parametrize("width", [79, 80])
async def test_the_card_of_keys_is_always_offered(width: int) -> None:
    async with playing(size=(width, 24)) as player:
        for keys in ((), ("F1",), ("F5",), ("G1",)):
            await player.choose(*keys)
            in_hand = bool(player.screen.picker.selection.picked)
            line = await shown(player)
            assert line.endswith(
                "? Keys F1 Help Esc Let go" if in_hand else "? Keys F1 Help q Quit"
            )


async def test_enter_is_first_and_help_and_the_way_back_are_last(tmp_path: Path) -> None:
    async with playing(size=(80, 24)) as player:
        await player.press("?")
        assert (await shown(player)).endswith("F1 Help Esc Back")
        await player.press("escape")
        await player.press("comma")
        assert (await shown(player)).endswith("? Keys Esc Back")
        await player.press("escape")
        await player.play("dF1-F5")
        await player.press("R")
        assert (await shown(player)).endswith("F1 Help q Quit")
    app = ThudApp(Front(), store=Store(tmp_path))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("L")
        await pilot.pause()
        line = app.screen.query_one(KeyBar).render().plain
        assert line.startswith("Enter Choose")
        assert line.endswith("? Keys Esc Back")


async def test_a_question_comes_with_its_keys_in_the_same_frame() -> None:
    async with playing(size=(120, 40)) as player:
        assert "i Hint" in await shown(player)
        asked = Question(Text("Sure?"), [PromptAnswer(("y",), "yes", True)], is_modal=True)

        async def carry_out(_: bool) -> None:
            pass

        player.screen.pane.show_question(asked, carry_out)
        assert "i Hint" not in player.screen.query_one(KeyBar).render().plain


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


@pytest.mark.parametrize("variant", ["classic", "koom"])
async def test_the_end_is_offered_where_a_computer_may_agree(variant: str) -> None:
    seats = parse_contender("human"), parse_contender("cpu:1")
    async with playing(variant, size=(120, 40), seats=seats) as player:
        line = await shown(player)
        for entry in "i Hint", "t Threats", "e End":
            assert entry in line


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


async def test_the_footer_says_how_to_let_a_piece_go() -> None:
    async with playing(size=(120, 40)) as player:
        assert "Let go" not in await shown(player)
        await player.press("enter")
        await player.until(lambda: "Esc Let go" in player.text("KeyBar"))
        await player.press("escape")
        await player.until(lambda: "Let go" not in player.text("KeyBar"))
