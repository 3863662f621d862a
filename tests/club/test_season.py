"""A season: what the owner writes, who meets whom, what counts, and how it stands."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections import Counter
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from club.test_in_lines import LOBBY, visitors
from club.test_keeper import Guest, guests, kept, own_places, plays
from club.test_past import named
from thud.club import season_tables
from thud.club.forgetting import forget
from thud.club.keeping import CloseTables, RenameVisitor
from thud.club.season import (
    SEASONS_FILE,
    Season,
    SeasonMatch,
    SeasonPlayer,
    Seasons,
    SeasonsFile,
    circle,
    draw,
    due,
    follow,
    forget_in,
    join,
    leave,
    page_of,
    settings_in,
    standing,
    unite,
)
from thud.club.storage import Visitors
from thud.disk.atomic import write_atomic
from thud.disk.small import DAMAGED
from thud.rules.variants import VARIANTS
from thud.session.events import NewMatch
from thud.session.law import NextBattle, Resign
from thud.session.participants import WATCH
from thud.visitor.profile import VisitorProfile
from thud.visitor.season import (
    MOST_PLAYERS,
    TABLES_EACH,
    JoinSeason,
    SeasonPage,
    SeeSeason,
    cross_table,
    match_points,
    results_in_words,
    row_in_words,
    season_in_words,
)
from thud.visitor.tables import CloseTable, KeeperRefused, ListedTable, what_is_played
from waiting import until

__all__ = ["own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


def season_of(players: int, *, drawn: bool = True) -> Season:
    season = Season("Winter", "classic", 3, "2026-12-24")
    for number in range(players):
        join(season, f"{number:032x}", f"Player {number}")
    if drawn:
        draw(season)
    return season


def played(season: Season, chance: random.Random, share: float = 1.0) -> None:
    """Play matches at random, in any order that is open."""
    wanted = round(share * len(season.matches))
    while sum(each.tally is not None for each in season.matches) < wanted:
        for each in due(season):
            each.table = each.match = "t"
        waiting = [each for each in season.matches if each.table and each.tally is None]
        if not waiting:
            return
        one = chance.choice(waiting)
        one.tally = chance.choice([(40.0, 24.0), (12.0, 20.0), (32.0, 32.0)])


# What the owner writes


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", None),
        ('name = "Winter"\nuntil = 2026-12-24\n', None),
        ('name = "Winter"\nuntil = "2026-12-24"\ngame = "koom"\ndays = 14\n', None),
        ('name = "Winter"\n', "until is missing: the last day on which one can join"),
        ("until = 2026-12-24\n", "name is missing"),
        ('name = "Winter"\nuntil = 2026-13-24\n', "not TOML"),
        ('name = "Winter"\nuntil = "soon"\n', "until is the last day on which one can join"),
        ('name = "Winter"\nuntil = 2026-12-24T10:00:00\n', "until is the last day"),
        ('name = "Winter"\nuntil = 9999-12-31\n', "until is the last day"),
        ('name = "Winter"\nuntil = 2026-12-24\ndays = 15\n', "days for each move, from 1 to 14"),
        ('name = "Winter"\nuntil = 2026-12-24\ndays = true\n', "days is the days"),
        ('name = "Winter"\nuntil = 2026-12-24\ngame = "chess"\n', "game is one of classic, "),
        ('name = "Winter"\nuntil = 2026-12-24\nrounds = 2\n', "no setting of the name 'rounds'"),
        ('name = ""\nuntil = 2026-12-24\n', "name is what the season is called"),
        ('name = " \\u001b[2J"\nuntil = 2026-12-24\n', "name is what the season is called"),
        (f'name = "{"x" * 37}"\nuntil = 2026-12-24\n', "name is what the season is called"),
        ("\x00\xff", "not TOML"),
        ("x" * 9999, "more than 4,096 bytes"),
    ],
)
def test_a_wrong_file_is_refused_with_what_would_be_right(
    tmp_path: Path, text: str, wrong: str | None
) -> None:
    path = tmp_path / "season.toml"
    path.write_text(text, encoding="latin-1")
    if wrong:
        with pytest.raises(ValueError, match=wrong):
            settings_in(path)
    else:
        settings = settings_in(path)
        assert settings is None or settings.until.isoformat() == "2026-12-24"
        assert settings is None or settings.closes_at > 0
    path.unlink()
    assert settings_in(path) is None


def test_what_is_edited_in_the_middle_changes_only_what_has_not_begun(tmp_path: Path) -> None:
    path, seasons = tmp_path / "season.toml", Seasons()

    def followed(text: str) -> Season:
        path.write_text(text)
        settings = settings_in(path)
        assert settings
        return follow(seasons, settings)

    winter = 'name = "Winter"\nuntil = 2026-12-24\n'
    season = followed(winter)
    season = followed(f'{winter}game = "koom"\ndays = 5\n')
    assert (season.game, season.days) == ("koom", 5)
    for number in range(3):
        join(season, f"{number:032x}", f"Player {number}")
    draw(season)
    season = followed('name = "Winter"\nuntil = 2027-01-01\ngame = "football"\ndays = 2\n')
    assert (season.game, season.until, season.days) == ("koom", "2026-12-24", 2)
    spring = followed('name = "Spring"\nuntil = 2027-03-01\n')
    assert (spring.players, len(seasons.seasons)) == ([], 2)
    assert followed(winter) is season
    assert [each.name for each in seasons.seasons] == ["Winter", "Spring"]


# Who meets whom


@pytest.mark.parametrize("players", range(3, MOST_PLAYERS + 1))
def test_everybody_meets_everybody_once_and_nobody_twice_in_a_round(players: int) -> None:
    pairs = [*circle(players)]
    assert sorted(map(sorted, pairs)) == [[*pair] for pair in combinations(range(players), 2)]
    size = players // 2
    for at in range(0, len(pairs), size):
        one_round = [player for pair in pairs[at : at + size] for player in pair]
        assert len({*one_round}) == len(one_round)
    first = Counter(pair[0] for pair in pairs)
    assert all(abs(2 * first[each] - (players - 1)) <= 1 for each in range(players))


@pytest.mark.parametrize("players", [3, 4, 7, 12])
def test_each_player_has_their_next_two_tables_and_no_slow_one_holds_up_the_others(
    players: int,
) -> None:
    season, chance = season_of(players), random.Random(players)
    while True:
        for each in due(season):
            each.table = each.match = "t"
        open_now = [each for each in season.matches if each.table and each.tally is None]
        assert [*due(season)] == []
        count = Counter(player for each in open_now for player in each.players)
        assert all(number <= TABLES_EACH for number in count.values())
        going = [each for each in open_now if 0 not in each.players]
        if not going:  # player 0 plays no match, and all the others are over
            break
        chance.choice(going).tally = (1.0, 0.0)
    left = [each for each in season.matches if each.tally is None]
    assert len(left) == players - 1
    assert all(0 in each.players for each in left)


# What counts


def test_who_leaves_before_half_is_struck_out_and_afterwards_loses_what_is_left() -> None:
    season, chance = season_of(8), random.Random(1)
    played(season, chance, 0.25)
    few, many = 3, 5
    for each in season.of(few):
        each.tally = None
    for each in [*season.of(many)][:4]:
        each.tally = (1.0, 0.0)
    assert leave(season, [f"{few:032x}"])
    assert not leave(season, [f"{few:032x}"])
    assert leave(season, ["f" * 32, f"{many:032x}"])
    assert (season.players[few].struck, season.players[many].struck) == (True, False)
    for each in season.matches:
        if few in each.players:
            assert not season.counts(each)
        elif many in each.players:  # a table that is open ends there
            assert each.table or each.tally
    played(season, chance)
    rows = dict(standing(season))
    assert (rows[few].place, rows[few].played, rows[few].points) == (0, 0, 0)
    assert all(rows[each].played >= 5 for each in rows if each != few)
    page = page_of(season, {})
    assert page.note.total == 21
    assert row_in_words(page.rows[-1]) == "Player 3: has left, no result counts"
    assert cross_table(page)[-1].endswith("- does not count.")


@pytest.mark.parametrize("game", VARIANTS)
def test_who_has_left_loses_as_if_they_had_resigned_both_battles(game: str) -> None:
    season = season_of(3)
    season.game = game
    for each in season.of(0):
        if 1 in each.players:
            each.tally = (1.0, 1.0)
    leave(season, [f"{0:032x}"])
    (lost,) = (each for each in season.of(0) if 2 in each.players)
    assert lost.tally
    own, other = lost.tally if lost.first == 0 else lost.tally[::-1]
    assert own == 0 < other


def test_before_the_draw_one_comes_and_goes_and_afterwards_nobody_can_join() -> None:
    season = season_of(4, drawn=False)
    with pytest.raises(ValueError, match="you take part already"):
        join(season, f"{1:032x}", "Player 1")
    assert leave(season, [f"{1:032x}"])
    assert len(season.players) == 3
    leave(season, [f"{0:032x}"])
    draw(season)
    assert not season.drawn
    assert "It needs three players." in next(season_in_words(page_of(season, {})))
    for number in range(50, 50 + MOST_PLAYERS - 2):
        join(season, f"{number:032x}", "x")
    with pytest.raises(ValueError, match="at most"):
        join(season, "f" * 32, "x")
    draw(season)
    with pytest.raises(ValueError, match="joining has ended"):
        join(season, "f" * 32, "x")


def test_who_is_forgotten_leaves_under_another_name_and_the_linked_become_one() -> None:
    season = season_of(5)
    seasons = Seasons([season, season_of(4, drawn=False)])
    forget_in(seasons, {f"{1:032x}"}, "e" * 32, "Somebody")
    assert [each.name for each in season.players][1] == "Somebody"
    assert season.players[1].struck
    assert len(seasons.seasons[1].players) == 3
    assert f"{1:032x}".encode() not in msgspec.json.encode(seasons)
    links = {f"{3:032x}": f"{2:032x}", f"{4:032x}": "d" * 32}
    unite(season, lambda each: links.get(each, each))
    assert [each.left for each in season.players] == [False, True, False, True, False]
    assert season.players[4].id == "d" * 32


# The standing


def test_the_standing_goes_by_points_then_margin_then_the_matches_between_those_alike() -> None:
    season = season_of(4)
    tallies = {
        (0, 1): (20, 10),  # 0 and 1 have the same points and margin: 0 won between them
        (0, 2): (10, 22),
        (0, 3): (20, 18),
        (1, 2): (30, 20),
        (1, 3): (20, 20),
        (2, 3): (10, 20),
    }
    for each in season.matches:
        one, other = each.players
        own, against = tallies[min(one, other), max(one, other)]
        each.tally = (own, against) if one < other else (against, own)
    tallies_of = dict(standing(season))
    order = [number for number, _ in standing(season)]
    assert [(tallies_of[each].points, tallies_of[each].margin) for each in (0, 1, 2, 3)] == [
        (4, 0.0),
        (3, 0.0),
        (2, -8.0),
        (3, 8.0),
    ]
    assert order == [0, 3, 1, 2]
    assert [tallies_of[each].place for each in order] == [1, 2, 3, 4]
    page = page_of(season, {f"{3:032x}": "Dee"})
    assert [*results_in_words(page, page.rows[1])] == [
        "Against Player 0: lost, 18 : 20.",
        "Against Player 1: drawn, 20 : 20.",
        "Against Player 2: won, 20 : 10.",
    ]
    assert cross_table(page)[:2] == [
        "# player   1 2 3 4 points margin",
        "1 Player 0 x 2 2 0      4      0",
    ]


def test_those_whom_nothing_tells_apart_share_a_place() -> None:
    season = season_of(5)
    for each in season.matches:
        each.tally = (1.0, 1.0)
        if 4 in each.players:
            each.tally = (0.0, 1.0) if each.first == 4 else (1.0, 0.0)
    assert [row.place for _, row in standing(season)] == [1, 1, 1, 1, 5]
    assert season.over
    assert not leave(season, [f"{0:032x}"])
    told = [*season_in_words(page_of(season, {}))]
    assert told[-1] == "It is over: Player 0, Player 1, Player 2 and Player 3 have won."
    for each in season.matches:  # two are alike but for the match between them
        if {*each.players} == {0, 1}:
            each.tally = (2.0, 1.0) if each.first == 1 else (1.0, 2.0)
        if {*each.players} in ({0, 2}, {1, 3}):
            each.tally = (2.0, 1.0) if each.first in (0, 3) else (1.0, 2.0)
    assert sum(row.points for _, row in standing(season)) == 2 * len(season.matches)
    assert sum(row.margin for _, row in standing(season)) == 0


def test_all_points_of_a_season_are_given_out_whatever_comes() -> None:
    for seed in range(30):
        season, chance = season_of(chance_players := 3 + seed % 8), random.Random(seed)
        played(season, chance, chance.random())
        for number in chance.sample(range(chance_players), 2):
            leave(season, [f"{number:032x}"])
        played(season, chance)
        rows = [row for _, row in standing(season)]
        counting = [each.tally for each in season.matches if season.counts(each) and each.tally]
        given = sum(match_points(each) + match_points(each[::-1]) for each in counting)
        assert sum(each.points for each in rows) == given == 2 * len(counting)
        assert all(
            row.points == sum(match_points(each) for each in row.results if each) for row in rows
        )
        again = msgspec.json.decode(msgspec.json.encode(season), type=Season)
        assert cross_table(page_of(again, {})) == cross_table(page_of(season, {}))


# The file


@pytest.mark.parametrize(
    "damaged",
    [
        b"{",
        b"[]",
        b'{"seasons":[{"name":"x","game":"chess","days":3,"until":"2026-01-01"}]}',
        b'{"seasons":[{"name":"x","game":"koom","days":99,"until":"2026-01-01"}]}',
        b'{"seasons":[{"name":"x","game":"koom","days":3,"until":"2026-01-01","matches":[[0,1]]}]}',
        b'{"seasons":[{"name":"x","game":"koom","days":3,"until":"2026-01-01","players":['
        b'{"id":"aa","name":"A"},{"id":"bb","name":"B"}],"matches":[[0,1],[1,0]]}]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_kept_beside_the_new_one(tmp_path: Path, damaged: bytes) -> None:
    file = SeasonsFile(tmp_path / SEASONS_FILE)
    (tmp_path / SEASONS_FILE).write_bytes(damaged)
    assert file.load().seasons == []
    file.change(lambda seasons: seasons.seasons.append(season_of(3)))
    assert (tmp_path / f"{SEASONS_FILE}{DAMAGED}").read_bytes() == damaged
    assert file.load().seasons == [season_of(3)]


def test_a_season_keeps_its_matches_in_the_order_drawn() -> None:
    season = season_of(4)
    assert season.matches[:2] == [SeasonMatch(0, 3), SeasonMatch(2, 1)]
    assert season.players[0] == SeasonPlayer(f"{0:032x}", "Player 0")


# At the tables


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing wait for its time."""
    monkeypatch.setattr(season_tables, "STEADY_SECONDS", 0.0)
    monkeypatch.setattr(season_tables, "LOOKS_EVERY", 0.01)


