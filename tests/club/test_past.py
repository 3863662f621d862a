"""Finished matches of a club: who finds which, and what a forgotten visitor leaves."""

from __future__ import annotations

import asyncio
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest

from club.test_in_lines import LOBBY, visitors
from club.test_keeper import ANN, BOB, Guest, guests, kept, own_places, plays
from thud.club.forgetting import FORGOTTEN, forget
from thud.club.past import Index, PastMatches, found_matches, found_players, index_of, player_page
from thud.club.results import RESULTS_FILE, Result, Results, ResultsFile
from thud.club.storage import Visitors
from thud.club.tidying import archive
from thud.disk.atomic import write_atomic
from thud.net.seat_registry import kept_for
from thud.records.formats import match_in
from thud.records.store import Store
from thud.session.law import NextBattle, Resign, Say
from thud.visitor.look_up import (
    MOST_TEXT,
    PAGE,
    FindMatches,
    FindPlayers,
    Found,
    Hide,
    PlayerPage,
    Players,
    ReadMatches,
    SeePlayer,
    Texts,
    page_in_words,
    parse_search,
)
from thud.visitor.past import match_of, texts_of
from thud.visitor.profile import VisitorProfile
from thud.visitor.tables import _NO_KEEPER, KeeperRefused
from waiting import until

__all__ = ["own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")

CID = "c" * 32


async def finished(one: Guest, other: Guest, **wanted: Any) -> str:
    """Play a match to its end, which the first one wins; return its id."""
    known = {each.id for each in await all_of(one)}
    table = await one.opens(**wanted)
    first, second = await one.sits_down(table), await other.sits_down(table)
    await plays(first, "dF1-F5")
    await until(lambda: second.state.battle.played == 1)
    await second.request(Say("Well played, Xantippe"))
    await second.request(Resign())
    await until(lambda: first.state.battle.outcome and second.state.battle.outcome)
    await second.request(NextBattle())
    await plays(second, "dF1-F5")
    await second.request(Resign())
    await until(lambda: first.state.match.over and second.state.match.over)
    await one.leaves()
    await other.leaves()
    while not (new := {each.id for each in await all_of(one)} - known):
        await asyncio.sleep(0.01)
    return str(new.pop())


async def all_of(guest: Guest, **wanted: Any) -> tuple[Any, ...]:
    while True:
        try:
            return (await guest.line.look_up(FindMatches(**wanted), Found)).matches
        except KeeperRefused as refusal:
            # The keeper has just begun, or has ended.
            if str(refusal) not in ("say first who you are", _NO_KEEPER):
                raise
        await asyncio.sleep(0.01)


def named(directory: Path, **names: str) -> None:
    """Save visitors' names, as their processes do."""
    for letter, name in names.items():
        own = directory / "visitors" / (letter * 32)
        own.mkdir(parents=True, exist_ok=True)
        VisitorProfile(own).rename(name)


async def test_a_match_is_found_once_it_is_over_and_again_after_a_restart(tmp_path: Path) -> None:
    named(tmp_path, a="Ann", b="Bob", c="Cid")
    async with guests(tmp_path, "Ann", "Bob", "Cid") as (ann, bob, cid):
        async with kept(tmp_path):
            name = await finished(ann, bob)
            (match,) = await all_of(cid)
            assert (match.names, match.people, match.moves) == (("Ann", "Bob"), (ANN, BOB), 2)
            assert match.tally[0] > match.tally[1]
            record, fault = await match_of(cid.line, name)
            assert (record.players, record.over, fault) == (("Ann", "Bob"), True, "")
            page = await cid.line.look_up(SeePlayer(BOB), PlayerPage)
            assert [*page_in_words(page)][:2] == [
                "Bob: 1 match, 0 won, 0 drawn, 1 lost.",
                "Here now.",
            ]
            assert await all_of(cid, player="bob", result="lost") == (match,)
            assert await all_of(cid, player="bob", result="won") == ()
        results = (tmp_path / RESULTS_FILE).read_bytes()
        async with kept(tmp_path):
            await until(cid.line.known.is_set)
            assert await all_of(cid) == (match,)
        assert (tmp_path / RESULTS_FILE).read_bytes() == results
        for content in (None, b"{", b'{"results":[["x"]]}'):  # lost, or damaged
            (tmp_path / RESULTS_FILE).unlink()
            if content:
                write_atomic(tmp_path / RESULTS_FILE, content)
            archived = archive(tmp_path / "tables", name, "", 5)
            assert not archived
            async with kept(tmp_path):
                while (await all_of(cid)) != (match,):
                    await asyncio.sleep(0.01)


