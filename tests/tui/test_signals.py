"""The system ends the program while something is being shown."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from sampling import sampled
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.terminal.signals import KILLED_BY, ending
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.signals import install_handlers, leave
from thud.tui.textual_fixes import FixedApp
from tui.driver import beginning


def type_a_move(app: ThudApp) -> None:
    assert isinstance(app.screen, BattleScreen)
    app.screen.pane.type()


CHANGES = {
    "the palette": ThudApp.action_command_palette,
    "the settings": ThudApp.action_settings,
    "the question for a file": ThudApp.action_open,
    "the line for a move": type_a_move,
}


@pytest.mark.parametrize("turns", sampled([2, 0, 1, 3, 5, 8, 13], 7))
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_the_app_ends_well_whatever_is_being_shown(
    change: Callable[[ThudApp], None], turns: int
) -> None:
    app = ThudApp(beginning())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        change(app)
        for _ in range(turns):
            await asyncio.sleep(0)
        await leave(app, 143)
    assert app.return_code == 143


async def test_a_board_that_has_been_left_takes_no_keys() -> None:
    app = ThudApp(beginning())
    async with app.run_test(size=(80, 24)) as pilot:
        board = BattleScreen(Session(Match(VARIANTS["koom"])))
        await app.push_screen(board)
        await pilot.pause()
        await app.pop_screen()
        board.pane.take_keys()
        assert not board.is_attached


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="Windows has no such signals")
def test_many_signals_before_the_loop_comes_to_them_are_no_warning(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []
    monkeypatch.setattr("thud.tui.signals.Timer", MagicMock())
    monkeypatch.setattr("thud.tui.signals._leave", lambda _, return_code: left.append(return_code))

    async def storm() -> None:
        app = ThudApp(beginning())
        app._driver = SimpleNamespace(is_headless=False)  # type: ignore[assignment]
        install_handlers(app)
        for _ in range(2000):
            signal.raise_signal(signal.SIGUSR1)
        await asyncio.sleep(0)

    signal.signal(signal.SIGUSR1, signal.SIG_DFL)
    usual = dict.fromkeys(ending(), signal.SIG_DFL)
    asyncio.run(storm())
    signal.raise_signal(signal.SIGUSR1)  # the loop is closed
    for each, handler in usual.items():
        signal.signal(each, handler)
    assert capfd.readouterr().err == ""
    assert left == [KILLED_BY + signal.SIGUSR1] * 2000


@pytest.mark.parametrize("times", [1, 3])
def test_ctrl_c_ends_the_app_at_rest(times: int) -> None:
    class Interrupted(FixedApp):
        went_on = False

        def on_mount(self) -> None:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
            self.went_on = True

    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    app = Interrupted()
    app.run(headless=True)
    assert app.went_on
    assert signal.signal(signal.SIGINT, usual) is signal.default_int_handler