def written(directory: Path, until: str = "2020-01-01", more: str = "") -> None:
    write_atomic(directory / "season.toml", f'name = "Winter"\nuntil = {until}\n{more}'.encode())


def saved(directory: Path) -> Season:
    (season,) = SeasonsFile(directory / SEASONS_FILE).load().seasons
    return season


async def page_for(guest: Guest) -> SeasonPage:
    return await guest.line.look_up(SeeSeason(), SeasonPage)


def _season_seen(guest: Guest) -> bool:
    return guest.state.season is not None


async def joins(*joining: Guest) -> None:
    for each in joining:
        await until(partial(_season_seen, each))
        await each.line.ask(JoinSeason(True))


async def resigns(guest: Guest, table: ListedTable) -> None:
    """Sit down, and resign what is left of a match."""
    remote = await guest.sits_down(table)
    while not remote.state.match.over:
        if remote.state.battle.outcome:
            await remote.request(NextBattle())
        await remote.request(Resign())
    await guest.leaves()


def against(guest: Guest, name: str) -> ListedTable | None:
    tables = (each for each in guest.state.tables if each.season and name in each.players)
    return next((each for each in tables if each.mine is not None and not each.over), None)


async def test_a_season_is_played_by_visitors_through_restarts(tmp_path: Path, quick: None) -> None:
    named(tmp_path, a="Ann", b="Bob", c="Cid", d="Dee")
    written(tmp_path, "2999-01-01", "days = 5\n")
    async with guests(tmp_path, "Ann", "Bob", "Cid", "Dee") as (ann, bob, cid, dee):
        async with kept(tmp_path):
            await joins(ann, bob, cid)
            with pytest.raises(KeeperRefused, match="you take part already"):
                await ann.line.ask(JoinSeason(True))
            with pytest.raises(KeeperRefused, match="you do not take part"):
                await dee.line.ask(JoinSeason(False))
            await until(lambda: ann.state.season and ann.state.season.joined)
            assert dee.state.season
            assert not dee.state.season.joined
            assert [*season_in_words(await page_for(dee))][-1] == "Joined: Ann, Bob and Cid."
            written(tmp_path, more="days = 5\n")
            await until(lambda: against(ann, "Bob") and against(ann, "Cid"))
            with pytest.raises(KeeperRefused, match="joining has ended"):
                await dee.line.ask(JoinSeason(True))
            table = against(ann, "Bob")
            assert table
            assert (table.clock, table.seated, table.wanted, table.own) == ("5d", True, (), False)
            assert what_is_played(table) == "Classic, 5 days a move, season"
            with pytest.raises(KeeperRefused, match="not yours to close"):
                await ann.line.ask(CloseTable(table.id))
            watching = await dee.sits_down(table, WATCH)
            with pytest.raises(ValueError, match="the seat is another player's"):
                await dee.sits_down(table)
            assert watching.state.clock_runs  # though nobody else has come
            await dee.leaves()
            await resigns(bob, table)
            remote = await ann.sits_down(table)
            assert remote.state.arranged
            with pytest.raises(ValueError, match="this table is for one match"):
                await remote.request(NewMatch())
            await ann.leaves()
            await until(
                lambda: (
                    [*map(bool, saved(tmp_path).matches)]
                    and any(each.tally for each in saved(tmp_path).matches)
                )
            )
        before = saved(tmp_path)
        async with kept(tmp_path) as keeper:
            await until(lambda: against(ann, "Cid") and against(bob, "Cid"))
            assert saved(tmp_path) == before
            for one, name in ((ann, "Cid"), (bob, "Cid")):
                found = against(one, name)
                assert found
                await resigns(one, found)
            await until(lambda: ann.state.season and ann.state.season.over)
            page = await page_for(dee)
            assert [(each.name, each.points, each.place) for each in page.rows] == [
                ("Cid", 4, 1),
                ("Ann", 2, 2),
                ("Bob", 0, 3),
            ]
            assert [*season_in_words(page)][-1] == "It is over: Cid has won."
            await keeper.serve_owner(RenameVisitor("c" * 32, "Cilla"))
            VisitorProfile(cid.directory).rename("Cilla")
            assert (await page_for(dee)).rows[0].name == "Cilla"


