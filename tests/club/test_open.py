"""A club open to strangers: nobody is asked for anything, and guests are forgotten."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from club.guests import NEEDS_SSH, ends, inside, made_key
from club.served import Served, served
from club.serving import THUD, places
from club.test_keeper import ANN, BOB, SECRET, Guest, own_places
from club.web.conftest import Browser
from thud.cli.main import main
from thud.club import jail
from thud.club.club import VISITS_AT_ONCE, ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.keeper import UNKNOWN, Keeper
from thud.club.storage import GUEST_SECONDS, Visitors, visitor_proof
from thud.club.web.door import open_web
from thud.visitor.profile import GUEST_FILE, PROOF_VARIABLE, VisitorProfile
from thud.visitor.tables import AddDevice, KeeperRefused
from waiting import until

__all__ = ["own_places", "served"]

pytestmark = NEEDS_SSH
needs_jail = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not())


@pytest.fixture
async def strangers(served: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A club with an open ssh door."""
    await served.close()
    monkeypatch.setenv("THUD_RUN_DIR", str(served.directory / "run"))
    served._club = ClubServer(
        Visitors(served.visitors), most=4, idle=3600.0, is_open=True, proof_key=SECRET
    )
    await served.open()
    return served


def ids(served: Served) -> set[str]:
    return {each["environment"]["THUD_DATA_DIR"] for each in served.told()}


async def test_ssh_asks_for_nothing_and_a_guest_comes_back(strangers: Served) -> None:
    guest = strangers.guest(word="")
    for _ in range(2):
        terminal = await inside(guest)
        terminal.send("q")
        assert await ends(terminal) == 7
        await strangers.alone()
    assert guest.times_asked == 0
    (directory,) = ids(strangers)
    assert VisitorProfile(Path(directory)).name == "Guest 1"
    assert (Path(directory) / GUEST_FILE).exists()


async def test_two_guests_of_one_name_are_two(strangers: Served) -> None:
    for _ in range(2):
        await inside(strangers.guest(word=""))
    assert len(ids(strangers)) == 2
    names = {VisitorProfile(Path(each)).name for each in ids(strangers)}
    assert names == {"Guest 1", "Guest 2"}


async def test_a_key_says_who_one_is(strangers: Served, tmp_path: Path) -> None:
    key = made_key(tmp_path / "key")
    for name in ("ann", "bob"):
        guest = strangers.guest(name, word="", key=key)
        terminal = await inside(guest)
        terminal.send("q")
        await ends(terminal)
        await strangers.alone()
        assert guest.times_asked == 0
    (directory,) = ids(strangers)
    assert VisitorProfile(Path(directory)).name == "ann"
    assert not (Path(directory) / GUEST_FILE).exists()


async def test_a_browser_needs_no_invitation(tmp_path: Path) -> None:
    club = ClubServer(Visitors(tmp_path / "visitors"), most=2, idle=60.0, is_open=True)
    door = await open_web(club, DoorOptions(LOOPBACK, 0, SECRET))
    url = door.invitation[1].rstrip("/")
    assert SECRET not in url
    browser = Browser(url)
    try:
        assert await browser.enter("") == (204, "")
        assert browser.cookie
        assert (await browser.ask("/"))[0] == 200
    finally:
        await browser.session.close()
        await door.close()


async def test_a_strangers_cookie_is_no_invitation_once_the_club_is_closed_to_them(
    tmp_path: Path,
) -> None:
    visitors, port = Visitors(tmp_path / "visitors"), 0
    browsers: dict[str, Browser] = {}
    let_in: list[list[int]] = []
    for is_open in (False, True, False):
        club = ClubServer(visitors, most=2, idle=60.0, is_open=is_open)
        door = await open_web(club, DoorOptions(LOOPBACK, port, SECRET))
        port = door.port
        try:
            if not browsers:
                browsers = {each: Browser(door._origins.url) for each in ("invited", "stranger")}
                await browsers["invited"].enter(SECRET)
            elif is_open:
                for each in browsers.values():
                    await each.enter("")
            let_in.append([(await each.ask("/"))[0] for each in browsers.values()])
        finally:
            await door.close()
    known = browsers["stranger"].cookie.partition(".")[0]
    door = await open_web(club, DoorOptions(LOOPBACK, port, SECRET))
    try:
        await browsers["stranger"].enter(SECRET)
        assert browsers["stranger"].cookie.startswith(known)
    finally:
        for each in browsers.values():
            await each.session.close()
        await door.close()
    assert let_in == [[200, 403], [200, 200], [200, 403]]


