"""What happens while a question is open does not leave the player without the next one."""

from __future__ import annotations

from pathlib import Path

import pytest

from thud.engines.spec import parse_contender
from thud.rules.notation import move_text
from thud.session.events import Ended, Undo
from thud.session.law import Play
from tui.driver import placed, playing
from tui.test_apart import one_line
from tui.test_clocks import runs_out, sanded
from tui.test_drill import learning


@pytest.mark.slow
async def test_a_battle_that_ends_while_captures_are_asked_shows_its_result() -> None:
    position = placed("dF4", "dG4", "dH4", "TG6", "dA6", "dB6", "TN9")
    async with playing(control="5", position=position) as player:
        glass = sanded(player)
        await player.play("dA6-A7")
        await player.choose("G6", "G5")
        assert "capture" in player.question
        await runs_out(player, glass, 400_000, Ended)
        assert "Battle 1 is over" in player.question


async def test_what_is_proposed_stays_asked_when_captures_are_put_back() -> None:
    seats = parse_contender("guest"), parse_contender("human")
    position = placed("dF4", "dG4", "dH4", "TG6", "dA6", "dB6", "TN9")
    async with playing(seats=seats, position=position) as player:
        session = player.session
        await session.request(Play("dA6-A7"), by=0)
        await player.choose("G6", "G5")
        assert "capture" in player.question
        await session.request(Undo(), by=0)
        await player.press("f", "escape")
        assert "Anna asks to undo" in one_line(player.question)
        assert not player.screen.picker.choice


@pytest.mark.slow
async def test_what_a_piece_can_do_is_not_asked_over_a_result() -> None:
    async with playing() as player:
        await player.press("R", "y")
        await player.press("d", "n")
        assert player.match.number == 2


@pytest.mark.slow
async def test_the_editor_and_the_explorer_wait_while_it_is_asked_whether_to_quit() -> None:
    async with playing() as player:
        await player.play("dF1-F5")
        await player.press("q", "E", "X")
        assert player.app.screen is player.screen
        assert "Quit?" in player.question
        await player.press("n", "E")
        assert player.app.screen is not player.app.screen_stack[0]


async def test_a_verdict_keeps_the_position_after_the_move(tmp_path: Path) -> None:
    async with learning(tmp_path, "dwarfs") as player:
        task = player.lesson.drill.task
        assert task.solution
        await player.type(move_text(task.position, task.solution))
        verdict, shown, told = player.question, player.shown, player.message
        assert verdict
        assert shown != task.position
        await player.press("f")
        assert (player.question, player.shown, player.message) == (verdict, shown, told)