async def test_who_never_comes_loses_both_battles_by_the_clock_through_a_kill(
    tmp_path: Path, quick: None
) -> None:
    """The clock runs before the first move, and between the battles; the time used is kept."""
    named(tmp_path, a="Ann", b="Bob", c="Cid")
    written(tmp_path, "2999-01-01", "days = 1\n")
    async with guests(tmp_path, "Ann", "Bob", "Cid") as players:
        async with kept(tmp_path):
            await joins(*players)
            written(tmp_path, more="days = 1\n")
            await until(lambda: against(players[0], "Bob"))
        table = against(players[0], "Bob")
        assert table
        for _ in range(2):  # a clock that was off for 16 hours, twice
            for each in (tmp_path / "tables" / "matches").glob("*.tgn"):
                hours_ago = time.time() - 16 * 3600
                os.utime(each, (hours_ago, hours_ago))
            async with kept(tmp_path) as keeper:
                await until(lambda: table.id in keeper.tables)
                battles = keeper.tables[table.id].state.match.battles
                if len(battles) == 1 and battles[0].outcome is None:
                    assert battles[0].used > 15 * 3600 * 1000
        async with kept(tmp_path) as keeper:
            state = keeper.tables[table.id].state
            await until(lambda: len(state.match.battles) == 2)
            first, second = state.match.battles
            assert first.timed_out
            assert state.clock
            assert state.clock.running
            assert (first.played, second.played) == (0, 0)