def test_guests_are_forgotten_ten_minutes_after_they_have_left(tmp_path: Path) -> None:
    visitors = Visitors(tmp_path / "visitors")
    found = [visitors.who_shows("guest", name)._replace(is_guest=True) for name in "abcd"]
    known = visitors.who_shows("ssh-key", "k")
    for each in (*found, known):
        visitors.welcome(each)
    here, left, long_gone, linked = found
    visitors.link(known.id, linked.id)
    for each in (here, long_gone, linked):
        marker = each.directory / GUEST_FILE
        if marker.exists():
            os.utime(marker, (0, 0))
    os.utime(left.directory / GUEST_FILE, None)
    visitors.forget_guests({here.id})
    assert [each.directory.exists() for each in found] == [True, True, False, True]
    assert GUEST_SECONDS == 600.0
    assert known.directory.exists()


async def test_a_guest_who_is_linked_is_nobody_elses(tmp_path: Path) -> None:
    visitors = Visitors(tmp_path / "visitors")
    club = ClubServer(visitors, most=2, idle=60.0, is_open=True)
    first = club.guest("192.0.2.1", "ann")
    visitors.welcome(first)
    club.release(first)
    assert club.guest("192.0.2.1", "ann") == first
    club.release(first)
    assert club.guest("192.0.2.2", "ann") != first
    visitors.link("a" * 32, first.id)
    assert club.guest("192.0.2.1", "ann") != first


def test_a_guest_who_is_linked_is_not_forgotten_after_another_visit_at_once(
    tmp_path: Path,
) -> None:
    """Such as in lines of text, without a new connection."""
    visitors = Visitors(tmp_path / "visitors")
    guest = visitors.who_shows("guest", "g")._replace(is_guest=True)
    visitors.welcome(guest)
    visitors.link("a" * 32, guest.id)
    visitors.welcome(visitors.known_as(guest))
    assert not visitors.is_guest(guest.id)


async def test_one_network_cannot_start_boards_without_end(tmp_path: Path) -> None:
    club = ClubServer(Visitors(tmp_path / "visitors"), most=99, idle=60.0, is_open=True)
    began = sum(club._may_begin("192.0.2.1") for _ in range(50))
    assert began == VISITS_AT_ONCE
    assert club._may_begin("192.0.2.2")


