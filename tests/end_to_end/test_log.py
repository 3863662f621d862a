"""`--log FILE`: off by default, private, and without secrets."""

from __future__ import annotations

import logging
import os
import re
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import thud
from thud.cli.launch import end_as
from thud.cli.log import logging_to, without_secrets
from thud.net.transports.invitation import OverTls, new_secret
from thud.tui.textual_fixes import FixedApp

START = re.compile(
    rf"[-0-9]+ [:,0-9]+ [0-9]+ INFO thud\.cli: thud {re.escape(thud.__version__)} "
    r"\(Python [.\w]+, Textual [.\w]+\), [^:\[]+: (.+)"
)
SECRET = "Zk3-x_0aPqLm7Tt4RrUu9A"


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that quits at once, with its files in a directory."""
    places = ("THUD_DATA_DIR", "THUD_CONFIG_DIR", "THUD_RUN_DIR")
    (directory / "run").mkdir(0o700, exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "thud", *arguments],
        input="quit\n",
        capture_output=True,
        text=True,
        cwd=directory,
        env=os.environ | {name: str(directory / "run") for name in places},
        timeout=60,
        check=False,
    )


def test_nothing_is_logged_unless_it_is_wanted(tmp_path: Path) -> None:
    done = run(tmp_path, "play", "--plain")
    assert (done.returncode, done.stderr) == (0, "")
    assert [each.name for each in tmp_path.iterdir()] == ["run"]


SERVED_BADLY = """
import logging
from thud.cli.remote import play_prepared

async def prepared():
    logging.getLogger("thud.net.transports.listener").error("whoever came could not be served")
    raise SystemExit

play_prepared(prepared(), None)
"""


def test_without_a_log_no_guest_can_have_anything_printed_among_the_lines() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SERVED_BADLY], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="invites other users by a POSIX socket")
def test_no_invitation_gets_into_a_log(tmp_path: Path) -> None:
    hosted = run(tmp_path, "host", "--plain", "--others", "--log", "a.log")
    invitation = re.search(r"\S+#([\w-]{22,})", hosted.stdout)
    assert invitation
    # The host is gone, so joining fails with a logged error.
    for where in (invitation[0], f"{invitation[0]}!", f"thud://box:1/#{invitation[1]}"):
        assert run(tmp_path, "--log", "a.log", "join", "--plain", where).returncode == 2
    log = (tmp_path / "a.log").read_text()
    assert [found[1] for found in START.finditer(log)] == ["host", "join", "join", "join"]
    assert log.count("Traceback") == 3
    assert "thud://box:1/#[secret]" in log
    assert invitation[1] not in log
    assert stat.S_IMODE((tmp_path / "a.log").stat().st_mode) == 0o600


def test_what_ends_the_program_and_what_loggers_say_is_logged(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    with suppress(KeyError), logging_to(str(path), "host"):
        logging.getLogger("thud.net.host").debug("said \x1b[2J\nby %s", SECRET)
        logging.getLogger("asyncio").warning("slow")
        logging.getLogger("asyncio").info("left out")
        raise KeyError(f"no such seat: {SECRET}")
    logging.getLogger("thud.net.host").error("after the end")
    log = path.read_text()
    assert r"DEBUG thud.net.host: said \x1b[2J\nby [secret]" in log
    assert "WARNING asyncio: slow" in log
    assert "ERROR thud.cli: ended by KeyError" in log
    assert "KeyError: 'no such seat: [secret]'" in log
    assert SECRET not in log
    assert "left out" not in log
    assert "after" not in log


class _Faulty(FixedApp):
    def on_mount(self) -> None:
        raise ZeroDivisionError(SECRET)


@pytest.mark.usefixtures("capsys")
def test_a_fault_that_ends_what_is_drawn_is_logged(tmp_path: Path) -> None:
    path, app = tmp_path / "a.log", _Faulty()
    app.run(headless=True)
    with pytest.raises(SystemExit, match="1"), logging_to(str(path), None):
        end_as(app)
    log = path.read_text()
    assert log.splitlines()[0].endswith(": front page")
    assert "CRITICAL thud.cli.launch: ended by a fault" in log
    assert "in on_mount" in log
    assert "ZeroDivisionError: [secret]" in log


@pytest.mark.parametrize(
    "text",
    [
        f"GET /?word={SECRET} HTTP/1.1",
        f"https://club.example/#{SECRET}",
        f"Cookie: thud={SECRET}; other=1",
        f'{{"token": "{SECRET}", "seat": 1}}',
        "token=abcdef",
        f"/tmp/thud-1000-5f2a90c1/m1#{SECRET}",
        str(OverTls("box", 1, bytes(range(32)), SECRET)),
        "by 'EzoNkWpAjcuarTncZmJghw'",
        "by 'x7k2-q0m4vv31ab9_zz8p6'",
    ],
)
def test_a_secret_is_left_out_wherever_it_stands(text: str) -> None:
    left = without_secrets(text)
    assert "[secret]" in left
    assert not any(each in left for each in (SECRET, "abcdef", "EzoNk", "x7k2"))
    assert without_secrets(left) == left


def test_any_new_secret_is_left_out() -> None:
    texts = {without_secrets(f"by '{new_secret()}'") for _ in range(200)}
    assert texts == {"by '[secret]'"}


@pytest.mark.parametrize(
    "text",
    [
        "ConnectionAbortedError in test_what_is_refused_is_refused_here",
        "20261123-115023-carrot-and-angua is saved",
        "dF1-F5, TG9-G10 and then nothing more",
        'File "/usr/lib/python3.11/asyncio/base_events.py", line 653, in run_until_complete',
        "the word is heard, and a token, too",
    ],
)
def test_whatever_else_is_said_stays(text: str) -> None:
    assert without_secrets(text) == text