async def test_who_leaves_resigns_at_their_tables_and_who_is_forgotten_leaves(
    tmp_path: Path, quick: None
) -> None:
    named(tmp_path, a="Ann", b="Bob", c="Cid", d="Xantippe")
    written(tmp_path, "2999-01-01")
    async with guests(tmp_path, "Ann", "Bob", "Cid", "Dee") as (ann, bob, cid, dee):
        async with kept(tmp_path) as keeper:
            await joins(ann, bob, cid, dee)
            written(tmp_path)
            await until(lambda: sum(each.arranged for each in keeper.tables.values()) == 4)
            await bob.line.ask(JoinSeason(False))
            await until(lambda: not against(bob, "Ann") and not against(bob, "Xantippe"))
            page = await page_for(bob)
            assert (page.rows[-1].name, page.rows[-1].struck) == ("Bob", True)
            with pytest.raises(KeeperRefused, match="have left for good"):
                await bob.line.ask(JoinSeason(True))
            await until(lambda: against(ann, "Cid") and against(cid, "Xantippe"))
            table = against(ann, "Cid")
            assert table
            await keeper.serve_owner(CloseTables((table.id,)))  # nothing was played: once more
            await until(lambda: against(ann, "Cid"))
            await dee.goes()
            assert not await asyncio.to_thread(forget, Visitors(tmp_path / "visitors"), "d" * 32)
            await until(lambda: not against(cid, "Xantippe"))
            page = await page_for(ann)
            assert {each.name for each in page.rows if each.struck} == {"Bob", "Somebody"}
        async with kept(tmp_path) as keeper:
            await until(lambda: against(ann, "Cid"))
            table = against(ann, "Cid")
            assert table
            remote = await ann.sits_down(table)
            if remote.state.decides(remote.state.to_move):
                await plays(remote, "dF1-F5")
            else:
                other = await cid.sits_down(table)
                await plays(other, "dF1-F5")
            await until(lambda: keeper.tables[table.id].begun)
            await ann.leaves()
            await cid.leaves()
            await keeper.serve_owner(CloseTables((table.id,)))
            assert table.id not in keeper.tables
        async with kept(tmp_path):  # the match is in the archive: another one begins
            closed = table.id
            await until(lambda: not ann.state.table(closed) and against(ann, "Cid"))
            again = against(ann, "Cid")
            assert again
            assert not again.begun
            await resigns(cid, again)
            await until(lambda: ann.state.season and ann.state.season.over)
    assert b"Xantippe" not in (tmp_path / SEASONS_FILE).read_bytes()


