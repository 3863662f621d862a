"""The board's websocket, with a stand-in for the visitor's program."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from socket import SHUT_RDWR, SO_RCVBUF, SOL_SOCKET

import aiohttp
import pytest

from club.web.conftest import SECRET, Board, Browser
from club.web.stand_in import SECRET_FILE
from terminal.emulator import TIMEOUT
from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.web import connection, http_server
from thud.club.web import door as doors
from thud.club.web.door import WebDoor, open_web
from thud.club.web.messages import InvalidBrowserMessage, parse_message, size_of
from thud.net.token_bucket import RequestThrottle
from thud.visitor.profile import FAULT
from waiting import gone, until


async def begun(browser: Browser) -> tuple[Board, int]:
    """Connect to the board; return it and the process id of the stand-in."""
    board = await browser.sit_down()
    beginning, size, number = (await board.seen()).decode().split()
    assert (beginning, size) == ("begun", "100x30")
    return board, int(number)


async def test_what_is_typed_arrives_and_what_is_drawn_comes_back(guest: Browser) -> None:
    board, _ = await begun(guest)
    await board.say("stdin", "é\ud800")
    assert await board.seen() == "Dé?".encode()
    await board.say("resize", {"width": 120, "height": 10**9})
    assert await board.seen() == b'M{"type": "resize", "width": 120, "height": 200}'
    await board.say("focus")
    assert await board.seen() == b'M{"type": "focus"}'
    await board.say("ping", "1")
    assert await board.told() == ["pong", "1"]


@pytest.mark.slow
async def test_who_is_forgotten_needs_the_invitation(guest: Browser, club: ClubServer) -> None:
    board, number = await begun(guest)
    (known,), before = club.visitors.known(), guest.cookie
    club.visitors.forget(known.id)
    code, said = await board.end()
    assert (code, "ended your visit" in said) == (connection.OVER, True)
    await gone(number)
    assert (await guest.enter(""))[0] == 403
    assert (await guest.ask("/"))[0] == 403
    assert await guest.enter() == (204, "")
    assert guest.cookie != before
    await begun(guest)
    assert [each.id for each in club.visitors.known()] != [known.id]


@pytest.mark.parametrize(
    "message",
    [
        *("", "x", "[" * 50_000, "{}", "[]", "1", "null", "[1]", '["quit"]', '["ping", 1]'),
        *('["stdin"]', '["stdin", 1]', '["stdin", "a", "b"]', '["resize"]', '["resize", []]'),
        '["prefers", true]',
    ],
    ids=lambda message: message[:20],
)
def test_what_no_page_of_ours_says_is_refused(message: str) -> None:
    with pytest.raises(InvalidBrowserMessage):
        parse_message(message)


@pytest.mark.parametrize(
    ("width", "height", "got"),
    [(1, 1, (20, 10)), (10**9, -5, (500, 10)), ("x", None, (80, 24)), (True, 1.5, (80, 24))],
)
def test_a_board_is_neither_tiny_nor_huge(
    width: object, height: object, got: tuple[int, int]
) -> None:
    assert size_of(width, height) == got


async def test_bytes_are_nothing_that_our_page_says(guest: Browser) -> None:
    board, number = await begun(guest)
    await board.socket.send_bytes(b'["focus"]')
    assert (await board.end())[0] == connection.OVER
    await gone(number)


async def test_a_message_without_an_end_is_not_read(guest: Browser) -> None:
    board, number = await begun(guest)
    await board.socket.send_str('["stdin", "' + "x" * 100_000)
    assert (await board.end())[0] == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
    await gone(number)


@pytest.mark.parametrize("form", ["?width=100&height=30", "?plain=1"])
async def test_pings_are_answered_and_a_flood_of_them_ends_the_visit(
    guest: Browser, form: str
) -> None:
    board = await guest.sit_down(form)
    await board.seen()
    for _ in range(3):
        await board.socket.ping()
    response = board.socket._response
    assert response.connection
    transport = response.connection.transport
    assert transport
    transport.write(b"\x89\x80\0\0\0\0" * 100_000)
    code, _ = await asyncio.wait_for(board.end(), 60)
    assert code != 1000
    assert (await guest.ask("/text"))[0] == 200
    board = await guest.sit_down(form)
    assert await board.seen()


class Line:
    """A fake transport of a connection."""

    is_read = False
    is_broken = False

    def resume_reading(self) -> None:
        self.is_read = True

    def pause_reading(self) -> None:
        self.is_read = False

    def abort(self) -> None:
        self.is_broken = True


class Unending:
    """A websocket whose close never completes."""

    async def close(self, **_: object) -> None:
        await asyncio.Event().wait()


async def test_who_does_not_hang_up_is_not_listened_to_all_the_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doors, "GOODBYE_SECONDS", 0.1)
    monkeypatch.setattr(doors, "BETWEEN_READS", 3600)
    line = Line()
    end = connection.End(connection.OVER, "Goodbye")
    await doors._close_socket(Unending(), line, end)  # type: ignore[arg-type]
    assert (line.is_read, line.is_broken) == (False, True)


async def test_little_is_taken_of_a_board_at_a_time(
    guest: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []

    async def noted(board: connection.BrowserConnection) -> connection.End:
        line = board._transport.get_extra_info("socket")
        taken.append(line.getsockopt(SOL_SOCKET, SO_RCVBUF))
        return connection.End(connection.OVER)

    monkeypatch.setattr(connection.BrowserConnection, "run", noted)
    await (await guest.sit_down()).end()
    assert taken[0] <= 2 * doors.PIECE  # Linux includes its own overhead


async def test_who_comes_again_and_again_has_to_wait(
    guest: Browser, door: WebDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "_boards", RequestThrottle(0, 2))
    for _ in range(2):
        assert await (await guest.sit_down()).seen()
    with pytest.raises(aiohttp.WSServerHandshakeError, match="429"):
        await guest.sit_down()


async def test_a_browser_is_told_where_there_is_a_line_to_type_in(guest: Browser) -> None:
    board, _ = await begun(guest)
    await board.say("stdin", "write")
    assert await board.seen() == b"Dwrite"
    assert await board.told() == ["writing", True]
    await board.say("stdin", "scribble")
    assert [await board.seen(), await board.seen()] == [b"Dscribble", b"scribbled"]


async def test_what_a_browser_prefers_is_told_and_the_looks_come_back(guest: Browser) -> None:
    board, _ = await begun(guest)
    await board.say("prefers", {"touch": True, "calm": 1, "more": "words"})
    kind, looks = await board.told()
    assert kind == "looks"
    heard = {"type": "prefers", "touch": True, "calm": False, "light": False}
    assert looks == {"type": "looks", "ground": heard}


@pytest.mark.parametrize(
    ("word", "code", "sentence"),
    [
        ("leave", connection.OVER, "You have left. Your matches are saved."),
        ("fail", aiohttp.WSCloseCode.INTERNAL_ERROR, FAULT),
        ("nonsense", aiohttp.WSCloseCode.INTERNAL_ERROR, FAULT),
    ],
)
async def test_how_it_ended_is_told_in_a_sentence(
    guest: Browser, capfd: pytest.CaptureFixture[str], word: str, code: int, sentence: str
) -> None:
    board, number = await begun(guest)
    await board.say("stdin", word)
    assert await board.end() == (code, sentence)
    await gone(number)
    assert word != "fail" or "something was wrong" in capfd.readouterr().err


async def test_who_is_gone_at_once_is_nothing_to_tell_the_host(
    guest: Browser, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def lost(_: connection.BrowserConnection) -> connection.End:
        raise ConnectionResetError

    monkeypatch.setattr(connection.BrowserConnection, "run", lost)
    board = await guest.sit_down()
    code, _ = await board.end()
    assert code == aiohttp.WSCloseCode.OK
    told = capfd.readouterr().err.splitlines()
    assert [line.partition(") ")[2].split(",")[0] for line in told] == ["is in", "has left."]


async def test_a_broken_line_leaves_no_process(guest: Browser) -> None:
    board, number = await begun(guest)
    board.socket.get_extra_info("socket").shutdown(SHUT_RDWR)
    await gone(number)


async def test_a_process_that_does_not_listen_goes_too(
    guest: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.club.GRACE_SECONDS", 0.1)
    board, number = await begun(guest)
    await board.say("stdin", "deaf")
    while await board.seen() != b"deaf now":
        pass
    await board.socket.close()
    await gone(number)


async def test_who_never_reads_is_parted_with(
    guest: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, number = await begun(guest)
    monkeypatch.setattr(connection, "SLOW_SECONDS", 0.2)
    await board.say("stdin", "flood")  # and read nothing from now on
    await gone(number)


@pytest.mark.parametrize("drawn", [("much", "leave"), ("flood",)])
async def test_who_takes_nothing_keeps_no_process_waiting(
    guest: Browser, monkeypatch: pytest.MonkeyPatch, drawn: tuple[str, ...]
) -> None:
    board, number = await begun(guest)

    async def never(_: connection.BrowserConnection, told: bytes | str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(connection.BrowserConnection, "_send", never)
    for word in drawn:
        await board.say("stdin", word)
    await gone(number)


async def test_a_second_window_takes_the_place_of_the_first(guest: Browser) -> None:
    first, number = await begun(guest)
    second, other = await begun(guest)
    code, sentence = await first.end()
    assert (code, "elsewhere" in sentence) == (connection.OVER, True)
    await gone(number)
    await second.say("stdin", "a")
    assert await second.seen() == b"Da"
    assert other != number


async def test_a_third_visitor_is_told_their_place_in_the_line(
    guest: Browser, other: Browser, club: ClubServer
) -> None:
    third = Browser(guest.url)
    await third.enter()
    boards = [await begun(guest), await begun(other)]
    late = await third.sit_down()
    assert await late.end() == (
        connection.LINE,
        "The club is full: you are number 1 in the line.",
    )
    await boards[0][0].socket.close()
    await gone(boards[0][1])
    # Repeated requests would be throttled.
    await until(lambda: len(club._inside) == 1)
    late = await third.sit_down()
    assert (await late.socket.receive()).type == aiohttp.WSMsgType.BINARY
    await third.session.close()


async def test_who_does_nothing_is_let_go(
    guest: Browser, club: ClubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club, "_idle", 0.0)
    board = await guest.sit_down()
    code, sentence = await board.end()
    assert (code, "Come back" in sentence) == (connection.OVER, True)


async def test_when_the_door_closes_everybody_goes_and_may_come_back(
    guest: Browser, door: WebDoor
) -> None:
    board, number = await begun(guest)
    closing = asyncio.create_task(door.close())
    assert (await board.end())[0] == aiohttp.WSCloseCode.GOING_AWAY
    await closing
    await gone(number)
    with pytest.raises(aiohttp.ClientConnectorError):
        await guest.ask("/")


async def test_whoever_hangs_up_in_good_order_is_not_waited_for(
    club: ClubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (doors, http_server):
        monkeypatch.setattr(module, "CLOSING_SECONDS", 3600.0)
    monkeypatch.setattr(doors, "GOODBYE_SECONDS", 3600.0)
    door = await open_web(club, DoorOptions(LOOPBACK, 0, SECRET))
    browser = Browser(door.invitation[1].partition("/#")[0])
    await browser.enter()
    socket = await browser.session.ws_connect(
        f"{browser.url}/board", origin=browser.url, autoclose=False
    )
    await socket.receive()
    closing = asyncio.create_task(door.close())
    while (await socket.receive()).type is not aiohttp.WSMsgType.CLOSE:
        pass
    await socket._writer.close()  # the door closes the rest, as with browsers
    async with asyncio.timeout(TIMEOUT):
        await closing
    await browser.session.close()


async def test_a_file_goes_to_whose_it_is_once(guest: Browser, other: Browser) -> None:
    board, _ = await begun(guest)
    await begun(other)
    await board.say("stdin", "file")
    assert await board.seen() == b"Dfile"
    kind, token = await board.told()
    assert kind == "delivery"
    assert (await other.ask(f"/download/{token}"))[0] == 404
    async with guest.session.get(f"{guest.url}/download/{token}") as answer:
        said = answer.headers
        assert await answer.read() == SECRET_FILE
    assert said["Content-Disposition"] == 'attachment; filename="a-b-.tgn"'
    assert said["Content-Type"] == "application/octet-stream"
    assert (await guest.ask(f"/download/{token}"))[0] == 404


@pytest.mark.slow
async def test_a_dead_line_leaves_no_process(
    guest: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "HEARTBEAT_SECONDS", 1.0)
    address = f"{guest.url}/board"
    dead = await guest.session.ws_connect(address, origin=guest.url, autoping=False)
    while (message := await dead.receive()).type is aiohttp.WSMsgType.PING:
        await dead.pong(message.data)
    await gone(int(message.data.split()[2]))  # and answer no more pings


async def test_who_says_nothing_is_parted_with(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "SILENT_SECONDS", 0.05)
    reader, writer = await asyncio.open_connection(LOOPBACK, int(url.rpartition(":")[2]))
    with suppress(ConnectionError):
        assert await reader.read() == b""
    writer.close()


async def test_there_are_only_so_many_connections(
    stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "MOST_CONNECTIONS", 0)
    with pytest.raises(aiohttp.ClientError):
        await stranger.ask("/")
    monkeypatch.undo()
    assert (await stranger.ask("/"))[0] == 403


async def test_who_comes_takes_the_place_of_who_says_nothing(
    url: str, stranger: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_server, "MOST_CONNECTIONS", 3)
    port = int(url.rpartition(":")[2])
    silent = [await asyncio.open_connection(LOOPBACK, port) for _ in range(3)]
    silent[0][1].write(b"GET / HTTP/1.1\r\nX: ")  # a request that never ends
    assert (await stranger.ask("/"))[0] == 403
    with suppress(ConnectionError):
        assert await silent[0][0].read() == b""
    for _, writer in silent:
        writer.close()