async def test_the_keeper_of_an_open_club_knows_who_is_who(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = Visitors(tmp_path / "visitors")
    keeper, ready = (
        Keeper(tmp_path / "tables", visitors, proof_key=SECRET, is_open=True),
        asyncio.Event(),
    )
    monkeypatch.setattr("thud.club.keeper.GUEST_LOOK", 0.05)
    keeping = asyncio.create_task(keeper.run(ready.set))
    await ready.wait()
    try:
        # Whoever says that they are somebody else is not heard.
        monkeypatch.setenv(PROOF_VARIABLE, visitor_proof(SECRET, BOB))
        liar = Guest(tmp_path, ANN, "Ann")
        await until(lambda: liar.line._writer is not None)
        with pytest.raises(KeeperRefused, match=r"not who you are|first who you are"):
            await liar.line.ask(AddDevice())
        await liar.goes()
        # A guest has the name that was given, and chats once they have played.
        (tmp_path / "visitors" / BOB).mkdir()
        (tmp_path / "visitors" / BOB / GUEST_FILE).touch()
        bob = Guest(tmp_path, BOB, "Guest 1")
        await until(lambda: bob.state.muted == UNKNOWN)
        with pytest.raises(KeeperRefused, match="guests have no name"):
            await bob.line.take_name("Bob")
        await bob.opens()
        await bob.goes()
        # The tables of a guest who is forgotten are closed.
        (tmp_path / "visitors" / BOB / GUEST_FILE).unlink()
        for each in sorted((tmp_path / "visitors" / BOB).rglob("*"), reverse=True):
            each.rmdir() if each.is_dir() else each.unlink()
        (tmp_path / "visitors" / BOB).rmdir()
        await until(lambda: not keeper.tables)
        assert keeper._is_gone(BOB)
        visitors.link(BOB, ANN)
        assert not keeper._is_gone(BOB)
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


def test_it_does_not_open_where_nobody_can_be_jailed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("thud.cli.club.why_not", lambda: "there is no Landlock here")
    assert main(["serve", "--open", "--web", "0"]) != 0
    assert "there is no Landlock here" in capsys.readouterr().err


@needs_jail
@pytest.mark.slow
async def test_a_jailed_visitor_plays_the_computer(
    tmp_path: Path, short_path: Path, served: Served
) -> None:
    files = places(tmp_path / "open") | {"THUD_RUN_DIR": str(short_path / "r")}
    serving = await asyncio.create_subprocess_exec(
        *(*THUD, "serve", "--open", "--ssh", "0"),
        env=os.environ | files,
        stdout=asyncio.subprocess.PIPE,
    )
    assert serving.stdout
    try:
        await serving.stdout.readline()
        served.port = int((await serving.stdout.readline()).split()[2])
        while b"Ctrl+C" not in await serving.stdout.readline():
            pass
        private = tmp_path / "open" / "data" / "club" / "ssh" / "host_key"
        asked = await asyncio.create_subprocess_exec(
            *("ssh-keygen", "-y", "-f", str(private)), stdout=asyncio.subprocess.PIPE
        )
        served.host_key = (await asked.communicate())[0].decode().strip()
        guest = served.guest(word="")
        terminal = guest.at(command=("plain",))
        for line, then in (
            ("", "In the lobby. What now?"),
            ("who\r", "Here now: Guest 1."),
            ("open\r", "free"),
            ("quit\r", "In the lobby. What now?"),
            ("computer 1\r", "Your move:"),
            ("dF1-F5\r", "troll"),
            ("hint\r", "Try this"),
        ):
            terminal.send(line)
            await asyncio.to_thread(terminal.wait_for, then)
        status = await asyncio.to_thread(
            lambda: [
                Path(f"/proc/{each.name}/status").read_text()
                for each in Path("/proc").iterdir()
                if each.name.isdigit() and _is_of(each, str(tmp_path / "open"))
            ]
        )
        jailed = sum("NoNewPrivs:\t1" in each and "Seccomp:\t2" in each for each in status)
        assert jailed >= 2  # the visitor's process, and a computer
        assert guest.times_asked == 0
    finally:
        serving.terminate()
        await serving.wait()


def _is_of(process: Path, directory: str) -> bool:
    """Whether a process has a visitor's directory in its environment."""
    try:
        return (
            f"HOME={directory}/data/club/visitors/".encode() in (process / "environ").read_bytes()
        )
    except OSError:
        return False


async def test_strangers_cannot_fill_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitors = Visitors(tmp_path / "visitors")
    keeper = Keeper(tmp_path / "tables", visitors, is_open=True)
    monkeypatch.setattr("thud.club.keeper.MOST_OF_NETWORK", 5)
    ready = asyncio.Event()
    keeping = asyncio.create_task(keeper.run(ready.set))
    await ready.wait()
    found = []
    try:
        for at, network in enumerate(["192.0.2.1", "192.0.2.1", "192.0.2.2", "127.0.0.1"]):
            visitor = visitors.who_shows("web", str(at))
            visitors.welcome(visitor, network=network)
            monkeypatch.setenv(PROOF_VARIABLE, visitor_proof("", visitor.id))
            found.append(Guest(tmp_path, visitor.id, f"Guest {at}"))
            await until(found[-1].line.known.is_set)
        opened: list[int] = []
        refusals: list[str] = []
        for each in found:
            opened.append(0)
            try:
                while opened[-1] < 9:
                    await each.opens()
                    opened[-1] += 1
            except KeeperRefused as refusal:
                refusals.append(str(refusal).split()[0])
        assert opened == [3, 2, 3, 3]
        assert refusals == ["newcomers", "your", "newcomers", "newcomers"]
    finally:
        for each in found:
            await each.goes()
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