async def test_a_season_in_lines_of_text(tmp_path: Path, short_path: Path, quick: None) -> None:
    named(tmp_path, a="Ann", c="Cid")
    async with (
        kept(tmp_path),
        guests(tmp_path, "Ann", "Cid") as (ann, cid),
        visitors(tmp_path, short_path / "run", "Bob") as (bob,),
    ):
        assert "There is no season now." in await bob.types("season", LOBBY)
        written(tmp_path, "2999-01-01")
        await bob.tells("season", "Join until 2999-01-01. It needs three players.")
        assert "You take part in the season." in await bob.types("season join", LOBBY)
        assert "say season, season join" in (await bob.types("season 1", LOBBY)).lower()
        await bob.types("season leave", "Yes or no?")
        assert "You do not take part" in await bob.types("yes", LOBBY)
        await bob.types("season join", LOBBY)
        await joins(ann, cid)
        written(tmp_path)
        await bob.tells("season", "0 of 3 matches have been played.")
        await until(lambda: against(ann, "Cid"))
        table = against(ann, "Cid")
        assert table
        await resigns(cid, table)
        await bob.tells("season", "1 of 3 matches have been played.")
        assert "1. Ann: 2 points, 1 match, margin +64." in await bob.types("season", LOBBY)
        told = await bob.types("season table", LOBBY)
        assert "1 Ann    x . 2      2    +64" in told
        told = await bob.types("season 1", LOBBY)
        assert "Against Cid: won, 64 : 0." in told
        assert "Against Bob: to be played." in told
        assert "season: it is your turn." in await bob.types("tables", LOBBY)
        await bob.types("1", "Your move:")
        for ends in ("Next battle, or quit?", "The match is over. Quit?"):
            await bob.types("resign", "Yes or no?")
            await bob.types("yes", ends)
            if ends.startswith("Next"):
                await bob.types("next", "Rank 15:")
