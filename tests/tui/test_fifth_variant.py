"""A variant that the program knows by its rules alone is played like the others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thud.engines.spec import parse_contender
from thud.records.store import Store
from thud.rules.variant import Variant
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.battle.widgets import EvaluationBar
from thud.tui.replay.screen import ReplayScreen
from thud.tui.start import Replay
from tui.driver import Player, playing


async def test_a_fifth_variant_is_played_hinted_judged_saved_and_replayed(
    skirmish_engines: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.session.advice.HINT_SECONDS", 0.2)
    monkeypatch.setattr("thud.session.advice.EVALUATION_SECONDS", 0.2)
    variant, store = skirmish_engines, Store(tmp_path)
    seats = parse_contender("human"), parse_contender("cpu:2")
    async with playing(variant.name, store=store, seats=seats) as player:
        battle = player.match.battle
        await player.press("i")
        await player.until(lambda: "Try this: " in player.message)
        await player.press("v")
        await player.until(lambda: player.screen.query_one(EvaluationBar).share is not None)
        await player.play_move(variant.legal_moves(battle.position)[0])
        await player.until(lambda: len(battle.moves) == 2)
        identity = player.screen.session.autosave.id
    record = await asyncio.to_thread(store.load, identity)
    assert record.variant is variant
    app = ThudApp(Replay(record), store=store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("end")
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.cursor.ply == 2
        await pilot.press("p", "enter")
        await pilot.pause()
        assert isinstance(app.screen, BattleScreen)
        assert Player(app, pilot).match.battle.moves == record.battles[0].moves
