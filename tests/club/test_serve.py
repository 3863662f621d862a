"""`thud serve` as a command: its errors, and that it leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from club.web.conftest import Browser
from sampling import sampled
from terminal.emulator import TIMEOUT
from thud.cli.main import main
from thud.club.club import keep_compiled
from thud.club.sandbox import NAME
from thud.club.storage import only_club, own_secret
from thud.disk.directories import COMPILED_VARIABLE
from thud.net.transports.local import open_matches, place_of_club
from thud.visitor.tables import OpenTable, TableLine
from waiting import gone, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")

COMMAND = (sys.executable, "-P", "-m", "thud", "serve", "--web", "0")


@pytest.fixture(autouse=True)
def own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep all files in the test's directory."""
    for name in ("DATA", "CONFIG", "CACHE", "RUN"):
        monkeypatch.setenv(f"THUD_{name}_DIR", str(tmp_path / name.lower()))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--web", "65536"], "'65536' is not a port"),
        (["--ssh", "x"], "'x' is not a port"),
        (["--host", "nowhere"], "'nowhere' is not an address"),
        (["--host", "0.0.0.0"], "add --allow-remote"),
        (["--host", "203.0.113.9", "--allow-remote"], "cannot listen on 203.0.113.9"),
        (["--allow-remote"], "needs --host"),
        (["--public-url", "https://a.example", "--ssh"], "needs --web"),
        (["--web", "0", "--public-url", "a.example"], "such as https://club.example"),
        (["--proxies", "2"], "needs --public-url"),
        (["--proxies", "0"], "needs --public-url"),
        (["--proxies", "-1"], "'-1' is not a whole number from 0"),
        (["--web", "0", "--public-url", "https://a.example/thud"], "needs a host name of its own"),
        (["--max-visitors", "0"], "'0' is not a whole number from 1"),
        (["--idle", "-1"], "'-1' is not a whole number from 1"),
        (["--proxies", "1000000"], "'1000000' is more than 999999, the most possible"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["serve", *arguments])
    except SystemExit as end:
        status = int(str(end.code))
    told = capsys.readouterr().err
    assert (status, told.count("\n")) == (2, 1)
    assert said in told


