"""`thud club`: what the owner asks of a club, closed or running."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import socket
import stat
import sys
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from club.test_keeper import Guest, plays
from club.test_serve import Served
from club.web.conftest import Browser
from thud.cli.main import main
from thud.club.club import ClubServer
from thud.club.keeping import CloseTables, KeptTable, ListTables, NewInvitation, RenameVisitor
from thud.club.owner import CONTROL, Owner, OwnersWords, RunningClub, is_trusted, memory_of
from thud.club.season import SEASONS_FILE, Season, SeasonsFile, draw, join
from thud.club.storage import Visitors, club_directory, own_secret
from thud.net.transports.local import place_of_club
from thud.session.participants import LONGEST_GIVEN_NAME
from thud.visitor.profile import VisitorProfile
from waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep all files in the test's directory."""
    for name in ("DATA", "CONFIG", "CACHE", "RUN"):
        monkeypatch.setenv(f"THUD_{name}_DIR", str(tmp_path / name.lower()))


def known(credential: str, called: str) -> str:
    """Register a visitor with a credential and a name; return the id."""
    visitors = Visitors(club_directory() / "visitors")
    visitor = visitors.who_shows("web", credential)
    visitors.welcome(visitor, network="192.0.2.7")
    visitors.rename(visitor.id, called)
    return visitor.id


