"""Standard streams with limited encodings, and missing ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sampling import sampled
from saving import begin
from thud.records.formats import read_file
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the streams")

THUD = (sys.executable, "-m", "thud")
AGREEING = Path(__file__).parents[1] / "engines" / "agreeing_engine.py"
PLACES = ("THUD_DATA_DIR", "THUD_CONFIG_DIR", "THUD_CACHE_DIR")
NAMES = ("Jürgen", "磐石")
FEW_LETTERS = {
    "the C locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "code page 437": {"PYTHONIOENCODING": "cp437"},
}
few_letters = pytest.mark.parametrize("few", FEW_LETTERS.values(), ids=FEW_LETTERS)


@pytest.fixture
def finished(tmp_path: Path) -> str:
    """Save an unfinished and a finished match; return the latter's id."""
    store, match = Store(tmp_path), Match(VARIANTS["classic"], NAMES)
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    begin(store, match).close()
    match.battle.agree()
    match.next_battle()
    match.battle.agree()
    with begin(store, match) as saved:
        return saved.id


def run(
    directory: Path, *arguments: str, redirections: str = "", said: str = "", **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a shell that redirects its streams."""
    usual = {"THUD_DATA_DIR": str(directory), "THUD_CONFIG_DIR": str(directory)}
    return subprocess.run(
        ["sh", "-c", f'"$@" {redirections}', "sh", *THUD, *arguments],
        input=said.encode(),
        capture_output=True,
        env=os.environ | usual | more,
        timeout=60,
        check=False,
    )


LETTERED = (
    *("history", "--help", "doctor", "resume --plain", "resume --list", "show ID"),
    *("export ID --svg -", "arena random random --matches 1 --variant football"),
)


@pytest.mark.parametrize("few", sampled(FEW_LETTERS, 2))
@pytest.mark.parametrize("command", sampled(LETTERED))
def test_letters_that_are_not_there_stop_no_command(
    tmp_path: Path, finished: str, command: str, few: str
) -> None:
    named = [finished if word == "ID" else word for word in command.split()]
    done = run(tmp_path, *named, said="board\nlist\n", **FEW_LETTERS[few])
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@few_letters
def test_signs_of_our_own_become_plain_ones(
    tmp_path: Path, finished: str, few: dict[str, str]
) -> None:
    listed = run(tmp_path, "resume", "--list", **few).stdout.decode("cp437")
    assert "J?rgen - ??" in listed or "Jürgen - ??" in listed


@few_letters
def test_a_complaint_is_written_in_the_letters_there_are(
    tmp_path: Path, few: dict[str, str]
) -> None:
    done = run(tmp_path, "replay", "x" * 60, **few)
    assert done.returncode == 2
    assert done.stderr.endswith(b"xxx...': 'thud resume --list' and 'thud history' list them\n")


@pytest.mark.parametrize("extension", [".tgn", ".json"])
@pytest.mark.parametrize("name", sampled(FEW_LETTERS, 2))
def test_an_export_to_the_screen_is_what_is_written_to_a_file(
    tmp_path: Path, finished: str, extension: str, name: str
) -> None:
    file, few = tmp_path / f"match{extension}", FEW_LETTERS[name]
    assert run(tmp_path, "export", finished, "--output", str(file), **few).returncode == 0
    piped = run(tmp_path, "export", finished, "--format", extension[1:], **few)
    assert piped.stdout == file.read_bytes()
    if extension == ".tgn":
        assert read_file(file)[0].players == NAMES


@pytest.mark.parametrize(
    "closed",
    sampled(
        [
            *((">&-", command) for command in ("show", "doctor", "engine", "resume --list")),
            *((">&-", command) for command in ("play --plain", "--help", "perft 1", "play", "")),
            *(("<&-", command) for command in ("play --plain", "engine", "play")),
            ("<&- >&-", "play --plain"),
            (">&-", "arena random random --matches 1 --nodes 1"),
        ]
    ),
)
def test_what_cannot_be_done_without_a_stream_is_told(
    tmp_path: Path, closed: tuple[str, str]
) -> None:
    redirections, command = closed
    done = run(tmp_path, *command.split(), redirections=redirections, said="uci\n")
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("thud")
    reasons = "is closed, and Thud", "the board needs a terminal", "cannot write answers"
    assert any(reason in line for reason in reasons)


@pytest.mark.parametrize(
    "closed",
    sampled(
        [
            *(("<&-", command) for command in ("show", "doctor", "resume --list", "")),
            *(("2>&-", command) for command in ("show", "doctor", "engine", "play --plain", "")),
            ("<&- 2>&-", "moves"),
        ]
    ),
)
def test_what_needs_no_such_stream_is_done_without_it(
    tmp_path: Path, closed: tuple[str, str]
) -> None:
    redirections, command = closed
    done = run(tmp_path, *command.split(), redirections=redirections, said="uci\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


@pytest.mark.parametrize("command", sampled(["show --position x", "moves --castle"], 2))
@pytest.mark.parametrize("redirections", ["2>&-", "<&- >&- 2>&-", "2>/dev/full"])
def test_a_complaint_that_nobody_can_read_leaves_its_status(
    tmp_path: Path, redirections: str, command: str
) -> None:
    done = run(tmp_path, *command.split(), redirections=redirections)
    assert (done.returncode, done.stdout, done.stderr) == (2, b"", b"")


PRINTING = (
    *("show", "moves", "perft 1", "history", "resume --list", "puzzles --list", "rules"),
    *("completions bash", "explore --json", "explore --plain", "learn --plain", "edit --plain"),
    *("doctor", "--help", "help play", "serve --matches", "--version", "play --plain", ""),
)


@pytest.mark.parametrize("command", sampled(PRINTING, 20))
def test_every_command_ends_alike_where_nobody_reads_and_on_a_full_disk(
    tmp_path: Path, finished: str, command: str
) -> None:
    unread, end = os.pipe()
    os.close(unread)
    with os.fdopen(end, "wb") as closed, open("/dev/full", "wb") as full:
        for output, status, told in ((closed, 0, b""), (full, 2, b"No space left on device\n")):
            done = subprocess.run(
                [*THUD, *command.split()],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.PIPE,
                env=os.environ | dict.fromkeys(PLACES, str(tmp_path)),
                timeout=60,
                check=False,
            )
            assert (done.returncode, done.stderr[-len(told) :]) == (status, told), done.stderr
            assert done.stderr.count(b"\n") == told.count(b"\n"), "it is told once"


def test_no_file_takes_the_place_of_a_stream(tmp_path: Path) -> None:
    place = tmp_path / "arena"
    engine = f"engine:{sys.executable} {AGREEING}"
    arguments = ["arena", engine, engine, "--matches", "1", "-o", str(place)]
    done = run(tmp_path, *arguments, redirections="<&- 2>&-")
    assert done.returncode == 0
    assert read_file(place / "match-0001.tgn")