@pytest.mark.slow
def test_where_files_are_short_a_sentence_says_so_and_it_passes(tmp_path: Path) -> None:
    limited = ("bash", "-c", 'ulimit -n 24; exec "$@"', "bash", *COMMAND)
    with subprocess.Popen(
        limited, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stdout
        assert serving.stderr
        serving.stdout.readline()
        address = urlsplit(serving.stdout.readline().strip())
        place = str(address.hostname), address.port or 0
        crowd = [socket.create_connection(place) for _ in range(40)]
        said = serving.stderr.readline()
        for each in crowd:
            each.close()
        with socket.create_connection(place) as late:
            late.settimeout(TIMEOUT)
            late.sendall(f"GET / HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
            assert late.recv(12) == b"HTTP/1.1 403"
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(TIMEOUT) == 0
        assert said.endswith("  Nobody else can come in now: Too many open files.\n")
        assert serving.stderr.read() == ""


def test_the_computers_search_is_compiled_for_all_visitors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(COMPILED_VARIABLE)
    keep_compiled(tmp_path)
    kept_in = Path(os.environ[COMPILED_VARIABLE])
    assert kept_in.parent == tmp_path
    assert [each.suffix for each in kept_in.iterdir()] == [".bin"]


def test_its_address_is_told_once_its_tables_answer() -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        serving.stdout.readline()
        address = urlsplit(serving.stdout.readline().strip())
        with urlopen(f"http://{address.netloc}/health", timeout=TIMEOUT) as answer:
            assert answer.status == 200
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(TIMEOUT) == 0


def test_where_no_table_can_be_kept_no_address_is_told_and_it_can_be_ended(tmp_path: Path) -> None:
    (tmp_path / "data" / "club").mkdir(mode=0o700, parents=True)
    (tmp_path / "data" / "club" / "tables").write_text("in the way")
    with subprocess.Popen(
        COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stderr
        assert "The tables cannot be saved" in serving.stderr.readline()
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(TIMEOUT) == 0
        assert serving.stdout
        assert serving.stdout.read() == ""


def test_a_port_that_is_taken_is_told_and_an_invitation_stays_until_another_is_wanted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    secrets = [own_secret()]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--web", str(port)]) == 2
    told = f"thud serve: cannot listen on 127.0.0.1, port {port}: "
    assert capsys.readouterr().err.startswith(told)
    secrets.append(own_secret())
    assert main(["club", "renew"]) == 0
    secrets.append(own_secret())
    assert secrets[0] == secrets[1] != secrets[2]


@pytest.mark.parametrize("lacking", ["aiohttp", "textual_serve"])
def test_without_the_extra_it_says_how_to_get_it(
    lacking: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [each for each in sys.modules if each.startswith(("thud.club.web", lacking))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, lacking, None)
    assert main(["serve"]) == 2
    assert capsys.readouterr().err == (
        "thud serve: a club needs more packages: install Thud as '.[serve]' instead of '.'\n"
    )


class Served:
    """A real `thud serve`."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdout
        printed = iter(self.process.stdout.readline, "")
        address = next(line for line in printed if line.startswith("http://127."))
        self.url, _, self.secret = address.strip().partition("/#")

    def end(self, number: signal.Signals) -> int:
        """End the server by a signal; return its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(TIMEOUT)
        assert self.process.stdout
        self.process.stdout.close()
        return status


@pytest.mark.slow
@pytest.mark.parametrize("number", sampled([signal.SIGTERM, signal.SIGINT, signal.SIGKILL]))
async def test_nothing_is_left_of_it_however_it_ends(
    number: signal.Signals, tmp_path: Path
) -> None:
    served = await asyncio.to_thread(Served)
    visitor = Browser(served.url)
    assert await visitor.enter(served.secret) == (204, "")
    board = await visitor.sit_down()
    await board.seen()
    program = only_child(served.process.pid)
    ending = asyncio.create_task(asyncio.to_thread(served.end, number))
    await board.end()
    assert await ending == (-signal.SIGKILL if number is signal.SIGKILL else 0)
    await gone(program)
    await visitor.session.close()
    with pytest.raises(OSError, match=r"."):
        socket.create_connection(("127.0.0.1", int(served.url.rpartition(":")[2])))
    assert [*tmp_path.glob("run/**/*.sock")] == []


def only_child(process: int) -> int:
    """Return the process id of a server's only visitor program."""
    asked = ["ps", "-eo", "pid=,ppid=,comm="]
    lines = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()
    table = [line.split(None, 2) for line in lines]
    (found,) = (
        int(number)
        for number, parent, what in table
        if int(parent) == process and what == NAME.decode()
    )
    return found


@pytest.mark.slow
async def test_two_clubs_of_one_user_know_nothing_of_one_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clubs, lines = [], []
    for name in ("x", "y"):
        monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / name))
        clubs.append(await asyncio.to_thread(Served))
        place = place_of_club(tmp_path / name / "club")
        with monkeypatch.context() as inside:
            inside.setenv("THUD_RUN_DIR", str(place))
            line = TableLine(lambda: "Ann", lambda: None, "", tmp_path / ("a" * 32))
            lines.append((line, asyncio.create_task(line.run())))
            await until(line.known.is_set)
    x, y = lines
    opened = (await y[0].ask(OpenTable("classic"))).id
    await until(lambda: y[0].state.tables)
    assert [each.id for each in open_matches()] == [opened]
    monkeypatch.setenv("THUD_RUN_DIR", str(place_of_club(tmp_path / "x" / "club")))
    assert open_matches() == ()
    assert await asyncio.to_thread(clubs[1].end, signal.SIGKILL) == -signal.SIGKILL
    y[1].cancel()
    assert (await x[0].ask(OpenTable("classic"))).id != opened
    await until(lambda: x[0].state.tables)
    assert [each.id for each in x[0].state.tables] == [each.id for each in open_matches()]
    x[1].cancel()
    await asyncio.gather(x[1], y[1], return_exceptions=True)
    assert await asyncio.to_thread(clubs[0].end, signal.SIGTERM) == 0


def test_a_club_is_open_once_and_only_where_tables_can_be_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with only_club():
        assert main(["serve", "--web", "0"]) == 2
    assert "this club is open already" in capsys.readouterr().err
    (tmp_path / "run").mkdir(mode=0o755)
    assert main(["serve", "--web", "0"]) == 2
    assert "run' is open to others" in capsys.readouterr().err