@pytest.mark.parametrize("place", ["open", "followed by another match", "archived"])
@pytest.mark.parametrize("unrated", [True, False])
async def test_a_match_is_not_rated_either_when_its_result_was_lost(
    place: str, *, unrated: bool, tmp_path: Path
) -> None:
    named(tmp_path, a="Ann", b="Bob")
    tables = tmp_path / "tables"
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        name = await finished(ann, bob)
        (table,) = keeper.tables
        notes = keeper.tables[table].notes._replace(unrated=unrated)
        await keeper._keep_notes(table, notes)
    (tmp_path / RESULTS_FILE).unlink()
    if place != "open":
        archive(tables, name, table if place == "archived" else "", 5)
    past = PastMatches(tables, Visitors(tmp_path / "visitors"))
    past._take_up()
    assert [(each.id, each.unrated) for each in past.results.results] == [(name, unrated)]


async def test_private_matches_and_those_of_the_hidden_are_found_by_their_players_alone(
    tmp_path: Path,
) -> None:
    named(tmp_path, a="Ann", b="Bob", c="Cid")
    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob", "Cid") as (ann, bob, cid):
        secret = await finished(ann, bob, offered_to=BOB)
        assert await all_of(cid) == ()
        assert (await cid.line.look_up(FindPlayers(), Players)).players == ()
        for asked in (ReadMatches((secret,)), SeePlayer("f" * 32), ReadMatches(("../x",))):
            with pytest.raises(KeeperRefused):
                await cid.line.look_up(asked, Texts)
        assert [each.id for each in await all_of(bob)] == [secret]
        open_ = await finished(ann, bob)
        assert [each.id for each in await all_of(cid)] == [open_]
        await bob.line.ask(Hide(True))
        assert await all_of(cid) == ()
        with pytest.raises(KeeperRefused, match="no such match"):
            await cid.line.look_up(ReadMatches((open_,)), Texts)
        with pytest.raises(KeeperRefused, match="no such player"):
            await cid.line.look_up(SeePlayer(BOB), PlayerPage)
        for player in (ann, bob):
            assert {each.id for each in await all_of(player)} == {secret, open_}
        ((_, name, matches),) = (await cid.line.look_up(FindPlayers(), Players)).players or [
            ("", "", 0)
        ]
        assert (name, matches) == ("", 0)
        await bob.line.ask(Hide(False))
        assert [each.id for each in await all_of(cid)] == [open_]


@pytest.mark.parametrize("closed", [True, False])
async def test_nothing_of_the_name_of_somebody_forgotten_is_left(
    tmp_path: Path, closed: bool
) -> None:
    """Neither in the club's files nor in those of the others; an open table is one of them."""
    club = tmp_path / "club"
    named(club, a="Xantippe", b="Bob", c="Cid")
    async with guests(club, "Bob", "Cid") as (bob, cid):
        ann = Guest(club, ANN, "Xantippe")
        async with kept(club) as keeper:
            for other in (bob, cid):
                await finished(ann, other)
            await finished(bob, ann)
            table = await ann.opens()
            first, second = await ann.sits_down(table), await bob.sits_down(table)
            await plays(first, "dF1-F5")
            await first.request(Say("It is me, Xantippe"))
            await until(lambda: any(each.text for each in second.state.participants.said))
            archive(club / "tables", Store(club / "tables").finished()[-1].id, "", 5)
            for each in (bob, cid):  # as processes do for their players
                for match in Store(club / "tables").finished():
                    copy = each.directory / "matches" / f"{match.id}.tgn"
                    copy.parent.mkdir(exist_ok=True)
                    shutil.copy(club / "tables" / "matches" / copy.name, copy)
                Store(each.directory).listing()
            await ann.goes()
            await bob.leaves()
            if not closed:
                unread = await asyncio.to_thread(forget, Visitors(club / "visitors"), ANN)
                assert not unread
                await until(
                    lambda: keeper.tables[table.id].state.match.players == (FORGOTTEN, "Bob")
                )
                assert await all_of(cid, player="xantippe") == ()
                assert len(await all_of(cid, player=FORGOTTEN)) == 3
        if closed:
            assert not forget(Visitors(club / "visitors"), ANN)
        assert not [*_with(club, b"Xantippe")]
        async with kept(club):
            while len(found := await all_of(cid)) != 3:
                await asyncio.sleep(0.01)
            assert {name for each in found for name in each.names} == {FORGOTTEN, "Bob", "Cid"}
            assert not any(ANN in each.people for each in found)
    assert not [*_with(club, b"Xantippe")]


