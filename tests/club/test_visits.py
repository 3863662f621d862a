"""Visits: cleanup after failures, and which visitors are forgotten to make room."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from thud.club.club import Club, Visit, tables_kept
from thud.club.storage import Visitor, Visitors
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
    monkeypatch.setattr("thud.club.club._KEEPER", keeper)
    async with tables_kept():
        await failed.wait()
        monkeypatch.setattr("asyncio.create_subprocess_exec", start)
        await until((tmp_path / "kept").exists)


@pytest.mark.usefixtures("few")
def test_who_has_been_away_for_longest_is_forgotten(visitors: Visitors) -> None:
    ann = comes(visitors, "ann", away=20)
    bob = comes(visitors, "bob", away=30)
    cem = comes(visitors, "cem")
    assert [each.directory.exists() for each in (ann, bob, cem)] == [True, False, True]


@pytest.mark.usefixtures("few")
def test_nobody_who_is_in_is_forgotten(visitors: Visitors) -> None:
    ann = comes(visitors, "ann", away=30)
    bob = comes(visitors, "bob", ann, away=20)
    comes(visitors, "cem", ann)
    assert ann.directory.exists()
    assert not bob.directory.exists()


@pytest.mark.usefixtures("few")
def test_who_keeps_no_match_is_forgotten_before_who_does(visitors: Visitors) -> None:
    ann = comes(visitors, "ann", away=3000)
    (ann.directory / "matches").mkdir()
    (ann.directory / "matches" / "a.tgn").touch()
    os.utime(ann.directory, (1, 1))
    for name in "bcdef":
        comes(visitors, name)
    assert ann.directory.exists()


async def test_who_is_forgotten_has_to_go_and_leaves_nothing_behind(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their process goes on writing for a moment."""
    program = (
        "import os\nwhile True:\n os.makedirs('matches', exist_ok=True)\n open('matches/a', 'w')"
    )
    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-c", program))
    club, phone = Club(visitors, most=1, idle=60.0), comes(visitors, "phone")
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


async def test_nothing_is_left_of_a_visit_that_cannot_be_guarded(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []

    def no_guard(process: int) -> None:
        begun.append(process)
        raise BlockingIOError("no more processes")

    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-c", "input()"))
    monkeypatch.setattr("thud.club.club.Watchdog", no_guard)
    club = Club(visitors, most=1, idle=60.0)
    for _ in range(2):  # failed visits are not counted
        with pytest.raises(BlockingIOError):
            async with club.visit(visitors.who_shows("web", "a"), streams=PIPE, variables={}):
                pytest.fail("somebody came in")
    for pid in begun:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("later", range(0, 60, 4))
async def test_nothing_is_left_of_who_goes_while_coming_in(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    """Cancel a visit after any number of event loop steps."""
    monkeypatch.setattr("thud.club.club._PROGRAM", (sys.executable, "-c", "input()"))
    begun: list[Visit] = []
    club = Club(visitors, most=1, idle=60.0)

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
    while len(begun) == before:
        await asyncio.sleep(0.01)
    again.cancel()
    await asyncio.gather(again, return_exceptions=True)
    assert begun[-1].process.returncode is not None
