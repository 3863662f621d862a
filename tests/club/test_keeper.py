"""The keeper of the tables: what it opens, for whom, and what survives when it is killed."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sampling import sampled
from terminal.emulator import TIMEOUT
from thud.club.keeper import Keeper, VisitorLine, adopt
from thud.club.keeping import HideTables
from thud.club.storage import TRIES, Visitors, read_notes
from thud.club.tidying import DAY, is_clock_steady
from thud.disk.small import write_small
from thud.engines.spec import GUEST, HUMAN, parse_contender
from thud.net.host_connection import Caller, Tokens
from thud.net.hosting import opened
from thud.net.remote import Remote
from thud.net.seat_registry import ANY, CLAIM_AFTER, PURPOSES, Terms
from thud.net.transports import sockets
from thud.net.transports.local import LocalTransport, open_matches
from thud.records.record import Record
from thud.records.store import CannotSave, Saved, Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import NewMatch, SaveFailed
from thud.session.law import Answer, NextBattle, Play, Resign, Say
from thud.session.participants import SEAT, SHOW, WATCH
from thud.session.session import Session
from thud.visitor.profile import LastPlace
from thud.visitor.tables import (
    SOCKET,
    AddDevice,
    ChangeLinks,
    CloseTable,
    ClubState,
    KeeperRefused,
    LinkDevice,
    ListedTable,
    NotDone,
    OpenTable,
    TableLine,
    link_of,
)
from waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")

ANN, BOB = "a" * 32, "b" * 32
SECRET = "AAAAAAAAAAAAAAAAAAAAAA"


@pytest.fixture(autouse=True)
def own_places(short_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path / "run"))


@asynccontextmanager
async def kept(directory: Path, secret: str = "") -> AsyncIterator[Keeper]:
    """Run a keeper during the context."""
    visitors, ready = Visitors(directory / "visitors"), asyncio.Event()
    keeper = Keeper(directory / "tables", visitors, secret)
    keeping = asyncio.create_task(keeper.run(ready.set))
    await until(lambda: ready.is_set() or keeping.done())
    try:
        yield keeper
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


class Guest:
    """The table connections of a visitor's process."""

    def __init__(self, directory: Path, visitor: str, name: str, link: str = "") -> None:
        self.directory = directory / "visitors" / visitor
        self.directory.mkdir(parents=True, exist_ok=True)
        self.name = name
        self.line = TableLine(lambda: name, lambda: None, link, self.directory)
        self._running = asyncio.create_task(self.line.run())
        self._playing: list[tuple[Remote, asyncio.Task[None]]] = []

    @property
    def state(self) -> ClubState:
        return self.line.state

    async def sees(self, name: str) -> ListedTable:
        """Wait until a table is listed; return it."""
        await until(lambda: self.state.table(name))
        found = self.state.table(name)
        assert found
        return found

    async def opens(self, **wanted: Any) -> ListedTable:
        await until(self.line.known.is_set)
        answer = await self.line.ask(OpenTable("classic", **wanted))
        return await self.sees(answer.id)

    async def sits_down(
        self, table: ListedTable, want: str = "seat", player: int | None = None
    ) -> Remote:
        caller = Caller(self.name, want, player, named=False)
        transport = LocalTransport(table.id, table.word)
        remote = await Remote.joined(transport, caller, tokens=Tokens(self.directory))
        await remote.begin()
        self._playing.append((remote, asyncio.create_task(remote.run())))
        await self.line.enter()
        return remote

    async def leaves(self) -> None:
        """Leave all tables."""
        for remote, running in self._playing:
            await remote.leave()
            running.cancel()
        self._playing.clear()

    async def goes(self) -> None:
        await self.leaves()
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)


@asynccontextmanager
async def guests(directory: Path, *names: str) -> AsyncIterator[list[Guest]]:
    found = [Guest(directory, name[0].lower() * 32, name) for name in names]
    try:
        yield found
    finally:
        for each in found:
            await each.goes()


async def plays(remote: Remote, text: str) -> None:
    variant, position = remote.state.battle.variant, remote.state.battle.position
    await remote.request(Play(parse_move(variant, position, text)))