def _with(directory: Path, words: bytes) -> Iterator[Path]:
    for path in directory.rglob("*"):
        if path.is_file() and words in path.read_bytes():
            yield path


async def test_what_the_archive_has_no_room_for_is_not_listed_either(tmp_path: Path) -> None:
    named(tmp_path, a="Ann", b="Bob")
    (tmp_path / "club.toml").write_text("archive = 1\n")
    async with kept(tmp_path) as keeper, guests(tmp_path, "Ann", "Bob") as (ann, bob):
        names = [await finished(ann, bob) for _ in range(3)]
        for table in [*keeper.tables.values()]:
            await keeper._remove(table)
        while [each.id for each in await all_of(ann)] != names[-1:]:
            await asyncio.sleep(0.01)
    assert [each.stem for each in (tmp_path / "tables/archive/matches").glob("*.tgn")] == names[-1:]


# A search, against one that looks at every match


def _many(directory: Path, number: int, players: int) -> Index:
    chance, kinds = random.Random(7), ["classic", "koom", "football"]
    ids = [f"{each:032x}" for each in range(players)]
    for each in ids:
        own = directory / "visitors" / each
        own.mkdir(parents=True)
        VisitorProfile(own).rename(f"Player {int(each, 16)} [b]x[/b]")
    results = []
    for at in range(number):
        one, other = chance.sample(ids, 2)
        scores = tuple((chance.randrange(9) * 4.0, chance.randrange(9) * 4.0) for _ in range(2))
        results.append(
            Result(
                f"m{at}",
                1.7e9 + at * 40_000,
                chance.choice(kinds),
                (one, other),
                (f"old {one[-2:]}", f"old {other[-2:]}"),
                (scores[0], scores[1]),
                chance.randrange(120),
                chance.random() < 0.1,
            )
        )
    return index_of(Results(results, ids[:2]), Visitors(directory / "visitors"))


def test_a_search_finds_what_looking_at_every_match_finds(tmp_path: Path) -> None:
    index = _many(tmp_path, 400, 12)
    chance, hidden = random.Random(3), {f"{each:032x}" for each in range(2)}
    found_any = 0
    ends: tuple[Literal["", "drawn", "won", "lost"], ...] = ("", "drawn", "won", "lost")
    for _ in range(200):
        viewer = f"{chance.randrange(12):032x}"
        wanted, other = chance.choice(["", "player 3", "PLAYER 1"]), chance.choice(["", "player 5"])
        asked = FindMatches(
            wanted,
            other,
            variant=chance.choice(["", "koom"]),
            since=chance.choice(["", "2024", "2024-02", "2024-02-10"]),
            until=chance.choice(["", "2024", "2024-03"]),
            result=chance.choice(ends if wanted else ends[:2]),
            shortest=chance.choice([0, 40]),
            longest=chance.choice([100, 70]),
        )
        expected = []
        for each in index.listed:
            result = each.result
            seen = viewer in each.people or not (result.private or hidden & {*each.people})
            sides = [(0, 1), (1, 0)]
            fits = any(
                wanted.lower() in each.names[a].lower()
                and other.lower() in each.names[b].lower()
                and {
                    "": True,
                    "won": result.tally[a] > result.tally[b],
                    "lost": result.tally[a] < result.tally[b],
                    "drawn": result.tally[a] == result.tally[b],
                }[asked.result]
                for a, b in sides
            )
            in_time = asked.since <= each.day and each.day[: len(asked.until)] <= asked.until + "~"
            right_game = asked.variant in ("", result.variant)
            long_enough = asked.shortest <= result.moves <= asked.longest
            if seen and fits and in_time and right_game and long_enough:
                expected.append(result.id)
        found, page = list[str](), asked
        while some := found_matches(index, viewer, page).matches:
            assert len(some) <= PAGE
            found += [each.id for each in some]
            page = msgspec.structs.replace(page, page=page.page + 1)
        assert found == expected
        assert found_matches(index, viewer, asked).total == len(expected)
        found_any += bool(found)
    assert found_any > 50
    counts = {each.id: each.matches for each in found_players(index, "", FindPlayers()).players}
    assert not hidden & counts.keys()
    for person, number in counts.items():
        page_of = player_page(index, "", person)
        assert page_of.matches.played == number
        assert page_of.dwarfs.played == page_of.trolls.played == number
        assert sum(each.record.played for each in page_of.against) == number
        total = found_matches(index, "", FindMatches(person=person)).total
        assert total == number


