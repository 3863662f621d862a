"""The line mode as its own process: pipes, the end of the input, interrupts, what it loads."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from sampling import sampled
from thud.cli.main import main

PROGRAM = [sys.executable, "-m", "thud"]
ID = re.compile(r"thud resume --plain (\S+)")


def bare_environment(directory: Path) -> dict[str, str]:
    """Return an environment in which all files of the program are in a directory."""
    return os.environ | {"THUD_DATA_DIR": str(directory), "THUD_CONFIG_DIR": str(directory)}


def run_process(
    directory: Path, source: bytes, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*PROGRAM, *arguments],
        input=source,
        capture_output=True,
        env=bare_environment(directory) | environment,
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def run(directory: Path, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command with its streams, but in this process, which is much faster."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        for name in "THUD_DATA_DIR", "THUD_CONFIG_DIR":
            patch.setenv(name, str(directory))
        patch.setattr("sys.stdin", TextIOWrapper(BytesIO(script.encode())))
        try:
            status = main(arguments)
        except SystemExit as stopped:
            status = int(str(stopped.code))
    said = []
    for each in out, err:
        each.seek(0)
        said.append(each.read())
    return subprocess.CompletedProcess(arguments, status, *said)


def test_a_match_is_played_left_and_resumed(tmp_path: Path) -> None:
    names = "--names", "Ann", "Bob"
    begun = run_process(tmp_path, b"f1 f5\n", "play", "--plain", *names, TERM="dumb")
    assert (begun.returncode, begun.stderr) == (0, "")
    assert "\x1b" not in begun.stdout
    found = ID.search(begun.stdout.splitlines()[-1])
    assert found
    resumed = run(tmp_path, "list\nquit\n", "resume", "--plain", found[1])
    assert "1. dF1-F5" in resumed.stdout
    assert resumed.stdout.splitlines()[-2].endswith("Your move: quit")
    latest = run(tmp_path, "g9 g10\n", "resume", "--plain")
    assert "Bob: troll steps from G9 to G10." in latest.stdout
    another = run(tmp_path, "", "play", "--plain")
    assert f"Another match is unfinished: thud resume --plain {found[1]}\n" in another.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such path")
@pytest.mark.parametrize("script", ["f1 f5\n", "f1 f5\nquit\n"])
def test_the_exit_status_says_that_a_match_is_not_saved(tmp_path: Path, script: str) -> None:
    (tmp_path / "matches").write_text("")
    done = run(tmp_path, script, "play", "--plain")
    assert done.stdout.splitlines()[-1] == "The match is not saved."
    assert done.returncode == 2


def test_nothing_is_kept_of_a_record_that_nobody_could_go_on_with(tmp_path: Path) -> None:
    file, other = tmp_path / "match.tgn", tmp_path / "other"
    run(tmp_path, f"a10 g10\nsave {file}\n", "play", "--plain", "--variant", "koom")
    done = run(other, "", "play", "--plain", "--from", str(file), "--opponent", "99")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert not list(other.rglob("*.tgn"))


def test_who_takes_a_seat_sits_there_when_the_match_is_resumed(tmp_path: Path) -> None:
    run(tmp_path, "a6 b6\n", "play", "--plain")
    run(tmp_path, "", "resume", "--plain", "--opponent", "random")
    again = run(tmp_path, "a7 b7\nlist\n", "resume", "--plain")
    assert "Your move: a7 b7" in again.stdout
    assert "Player 2, trolls, to move. Your move: list" not in again.stdout


def test_the_settings_say_what_a_move_takes(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('captures = "all"\nbell = 3\n')
    done = run(tmp_path, "f1 f5\ng7 f6\n", "play", "--plain")
    assert "captures F5." in done.stdout
    assert "Fault in settings.toml, line 2: bell is true or false, not 3." in done.stdout


@pytest.mark.parametrize("encoding", sampled(["utf-8", "ascii"]))
def test_any_input_ends_well(tmp_path: Path, encoding: str) -> None:
    zeros, every_byte, long_line = bytes(3_000_000), bytes(range(256)) * 40, b"f1" * 100_000
    # Nothing is read after the zeros: so long a line ends the input.
    for source in (b"\n".join([every_byte, long_line, b"", b"\xff\xfe", zeros]), b""):
        done = run_process(tmp_path, source, "play", "--plain", PYTHONIOENCODING=encoding)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_an_interrupt_keeps_the_match(tmp_path: Path) -> None:
    with started(tmp_path, [*PROGRAM, "play", "--plain"]) as process:
        type_and_hear(process, b"f1 f5\n", b"from F1 to F5")
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
    assert ID.search(said.decode().splitlines()[-1])


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize(("name", "heard"), [("SIGTERM", True), ("SIGHUP", False)])
def test_a_signal_that_ends_the_program_keeps_the_match_and_leaves_no_engine(
    tmp_path: Path, name: str, heard: bool
) -> None:
    number = signal.Signals[name]
    process, engine = waiting_for_a_deaf_engine(tmp_path)
    with process:
        assert process.stdout
        if not heard:
            process.stdout.close()
        process.send_signal(number)
        said, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (128 + number, b"")
    assert not heard or ID.search(said.decode().splitlines()[-1])
    with pytest.raises(ProcessLookupError):
        os.kill(engine, 0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_signal_that_is_ignored_stays_so(tmp_path: Path) -> None:
    ignoring = ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh", *PROGRAM, "play", "--plain"]
    with started(tmp_path, ignoring) as process:
        type_and_hear(process, b"", b"Type help")
        process.send_signal(signal.SIGHUP)
        said, _ = process.communicate(b"f1 f5\n", timeout=60)
    assert process.returncode == 0
    assert b"from F1 to F5" in said


LOADED = """
import sys
from thud.cli.main import main
main(sys.argv[1:])
loaded = {name.partition(".")[0] for name in sys.modules}
print(sorted(loaded & {"rich", "textual", "readline", "curses"}))
"""


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        ("play --plain", b"[]"),
        ("edit --plain", b"[]"),
        ("rules koom", b"[]"),
        ("perft 1", b"[]"),
        ("show", b"['rich']"),
    ],
)
def test_nothing_that_draws_is_loaded_but_for_the_board(
    tmp_path: Path, command: str, loaded: bytes
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *command.split()],
        input=b"f1 f5\nhelp\nmoves\n",
        capture_output=True,
        env=bare_environment(tmp_path),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, loaded)


DEAF = """
import os, sys
for line in sys.stdin:
    if line == "uci\\n":
        print("uciok", flush=True)
    if line == "isready\\n":
        print("readyok", flush=True)
    if line.startswith("go"):
        open(sys.argv[1], "w").write(str(os.getpid()))
        os.rename(sys.argv[1], sys.argv[2])
