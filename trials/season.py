"""A season of twelve, killed, restarted and disturbed at every step, to the same cross table.

Usage: python trials/season.py [TRIALS] [SEED] [WAY...]

A child runs the keeper and plays the season: what is played depends on who plays, and on the board,
alone.  One player leaves before half of their matches, two leave later.  Then the same is done

- with a restart after every match;
- with a SIGKILL at random moments;
- with writes that fail at random, as on a full disk;
- with a system's clock that jumps by up to three years at each start, forwards and backwards;
- with an owner who breaks, deletes and changes `season.toml` between the matches;

and each must end with the cross table of the undisturbed season.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from faults import fail_at_random

from thud.club import season_tables
from thud.club.keeper import HostedTable, Keeper
from thud.club.season import (
    SEASONS_FILE,
    SETTINGS_FILE,
    Season,
    SeasonMatch,
    SeasonsFile,
    names_in,
    page_of,
)
from thud.club.storage import Visitors
from thud.session.law import NextBattle, Play, Resign
from thud.visitor.profile import VisitorProfile
from thud.visitor.season import JoinSeason, cross_table

PLAYERS: Final = 12
LEAVE_AFTER: Final = {3: 2, 5: 6, 8: 9}
"""After how many of their matches players leave; half is 5.5."""

YEARS: Final = 3 * 365 * 86_400
WITHIN: Final = 1.5
"""Seconds after which a child is killed at the latest."""

QUICK: Final = {
    "STEADY_SECONDS": 0.0,
    "LOOKS_EVERY": 0.01,
    "STEPS_EVERY": 0.3,
    "_AFTER_FAILURE": 0.05,
}
"""Waiting times of a season here."""

WAYS: Final = ("restarts", "kills", "faults", "clock", "edits")
_RIGHT: Final = 'name = "Winter"\nuntil = 2020-01-01\ndays = 14\n'
_WRONG: Final = (
    "",
    None,
    "name = ",
    'name = "Winter"\n',
    'name = "Spring"\nuntil = 2020-01-01\n',
    'name = "Winter"\nuntil = 2999-01-01\ngame = "koom"\ndays = 9\n',
    'name = "Winter"\nuntil = 2020-01-01\ngame = "football"\ndays = 99\n',
    "\x00" * 9000,
)


# The child


def person(number: int) -> str:
    """Return a player's visitor id."""
    return f"{number:032x}"


def season_in(club: Path) -> Season | None:
    """Return the season as saved."""
    return SeasonsFile(club / SEASONS_FILE).load().named("Winter")


@asynccontextmanager
async def kept(club: Path) -> AsyncIterator[Keeper]:
    """Run a keeper during the context."""
    keeper, ready = Keeper(club / "tables", Visitors(club / "visitors")), asyncio.Event()
    keeping = asyncio.create_task(keeper.run(ready.set))
    while not ready.is_set():
        await asyncio.sleep(0.002)
        if keeping.done():
            keeping.result()
    try:
        yield keeper
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def ask(keeper: Keeper, number: int, *, on: bool) -> None:
    """Let a player join or leave; who has done so already is refused."""
    with suppress(OSError, ValueError):
        await keeper._season.answer(person(number), f"Player {number}", JoinSeason(on))


def plies(match: SeasonMatch, battle: int) -> int:
    """Return how many moves are played in a battle before somebody resigns."""
    return (match.first * 7 + match.second * 5 + battle) % 9


async def play(table: HostedTable, match: SeasonMatch) -> None:
    """Play a match on, to its end if nothing disturbs it."""
    session, state = table.session, table.state
    for _ in range(100):
        if state.match.over:
            return
        battle = state.battle
        with suppress(ValueError):  # the keeper has begun the second battle meanwhile
            if battle.outcome:
                await session.request(NextBattle())
            elif battle.played < plies(match, state.match.number):
                moves = battle.variant.legal_moves(battle.position)
                best = max(moves, key=lambda each: (each.captures.bit_count(), each))
                await session.request(Play(best), by=state.match.commander(state.to_move))
            else:
                loser = (match.first + match.second * state.match.number) % 2
                await session.request(Resign(), by=loser)


def is_settled(keeper: Keeper, season: Season) -> bool:
    """Whether all tables are open that are due, and those of players who have left are over."""
    for each in season.matches:
        if each.table and each.tally is None:
            left = any(season.players[player].left for player in each.players)
            if left or each.table not in keeper.tables:
                return False
    return True