def test_a_search_is_written_as_one_speaks() -> None:
    assert parse_search("") == FindMatches()
    assert parse_search("Ann Lee against bob koom since 2026-02 won over 30 moves") == FindMatches(
        "Ann Lee", "bob", variant="koom", since="2026-02", result="won", shortest=31
    )
    assert parse_search('"won" drawn 2026 under 9') == FindMatches(
        "won", since="2026", until="2026", result="drawn", longest=8
    )
    for wrong, why in {
        "won": "say who won",
        "since": "not a date",
        "since 2026-13": "not a date",
        "over many": "how many moves",
        "over " + "9" * 5000: "how many moves",
        "x" * 5000: "at most 36",
        "2026-02-30": "not a date",
    }.items():
        with pytest.raises(ValueError, match=why):
            parse_search(wrong)


async def test_hostile_requests_are_refused_and_answers_are_bounded(tmp_path: Path) -> None:
    """Nothing that is asked makes the keeper read elsewhere, or send more than a line."""
    named(tmp_path, a="Ann", b="Bob")
    async with kept(tmp_path), guests(tmp_path, "Ann", "Bob") as (ann, bob):
        name = await finished(ann, bob)
        for asked in (
            FindMatches(player="x" * 99),
            FindMatches(page=10**9),
            FindMatches(since="../../etc"),
            FindMatches(longest=-1),
            ReadMatches(()),
            ReadMatches((name,) * 500),
            ReadMatches(("../../visitors/" + ANN + "/visitor",)),
            SeePlayer("*"),
        ):
            with pytest.raises(KeeperRefused):
                await ann.line.look_up(asked, Found)
        assert await all_of(ann, page=100_000) == ()
        file = Store(tmp_path / "tables").existing(name)
        text = file.read_text()
        record, _ = match_in(text)
        huge = text.replace("1. dF1-F5", "1. dF1-F5 {" + '"' * (MOST_TEXT // 2 + 9) + "}", 1)
        assert huge != text
        file.write_text(huge)
        with pytest.raises(KeeperRefused, match="too long"):
            await bob.line.look_up(ReadMatches((name,)), Texts)
        file.write_text(text)
        assert [match_in(each)[0] for each in await texts_of(bob.line, FindMatches())] == [record]
        file.unlink()
        with pytest.raises(KeeperRefused, match="no longer kept"):
            await bob.line.look_up(ReadMatches((name,)), Texts)


async def test_results_are_saved_by_two_processes_without_losing_any(tmp_path: Path) -> None:
    """The keeper and the owner's commands write the same file."""
    program = (
        "import sys; from pathlib import Path; from thud.club.results import *\n"
        "for at in range(20): ResultsFile(Path(sys.argv[1])).change("
        "lambda found: found.hidden.append(f'{sys.argv[2]}{at}'))"
    )
    path = tmp_path / RESULTS_FILE
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(path), each]) for each in ("a", "b")
    ]
    assert [each.wait() for each in running] == [0, 0]
    assert len({*ResultsFile(path).load().hidden}) == 40


async def test_matches_are_looked_up_in_lines(tmp_path: Path, short_path: Path) -> None:
    named(tmp_path, a="Ann", c="Cid [red]x")
    async with (
        kept(tmp_path),
        guests(tmp_path, "Ann", "Cid [red]x") as (ann, cid),
        visitors(tmp_path, short_path / "run", "Bob") as (bob,),
    ):
        assert "No finished match fits." in await bob.types("matches", LOBBY)
        await finished(ann, cid)
        told = await bob.types("matches ann against cid", LOBBY)
        assert "1 finished match, the latest first." in told
        assert "Ann - Cid [red]x, " in told
        await bob.types("view 1", "Battle 1, move 0 of 1:")
        await bob.types("quit", LOBBY)
        assert '[Dwarfs1 "Ann"]' in await bob.types("download 1", LOBBY)
        assert '[Dwarfs1 "Ann"]' in await bob.types("download all", LOBBY)
        assert "There are no more." in await bob.types("download all 2", LOBBY)
        assert "Ann: 1 match." in await bob.types("players", LOBBY)
        told = await bob.types("player ann", LOBBY)
        assert "Ann: 1 match, 1 won, 0 drawn, 0 lost." in told
        assert "Against Cid [red]x: 1 won, 0 drawn, 0 lost." in told
        await ann.line.ask(Hide(True))
        assert "No finished match fits." in await bob.types("matches", LOBBY)
        assert "There is no such player." in await bob.types("player ann", LOBBY)
        assert kept_for(Store(tmp_path / "tables").matches, "x").parent.is_dir()
