"""Tables shown by a link to browsers that are no visitors."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from club.web.conftest import Board, Browser
from thud.club.club import SHOWN_NO_LONGER, ClubServer
from thud.club.storage import WATCHERS, notes_path
from thud.club.web import door as doors
from thud.club.web.connection import OVER
from thud.club.web.door import WebDoor
from thud.disk.small import write_small
from thud.net.seat_registry import Link
from thud.net.transports.auth_throttle import FREE
from thud.session.participants import SHOW, WATCH
from thud.visitor.profile import SHOWN_OVER
from waiting import until

TABLE = "0123abcd"


@pytest.fixture(autouse=True)
def links(club: ClubServer, short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The notes of a table with two links that show it, and one to watch it as a visitor."""
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path))
    notes, tomorrow = notes_path(club.visitors.directory.with_name("tables"), TABLE), 86400.0
    tomorrow += time.time()
    found = [Link("show", SHOW, tomorrow), Link("late", SHOW, tomorrow, late=6)]
    write_small(notes, {"links": [*found, Link("watch", WATCH, tomorrow), Link("old", SHOW, 0.0)]})
    return notes


async def shown(browser: Browser, word: str = "show") -> Board:
    address = f"{browser.url}/show/{TABLE}-{word}"
    return Board(await browser.session.ws_connect(address, origin=browser.url))


async def test_a_link_shows_a_table_without_a_cookie_and_leaves_nothing(
    stranger: Browser, club: ClubServer
) -> None:
    for path in (f"/w/{TABLE}-show", f"/w/{TABLE}-show/text"):
        assert (await stranger.ask(path))[0] == 200
    board = await shown(stranger)
    await board.seen()
    (inside,) = club.inside()
    assert inside.watches
    watching = club.visitors.directory.with_name(WATCHERS)
    assert [each.name for each in watching.iterdir()] == [inside.id]
    await board.say("stdin", "leave")
    assert await board.end() == (OVER, SHOWN_OVER)
    await until(lambda: not club.inside())
    assert not [*watching.iterdir()]
    assert not club.visitors.directory.exists()
    assert not len(stranger.session.cookie_jar)


@pytest.mark.parametrize("word", ["old", "watch", "other", "", "x" * 500])
async def test_no_other_link_shows_it(word: str, stranger: Browser) -> None:
    for path in ("/w/{}", "/w/{}/text", "/show/{}"):
        asked = path.format(f"{TABLE}-{word}")
        assert await stranger.ask(asked, Origin=stranger.url) == (403, SHOWN_NO_LONGER)
    status, page = await stranger.ask(f"/w/{TABLE}-{word}", Accept="text/html")
    assert status == 403
    assert "<h1>Thud</h1>" in page
    assert SHOWN_NO_LONGER in page


async def test_it_lets_nobody_into_the_club(stranger: Browser) -> None:
    link = f"{TABLE}-show"
    assert (await stranger.ask("/enter", "POST", "show", Origin=stranger.url))[0] == 403
    answer = await stranger.ask(f"/enter?table={link}", "POST", "show", Origin=stranger.url)
    assert answer == (403, doors.EXPIRED)
    assert (await stranger.ask(f"/board/{link}", Origin=stranger.url))[0] == 403
    assert (await stranger.ask(f"/show/{link}"))[0] == 403, "without an origin"


async def test_whoever_guesses_links_has_to_wait_and_whoever_has_one_never(
    stranger: Browser, door: WebDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door._throttle, "_clock", lambda: 0.0)
    for number in range(FREE):
        assert (await stranger.ask(f"/w/{TABLE}-{number}"))[0] == 403
    assert await stranger.ask(f"/w/{TABLE}-x") == (429, doors.TOO_OFTEN)
    assert (await stranger.ask(f"/w/{TABLE}-late"))[0] == 200


async def test_those_who_watch_by_links_leave_half_of_the_places_to_visitors(
    stranger: Browser, guest: Browser, other: Browser
) -> None:
    crowd = await asyncio.gather(*(shown(stranger) for _ in range(4)))
    ends = [asyncio.create_task(each.end()) for each in crowd]
    await until(lambda: sum(each.done() for each in ends) == 3)
    assert {each.result()[0] for each in ends if each.done()} == {OVER}
    assert all("no room" in each.result()[1] for each in ends if each.done())
    (first,) = (each for each, end in zip(crowd, ends, strict=True) if not end.done())
    visitor = await other.sit_down()
    assert await visitor.seen()
    code, said = await (await shown(stranger)).end()
    assert (code, "no room" in said) == (OVER, True), "not in line before a full club either"
    await visitor.socket.close()
    await first.socket.close()
    await asyncio.gather(*ends, return_exceptions=True)


async def test_whoever_watches_by_a_link_is_sent_away_when_it_ends(
    stranger: Browser, club: ClubServer, links: Path
) -> None:
    board = await shown(stranger)
    await board.seen()
    write_small(links, {"links": []})
    assert await board.end() == (OVER, SHOWN_NO_LONGER)
    await until(lambda: not club.inside())