@pytest.mark.slow
async def test_a_full_disk_is_told_at_each_move_and_the_match_is_saved_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(saved: Saved, record: Record) -> None:
        where = saved.path.parent
        raise CannotSave(f"the match cannot be saved in {where}: No space left on device")

    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
        table = await ann.opens()
        dwarfs, trolls = await ann.sits_down(table), await bob.sits_down(table)
        told: list[object] = []
        trolls.subscribe(told.append)
        (file,) = (tmp_path / "tables" / "matches").glob("*.tgn")
        with monkeypatch.context() as broken:
            broken.setattr(Saved, "write", full)
            await plays(dwarfs, "dF1-F5")
            await plays(trolls, "TG7-F6")
            unsaved = SaveFailed("at the host's the match cannot be saved: No space left on device")
            await until(lambda: told.count(unsaved) == 2)
            assert "dF1-F5" not in file.read_text()
        await until(lambda: "TG7-F6" in file.read_text())


async def test_a_table_lasts_while_both_are_away_and_the_club_is_closed(tmp_path: Path) -> None:
    async with guests(tmp_path, "Ann", "Bob") as (ann, bob):
        async with kept(tmp_path):
            table = await ann.opens()
            await plays(await ann.sits_down(table), "dF1-F5")
            await ann.leaves()
            await until(lambda: [each.wanted for each in bob.state.tables] == [("trolls",)])
            remote = await bob.sits_down(table)
            assert remote.state.battle.played == 1
            await until(lambda: bob.state.turns == 1)
            assert ann.state.turns == 0
            await plays(remote, "tG7-G6")
            await bob.leaves()
            await until(lambda: ann.state.turns == 1)
            assert ann.state.tables[0].my_turn
        assert open_matches() == ()
        async with kept(tmp_path) as keeper:
            await until(lambda: ann.state.turns == 1)
            remote = await ann.sits_down(await ann.sees(table.id))
            assert remote.state.match.players == ("Ann", "Bob")
            assert remote.state.battle.played == 2
            await plays(remote, "dF5-F6")
            await until(lambda: bob.state.turns == 1)
            assert [*keeper.tables] == [table.id]


async def test_nothing_is_noted_of_tokens_that_own_no_seat(tmp_path: Path) -> None:
    async with guests(tmp_path, "Ann", "Bob", "Cid") as (ann, bob, cid):
        async with kept(tmp_path) as keeper:
            table, other = await ann.opens(), await ann.opens()
            for guest in (ann, bob):
                await guest.sits_down(table)
            await until(lambda: {*keeper._seated.values()} == {ANN, BOB})
            for name in (table.id, other.id, "f" * 8):
                Tokens(cid.directory).keep(name, SECRET)
            await cid.line.enter()
            await cid.opens()
            assert {*keeper._seated.values()} == {ANN, BOB}
        async with kept(tmp_path) as keeper:
            assert {*keeper._seated.values()} == {ANN, BOB}


@pytest.mark.slow
async def test_who_is_muted_cannot_chat(tmp_path: Path) -> None:
    mutes = Visitors(tmp_path / "visitors").mutes
    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
        table = await ann.opens()
        remotes = [await each.sits_down(table) for each in (ann, bob)]
        ann.line.follow(remotes[0])
        mutes.impose(ANN, [])
        await until(lambda: ann.state.muted)
        with pytest.raises(ValueError, match="does not let you chat"):
            await remotes[0].request(Say("hello"))
        assert not bob.state.muted
        mutes.lift(ANN)
        await until(lambda: not ann.state.muted)
        await remotes[0].request(Say("hello"))
        await until(lambda: "Ann says: hello" in remotes[1].state.participants.conversation)


