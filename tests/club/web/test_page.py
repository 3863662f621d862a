"""The page's resources, and the headers of every response."""

from __future__ import annotations

import re

import pytest

from club.web.conftest import SECRET, Browser
from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.web.access import OriginPolicy
from thud.club.web.door import open_web


async def test_a_cookie_tells_nobody_else_who_it_is(stranger: Browser) -> None:
    entering = stranger.session.post(
        f"{stranger.url}/enter", data=SECRET, headers={"Origin": stranger.url}
    )
    async with entering as answer:
        cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*cookie.split("; ")}
    assert SECRET not in cookie


async def test_a_browser_stays_who_it_is_with_another_invitation(
    guest: Browser, club: ClubServer
) -> None:
    door = await open_web(club, DoorOptions(LOOPBACK, 0, "B" * 22))
    before = guest.cookie
    again = Browser(door.invitation[1].partition("/#")[0])
    name = f"thud-{again.url.rpartition(':')[2]}"
    async with again.session.post(
        f"{again.url}/enter",
        data="B" * 22,
        headers={"Origin": again.url, "Cookie": f"{name}={before}"},
    ) as answer:
        after = answer.cookies[name].value
    await again.session.close()
    await door.close()
    assert after != before
    assert after.partition(".")[0] == before.partition(".")[0]


async def test_every_answer_is_strict(stranger: Browser) -> None:
    for path in ("/", "/static/club.js", "/nothing", "/board"):
        async with stranger.session.get(stranger.url + path) as answer:
            said = answer.headers
        assert "default-src 'none'" in said["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in said["Content-Security-Policy"]
        assert said["X-Frame-Options"] == "DENY"
        assert said["X-Content-Type-Options"] == "nosniff"
        assert said["Referrer-Policy"] == "no-referrer"
        assert said["Cache-Control"] == ("no-cache" if "static" in path else "no-store")
        assert "aiohttp" not in said["Server"]


async def test_nothing_of_the_page_is_elsewhere(guest: Browser) -> None:
    _, page = await guest.ask("/")
    for link in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert re.fullmatch(r"/static/[a-z.]+|/text", link)
        assert (await guest.ask(link))[0] == 200
    _, style = await guest.ask("/static/club.css")
    for link in re.findall(r'url\("([^"]*)"\)', style):
        assert (await guest.ask(f"/static/{link}"))[0] == 200


async def test_what_is_not_there_is_said_on_a_page_to_a_window(guest: Browser) -> None:
    assert await guest.ask("/nowhere") == (404, "There is nothing here.")
    status, page = await guest.ask("/nowhere", Accept="text/html,*/*")
    assert status == 404
    assert "<h1>Thud</h1><p>There is nothing here.</p>" in page


async def test_a_browser_fetches_a_file_once(guest: Browser) -> None:
    async with guest.session.get(f"{guest.url}/static/textual.js") as answer:
        mark = answer.headers["ETag"]
    assert await guest.ask("/static/textual.js", If_None_Match=mark) == (304, "")


async def test_behind_a_proxy_one_name_is_right(club: ClubServer) -> None:
    door = await open_web(club, DoorOptions(LOOPBACK, 0, SECRET, "https://club.example"))
    browser = Browser(f"http://127.0.0.1:{door.port}")
    right = {"Host": "club.example", "Origin": "https://club.example"}
    assert (await browser.ask("/", **right | {"Host": "127.0.0.1"}))[0] == 403
    assert (await browser.ask("/enter", "POST", "x", **right | {"Origin": "http://club.example"}))[
        0
    ] == 403
    entering = browser.session.post(f"{browser.url}/enter", data=SECRET, headers=right)
    async with entering as answer:
        cookie = answer.headers["Set-Cookie"]
    await browser.session.close()
    await door.close()
    assert cookie.startswith("__Host-thud=")
    assert "Secure" in cookie.split("; ")
    assert door.invitation[1] == f"https://club.example/#{SECRET}"


@pytest.mark.parametrize(
    "url",
    [
        *("club.example", "ftp://club.example", "https://", "https://club.example/thud"),
        *("https://a@b", "https://club.example:x", "https://[", "https://x?y"),
    ],
)
def test_what_is_no_address_of_a_site_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="such as https://club"):
        OriginPolicy(DoorOptions(LOOPBACK, 0, SECRET, url), 1)


@pytest.mark.parametrize("url", ["https://Club.Example/", "http://club.example:8080"])
def test_what_is_one_is_taken(url: str) -> None:
    assert OriginPolicy(DoorOptions(LOOPBACK, 0, SECRET, url), 1).url == url.lower().rstrip("/")
