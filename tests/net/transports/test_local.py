"""Open matches on this machine, which only their own user finds."""

import asyncio
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from net.transports.serving import ABOUT, Echo, exchanged, hung_up, only_root, said_back
from sampling import sampled
from thud.net.transports import local, sockets
from thud.net.transports.local import LocalTransport, OpenMatch
from thud.net.transports.transport import Unreachable
from waiting import until


@pytest.fixture(params=["unix", "loopback"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kind of socket; not every system has Unix sockets."""
    monkeypatch.setattr(local, "UNIX", request.param == "unix")
    return str(request.param)


def ids() -> list[str]:
    return [match.id for match in local.open_matches()]


async def test_a_match_is_open_until_it_is_closed(kind: str, meeting_place: Path) -> None:
    assert local.open_matches() == ()
    echo = Echo()
    opened = await local.listen("m1", ABOUT, echo)
    assert stat.S_IMODE(meeting_place.stat().st_mode) == 0o700
    assert local.open_matches() == (OpenMatch("m1", ABOUT, os.getpid()),)
    with pytest.raises(ValueError, match="open already"):
        await local.listen("m1", ABOUT, Echo())
    guest = await LocalTransport("m1").open()
    assert await said_back(guest) == b"dF1-F5\n"
    assert echo.trusted[-1]
    about = ABOUT._replace(players=("Ann", "Bob"), wanted=())
    opened.tell(about)
    before = (meeting_place / "m1.json").stat().st_ino
    opened.tell(about._replace())
    assert (meeting_place / "m1.json").stat().st_ino == before, "nothing has changed"
    assert local.open_matches() == (OpenMatch("m1", about, os.getpid()),)
    assert await exchanged(LocalTransport("m1"))
    await opened.close()
    await opened.close()
    assert echo.over == len(echo.trusted)
    assert await guest[0].read() == b""
    await hung_up(guest)
    opened.tell(ABOUT)
    assert list(meeting_place.iterdir()) == []
    assert local.open_matches() == ()
    with pytest.raises(Unreachable, match=r"^no match 'm1' is open here$"):
        await LocalTransport("m1").open()


async def test_several_are_listed_and_have_to_be_chosen(kind: str) -> None:
    opened = [
        await local.listen(f"m{each}", ABOUT._replace(since=each), Echo()) for each in (1, 3, 2)
    ]
    assert ids() == ["m3", "m2", "m1"]
    with pytest.raises(Unreachable, match="several matches are open here; choose one: m3"):
        local.only()
    for each in opened[:2]:
        await each.close()
    assert local.only().id == "m2"
    await opened[2].close()
    with pytest.raises(Unreachable, match="no match is open here"):
        local.only()


def damaged(place: Path, damage: str) -> None:
    """Create a place as others could have left it."""
    match damage:
        case "link":
            place.with_name("elsewhere").mkdir(mode=0o700)
            place.symlink_to(place.with_name("elsewhere"))
        case "file":
            place.touch(0o700)
        case _:
            place.mkdir(mode=0o700)
    changed = place.parent if damage.startswith("parent") else place
    if damage in ("open", "parent open"):
        changed.chmod(0o755 if changed == place else 0o777)
    if damage in ("nobody's", "parent nobody's"):
        os.chown(changed, 65534, 65534)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("open", "others"),
        ("link", "not a directory"),
        ("file", "not a directory"),
        ("parent open", "everybody"),
        pytest.param("nobody's", "belongs to somebody else", marks=only_root),
        pytest.param("parent nobody's", "belongs to somebody else", marks=only_root),
    ],
)
async def test_a_place_that_others_could_reach_is_none(
    damage: str, why: str, meeting_place: Path
) -> None:
    damaged(meeting_place, damage)
    with pytest.raises(ValueError, match=why):
        await local.listen("m1", ABOUT, Echo())
    assert local.open_matches() == ()


async def test_the_next_best_place_will_do(
    short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = (short_path / "file", short_path / "other", short_path / "third")
    monkeypatch.setattr(local, "run_directories", lambda: places)
    places[0].touch()
    opened = await local.listen("m1", ABOUT, Echo())
    assert (places[1] / "m1.socket").exists()
    places[2].mkdir(mode=0o700)
    monkeypatch.setattr(local, "run_directories", lambda: places[::-1])
    assert ids() == ["m1"]  # a guest with another environment also finds it
    assert await exchanged(LocalTransport("m1"))
    await opened.close()


@pytest.mark.parametrize("by", sampled(["looking", "opening"]))
async def test_what_a_killed_host_left_is_swept(kind: str, meeting_place: Path, by: str) -> None:
    script = (
        "import asyncio, sys, time\n"
        "from thud.net.transports import local\n"
        "from thud.net.transports.local import MatchInfo\n"
        f"local.UNIX = {kind == 'unix'}\n"
        "async def serve(reader, writer, *, trusted): pass\n"
        "async def main():\n"
        "    await local.listen('m1', MatchInfo('koom', ('', ''), (), 0.0), serve)\n"
        "    print('open', flush=True)\n"
        "    await asyncio.sleep(1000)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as host:
        assert host.stdout
        assert host.stdout.readline() == b"open\n"
        assert ids() == ["m1"]
        host.kill()
    (meeting_place / ".m1.json.01234567.tmp").touch()
    assert list(meeting_place.glob("m1.*"))
    if by == "looking":
        assert local.open_matches() == ()
        assert list(meeting_place.iterdir()) == []
    opened = await local.listen(by, ABOUT, Echo())
    assert not list(meeting_place.glob("*m1.*"))
    assert ids() == [by]
    await opened.close()


async def test_what_is_odd_is_passed_over_and_left_alone(meeting_place: Path) -> None:
    opened = await local.listen("m1", ABOUT, Echo())
    text = (meeting_place / "m1.json").read_text()
    (meeting_place / "notes.txt").write_text("not ours")
    (meeting_place / "a b.json").write_text(text)
    (meeting_place / "folder.json").mkdir()
    os.mkfifo(meeting_place / "pipe")
    for name, data in {
        "long": " " * 5000 + text,
        "no": "[1, 2]",
        "deep": "[" * 4000,
        "another": text,
        "half": text[:20],
    }.items():
        (meeting_place / f"{name}.json").write_text(data)
    os.mkfifo(meeting_place / "fifo.json")
    (meeting_place / "link.json").symlink_to(meeting_place / "m1.json")
    for port in ("x", [1], 2**40, -1, True, None):
        (meeting_place / f"port{port}.json").write_text(json.dumps({"port": port}))
    assert ids() == ["m1"]
    assert {"notes.txt", "a b.json", "folder.json", "pipe"} <= {*os.listdir(meeting_place)}
    (meeting_place / "m1.json").write_text('{"id": "m2"}')
    assert ids() == []
    assert await exchanged(LocalTransport("m1"))
    await opened.close()


async def test_a_long_path_is_reached_on_linux_and_refused_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(tmp_path / ("long" * 40)))
    name = "m" * 64
    if sys.platform == "linux":
        opened = await local.listen(name, ABOUT, Echo())
        assert ids() == [name]
        assert await exchanged(LocalTransport(name)) == b"dF1-F5\n"
        await opened.close()
    monkeypatch.setattr("sys.platform", "darwin")
    with pytest.raises(sockets.PathTooLong, match="too long a path for a socket"):
        await local.listen(name, ABOUT, Echo())
    assert ids() == []


@pytest.mark.parametrize("name", ["", "..", "../m1", "a/b", "m 1", "m1.json", "-v"])
async def test_what_is_no_id_is_no_match(name: str) -> None:
    with pytest.raises(Unreachable):
        await LocalTransport(name).open()


async def test_without_unix_sockets_the_password_comes_first(
    meeting_place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "UNIX", False)
    echo = Echo()
    opened = await local.listen("m1", ABOUT, echo)
    values = json.loads((meeting_place / "m1.json").read_text())
    assert len(values["password"]) == 32
    for line in (b"\n" * 40, b"x" * 40, values["password"][:-1].encode() + b"\n\n"):
        streams = await asyncio.open_connection("127.0.0.1", values["port"])
        streams[1].write(line)
        assert await streams[0].read() == b""
        await hung_up(streams)
    assert echo.trusted == []
    assert await exchanged(LocalTransport("m1")) == b"dF1-F5\n"
    await opened.close()


async def test_no_more_come_in_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.net.transports.listener.MOST", 3)
    echo = Echo()
    opened = await local.listen("m1", ABOUT, echo)
    inside = [await LocalTransport("m1").open() for _ in range(3)]
    for each in inside:
        assert await said_back(each)
    refused = await LocalTransport("m1").open()
    assert await refused[0].read() == b""
    await hung_up(refused)
    abrupt = inside.pop()
    abrupt[1].write(b"half a line")
    abrupt[1].transport.abort()
    await until(lambda: echo.over == 1)
    assert await exchanged(LocalTransport("m1"))
    for each in inside:
        await hung_up(each)
    await opened.close()
