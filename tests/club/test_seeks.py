"""Standing offers: who hears of them, who gets one, and what is left of one after a kill."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from club.test_hook import Sink, sink
from club.test_in_lines import LOBBY, visitors
from club.test_keeper import ANN, BOB, Guest, guests, kept, own_places
from club.test_past import named
from thud.club import keeper as keeping
from thud.club import past
from thud.club.forgetting import forget
from thud.club.keeper import Keeper
from thud.club.keeping import CloseTables, ListTables
from thud.club.ratings import SHOWN_AFTER, about_even
from thud.club.results import RESULTS_FILE, Result, ResultsFile
from thud.club.seeks import MOST_SEEKS, MOST_SEEKS_EACH, SEEK_SECONDS, SEEKS_FILE, Seeks
from thud.club.storage import Visitors
from thud.disk.atomic import target_of_temporary
from thud.disk.small import DAMAGED
from thud.records.record import Record
from thud.records.store import CannotResume, Store
from thud.session.law import Play, Say
from thud.strength.glicko import Rating
from thud.visitor.profile import GUEST_FILE, VisitorProfile
from thud.visitor.seek import ListedSeek, MakeSeek, TakeSeek, WithdrawSeek
from thud.visitor.tables import ClubState, KeeperRefused, ListedTable
from thud.visitor.waiting import (
    TABLES,
    WAITS,
    news_in,
    waiting_in,
    what_in_words,
    who_in_words,
)
from waiting import until

__all__ = ["own_places"]

DEE = "d" * 32

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


async def offers(guest: Guest, *, clock: str = "3d", game: str = "koom", even: bool = False) -> str:
    await until(guest.line.known.is_set)
    return (await guest.line.ask(MakeSeek(game, clock, even))).id


async def takes(guest: Guest, seek: str) -> str:
    return (await guest.line.ask(TakeSeek(seek))).id


async def hears(guest: Guest) -> None:
    await until(lambda: guest.state.seeks)


def all_named(directory: Path, *names: str) -> None:
    named(directory, **{name[0].lower(): name for name in names})


# One life of an offer


async def test_an_offer_outlives_its_maker_and_the_club_and_whoever_takes_it_finds_both_seats_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "REMIND_SECONDS", 0.01)
    all_named(tmp_path, "Ann", "Bob")
    there = Sink()
    async with sink(there.answer) as url:
        (tmp_path / "hook.toml").write_text(f'url = "{url}"\nhours = 0')
        async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
            await until(lambda: ann.state.hook)
            await ann.line.remind(True)
            made = await offers(ann)
            await until(lambda: [each.mine for each in ann.state.seeks] == [True])
        async with kept(tmp_path) as keeper, guests(tmp_path, "Bob") as (bob,):
            await until(lambda: bob.state.seeks)
            (seen,) = bob.state.seeks
            assert (seen.id, seen.name, seen.variant, seen.clock) == (made, "Ann", "koom", "3d")
            table = await takes(bob, made)
            listed = await bob.sees(table)
            assert (listed.mine, listed.turn, listed.wanted) == (1, 0, ())
            assert listed.players == ("Ann", "Bob")
            assert (listed.word, listed.begun) == ("", False)
            await until(lambda: not bob.state.seeks)
            await until(lambda: "Ann: it is your turn against Bob (Koom Valley)." in there.got)
            assert keeper.tables[table].notes.by == ANN
        async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
            mine = await ann.sees(table)
            assert mine.my_turn
            remote = await ann.sits_down(mine)
            battle = remote.state.battle
            await remote.request(Play(battle.variant.legal_moves(battle.position)[0]))
            await until(lambda: bob.state.turns == 1)
            assert not ann.state.seeks


async def test_of_those_who_take_an_offer_at_once_one_gets_it_and_the_others_a_sentence(
    tmp_path: Path,
) -> None:
    names = ("Bob", "Cid", "Dee", "Eve")
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", *names) as (ann, *others):
        made = await offers(ann)
        for each in others:
            await hears(each)
        told = await asyncio.gather(*(takes(each, made) for each in others), return_exceptions=True)
        (table,) = (each for each in told if isinstance(each, str))
        refused = [str(each) for each in told if isinstance(each, KeeperRefused)]
        assert len(refused) == len(names) - 1
        assert all("somebody has taken it" in each for each in refused)
        assert [*keeper.tables] == [table]
        with pytest.raises(KeeperRefused, match="somebody has taken it"):
            await ann.line.ask(TakeSeek(made))
        with pytest.raises(KeeperRefused, match="not yours to withdraw"):
            await ann.line.ask(WithdrawSeek(made))


@pytest.mark.parametrize("moment", ["before", "with its seats", "with its match"])
async def test_an_offer_taken_before_a_kill_becomes_one_table(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_named(tmp_path, "Ann", "Bob")
    known = Visitors(tmp_path / "visitors")
    seeks = Seeks(tmp_path, known)
    made = seeks.make(ANN, MakeSeek("classic", "3d"))
    taken = seeks.take(made.id, BOB, lambda _: None)

    def seat(store: Store, _: Record, name: str, prepare: Callable[[str], object]) -> None:
        store.matches.mkdir(parents=True, exist_ok=True)
        (store.matches / f"{name}.lock").touch()
        prepare(name)
        raise OSError

    def drop(*_: object) -> None:
        raise OSError

    with monkeypatch.context() as stopped:
        if moment == "with its seats":
            stopped.setattr(Store, "adopt", seat)
        elif moment == "with its match":
            stopped.setattr(Seeks, "drop", drop)
        if moment != "before":
            async with kept(tmp_path):
                assert Seeks(tmp_path, known).all == []
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        assert [*keeper.tables] == [taken.ids.table]
        assert (await ann.sees(taken.ids.table)).mine == 0
        assert (await bob.sees(taken.ids.table)).mine == 1
        assert ann.state.seeks == bob.state.seeks == ()
    assert not Seeks(tmp_path, known).taken


async def test_an_offer_for_whose_table_there_is_no_room_stays_and_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def files() -> set[Path]:
        return {
            each
            for place in ("tables", "visitors")
            for each in (tmp_path / place).rglob("*")
            if each.parent.name in ("matches", "hosted", "notes", "seats")
            if not target_of_temporary(each.name)  # which may be in the writing
        }

    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        made = await offers(ann)
        await hears(bob)
        table = await ann.opens()
        await ann.sits_down(table)
        before = files()
        with monkeypatch.context() as full:
            full.setattr(keeping, "MOST_TABLES", 1)
            with pytest.raises(KeeperRefused, match="tables of the club are taken"):
                await takes(bob, made)
        assert files() == before
        taken = await takes(bob, made)
        assert {*keeper.tables} == {table.id, taken}


async def test_an_offer_whose_match_was_made_is_not_taken_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise CannotResume("it is open elsewhere")

    known = Visitors(tmp_path / "visitors")
    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
        made = await offers(ann)
        await hears(bob)
        with monkeypatch.context() as broken:
            broken.setattr(Keeper, "_resume", fail)
            with pytest.raises(KeeperRefused, match="open elsewhere"):
                await takes(bob, made)
        with pytest.raises(KeeperRefused, match="somebody has taken it"):
            await takes(bob, made)
        (taken,) = Seeks(tmp_path, known)._file.load().seeks
    async with kept(tmp_path) as keeper:
        assert [*keeper.tables] == [taken.ids.table]
        assert not Seeks(tmp_path, known)._file.load().seeks


# What bounds them


async def test_offers_are_few_and_have_days(tmp_path: Path) -> None:
    async with kept(tmp_path), guests(tmp_path, "Ann") as (ann,):
        for clock in ("20+10", "20", "15/3x30"):
            with pytest.raises(KeeperRefused, match="a clock in days, or none"):
                await offers(ann, clock=clock)
        with pytest.raises(KeeperRefused, match="no such game"):
            await offers(ann, game="chess")
        with pytest.raises(KeeperRefused, match="not a clock"):
            await offers(ann, clock="99d0")
        made = [await offers(ann, clock=each) for each in ("", "1d", "2d")]
        assert len(made) == MOST_SEEKS_EACH
        with pytest.raises(KeeperRefused, match="withdraw one first"):
            await offers(ann)
        assert await offers(ann, clock="1d") == made[1], "the same again is the same, for longer"
        await until(lambda: len(ann.state.seeks) == MOST_SEEKS_EACH)
        await ann.line.ask(WithdrawSeek(made[0]))
        await until(lambda: len(ann.state.seeks) == MOST_SEEKS_EACH - 1)
        refused = ""
        for _ in range(keeping.SEEKS_AT_ONCE):
            try:
                await ann.line.ask(WithdrawSeek(await offers(ann, clock="5d")))
            except KeeperRefused as refusal:
                refused = str(refusal)
        assert "wait some minutes" in refused


def test_a_thousand_offers_are_refused_in_a_sentence_and_lapse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Visitors(tmp_path / "visitors")
    seeks, refused = Seeks(tmp_path, known), 0
    for number in range(1000):
        by = f"{number // MOST_SEEKS_EACH:032x}"
        (known.directory / by).mkdir(parents=True, exist_ok=True)
        try:
            seeks.make(by, MakeSeek("classic", f"{number % MOST_SEEKS_EACH + 1}d"))
        except ValueError as refusal:
            refused += "try again later" in str(refusal)
    assert len(seeks.all) == MOST_SEEKS == 1000 - refused
    all_named(tmp_path, "Ann")
    assert (tmp_path / SEEKS_FILE).stat().st_size < 1 << 15
    seeks.look()
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + SEEK_SECONDS + 1)
    assert seeks.all == []
    seeks.make(ANN, MakeSeek("classic"))
    assert len(Seeks(tmp_path, known)._file.load().seeks) == 1, "those that have lapsed are gone"
    monkeypatch.setattr("time.time", lambda: now)
    assert seeks.all == [], "made by a clock that was ahead"


def test_a_damaged_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / SEEKS_FILE).write_text('{"seeks": [{"id": 7}]}')
    all_named(tmp_path, "Ann")
    seeks = Seeks(tmp_path, Visitors(tmp_path / "visitors"))
    assert not seeks.look()
    seeks.make(ANN, MakeSeek("classic"))
    assert (tmp_path / f"{SEEKS_FILE}{DAMAGED}").exists()
    assert len(seeks.all) == 1


async def test_guests_and_newcomers_do_not_make_offers_that_stay(tmp_path: Path) -> None:
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        made = await offers(ann)
        (bob.directory / GUEST_FILE).touch()
        with pytest.raises(KeeperRefused, match="guests cannot take"):
            await takes(bob, made)
        with pytest.raises(KeeperRefused, match="cannot stay"):
            await offers(bob)
        keeper._is_open = True
        with pytest.raises(KeeperRefused, match="play at a table first"):
            await offers(ann, clock="1d")
        with pytest.raises(KeeperRefused, match="your own"):
            await takes(ann, made)


# Whose they are


async def test_offers_go_with_those_who_are_forgotten_or_banned_and_the_owner_closes_them(
    tmp_path: Path,
) -> None:
    all_named(tmp_path, "Ann", "Bob", "Cid", "Dee")
    known = Visitors(tmp_path / "visitors")
    names = ("Ann", "Bob", "Cid", "Dee")
    async with kept(tmp_path) as keeper, guests(tmp_path, *names) as (ann, bob, cid, dee):
        first, *_ = [await offers(each) for each in (ann, bob, cid)]
        await until(lambda: len(dee.state.seeks) == 3)
        listed = await keeper.serve_owner(ListTables())
        assert {each.by for each in listed if each.offer} == {ANN, BOB, "c" * 32}
        await keeper.serve_owner(CloseTables((first,)))
        await until(lambda: [each.name for each in dee.state.seeks] == ["Bob", "Cid"])
        known.sanction(known.bans, BOB)
        await until(lambda: [each.name for each in dee.state.seeks] == ["Cid"])
        await cid.goes()
        await asyncio.to_thread(forget, known, "c" * 32)
        await until(lambda: not dee.state.seeks)
    assert "c" * 32 not in (tmp_path / SEEKS_FILE).read_text()


# Strength


def test_players_whose_ranges_overlap_are_about_even() -> None:
    low, high, unsure = Rating(800, 60), Rating(1200, 60), Rating()
    assert not about_even(low, high)
    assert about_even(low, Rating(1000, 60))
    assert about_even(Rating(1000, 60), low)
    assert about_even(low, unsure)
    assert about_even(unsure, high)


async def test_an_even_match_is_offered_to_those_alone_who_are_about_as_strong(
    tmp_path: Path,
) -> None:
    """And the ratings stand in the lists, but not those of somebody who is not looked up."""
    all_named(tmp_path, "Ann", "Bob", "Cid", "Dee")
    strong, weak, won = (1800.0, 80.0), (900.0, 80.0), ((30.0, 2.0), (2.0, 30.0))
    people = ((ANN, BOB), (DEE, BOB))
    played = [
        Result(f"m{at}", at, "koom", pair, ("x", "y"), won, 40, starts=(strong, weak))
        for at, pair in enumerate(people * SHOWN_AFTER)
    ]
    ResultsFile(tmp_path / RESULTS_FILE).change(lambda found: found.results.extend(played))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("thud.club.past.PastMatches._take_up", lambda _: None)
        names = ("Ann", "Bob", "Cid", "Dee")
        async with kept(tmp_path), guests(tmp_path, *names) as (ann, bob, cid, dee):
            made = await offers(ann, even=True)
            for guest in (cid, dee):
                await hears(guest)
            (seen,) = dee.state.seeks
            assert seen.rating == "about 1800"
            assert who_in_words(seen) == f"Ann ({seen.rating}) offers an even match"
            assert not bob.state.seeks
            with pytest.raises(KeeperRefused, match="about the same strength"):
                await takes(bob, made)
            listed = await dee.sees(await takes(dee, made))
            assert listed.ratings[0] == seen.rating
            assert f"Ann ({seen.rating}) – Dee (" in who_in_words(listed)


async def test_nobody_waits_for_ratings_that_are_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = threading.Event()
    made = past.index_of

    def slow(*arguments: Any) -> object:
        going_on.wait(60)
        return made(*arguments)

    monkeypatch.setattr(past, "index_of", slow)
    try:
        async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
            await bob.sees((await ann.opens()).id)
            await offers(ann)
            await until(lambda: bob.state.seeks)
            going_on.set()
    finally:
        going_on.set()


# What waits


async def test_messages_wait_for_who_was_away_also_after_a_restart(tmp_path: Path) -> None:
    async with guests(tmp_path, "Ann", "Bob") as (ann, bob):
        async with kept(tmp_path) as keeper:
            table = await ann.opens()
            one = await ann.sits_down(table)
            await bob.sits_down(table)
            await one.request(Say("hello"))
            await until(lambda: keeper.tables[table.id].state.participants.said)
            assert keeper.tables[table.id].unread == [0, 0]
            await bob.leaves()
            await until(lambda: keeper.tables[table.id].people == {0})
            for words in ("are you", "there?"):
                await one.request(Say(words))
            await until(lambda: (seen := bob.state.table(table.id)) and seen.unread == 2)
            await until(lambda: keeper.tables[table.id].notes.unread == (0, 2))
            mine = ann.state.table(table.id)
            assert mine
            assert mine.unread == 0
        async with kept(tmp_path):
            listed = await bob.sees(table.id)
            assert what_in_words(listed).endswith(", two new messages")
            await bob.sits_down(listed)
            await until(lambda: (found := bob.state.table(table.id)) and not found.unread)


def test_one_list_has_what_waits_for_a_visitor_first() -> None:
    usual = ListedTable("other", "classic", ("Cid", "Dee"))
    turn = ListedTable("turn", "koom", ("Ann", "Bob"), turn=0, mine=0, begun=True)
    season = ListedTable("season", "koom", ("Ann", "Eve"), turn=0, mine=0, season=True)
    said = ListedTable("said", "koom", ("Ann", "Fay"), turn=1, mine=0, unread=1, begun=True)
    asked = ListedTable("asked", "koom", ("Gus", ""), ("trolls",), offered=True)
    offer = ListedSeek("offer", "Hal", "koom", "3d")
    own = ListedSeek("own", "Ann", "classic", "", mine=True, until=time.time())
    state = ClubState((turn, season, usual, said, asked), seeks=(own, offer))
    groups = {title: [each.id for each in rows] for title, rows in waiting_in(state).groups()}
    assert groups == {
        WAITS: ["turn", "season", "said", "asked", "offer"],
        TABLES: ["other", "own"],
    }
    assert [*waiting_in(ClubState()).groups()] == []
    told = news_in(state, offers=True)
    assert {name for name, _ in told} == {*groups[WAITS]}
    assert [name for (name, _), each in told.items() if each.rings] == ["offer"]
    assert {*told} - {*news_in(state, offers=False)} == {("offer", "")}


async def test_in_lines_an_offer_is_made_heard_taken_and_withdrawn(
    tmp_path: Path, short_path: Path
) -> None:
    async with kept(tmp_path), visitors(tmp_path, short_path / "run", "Ann", "Bob") as (ann, bob):
        await ann.types("offer koom 20+10", "a clock in days, or none")
        await ann.types("offer koom 3d", "When somebody takes it, you begin.")
        await bob.hears("Ann offers a match: Koom Valley, 3 days a move.")
        said = await bob.types("tables", LOBBY)
        assert f"{WAITS}:\n1: Ann offers a match, Koom Valley, 3 days a move: take it." in said
        await bob.types("hear off", "no longer told")
        await ann.types("offer classic even", LOBBY)
        await ann.tells("tables", "2: You offer an even match, Classic: it stays until")
        await ann.types("withdraw 2", "Your offer is withdrawn.")
        await bob.types("1", "The match has begun. Ann is told, and begins.")
        await ann.hears("Bob has sat down, and it is your turn: Ann - Bob, Koom Valley")
        assert "an even match" not in bob.said
        assert VisitorProfile(tmp_path / "visitors" / BOB).hears is False
        await ann.types("take 7", "say which offer by its number".capitalize())
