"""Visits: cleanup after failures, and which visitors are forgotten to make room."""

from __future__ import annotations

import asyncio
import errno
import math
import os
import sys
import time
from asyncio.subprocess import PIPE
from contextlib import AsyncExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

from sampling import sampled
from thud.club.broker import Broker
from thud.club.club import ClubFull, ClubServer, InLine, Visit
from thud.club.keeping import KeeperProcess, tables_kept
from thud.club.sanctions import KICK_SECONDS
from thud.club.storage import WORD_SECONDS, Linking, Visitor, Visitors
from thud.visitor.profile import GUEST_FILE
from waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


@pytest.fixture
def visitors(tmp_path: Path) -> Visitors:
    return Visitors(tmp_path / "visitors")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit the known visitors to two."""
    monkeypatch.setattr("thud.club.storage.MOST_KNOWN", 2)


def comes(visitors: Visitors, name: str, *here: Visitor, away: int = 0) -> Visitor:
    """Register a visit that was `away` seconds ago."""
    visitor = visitors.who_shows("web", name)
    visitors.welcome(visitor, {each.id for each in here})
    then = visitor.directory.stat().st_mtime - away
    os.utime(visitor.directory, (then, then))
    return visitor


async def test_the_keeper_is_started_again_after_a_shortage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, failed = asyncio.create_subprocess_exec, asyncio.Event()

    async def fail(*_: object, **__: object) -> None:
        failed.set()
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("asyncio.create_subprocess_exec", fail)
    program = "import sys; open(sys.argv[1], 'w').close(); sys.stdin.read()"
    keeper = (sys.executable, "-c", program, str(tmp_path / "kept"))
    monkeypatch.setattr("thud.club.keeping._KEEPER", keeper)
    async with tables_kept():
        await failed.wait()
        monkeypatch.setattr("asyncio.create_subprocess_exec", start)
        await until((tmp_path / "kept").exists)


async def test_a_keeper_that_ends_at_once_is_started_less_and_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, pauses, lasts = 0.0, list[float](), iter([0.0] * 10 + [60.0] + [0.0] * 2)

    async def start(*_: object, **__: object) -> None:
        nonlocal now
        now += next(lasts)
        raise OSError

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        pauses.append(seconds)

    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    monkeypatch.setattr("asyncio.sleep", sleep)
    monkeypatch.setattr("thud.club.keeping.monotonic", lambda: now)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await KeeperProcess().run(is_open=False)
    doubled = [0.2 * 2**each for each in range(9)]
    assert pauses == [*doubled, 60.0, *doubled[:3]]


@pytest.mark.usefixtures("few")
def test_whoever_is_in_is_not_forgotten_but_who_has_been_away_for_longest(
    visitors: Visitors,
) -> None:
    ann = comes(visitors, "ann", away=30)
    bob = comes(visitors, "bob", ann, away=20)
    cem = comes(visitors, "cem", ann)
    assert [each.directory.exists() for each in (ann, bob, cem)] == [True, False, True]


@pytest.mark.usefixtures("few")
def test_who_keeps_no_match_is_forgotten_before_who_does(visitors: Visitors) -> None:
    ann = comes(visitors, "ann", away=3000)
    (ann.directory / "matches").mkdir()
    (ann.directory / "matches" / "a.tgn").touch()
    os.utime(ann.directory, (1, 1))
    for name in "bcdef":
        comes(visitors, name)
    assert ann.directory.exists()


def test_a_crowd_of_newcomers_from_one_network_forgets_its_own(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.storage.MOST_KNOWN", 8)
    monkeypatch.setattr("thud.club.storage.CROWD", 4)
    kept = [comes(visitors, name, away=9999) for name in "ab"]
    for number in range(20):
        visitor = visitors.who_shows("web", f"crowd {number}")
        visitors.welcome(visitor, {visitor.id}, "192.0.2.1")
        (visitor.directory / "matches").mkdir()
        (visitor.directory / "matches" / "a.tgn").touch()
    assert all(each.directory.exists() for each in kept)
    assert len([*visitors.directory.iterdir()]) == 8


async def test_who_is_forgotten_has_to_go_and_leaves_nothing_behind(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their process goes on writing for a moment."""
    program = (
        "import os\nwhile True:\n os.makedirs('matches', exist_ok=True)\n open('matches/a', 'w')"
    )
    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-c", program))
    club, phone = ClubServer(visitors, most=1, idle=60.0), comes(visitors, "phone")
    ann = visitors.who_shows("web", "ann")
    visitors.link(phone.id, ann.id)
    phone = visitors.known_as(phone)
    async with club.visit(phone, streams=PIPE, variables={}) as visit:
        forgetting = asyncio.create_task(asyncio.to_thread(visitors.forget, ann.id))
        assert "ended your visit" in await club.sent_away(visit)
    await forgetting
    assert not ann.directory.exists()
    assert visitors.is_revoked(phone.came_as)
    assert visitors.is_revoked(ann.id)


