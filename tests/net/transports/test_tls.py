"""The TLS listener serves guests with the invitation, and soon drops others."""

import asyncio
import errno
import os
import socket
import ssl
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from net.transports.serving import Clock, Echo, exchanged, hung_up, said_back
from thud.net.transports import listener, tls
from thud.net.transports.auth_throttle import FREE, UNPROVEN_EACH, AuthThrottle
from thud.net.transports.invitation import OverTls, new_secret
from thud.net.transports.listener import caller_of
from thud.net.transports.tls import (
    Certificate,
    Listening,
    ListeningUnavailable,
    TlsTransport,
    own_certificate,
)
from thud.net.transports.transport import Unreachable
from waiting import until

SECRET = new_secret()
HERE = "127.0.0.1"
Client = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture
def certificate() -> Certificate:
    """Make a certificate for the test."""
    return own_certificate()


@pytest.fixture
def clock() -> Clock:
    """Return the throttle's clock."""
    return Clock()


@pytest.fixture
def echo(clock: Clock) -> Echo:
    """Return an echo server with a throttle."""
    return Echo(AuthThrottle(clock))


@pytest.fixture
async def listening(echo: Echo, certificate: Certificate) -> AsyncIterator[Listening]:
    """Listen on any free port."""
    assert echo.throttle
    opened = await tls.listen(HERE, 0, echo, echo.throttle, certificate)
    yield opened
    await opened.close()
    assert opened.listener.inside == 0


def invited(listening: Listening) -> OverTls:
    (invitation,) = listening.invitations(SECRET)
    return invitation


async def test_who_is_invited_comes_in(listening: Listening, echo: Echo) -> None:
    way = TlsTransport(invited(listening))
    assert await exchanged(way) == b"dF1-F5\n"
    assert echo.trusted == [False]
    assert way.secret == SECRET


async def test_an_impostor_is_told_nothing(
    listening: Listening, echo: Echo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "impostor"))
    impostor = await tls.listen(HERE, 0, echo, AuthThrottle(), own_certificate())
    right = invited(listening)
    first, *middle, last = right.fingerprint
    for wrong in (
        right._replace(port=impostor.port),
        right._replace(fingerprint=bytes([first ^ 1, *middle, last])),
        right._replace(fingerprint=bytes([first, *middle, last ^ 1])),
    ):
        with pytest.raises(Unreachable, match="did not send this invitation: nothing was sent"):
            await TlsTransport(wrong).open()
    await until(lambda: impostor.listener.inside == 0)
    assert echo.heard == []
    await impostor.close()


async def test_nothing_is_said_in_the_clear_or_in_an_older_way(
    listening: Listening, echo: Echo
) -> None:
    reader, writer = await asyncio.open_connection(HERE, listening.port)
    writer.write(b'{"m": "hello"}\n')
    answer = await reader.read()
    assert len(answer) <= 7  # at most a TLS alert
    await hung_up((reader, writer))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await asyncio.open_connection(HERE, listening.port, ssl=context)
    await until(lambda: listening.listener.inside == 0)
    assert echo.trusted == []


async def test_who_never_shakes_hands_is_cut_off(
    listening: Listening, echo: Echo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "HANDSHAKE", 0.05)
    streams = await asyncio.open_connection(HERE, listening.port)
    streams[1].write(b"\x16\x03\x01")  # the beginning of a handshake
    assert await streams[0].read() == b""
    await hung_up(streams)
    await until(lambda: listening.listener.inside == 0)
    assert echo.trusted == []


async def test_a_flood_takes_no_more_than_its_places_and_cuts_off_nobody_who_plays(
    listening: Listening, echo: Echo
) -> None:
    assert echo.throttle
    players = []
    for _ in range(UNPROVEN_EACH + 1):
        players.append(await TlsTransport(invited(listening)).open())
        assert await said_back(players[-1], b"right\n")
    flood = [await asyncio.open_connection(HERE, listening.port) for _ in range(20)]
    refused = {asyncio.ensure_future(reader.read()) for reader, _ in flood}
    await until(lambda: sum(each.done() for each in refused) == 20 - UNPROVEN_EACH)
    assert echo.throttle.unproven == UNPROVEN_EACH
    assert listening.listener.inside == UNPROVEN_EACH + len(players)
    with pytest.raises(Unreachable, match="hung up: try again in a minute"):
        await TlsTransport(invited(listening)).open()
    for streams in flood:
        await hung_up(streams)
    await asyncio.gather(*refused)
    for player in players:
        assert await said_back(player) == b"dF1-F5\n"
        await hung_up(player)
    await until(lambda: listening.listener.inside == 0)


async def test_wrong_secrets_keep_a_place_out_for_a_while(
    listening: Listening, clock: Clock
) -> None:
    way = TlsTransport(invited(listening))
    for _ in range(FREE):
        streams = await way.open()
        assert await said_back(streams, b"wrong\n")
        await hung_up(streams)
    await until(lambda: listening.listener.inside == 0)
    with pytest.raises(Unreachable, match="hung up: try again in a minute"):
        await way.open()
    clock.now += 60
    assert await exchanged(way) == b"dF1-F5\n"


async def served(client: Client) -> tuple[asyncio.Server, int]:
    server = await asyncio.start_server(client, HERE, 0)
    return server, server.sockets[0].getsockname()[1]