import time
time.sleep(600)
"""


def started(directory: Path, command: list[str], **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bare_environment(directory) | environment,
    )


def type_and_hear(process: subprocess.Popen[bytes], typed: bytes, heard: bytes) -> None:
    """Type a line, and read until a line has some words."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(typed)
    process.stdin.flush()
    assert any(heard in line for line in process.stdout), "it has ended"


def waiting_for_a_deaf_engine(directory: Path) -> tuple[subprocess.Popen[bytes], int]:
    """Play a move against an engine that then neither moves nor ends; return its number, too."""
    script, begun, number = (directory / name for name in ("deaf.py", "begun", "number"))
    script.write_text(DEAF)
    engine = f"engine:{sys.executable} {script} {begun} {number}"
    process = started(directory, [*PROGRAM, "play", "--plain", "--trolls", engine])
    type_and_hear(process, b"f1 f5\n", b"is thinking.")  # after that it says nothing
    while not number.exists():
        assert process.poll() is None
        time.sleep(0.01)
    return process, int(number.read_text())


def test_a_handicap_is_said_kept_and_listed(tmp_path: Path) -> None:
    names = "--names", "Ann", "Bob"
    script = "end\nyes\nnext\nend\nyes\nscore\n"
    done = run(tmp_path, script, "play", "--plain", *names, "--handicap", "bob:1")
    told = "Bob gives one step: four dwarfs fewer to begin with, or one troll fewer."
    assert done.stdout.splitlines().count(told) == 3
    assert "Ann: 32 points, 32 dwarfs." in done.stdout
    assert "Bob: 28 points, 28 dwarfs." in done.stdout
    assert "classic, Bob gives 1" in run(tmp_path, "", "history").stdout


def test_a_position_is_set_up_and_played(tmp_path: Path) -> None:
    script = "remove F1\nplay human 1\nk1 k5\nquit\nhelp\n"
    done = run(tmp_path, script, "edit", "--plain", "--variant", "single")
    assert (done.returncode, done.stderr) == (0, "")
    found = ID.search(done.stdout)
    assert found
    assert "Back to the position that is set up." in done.stdout
    assert "You: dwarf moves from K1 to K5." in done.stdout
    assert "1d1d1/" in run(tmp_path, "", "show", found[1]).stdout, "F1 and K1 are empty"


def test_a_match_by_the_clock_keeps_it(tmp_path: Path) -> None:
    file = str(tmp_path / "match.tgn")
    koom = "play", "--plain", "--variant", "koom"
    begun = run(tmp_path, f"a10 g10\nsave {file}\n", *koom, "--clock", "20+10")
    assert "to move, 20 minutes left." in begun.stdout
    assert '[TimeControl "20+10"]' in Path(file).read_text()
    resumed = run(tmp_path, "clock\n", "resume", "--plain")
    taken = run(tmp_path / "other", "clock\nf3 e4\n", "play", "--plain", "--from", file)
    for again in (resumed, taken):
        assert "Each player has 20 minutes for the battle, and ten seconds more" in again.stdout
    assert "Player 2: troll moves from F3 to E4." in taken.stdout
    other = run(tmp_path, "clock\n", "play", "--plain", "--from", file, "--clock", "5")
    assert "Each player has five minutes for the battle." in other.stdout