@pytest.mark.parametrize("purpose", sampled(each for each in PURPOSES if each != SHOW))
async def test_a_link_lets_others_do_what_it_is_for_until_it_ends(
    purpose: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guests(tmp_path, "Ann", "Bob", "Cid") as (ann, bob, cid):
        async with kept(tmp_path, "S" * 22) as keeper:
            table = await ann.opens(private=True)
            await bob.sees((await ann.opens()).id)
            assert bob.state.table(table.id) is None
            for wrong in ("", "aaaaaaaaaa"):
                with pytest.raises(ValueError, match="not valid"):
                    await bob.sits_down(replace(table, word=wrong))
            with pytest.raises(KeeperRefused, match="only those who sit"):
                await bob.line.links(table.id, make=purpose)
            (first,) = await ann.line.links(table.id)
            made = {each.purpose: each for each in await ann.line.links(table.id, make=purpose)}
            assert {*made} == {ANY, purpose}
            assert made[ANY].word == first.word
            assert len({each.secret for each in made.values()}) == len(made)
            link = made[purpose]
        async with kept(tmp_path, "S" * 22) as keeper:
            linked = replace(table, word=link.word)
            for player, guest in enumerate((bob, cid)):
                if player in PURPOSES[purpose]:
                    seated = await guest.sits_down(linked, player=player)
                    assert seated.state.seats.local == (player,)
                    await guest.sees(table.id)  # from now on, without a link
                else:
                    with pytest.raises(ValueError, match="not"):
                        await guest.sits_down(linked, player=player)
            dan = Guest(tmp_path, "d" * 32, "Dan", link_of(table.id, link.word))
            try:
                found = await dan.sees(table.id)
                assert (found.purpose, found.word) == (purpose, link.word)
                await (await dan.sits_down(linked, WATCH)).leave()
                with monkeypatch.context() as later:
                    registry = keeper.tables[table.id].registry
                    later.setattr("time.time", lambda: link.until)
                    assert not registry.lets_watch(link.word)
                    assert not registry.invites(link.word)
                    later.setattr("time.time", lambda: link.until - 60 * 86400)
                    assert not registry.lets_watch(link.word), "made by a clock that was ahead"
                    later.setattr("time.time", lambda: 10**9)
                    assert registry.lets_watch(link.word), "a clock far behind says nothing"
                await until(lambda: any(each.name == "Dan" for each in ann.state.visitors))
                left = await ann.line.links(table.id, revoke=link.word)
                assert link.word not in {each.word for each in left}
                with pytest.raises(ValueError, match="not valid"):
                    await dan.sits_down(linked, WATCH)
                await until(lambda: dan.state.table(table.id) is None)
            finally:
                await dan.goes()


async def test_a_link_that_only_shows_a_table_leads_no_visitor_there(tmp_path: Path) -> None:
    async with kept(tmp_path, "S" * 22) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        table = await ann.opens(private=True)
        made = [await ann.line.links(table.id, make=SHOW, late=each) for each in (6, 6, 0)][-1]
        shows = {each.late: each for each in made if each.purpose == SHOW}
        assert {*shows} == {0, 6}
        assert not any(each.secret for each in shows.values()), "it lets nobody into the club"
        dan = Guest(tmp_path, "d" * 32, "Dan", link_of(table.id, shows[0].word))
        try:
            await dan.sees((await bob.opens()).id)
            assert dan.state.table(table.id) is None
        finally:
            await dan.goes()
        with pytest.raises(ValueError, match="not valid"):
            await dan.sits_down(replace(table, word=shows[0].word), WATCH)
        transport = LocalTransport(table.id, shows[6].word)
        eve = await Remote.joined(transport, Caller("", SHOW))
        running = asyncio.create_task(eve.run())
        await ann.line.links(table.id, revoke=shows[6].word)
        await until(lambda: eve.there.lost is not None)
        assert {each.late for each in keeper.tables[table.id].notes.links} == {0}
        await eve.leave()
        running.cancel()
        # The owner ends all links of this kind, and no others.
        await ann.line.links(table.id, make=WATCH)
        await keeper.serve_owner(HideTables((table.id, "gone")))
        left = keeper.tables[table.id].notes.links
        assert {each.purpose for each in left} == {ANY, WATCH}
        assert read_notes(tmp_path / "tables", table.id).links == left


def test_a_link_leads_to_what_it_is_for() -> None:
    table = ListedTable("abc", "classic", ("Ann", ""), ("trolls",), word="w")
    seat, watch = LastPlace(SEAT, "abc", "w"), LastPlace(WATCH, "abc", "w")
    for purpose, place in ("1", (seat, 1)), (ANY, (seat, None)), (WATCH, (watch, None)), ("", None):
        assert replace(table, purpose=purpose).linked_to == place


async def test_a_table_is_offered_to_one_of_those_who_are_in(tmp_path: Path) -> None:
    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob", "Cid") as (ann, bob, cid):
        await until(lambda: [each.name for each in ann.state.visitors] == ["Ann", "Bob", "Cid"])
        table = await ann.opens(offered_to=BOB)
        seen = await bob.sees(table.id)
        assert seen.offered
        await bob.sits_down(seen)
        other = await ann.opens()
        await cid.sees(other.id)
        assert cid.state.table(table.id) is None
        await cid.goes()
        await until(lambda: [each.name for each in ann.state.visitors] == ["Ann", "Bob"])


async def test_only_who_opened_a_table_closes_it_and_only_an_unplayed_one(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        first, second = await ann.opens(), await ann.opens()
        await bob.sees(first.id)
        with pytest.raises(KeeperRefused, match="not yours"):
            await bob.line.ask(CloseTable(first.id))
        await plays(await ann.sits_down(second), "dF1-F5")
        with pytest.raises(KeeperRefused, match="a match is being played"):
            await ann.line.ask(CloseTable(second.id))
        await ann.line.ask(CloseTable(first.id))
        await until(lambda: bob.state.table(first.id) is None)
        assert [*keeper.tables] == [second.id]
    async with kept(tmp_path) as keeper:
        assert [*keeper.tables] == [second.id]


async def test_a_table_that_is_being_closed_is_not_closed_again(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann") as (ann,):
        first, second = await ann.opens(), await ann.opens()
        table = keeper.tables[first.id]
        await asyncio.gather(keeper._remove(table, "It is late."), keeper._remove(table))
        assert [*keeper.tables] == [second.id]
        await ann.line.ask(CloseTable(second.id))
        await until(lambda: not keeper.tables)


async def test_a_visitor_opens_only_so_many_and_only_such_as_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.keeper.MOST_EACH", 2)
    monkeypatch.setattr("thud.club.keeper.MOST_TABLES", 3)
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        await until(ann.line.known.is_set)
        for game, clock in (("chess", ""), ("classic", "99999d"), ("classic", "x")):
            with pytest.raises(KeeperRefused):
                await ann.line.ask(OpenTable(game, clock=clock))
        for _ in range(2):
            await ann.opens()
        with pytest.raises(KeeperRefused, match="close one first"):
            await ann.opens()
        for _ in range(2):
            await bob.opens()
        assert len(keeper.tables) == 3


async def test_a_keeper_takes_no_place_where_another_answers(
    tmp_path: Path, short_path: Path
) -> None:
    socket = short_path / "run" / SOCKET
    async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
        await until(ann.line.known.is_set)
        other = Keeper(tmp_path / "other", Visitors(tmp_path / "visitors"))
        with pytest.raises(ValueError, match="another club answers there"):
            await other.run()
        await ann.opens()
    sockets.bound(socket).close()
    async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
        await until(lambda: ann.state.tables)


async def begun_table(ann: Guest, bob: Guest, clock: str = "") -> str:
    """Play a move each at a table, and leave; return its id."""
    table = await ann.opens(clock=clock)
    first, second = await ann.sits_down(table), await bob.sits_down(table)
    await plays(first, "dF1-F5")
    await until(lambda: second.state.battle.played == 1)
    await plays(second, "tG7-G6")
    await ann.leaves()
    await bob.leaves()
    return table.id


async def test_what_is_tidied_away_can_be_put_back_and_nothing_is_by_a_clock_in_doubt(
    tmp_path: Path,
) -> None:
    tables = tmp_path / "tables"
    async with guests(tmp_path, "Ann", "Bob") as (ann, bob):
        async with kept(tmp_path):
            name = await begun_table(ann, bob)
        now = time.time()
        (match,) = (tables / "matches").glob("*.tgn")
        os.utime(match, (now - 200 * DAY,) * 2)
        for _ in range(2):  # the second start would find what the first one has tidied away
            (tables / "clock").unlink(missing_ok=True)
            async with kept(tmp_path) as keeper:
                await until((tables / "clock").exists)
                await until(lambda: ann.state.tables)
                assert [*keeper.tables] == [name]
        write_small(tables / "clock", {"seen": now - 3600, "since": now - 30 * DAY})
        async with kept(tmp_path) as keeper:
            await until((tables / "archive" / "notes" / f"{name}.json").exists)
            assert not keeper.tables
        assert not match.exists()
        shutil.copytree(tables / "archive", tables, copy_function=shutil.copy, dirs_exist_ok=True)
        async with kept(tmp_path) as keeper:
            await until(lambda: ann.state.tables)
            assert [*keeper.tables] == [name]
            assert (await bob.sits_down(await bob.sees(name))).state.battle.played == 2


@pytest.mark.slow
async def test_a_rematch_is_kept_from_its_beginning(tmp_path: Path) -> None:
    async with guests(tmp_path, "Ann", "Bob") as (ann, bob):
        async with kept(tmp_path):
            table = await ann.opens()
            remotes = [await each.sits_down(table) for each in (ann, bob)]
            await plays(remotes[0], "dF1-F5")
            await remotes[0].request(Resign())
            await until(lambda: all(each.state.battle.outcome for each in remotes))
            await remotes[1].request(NextBattle())
            await plays(remotes[1], "dF1-F5")
            await remotes[1].request(Resign())
            await until(lambda: all(each.state.match.over for each in remotes))
            (first,) = (tmp_path / "tables" / "matches").glob("*.tgn")
            await remotes[0].request(NewMatch())
            await until(lambda: remotes[1].state.proposal)
            await remotes[1].request(Answer(True, NewMatch()))
            await until(lambda: not any(each.state.match.over for each in remotes))
            await until((tmp_path / "tables" / "archive" / "matches" / first.name).exists)
            for each in (ann, bob):
                await each.leaves()
        async with kept(tmp_path) as keeper:
            assert not keeper.tables[table.id].session.state.match.over
            again = await ann.sits_down(await ann.sees(table.id))
            assert (again.state.match.over, again.state.battle.played) == (False, 0)
            await plays(again, "dF1-F5")


def test_a_clock_is_steady_after_a_week_without_a_jump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1e9
    monkeypatch.setattr(time, "time", lambda: now)
    for jump in (0, 200 * DAY, -200 * DAY, 2 * DAY):
        now += jump
        told = []
        for _ in range(9):
            told.append(is_clock_steady(tmp_path / "clock"))
            now += 0.9 * DAY
        assert told == [False] * 8 + [True]


# Clocks


@pytest.mark.parametrize(
    ("clock", "killed_after", "back_after", "used"),
    [
        # A clock in minutes stands still while the club is closed: killed, or in good order.
        ("20", 40, 1000, 40),
        ("20", None, 1000, 0),
        ("3d", 40, 7200, 7200),
        # With a clock of the system that was wrong by 200 days, before or after.
        pytest.param("3d", 40, 200 * 86400, 0, marks=pytest.mark.slow),
        pytest.param("3d", 40, -200 * 86400, 0, marks=pytest.mark.slow),
        pytest.param("20", 200 * 86400, 1000, 0, marks=pytest.mark.slow),
    ],
)
async def test_what_was_used_is_known_after_the_club_was_closed_or_killed(
    tmp_path: Path, clock: str, killed_after: int | None, back_after: int, used: int
) -> None:
    async with guests(tmp_path, "Ann", "Bob") as (ann, bob):
        async with kept(tmp_path) as keeper:
            name = await begun_table(ann, bob, clock)
            assert keeper.tables[name].session.state.clock_runs
            (file,) = (tmp_path / "tables" / "matches").glob("*.tgn")
            text = file.read_bytes()
        now = time.time()
        if killed_after is not None:
            # Restore the file as it was when the keeper was killed, with its old time.
            file.write_bytes(text)
            alive = tmp_path / "tables" / "alive"
            alive.touch()
            os.utime(alive, (now - back_after + killed_after,) * 2)
        os.utime(file, (now - back_after, now - back_after))
        async with kept(tmp_path) as keeper:
            session = keeper.tables[name].session
            assert session.state.clock
            assert session.state.clock.running
            assert session.state.clock.times.used / 1000 == pytest.approx(used, abs=20)
            assert used == 0 or "[%used" in file.read_text()


@pytest.mark.slow
async def test_time_runs_out_while_both_are_away(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        name = await begun_table(ann, bob, "0.02")
        await until(lambda: keeper.tables[name].session.state.battle.timed_out)


# One visitor on several devices


async def test_a_word_makes_another_device_the_same_visitor(tmp_path: Path) -> None:
    visitors = Visitors(tmp_path / "visitors")
    phone, desk = visitors.who_shows("web", "phone"), visitors.who_shows("ssh-key", "desk")
    visitors.welcome(phone)
    visitors.welcome(desk)
    (phone.directory / "matches").mkdir()
    (phone.directory / "matches" / "a.tgn").write_text("phone")
    (desk.directory / "matches").mkdir()
    (desk.directory / "matches" / "a.tgn").write_text("desk")
    (desk.directory / "visitor.json").write_text("{}")
    async with kept(tmp_path):
        at_desk, at_phone = Guest(tmp_path, desk.id, "Ann"), Guest(tmp_path, phone.id, "Guest")
        try:
            await until(lambda: at_desk.line.known.is_set() and at_phone.line.known.is_set())
            word = (await at_desk.line.ask(AddDevice())).word
            with pytest.raises(KeeperRefused, match="not valid"):
                await at_phone.line.ask(LinkDevice("aaaaaaaaaa"))
            await at_phone.line.ask(LinkDevice(f" {word.upper()} "))
            with pytest.raises(KeeperRefused, match="not valid"):
                await at_phone.line.ask(LinkDevice(word))
        finally:
            await at_desk.goes()
            await at_phone.goes()
    again = visitors.who_shows("web", "phone")
    assert again.id == desk.id
    visitors.welcome(again)
    assert not phone.directory.exists()
    matches = {each.read_text() for each in (desk.directory / "matches").glob("*.tgn")}
    assert matches == {"phone", "desk"}


async def test_words_are_not_guessed(tmp_path: Path) -> None:
    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
        await until(lambda: ann.line.known.is_set() and bob.line.known.is_set())
        word = (await ann.line.ask(AddDevice())).word
        for _ in range(TRIES):
            with pytest.raises(KeeperRefused, match="not valid"):
                await bob.line.ask(LinkDevice("x"))
        with pytest.raises(KeeperRefused, match="too many"):
            await bob.line.ask(LinkDevice(word))


async def test_a_line_that_is_no_message_is_hung_up_and_an_unknown_request_refused(
    tmp_path: Path, short_path: Path
) -> None:
    async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
        unknown = (b'{"m":"?"}\n', b'{"m":"open","variant":7}\n', b"[]\n", b'{"m":"remind"}\n')
        deep = b'{"m":"word","x":' + b"[" * 50_000 + b"\n"
        for nonsense in (b"\xff\n", b"{\n", b"x" * 100_000 + b"\n", deep, *unknown):
            path = str(short_path / "run" / "club.tables")
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(nonsense)
            said = b""
            if nonsense in unknown:
                said = await reader.readline()
                assert b"that is not understood" in said
                writer.write(b'{"m":"enter","visitor":"' + BOB.encode() + b'"}\n{"m":"word"}\n')
                while b'"done"' not in said:
                    said = await reader.readline()
                    assert said
            else:
                assert await reader.read() == b""
            writer.close()
        await ann.opens()


async def test_nothing_is_written_to_a_process_that_has_been_killed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, theirs = socket.socketpair()
    _, writer = await asyncio.open_unix_connection(sock=ours)
    theirs.close()
    visitor = VisitorLine(writer)
    for _ in range(10):
        visitor.send(NotDone("that is not understood"))
    writer.close()
    assert caplog.messages == []


# What earlier versions kept


async def test_a_table_of_an_earlier_version_is_taken_over(tmp_path: Path) -> None:
    """Earlier versions saved a table with the visitor who had opened it and sat there."""
    visitor = tmp_path / "visitors" / ANN
    here, guest = parse_contender(HUMAN), parse_contender(GUEST)
    match = Match(VARIANTS["classic"], ("Ann", "Bob"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    session = Session(match, Autosave(Store(visitor)), (here, guest))
    await opened(session, Terms())
    await session.begin()
    await session.leave()
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Cid") as (ann, cid):
        ((name, hosted),) = keeper.tables.items()
        assert hosted.session.state.battle.played == 1
        table = await ann.sees(name)
        assert table.mine == 0
        assert table.wanted == ("trolls",)
        assert (await cid.sits_down(await cid.sees(name))).state.seats.local == (1,)
        assert (await ann.sits_down(table)).state.seats.local == (0,)
    assert not [*visitor.glob("matches/*.tgn")]


async def test_what_a_visitor_writes_among_their_files_replaces_no_table(tmp_path: Path) -> None:
    """It looks like a table of an earlier version, with the ids of another's."""
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann") as (ann,):
        table = await ann.opens()
        await ann.sits_down(await ann.sees(table.id))
        match = keeper.tables[table.id].session.autosave.id
    theirs, bobs = tmp_path / "tables", tmp_path / "visitors" / BOB
    before = {path: path.read_bytes() for path in theirs.glob("*/*.json")}
    for same_match in (True, False):
        name = match if same_match else "0123abcd"
        for folder, ending in (("matches", ".tgn"), ("hosted", ".json")):
            (bobs / folder).mkdir(parents=True, exist_ok=True)
            copied = theirs / folder / f"{match}{ending}"
            (bobs / folder / f"{name}{ending}").write_bytes(copied.read_bytes())
        adopt(tmp_path / "visitors", theirs)
        assert {path: path.read_bytes() for path in theirs.glob("*/*.json")} == before


@pytest.mark.parametrize(("clock", "seconds"), [("", 7 * 86400), ("20", CLAIM_AFTER), ("3d", 0)])
async def test_a_battle_is_claimed_after_as_long_as_suits_the_clock(
    tmp_path: Path, clock: str, seconds: int
) -> None:
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann") as (ann,):
        table = await ann.opens(clock=clock)
        assert keeper.tables[table.id].session.state.claim_after == seconds
    async with kept(tmp_path) as keeper:
        assert keeper.tables[table.id].session.state.claim_after == seconds


async def test_the_log_tells_of_tables_links_and_mutes_and_no_secret(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "thud.club.keeper")
    mutes = Visitors(tmp_path / "visitors").mutes
    async with kept(tmp_path, SECRET), guests(tmp_path, "Ann") as (ann,):
        table = await ann.opens(private=True)
        links = await ann.line.ask(ChangeLinks(table.id, make=WATCH))
        mutes.impose(ANN, [])
        await until(lambda: ann.state.muted)
        await ann.line.ask(CloseTable(table.id))
    who = f"'Ann' ({ANN[:8]})"
    assert caplog.messages == [
        f"{who} has opened table {table.id}.",
        f"{who} has changed their links to table {table.id}.",
        f"Somebody ({ANN[:8]}) is muted.",
        f"{who} has closed table {table.id}.",
    ]
    secrets = {each for link in links.links for each in (link.word, link.secret)}
    assert len(secrets) == 4
    assert not any(each in caplog.text for each in {SECRET, table.word, *secrets})


async def test_two_who_want_one_name_at_once_do_not_both_get_it(tmp_path: Path) -> None:
    async with kept(tmp_path), guests(tmp_path, "ann", "bob") as (ann, bob):
        asked = [each.line.take_name("Hugo") for each in (ann, bob)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert "Hugo" in answers
        (refusal,) = (each for each in answers if isinstance(each, KeeperRefused))
        assert "somebody else in this club is called 'Hugo'" in str(refusal)
        assert {await each.line.take_name("") for each in (ann, bob)} == {"Guest 1", "Guest 2"}


def test_the_owner_gives_nobody_the_name_of_somebody_else(tmp_path: Path) -> None:
    visitors = Visitors(tmp_path / "visitors")
    visitors.rename(ANN, "Ann")
    with pytest.raises(ValueError, match="somebody else"):
        visitors.rename(BOB, "aNN")


@pytest.mark.parametrize("begun", range(6))
async def test_whoever_comes_as_the_club_closes_is_disconnected(
    begun: int, tmp_path: Path, short_path: Path
) -> None:
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    keeper = Keeper(tmp_path / "tables", Visitors(tmp_path / "visitors"), "")
    keeping = asyncio.create_task(keeper.run(ready.set))
    await until(ready.is_set)
    keeping.cancel()
    for _ in range(begun):
        await asyncio.sleep(0)
    with socket.socket(socket.AF_UNIX) as visitor:
        visitor.setblocking(False)
        with suppress(FileNotFoundError, ConnectionRefusedError):
            visitor.connect(str(short_path / "run" / SOCKET))
            async with asyncio.timeout(TIMEOUT):
                with suppress(ConnectionResetError):
                    assert await loop.sock_recv(visitor, 1) == b""
    await asyncio.gather(keeping, return_exceptions=True)