def test_however_often_somebody_is_linked_each_of_their_devices_is_the_same_visitor(
    visitors: Visitors,
) -> None:
    devices = [comes(visitors, f"{number}") for number in range(20)]
    for before, after in pairwise(devices):
        visitors.link(before.id, after.id)
    last = devices[-1].id
    assert {visitors.person(each.id) for each in devices} == {last}
    assert {*visitors.linked_to(last)} == {each.id for each in devices[:-1]}


def test_words_that_were_tried_are_forgotten_with_the_time(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    linking, now = Linking(visitors), 0.0
    monkeypatch.setattr("thud.club.storage.monotonic", lambda: now)
    for number in range(100):
        now = (number + 1) * WORD_SECONDS / 10
        with pytest.raises(ValueError, match="not valid"):
            linking.link(f"{number:032x}", "wrong")
    assert len(linking._tried) == 10


def test_who_is_in_is_told_while_others_go(club: ClubServer) -> None:
    """It is asked in threads."""

    class Presence:
        since, network, watches = 0.0, "", False

        @property
        def visit(self) -> None:
            club._inside.pop("c" * 32, None)

    club._inside = {each * 32: cast("Any", Presence()) for each in "abc"}
    assert [each.id[0] for each in club.inside()] == [*"abc"]


async def comes_in(club: ClubServer, name: str, network: str) -> str:
    """Visit the club, and leave; return why that is refused."""
    try:
        shows = club.visitors.who_shows("web", name)
        async with club.visit(shows, streams=PIPE, variables={}, network=network):
            return ""
    except ClubFull as full:
        return str(full)


@pytest.fixture
def club(visitors: Visitors, monkeypatch: pytest.MonkeyPatch) -> ClubServer:
    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-S", "-c", "input()"))
    return ClubServer(visitors, most=3, idle=60.0, most_each=2)


@pytest.mark.parametrize(
    ("seconds", "told_to_go"),
    [(math.inf, "until they let you in again"), (600.0, "You can come back in ten minutes")],
)
async def test_a_ban_of_a_network_holds_against_a_new_cookie_and_for_nobody_else(
    club: ClubServer,
    seconds: float,
    told_to_go: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    here, there = "203.0.113.7", "203.0.113.8"
    for name, network in (("ann", there), ("ann", here), ("bob", here)):
        assert await comes_in(club, name, network) == ""
    ann = club.visitors.who_shows("web", "ann")
    shows = club.visitors.known_as(ann)
    async with club.visit(shows, streams=PIPE, variables={}, network=here) as visit:
        club.visitors.sanction(club.visitors.bans, ann.id, seconds, shared=True)
        assert told_to_go in await club.sent_away(visit)
    for name, network in (("ann", here), ("ann", "198.51.100.1"), ("new", here), ("new", there)):
        assert told_to_go in await comes_in(club, name, network)
    for name, network in (("bob", here), ("cid", "198.51.100.1")):
        assert await comes_in(club, name, network) == ""
    told = capsys.readouterr().err
    assert f"Somebody new ({ann.id[:8]}) is in, from {here}." in told
    assert f"({ann.id[:8]}) is kept out, from 198.51.100.1." in told
    if seconds < math.inf:
        real = time.time
        monkeypatch.setattr("time.time", lambda: real() + seconds)
    else:
        club.visitors.bans.lift(ann.id)
    assert await comes_in(club, "ann", here) == await comes_in(club, "new", here) == ""


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("place", ["127.0.0.1", "", "203.0.113.7"])
async def test_a_sanction_is_no_newcomers_unless_that_is_asked_for_and_never_this_machines(
    club: ClubServer, place: str, shared: bool
) -> None:
    await comes_in(club, "ann", place)
    ann = club.visitors.who_shows("web", "ann").id
    for kind in club.visitors.bans, club.visitors.mutes:
        if shared and not place.startswith("203"):
            with pytest.raises(ValueError, match="this machine"):
                club.visitors.sanction(kind, ann, shared=shared)
            assert not kind.holds(ann)
        club.visitors.sanction(kind, ann, shared=shared and place.startswith("203"))
        assert kind.holds(ann)
    assert bool(await comes_in(club, "new", place)) == (shared and place.startswith("203"))
    assert await comes_in(club, "ann", place)


@pytest.mark.parametrize("place", ["127.0.0.1", "", "::"])
async def test_a_ban_that_was_written_for_this_machine_shuts_nobody_else_out(
    club: ClubServer, place: str
) -> None:
    club.visitors.bans.impose("0" * 32, [place])
    assert await comes_in(club, "new", place) == ""


async def test_a_clock_that_was_ahead_kicks_nobody_for_long(
    club: ClubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await comes_in(club, "ann", "203.0.113.7")
    ann, bans = club.visitors.who_shows("web", "ann").id, club.visitors.bans
    real = time.time
    with monkeypatch.context() as ahead:
        ahead.setattr("time.time", lambda: real() + 400 * 86400)
        club.visitors.sanction(bans, ann, KICK_SECONDS)
        assert bans.holds(ann)
    assert not bans.holds(ann)
    assert not bans.sharing("203.0.113.7")
    club.visitors.sanction(bans, ann, KICK_SECONDS)
    assert bans.holds(ann)


async def test_a_mute_of_a_network_holds_against_a_new_cookie(club: ClubServer) -> None:
    mutes, here = club.visitors.mutes, "203.0.113.7"
    await comes_in(club, "ann", here)
    club.visitors.sanction(mutes, club.visitors.who_shows("web", "ann").id, shared=True)
    for name, network in (("new", here), ("bob", "203.0.113.8")):
        await comes_in(club, name, network)
        assert mutes.holds(club.visitors.who_shows("web", name).id) == (name == "new")


async def test_a_mute_of_a_network_ends_for_newcomers_with_the_first_ones(club: ClubServer) -> None:
    place, mutes = "203.0.113.7", club.visitors.mutes
    await comes_in(club, "ann", place)
    ann = club.visitors.who_shows("web", "ann").id
    club.visitors.sanction(mutes, ann, shared=True)
    await comes_in(club, "new", place)
    mutes.lift(ann)
    await comes_in(club, "newer", place)
    held = [mutes.holds(club.visitors.who_shows("web", each).id) for each in ("new", "newer")]
    assert held == [True, False]


@pytest.mark.parametrize(("network", "most"), [("203.0.113.7", 2), ("127.0.0.1", 3), ("", 3)])
async def test_one_address_elsewhere_does_not_fill_the_club(
    club: ClubServer, network: str, most: int
) -> None:
    async with AsyncExitStack() as inside:
        for number in range(most):
            shows = club.visitors.who_shows("web", f"{number}")
            visit = club.visit(shows, streams=PIPE, variables={}, network=network)
            await inside.enter_async_context(visit)
        refusal = "2 visitors are in from your network" if most == 2 else "The club is full"
        assert refusal in await comes_in(club, "more", network)
        assert (await comes_in(club, "else", "203.0.113.8") == "") == (most < 3)
    assert await comes_in(club, "more", network) == ""


def test_who_has_no_name_and_has_done_nothing_is_forgotten_after_a_day(visitors: Visitors) -> None:
    def away(name: str, file: str, *, called: str = "") -> Visitor:
        visitor = comes(visitors, name)
        if called:
            visitors.rename(visitor.id, called)
        if file:
            (visitor.directory / file).parent.mkdir(exist_ok=True)
            (visitor.directory / file).touch()
        os.utime(visitor.directory, (1e9, 1e9))
        return visitor

    nobody = [away("a", ""), away("b", "cache/core")]
    kept = [away("c", "lessons.json"), away("d", "matches/a.tgn"), away("e", "", called="Eve")]
    comes(visitors, "f")
    assert not any(each.directory.exists() for each in nobody)
    assert all(each.directory.exists() for each in kept)


def test_what_a_visitor_has_nested_deeply_or_locked_is_deleted_and_keeps_nobody_out(
    visitors: Visitors,
) -> None:
    nobody, left, deep = comes(visitors, "a"), comes(visitors, "b"), 1200
    (left.directory / GUEST_FILE).touch()
    for each in (nobody, left):
        (each.directory / "cache" / "locked" / "within").mkdir(parents=True)
        (each.directory / "cache" / "locked" / "link").symlink_to(visitors.directory)
        (each.directory / "cache" / "locked").chmod(0)
        above = os.open(each.directory / "cache", os.O_RDONLY)
        for _ in range(deep):
            os.mkdir("d", dir_fd=above)
            above, before = os.open("d", os.O_RDONLY, dir_fd=above), above
            os.close(before)
        os.close(above)
    os.utime(left.directory / GUEST_FILE, (0, 0))
    os.utime(nobody.directory, (1e9, 1e9))
    visitors.forget_guests(())
    other = comes(visitors, "c")
    assert [*visitors.directory.iterdir()] == [other.directory]


@pytest.mark.parametrize("is_open", [False, True])
async def test_nothing_is_left_of_a_visit_that_cannot_be_guarded(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch, is_open: bool
) -> None:
    begun: list[int] = []
    brokers: list[Broker] = []

    class Noted(Broker):
        def __init__(self, directory: Path) -> None:
            super().__init__(directory)
            brokers.append(self)

    def no_guard(process: int) -> None:
        begun.append(process)
        raise BlockingIOError("no more processes")

    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-c", "input()"))
    monkeypatch.setattr("thud.club.club.ParentDeathSupervisor", no_guard)
    monkeypatch.setattr("thud.club.club.Broker", Noted)
    club = ClubServer(visitors, most=1, idle=60.0, is_open=is_open)
    for _ in range(2):  # failed visits are not counted
        with pytest.raises(BlockingIOError):
            async with club.visit(visitors.who_shows("web", "a"), streams=PIPE, variables={}):
                pytest.fail("somebody came in")
    for pid in begun:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert len(brokers) == 2 * is_open
    assert all(each.theirs.fileno() < 0 for each in brokers)


@pytest.mark.parametrize("later", sampled(range(0, 60, 4)))
async def test_nothing_is_left_of_who_goes_while_coming_in(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    """Cancel a visit after any number of event loop steps."""
    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-c", "input()"))
    begun: list[Visit] = []
    club = ClubServer(visitors, most=1, idle=60.0)

    async def visit() -> None:
        shows = visitors.who_shows("web", "a")
        async with club.visit(shows, streams=PIPE, variables={}) as found:
            begun.append(found)
            await asyncio.Event().wait()

    coming = asyncio.create_task(visit())
    for _ in range(later):
        await asyncio.sleep(0)
    coming.cancel()
    with pytest.raises(asyncio.CancelledError):
        await coming
    assert all(each.process.returncode is not None for each in begun)
    again = asyncio.create_task(visit())
    before = len(begun)
    await until(lambda: len(begun) > before)
    again.cancel()
    await asyncio.gather(again, return_exceptions=True)
    assert begun[-1].process.returncode is not None


async def test_the_line_before_a_full_club_is_served_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = ClubServer(Visitors(tmp_path / "visitors"), most=0, idle=60.0, most_each=2)

    def place(visitor: str, network: str = "192.0.2.1") -> int | None:
        try:
            club._stand_in_line(visitor, network)
        except InLine as full:
            return int(str(full).split()[7])
        return None

    assert [place(each) for each in "abab"] == [1, 2, 1, 2]
    with pytest.raises(ClubFull, match="line before it"):
        place("c")
    assert place("d", "192.0.2.2") == 3
    club._most = 1
    assert [place(each) for each in "bda"] == [2, 3, None]
    # Whoever does not ask again loses their place.
    monkeypatch.setattr("thud.club.club.LINE_SECONDS", 0.0)
    assert place("d", "192.0.2.2") is None