def says(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run `thud club`; return what it prints, or its complaint of one line."""
    status = main(["club", *words])
    out, err = capsys.readouterr()
    assert (status, err.count("\n")) in ((0, 0), (2, 1))
    return err if status else out


# A club that is closed


def test_in_a_closed_club_visitors_are_listed_and_their_files_changed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "no club is open here" in says(capsys, "visitors")
    club_directory()
    assert says(capsys, "visitors") == "No visitors yet.\n"
    lost, new = known("lost", "Ann"), known("new", "Guest")
    listed = says(capsys, "visitors")
    assert lost[:8] in listed
    assert "Ann" in listed
    assert "is now called Anna" in says(capsys, "rename", lost[:8], "Anna")
    says(capsys, "link", new, "Anna")
    assert "both are the same visitor already" in says(capsys, "link", "Anna", "Anna")
    visitors = Visitors(club_directory() / "visitors")
    assert visitors.who_shows("web", "new").id == lost
    for what, standing in (
        ("mute", "muted"),
        ("kick", "kicked"),
        ("ban", "banned"),
        ("unban", "muted"),
        ("unmute", ""),
    ):
        says(capsys, what, "Anna")
        rows = json.loads(says(capsys, "visitors", "--json"))
        assert {each["id"]: each["standing"] for each in rows}[lost] == standing
    assert "192.0.2.7" in says(capsys, "ban", "Anna", "--network")
    assert "is banned" in says(capsys, "kick", "Anna")
    assert math.isinf(visitors.bans.remaining(lost))
    says(capsys, "forget", "Anna")
    assert visitors.who_shows("web", "new").id == new


def test_a_name_that_begins_somebody_elses_id_names_neither(
    capsys: pytest.CaptureFixture[str],
) -> None:
    visitors = Visitors(club_directory() / "visitors")
    other, ada = f"ada{'0' * 29}", "f" * 32
    for each, name in ((other, "Bob"), (ada, "Ada")):
        (visitors.directory / each).mkdir(parents=True)
        visitors.rename(each, name)
    assert "'Ada' means several visitors" in says(capsys, "ban", "Ada")
    assert not visitors.bans.held(math.inf)
    for text, found in (("Bob", other), ("ada0", other), ("f", ada), (other, other)):
        assert visitors.named(text) == found
    visitors.rename(ada, other)  # somebody's whole id means nobody else
    assert visitors.named(other) == other


@pytest.mark.parametrize(
    ("wanted", "closed", "refused"),
    [
        (["1"], ["1a"], ""),
        (["Ann"], ["1a", "2a"], ""),
        (["1", "3"], [], "there is no table '3', so nothing is done"),
        (["Ada"], [], "'Ada' can mean several tables, by their ids or by who opened them, so noth"),
        (["ada1"], ["ada1"], ""),
    ],
)
async def test_all_tables_are_closed_that_the_owner_names_or_none(
    wanted: list[str], closed: list[str], refused: str
) -> None:
    ann, ada = "b" * 32, "f" * 32
    visitors = Visitors(club_directory() / "visitors")
    for each, name in ((ann, "Ann"), (ada, "Ada")):
        (visitors.directory / each).mkdir(parents=True)
        visitors.rename(each, name)
    opened = [("1a", ann), ("2a", ann), ("ada1", ""), ("4a", ada)]
    keeper = _StandIn(
        KeptTable(each, "classic", ("", ""), by, 0, 0, private=False, over=False, idle=0.0)
        for each, by in opened
    )
    answer = await _owner(visitors, keeper).answer(OwnersWords("close", wanted))
    assert refused in answer.refused
    assert bool(answer.refused) == bool(refused)
    asked = [each for each in keeper.asked if isinstance(each, CloseTables)]
    assert [each for request in asked for each in request.tables] == closed


class _StandIn:
    """A keeper that notes what it is asked, and has some tables."""

    def __init__(self, tables: Iterable[KeptTable] = ()) -> None:
        self.asked: list[object] = []
        self._tables = tuple(tables)

    async def ask(self, request: object) -> tuple[KeptTable, ...]:
        self.asked.append(request)
        return self._tables if isinstance(request, ListTables) else ()


def _owner(visitors: Visitors, keeper: _StandIn) -> Owner:
    club = ClubServer(visitors, most=1, idle=1.0)
    return Owner(visitors, RunningClub(club, cast("Any", keeper), list, lambda _: None))


@pytest.mark.parametrize(
    ("typed", "called"),
    [
        (" Ann   Lee ", "Ann Lee"),
        ("\u5c71" * 100, "\u5c71" * LONGEST_GIVEN_NAME),
        ("guest", "Guest 1"),
    ],
)
async def test_a_visitor_is_called_what_was_saved_wherever_they_are(
    typed: str, called: str
) -> None:
    visitors, ann, keeper = Visitors(club_directory() / "visitors"), known("a", "Ann"), _StandIn()
    answer = await _owner(visitors, keeper).answer(OwnersWords("rename", [ann, typed]))
    assert answer.said == [f"{ann[:8]} is now called {called}."]
    assert keeper.asked == [RenameVisitor(ann, called)]
    assert visitors.names()[ann] == called


@pytest.mark.parametrize("last", [253_402_300_800.0, 1e9, 0.0])
def test_a_visitor_of_any_time_is_listed(last: float, capsys: pytest.CaptureFixture[str]) -> None:
    os.utime(club_directory() / "visitors" / known("a", "Ann"), (last, last))
    assert "Ann" in says(capsys, "visitors")


@pytest.mark.parametrize(
    "words",
    [
        *(["rename"], ["rename", "nobody", "Ann"], ["link", "a", "b"], ["forget", "x"]),
        *(["ban", "x"], ["ban", "x", "y"], ["kick", "x", "--network"], ["close"], ["renew", "x"]),
        *(["who"], ["tables"], ["invite"], ["close", "a"], ["kick", "x", "--json"]),
    ],
)
def test_what_cannot_be_done_is_told_in_one_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    club_directory()
    assert says(capsys, *words).startswith("thud club: ")


def test_the_club_of_another_user_is_told_whose_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("THUD_DATA_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    monkeypatch.setattr("thud.cli.owner._SERVICE", tmp_path / "service")
    (tmp_path / "service" / "club").mkdir(parents=True)

    def refuse(path: Path, *_: object) -> None:
        raise PermissionError if "service" in str(path) else FileNotFoundError

    monkeypatch.setattr("thud.club.owner.ask_running", refuse)
    told = says(capsys, "who")
    owner = (tmp_path / "service").owner()
    assert f"belongs to {owner}" in told
    assert f"sudo -u {owner}" in told


def test_the_season_is_printed_as_a_cross_table_and_as_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    club = club_directory()
    assert says(capsys, "season") == "There is no season yet: season.toml begins one.\n"
    assert json.loads(says(capsys, "season", "--json")) == []
    ids = [known(name, name) for name in ("Ann", "Bob", "Cid", "Dee", "Eve")]
    season = Season("Winter", "koom", 5, "2026-12-24")
    for each in ids:
        join(season, each, "x")
    SeasonsFile(club / SEASONS_FILE).change(lambda found: found.seasons.append(season))
    assert says(capsys, "season").splitlines() == [
        "Winter: Koom Valley, 5 days a move.",
        "Join until 2026-12-24.",
        "Joined: Ann, Bob, Cid, Dee and Eve.",
    ]
    draw(season)
    for match in season.matches[:4]:
        match.tally = (1.0, 0.0)
    SeasonsFile(club / SEASONS_FILE).change(lambda found: found.seasons.__setitem__(0, season))
    told = says(capsys, "season").splitlines()
    assert told[1:3] == ["4 of 10 matches have been played.", "# player 1 2 3 4 5 points margin"]
    assert told[-1] == "2 won, 1 drawn, 0 lost, . to be played."
    (found,) = json.loads(says(capsys, "season", "--json"))
    assert (found["game"], found["total"], found["over"]) == ("koom", 10, False)
    assert sum(each["points"] for each in found["players"]) == 8
    gone = next(each for each in found["players"] if each["played"] < 2)["name"]
    assert "has left the season" in says(capsys, "withdraw", gone)
    assert "takes part in no season" in says(capsys, "withdraw", gone)
    assert f"{gone}" in says(capsys, "season").splitlines()[-3]
    (club / "season.toml").write_text("until = 5\n")
    assert "season.toml' is not used: until is the last day" in says(capsys, "season")
    (club / "season.toml").write_text('name = "Spring"\nuntil = 2027-13-01\n')
    assert "it is not TOML: " in says(capsys, "season")


# A club that runs


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    """A real club."""
    found = await asyncio.to_thread(Served)
    yield found
    await asyncio.to_thread(found.end, signal.SIGTERM)
    assert not (club_directory() / CONTROL).exists()


@pytest.mark.slow
async def test_the_owner_sees_who_is_in_and_sends_them_out(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    mode = (club_directory() / CONTROL).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600
    assert await asyncio.to_thread(says, capsys, "who") == "Nobody is in.\n"
    browser = Browser(served.url)
    await browser.enter(served.secret)
    board = await browser.sit_down()
    await board.seen()
    (row,) = json.loads(await asyncio.to_thread(says, capsys, "who", "--json"))
    assert row["network"] == "127.0.0.1"
    if sys.platform == "linux":
        assert row["memory"] > 1e6
    told = await asyncio.to_thread(says, capsys, "who")
    assert row["id"][:8] in told
    await asyncio.to_thread(says, capsys, "kick", row["id"])
    assert "ten minutes" in (await board.end())[1]
    await until(lambda: not json.loads(says(capsys, "who", "--json")))
    await browser.session.close()


@pytest.mark.slow
async def test_a_new_invitation_holds_at_once(
    served: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    browser, late = Browser(served.url), Browser(served.url)
    await browser.enter(served.secret)
    board = await browser.sit_down()
    await board.seen()
    told = await asyncio.to_thread(says, capsys, "renew")
    secret = told.partition("/#")[2].split()[0]
    assert secret != served.secret
    assert secret in await asyncio.to_thread(says, capsys, "invite")
    assert len(json.loads(await asyncio.to_thread(says, capsys, "who", "--json"))) == 1
    assert (await late.enter(served.secret))[0] == 403
    assert (await late.enter(secret))[0] == 204
    known = browser.cookie.partition(".")[0]
    assert (await browser.ask("/"))[0] == 403
    assert (await browser.enter(secret))[0] == 204
    assert browser.cookie.startswith(known)
    for each in (browser, late):
        await each.session.close()


@pytest.mark.parametrize(("is_open", "needed"), [(False, True), (True, False)])
async def test_a_new_invitation_is_needed_where_strangers_are_not_let_in(
    *, is_open: bool, needed: bool
) -> None:
    class Keeper:
        async def ask(self, request: object) -> None:
            assert isinstance(request, NewInvitation)

    visitors, taken = Visitors(club_directory() / "visitors"), list[str]()
    club = ClubServer(visitors, most=1, idle=1.0, is_open=is_open)
    running = RunningClub(club, cast("Any", Keeper()), lambda: ["http://here"], taken.append)
    answer = await Owner(visitors, running).answer(OwnersWords("renew"))
    assert taken == [own_secret()]
    assert answer.said[-1] == "http://here"
    assert ("everybody needs the new invitation" in " ".join(answer.said)) is needed
    assert ("open to strangers" in " ".join(answer.said)) is not needed


@pytest.mark.slow
async def test_the_owner_ends_rude_names_and_floods_of_tables(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    club = club_directory()
    monkeypatch.setenv("THUD_RUN_DIR", str(place_of_club(club)))
    visitors = Visitors(club / "visitors")
    for credential in "ab":
        visitors.welcome(visitors.who_shows("web", credential))
    ann, bob = (
        Guest(club, visitors.who_shows("web", credential).id, name)
        for credential, name in (("a", "Ann"), ("b", "Rude"))
    )
    for each in (ann, bob):
        VisitorProfile(each.directory).rename(each.name)
    try:
        flood = [await bob.opens() for _ in range(3)]
        played = await ann.opens()
        ann_sits, bob_sits = await ann.sits_down(played), await bob.sits_down(played)
        assert len(json.loads(await asyncio.to_thread(says, capsys, "tables", "--json"))) == 4
        # A rude name ends where they are, and at their tables.
        await asyncio.to_thread(says, capsys, "rename", "Rude", "Robert")
        await until(lambda: bob.state.name == "Robert")
        await until(lambda: "Robert" in ann_sits.state.match.players)
        await plays(ann_sits, "dF1-F5")
        assert "no longer show one table." in await asyncio.to_thread(
            says, capsys, "hide", played.id
        )
        # A table is closed with notice, and what was played is kept.
        told = await asyncio.to_thread(says, capsys, "close", played.id)
        assert "archive" in told
        await until(lambda: bool(ann_sits.there.lost and bob_sits.there.lost))
        assert ann_sits.there.lost
        assert ann_sits.there.lost.for_good
        assert "the match is kept" in ann_sits.there.lost.because
        assert [*(club / "tables" / "archive" / "matches").iterdir()]
        # A ban closes the flood.
        await asyncio.to_thread(says, capsys, "ban", "Robert")
        await until(lambda: not any(ann.state.table(each.id) for each in flood))
    finally:
        for guest in (ann, bob):
            await guest.goes()


async def test_other_users_are_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert is_trusted(ours)
        if hasattr(socket, "SO_PEERCRED") and os.geteuid() == 0:
            monkeypatch.setattr("thud.club.owner.user_of", lambda _: 65534)
            assert not is_trusted(ours)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_memory_is_counted_by_session() -> None:
    assert memory_of({os.getsid(0)})[os.getsid(0)] > 1e6
    assert memory_of(set()) == {}