@pytest.mark.parametrize(
    ("said", "why"),
    [(b"SSH-2.0-OpenSSH_9.2\r\n" * 3, "there is no Thud host"), (b"", "hung up: try again")],
)
async def test_what_is_no_host_is_called_so(said: bytes, why: str) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(said)
        writer.close()

    server, port = await served(answer)
    with pytest.raises(Unreachable, match=why):
        await TlsTransport(OverTls(HERE, port, bytes(32), SECRET)).open()
    server.close()


async def test_why_a_host_cannot_be_reached_is_told(
    listening: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = invited(listening)
    await listening.close()
    with pytest.raises(Unreachable, match=r"nothing listens at 127\.0\.0\.1:.* still open"):
        await TlsTransport(goal).open()
    monkeypatch.setattr(tls, "TIMEOUT", 0.05)
    with socket.create_server((HERE, 0)) as silent:
        goal = goal._replace(port=silent.getsockname()[1])
        with pytest.raises(Unreachable, match=r"no answer from 127\.0\.0\.1"):
            await TlsTransport(goal).open()


async def test_where_nobody_can_listen_is_told(
    listening: Listening, certificate: Certificate
) -> None:
    with pytest.raises(ValueError, match=rf"cannot listen on {HERE}, port {listening.port}: "):
        await tls.listen(HERE, listening.port, Echo(), AuthThrottle(), certificate)
    with pytest.raises(ValueError, match=r"on 192\.0\.2\.1, port 0: [^()]+$"):
        await tls.listen("192.0.2.1", 0, Echo(), AuthThrottle(), certificate)
    name = 70 * "a"
    with pytest.raises(ValueError, match="there is no machine called 'aaa"):
        await tls.listen(name, 0, Echo(), AuthThrottle(), certificate)
    with pytest.raises(Unreachable, match="there is no machine called 'aaa"):
        await TlsTransport(OverTls(name, 1, bytes(32), SECRET)).open()


@pytest.mark.parametrize("address", ["0.0.0.0", "::1"])
async def test_other_addresses_are_listened_at(
    address: str, certificate: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(*_: object) -> None:
        raise NotImplementedError

    if address == "0.0.0.0":  # and in a loop that does not tell who comes
        monkeypatch.setattr(asyncio.get_running_loop(), "add_reader", cannot)
    try:
        listening = await tls.listen(address, 0, Echo(), AuthThrottle(), certificate)
    except ValueError:
        assert address == "::1"
        pytest.skip("this machine has no IPv6")
    invitation = listening.invitations(SECRET)[0]
    assert invitation.address != "0.0.0.0"
    assert str(invitation).startswith("thud://[::1]:") is (address == "::1")
    assert await exchanged(TlsTransport(invitation)) == b"dF1-F5\n"
    await listening.close()


def test_callers_are_told_apart_by_their_networks() -> None:
    class From:
        family = socket.AF_INET6

        def __init__(self, address: str) -> None:
            self.address = address

        def getpeername(self) -> tuple[str, int]:
            return self.address, 1

    def caller(address: str) -> str:
        return caller_of(From(address))  # type: ignore[arg-type] # as far as it is used

    assert caller("2001:db8::1") == caller("2001:db8::ffff:1") != caller("2001:db8:0:1::1")
    assert caller("::ffff:192.0.2.7") == caller("192.0.2.7") == "192.0.2.7"
    assert caller("fe80::1%eth0") == "fe80::"
    assert caller("?") == "nowhere"


def test_a_certificate_is_made_once_and_is_its_owners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data" / "listen" / "certificate.pem"
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "cryptography", None)
        with pytest.raises(ListeningUnavailable, match=r"install Thud as '\.\[listen\]'"):
            own_certificate()
        assert os.listdir(path.parent) == []
    made = own_certificate()
    monkeypatch.setitem(sys.modules, "cryptography", None)
    assert own_certificate().fingerprint == made.fingerprint, "it needs the library no more"
    assert os.listdir(path.parent) == [path.name]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.parent.chmod(0o755)
    with pytest.raises(ValueError, match="is open to others"):
        own_certificate()


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"A", b"B"),
        lambda data: data.partition(b"-----BEGIN CERTIFICATE")[0],
        lambda data: b"\xff" * 100,
        lambda data: data + b" " * 2**14,
    ],
)
def test_a_damaged_certificate_is_told(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    own_certificate()
    path = tmp_path / "data" / "listen" / "certificate.pem"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match="is damaged: delete it"):
        own_certificate()


_NOBODY = f"[Errno {errno.ECONNREFUSED}] Connect call failed"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            OSError(f"Multiple exceptions: {_NOBODY} ('::1', 9), {_NOBODY} ('1.2.3.4', 9)"),
            "nothing",
        ),
        (OSError(errno.EHOSTUNREACH, "Connect call failed ('1.2.3.4', 9)"), "No route to host"),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "there is no machine called 'there'"),
    ],
)
async def test_why_nobody_can_be_reached_is_told_in_words(
    error: OSError, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(asyncio, "open_connection", fail)
    with pytest.raises(Unreachable, match=told) as unreachable:
        await TlsTransport(OverTls("there", 9, bytes(32), SECRET)).open()
    assert "Errno" not in str(unreachable.value)
    assert "Connect call" not in str(unreachable.value)