async def step(keeper: Keeper, club: Path) -> bool:
    """Go on by one match; return whether the season is over."""
    season = season_in(club)
    if season is None or not season.drawn or not is_settled(keeper, season):
        if season and not season.drawn:
            if (number := len(season.players)) < PLAYERS:  # in this order, whatever fails
                await ask(keeper, number, on=True)
            else:
                (club / SETTINGS_FILE).write_text(_RIGHT)
        await asyncio.sleep(0.01)
        return False
    for number, after in LEAVE_AFTER.items():
        over = sum(each.tally is not None for each in season.of(number))
        if over >= after and not season.players[number].left:
            await ask(keeper, number, on=False)
            return False
    waiting = [each for each in season.matches if each.table and each.tally is None]
    if not waiting:
        return not any(season.counts(each) and each.tally is None for each in season.matches)
    first = waiting[0]
    await play(keeper.tables[first.table], first)
    for _ in range(100):
        season = season_in(club)
        at = (each.tally for each in season.matches if each.match == first.match) if season else ()
        if any(at):
            break
        await asyncio.sleep(0.01)
    return False


async def work(club: Path, way: str, chance: Random) -> None:
    """Play the season, to its end if nothing kills us."""
    for name, seconds in QUICK.items():
        setattr(season_tables, name, seconds)
    if way == "clock":
        real, ahead = time.time, chance.randint(-YEARS, YEARS)
        time.time = lambda: real() + ahead
    if way == "faults":
        fail_at_random(chance)
    over = False
    while not over:
        with suppress(OSError):
            async with kept(club) as keeper:
                before = decided(club)
                while not over:
                    over = await step(keeper, club)
                    if way in ("restarts", "clock", "edits") and decided(club) != before:
                        break
        if way == "clock" and not over:
            return
        if way == "edits" and not over:
            await edit(club, chance)
    print("over", flush=True)


async def edit(club: Path, chance: Random) -> None:
    """Let the owner write something else for a moment, before a match is drawn or after."""
    season = season_in(club)
    if season is None or not season.drawn:
        return
    text = chance.choice(_WRONG)
    if text is None:
        (club / SETTINGS_FILE).unlink()
    else:
        (club / SETTINGS_FILE).write_text(text)
    async with kept(club):
        await asyncio.sleep(0.05)
        (club / SETTINGS_FILE).write_text(_RIGHT)


def decided(club: Path) -> int:
    """Return how many matches are over."""
    season = season_in(club)
    return sum(each.tally is not None for each in season.matches) if season else 0


# The parent


def make(club: Path) -> None:
    """Make a club with its players."""
    for number in range(PLAYERS):
        own = club / "visitors" / person(number)
        own.mkdir(parents=True)
        VisitorProfile(own).rename(f"Player {number}")
    (club / SETTINGS_FILE).write_text(_RIGHT.replace("2020", "2999"))


def played(way: str, chance: Random) -> tuple[list[str], int]:
    """Play a season in one of the ways; return the cross table, and how often it was begun."""
    with TemporaryDirectory() as place:
        club, begun = Path(place) / "club", 0
        make(club)
        environment = os.environ | {"THUD_RUN_DIR": f"{place}/run", "THUD_DATA_DIR": place}
        said = ""
        while "over" not in said:
            begun += 1
            command = [sys.executable, __file__, "--work", str(club), way]
            with subprocess.Popen(
                [*command, str(chance.randrange(10**6))],
                stdout=subprocess.PIPE,
                stderr=sys.stderr if way == "once" else subprocess.DEVNULL,
                text=True,
                env=environment,
            ) as child:
                if way == "kills":
                    with suppress(subprocess.TimeoutExpired):
                        child.wait(0.3 + chance.random() * WITHIN)
                    child.kill()
                said = child.communicate()[0]
            if child.returncode not in (0, -9):
                raise SystemExit(f"{way}: the child has ended with {child.returncode}")
        season = season_in(club)
        assert season
        names = names_in(season, Visitors(club / "visitors"))
        return cross_table(page_of(season, names)), begun


def trials(ways: Iterable[str], number: int, chance: Random) -> Iterator[bool]:
    """Play the season in some ways so often; yield whether the cross table was as it had to be."""
    usual, _ = played("once", chance)
    print(*usual, sep="\n", flush=True)
    for way in ways:
        for _ in range(number):
            since = time.monotonic()
            found, begun = played(way, chance)
            same = found == usual
            seconds = time.monotonic() - since
            told = "the same" if same else "another one"
            print(f"{way}: {told}, {begun} processes, {seconds:.0f} s", flush=True)
            if not same:
                print(*found, sep="\n", flush=True)
            yield same


def main() -> None:
    """Play the season in each way, and say whether its cross table is the same."""
    if sys.argv[1:2] == ["--work"]:
        club, way, seed = sys.argv[2:]
        asyncio.run(work(Path(club), way, Random(seed)))
        return
    given = (*sys.argv[1:], *("1", "1", *WAYS)[len(sys.argv) - 1 :])
    number, first, *ways = given
    sys.exit(not all([*trials(ways, int(number), Random(int(first)))]))


if __name__ == "__main__":
    main()
