"""The house player: it plays with whoever waits, and makes room for a person."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from club.test_keeper import guests, kept, own_places, plays
from thud.club.house import HOUSE_NAME
from thud.club.keeper import Keeper
from thud.club.storage import TableNotes, read_notes
from thud.net.seat_registry import ANY
from thud.session.events import ProposeEnd, Undo
from thud.session.participants import WATCH
from waiting import until

__all__ = ["own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


@pytest.mark.slow
async def test_it_sits_down_with_who_waits_plays_and_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.keeper.HOUSE_SECONDS", 0.0)
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        table = await ann.opens(house=True)
        dwarfs = await ann.sits_down(table)
        await until(lambda: dwarfs.state.match.players[1] == HOUSE_NAME)
        await until(
            lambda: any("computer" in each for each in dwarfs.state.participants.conversation)
        )
        await plays(dwarfs, "dF1-F5")
        await until(lambda: dwarfs.state.battle.played == 2)
        # It lets one take a move back, and answers whether to end.
        await dwarfs.request(Undo())
        await until(lambda: dwarfs.state.battle.played == 0)
        await plays(dwarfs, "dF1-F5")
        await until(lambda: dwarfs.state.battle.played == 2)
        await dwarfs.request(ProposeEnd())
        await until(lambda: dwarfs.state.proposal is None)
        # For everybody else the seat is free, and whoever sits down has it.
        listed = await bob.sees(table.id)
        assert listed.wanted == ("trolls",)
        assert listed.here == 1
        waiting = bob.state.waiting
        assert waiting
        assert waiting.id == table.id
        trolls = await bob.sits_down(listed)
        await until(lambda: dwarfs.state.match.players == ("Ann", "Bob"))
        await until(keeper._houses[table.id].done)
        await plays(dwarfs, "dG1-G2")
        assert not trolls.there.lost
        assert HOUSE_NAME not in dwarfs.state.match.players


async def test_it_comes_only_where_it_is_asked_for_and_somebody_waits(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        plain = await ann.opens()
        private = await ann.opens(house=True, private=True)
        wanted = await ann.opens(house=True)
        tables = keeper.tables
        for each in (plain, private, wanted):
            await ann.sits_down(each)
        await bob.sits_down(wanted)
        for each in (plain, private, wanted):
            assert tables[each.id].awaits_house is None
            assert tables[each.id].waits_since is None
        await bob.leaves()
        await until(lambda: tables[wanted.id].people == {0})
        assert tables[wanted.id].awaits_house is None


async def test_a_match_with_it_stays_unrated_while_somebody_changes_their_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_heartbeat(_: Keeper) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(Keeper, "_heartbeat", no_heartbeat)
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann") as (ann,):
        wanted = await ann.opens(house=True)
        await ann.sits_down(wanted)
        table = keeper.tables[wanted.id]
        await until(lambda: table.people == {0})
        changing, going_on, keep = asyncio.Event(), asyncio.Event(), keeper._keep_notes

        async def keep_late(name: str, notes: TableNotes) -> None:
            if not notes.unrated:
                changing.set()
                await going_on.wait()
            await keep(name, notes)

        monkeypatch.setattr(keeper, "_keep_notes", keep_late)
        links = asyncio.create_task(ann.line.links(wanted.id, make=WATCH))
        await changing.wait()
        monkeypatch.setattr("thud.club.keeper.HOUSE_SECONDS", 0.0)
        seating = asyncio.create_task(keeper._seat_house(table))
        await asyncio.sleep(0)
        going_on.set()
        await asyncio.gather(links, seating)
        await until(lambda: table.house is not None)
        assert table.notes.unrated
        assert {each.purpose for each in table.notes.links} == {ANY, WATCH}
        assert read_notes(tmp_path / "tables", table.id) == table.notes


async def test_after_a_restart_its_seat_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.keeper.HOUSE_SECONDS", 0.0)
    async with guests(tmp_path, "Ann") as (ann,):
        async with kept(tmp_path):
            table = await ann.opens(house=True)
            dwarfs = await ann.sits_down(table)
            await until(lambda: dwarfs.state.match.players[1] == HOUSE_NAME)
            await ann.leaves()
        async with kept(tmp_path) as keeper:
            await until(lambda: table.id in keeper.tables)
            assert keeper.tables[table.id].notes.house
            assert keeper.tables[table.id].registry.seats[1].is_free
            assert keeper.tables[table.id].people == frozenset()
