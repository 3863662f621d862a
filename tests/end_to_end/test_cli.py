"""The commands: output and errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import thud
from thud.cli import remote
from thud.cli.main import main
from thud.cli.parser import USAGE_ERROR
from thud.rules.variants import VARIANTS
from thud.session.session import Session

CLASSIC = VARIANTS["classic"].start.to_text()
STUCK = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/4d T"
HANDICAP = "play", "--plain", "--handicap"
TWO_ROADS = "5/7/9/11/13/15/15/5TTR7/3d11/15/13/11/9/7/4d T"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no terminal, and no files but those in a directory."""
    for name in "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "COLUMNS":
        monkeypatch.delenv(name, raising=False)
    for name in "DATA", "CONFIG", "CACHE", "RUN":
        monkeypatch.setenv(f"THUD_{name}_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("settings.txt").touch()


def printed(capsys: Capture, *arguments: str) -> str:
    """Run a command that must succeed; return its output."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def ended(arguments: Sequence[str]) -> int:
    """Run a command; return its status, also where argparse ends it."""
    try:
        return main(arguments)
    except SystemExit as stopped:
        return int(str(stopped.code))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["2"], "perft 1 656\nperft 2 22624\n"),
        (["1", "--variant", "football"], "perft 1 390\n"),
        (["2", "--position", STUCK], "perft 1 0\nperft 2 0\n"),
    ],
)
def test_perft_prints_one_line_for_each_depth(
    capsys: Capture, arguments: list[str], expected: str
) -> None:
    assert printed(capsys, "perft", *arguments) == expected


def test_perft_divided_is_sorted_and_adds_up(capsys: Capture) -> None:
    *lines, total = printed(capsys, "perft", "2", "--divide", "--variant", "koom").splitlines()
    assert total == "total 33974"
    assert lines == sorted(lines)
    assert len(lines) == 388
    assert sum(int(line.split()[1]) for line in lines) == 33974
    assert all(re.fullmatch(r"[dR]\w+-\w+ \d+", line) for line in lines)


def test_moves_are_sorted_one_a_line(capsys: Capture) -> None:
    lines = printed(capsys, "moves", "--position", TWO_ROADS).splitlines()
    assert lines == sorted(lines)
    assert len(lines) == len(set(lines)) > 10
    assert {"TF8-E8", "TF8-E8xD9", "TF8-F7", "TG8-G9"} <= set(lines)
    assert printed(capsys, "moves", "--position", STUCK) == ""


def test_show_draws_the_board(capsys: Capture) -> None:
    board, _, below = printed(capsys, "show", "--variant", "football").partition("\n\n")
    lines = board.splitlines()
    assert lines[0] == lines[-1] == "    A B C D E F G H J K L M N O P"
    assert lines[2] == "  2         . T . T . T .         2"
    assert lines[8] == "  8 . . . . . . . R . . . . . . . 8"
    assert below.splitlines()[0] == "Koom Valley Football: 16 dwarfs, 8 trolls"
    assert below.splitlines()[-1] == "dwarfs to move"
    over = printed(capsys, "show", "--position", STUCK)
    assert over.splitlines()[-1] == "The battle is over: no troll is left"


def test_show_is_in_colour_only_where_the_terminal_has_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = printed(capsys, "show")
    monkeypatch.setenv("FORCE_COLOR", "1")
    colours = re.compile(r"\x1b\[(?:\d+;)*(?:3|4|9|10)\d(?:;\d+)*m")
    coloured = printed(capsys, "show")
    assert colours.search(coloured)
    assert "\x1b" not in coloured.partition("\n\n")[2]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not colours.search(printed(capsys, "show"))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_version_and_help(capsys: Capture) -> None:
    texts = list[str]()
    for arguments in ["--version"], ["--help"], ["help"], ["play", "--help"], ["help", "play"]:
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert not caught.value.code
        texts.append(capsys.readouterr().out)
    assert texts[0].startswith(f"thud {thud.__version__} (Python ")
    assert texts[1] == texts[2]
    assert texts[3] == texts[4]
    assert main([]) == 0
    bare = capsys.readouterr().out
    assert bare.startswith("usage: thud ")
    assert all(f"  {command} " in bare for command in ("play", "show", "moves", "perft"))


@pytest.mark.parametrize("arguments", [["--theme", "foo"], ["review", "none.tgn", "--" + "x" * 60]])
def test_a_complaint_is_broken_between_words(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def complaint() -> str:
        with suppress(SystemExit):
            main(arguments)
        return capsys.readouterr().err

    whole = complaint()
    assert len(whole) > 80
    assert whole.count("\n") == 1, "a program reads it"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    lines = complaint().splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(lines) == whole.rstrip()


@pytest.mark.parametrize("command", [[], ["play"], ["learn"]])
def test_a_theme_that_is_not_there_is_told_without_a_terminal(
    command: list[str], capsys: Capture
) -> None:
    assert main([*command, "--theme", "foo"]) == USAGE_ERROR
    said = capsys.readouterr()
    assert "there is no theme 'foo'" in said.err
    assert not said.out


def test_the_installed_command_begins_as_the_module_does() -> None:
    (command,) = entry_points(group="console_scripts", name="thud")
    assert command.value == "thud.__main__:main"


BAD = {
    "an argument of two lines": ["moves", "two\nlines"],
    "an argument that rings": ["moves", "\x07\x1b[31m"],
    "a command of two lines": ["two\nlines"],
    "a missing value": ["show", "--variant"],
    "a position of nonsense": ["show", "--position", "nonsense"],
    "a position with an escape code": ["perft", "1", "--position", CLASSIC.replace("R", "\x1b")],
    "a position beyond measure": ["moves", "--position", "d" * 10_000],
    "a position of another variant": ["moves", "--variant", "koom", "--position", CLASSIC],
    "no depth": ["perft"],
    "depth zero": ["perft", "0"],
    "a depth beyond measure": ["perft", "21"],
    "a depth behind many zeros": ["perft", "0000000205", "--position", STUCK],
    "one name": ["play", "--names", "Angua"],
    "the same name twice": ["play", "--names", "Angua", "angua"],
    "a name of control characters": ["play", "--names", "\x1b", "Brick"],
    "a clock of nonsense": ["play", "--plain", "--clock", "20x"],
    "a clock without time": ["play", "--plain", "--clock", "0"],
    "a wait without a clock": ["host", "--plain", "--wait-away"],
    "a guest in a match that is not hosted": ["play", "--plain", "--dwarfs", "guest"],
    "no terminal": ["play"],
    "no such match": ["show", "nothing"],
    "no such file": ["show", "nothing.tgn"],
    "a folder": ["show", "."],
    "both a match and a position": ["show", "nothing", "--position", "d"],
    "a match elsewhere": ["resume", "../etc"],
    "no match to resume": ["resume"],
    "nothing to export": ["export"],
    "names beside those of a file": ["play", "--from", "x.tgn", "--names", "A", "B"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_is_answered_in_one_line_and_status_two(
    capsys: Capture, arguments: list[str]
) -> None:
    assert ended(arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert err.startswith("thud")
    assert err[:-1].isprintable()
    assert len(err) < 600


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (["play", "--plain", "--opponent", ""], "--opponent"),
        (["play", "--plain", "--clock="], "--clock"),
        (["play", "--plain", "--from", ""], "--from"),
        (["play", "--plain", "--names", "Ann", ""], "--names"),
        (["explore", "--plain", ""], "FILE|DIR"),
        (["host", "--plain", "--listen", ""], "--listen"),
        (["join", "--plain", ""], "WHERE"),
        (["export", "x.tgn", "-o", ""], "--output/-o"),
        (["review", ""], "FILE|ID"),
        (["--log", "", "play", "--plain"], "--log"),
    ],
)
def test_an_empty_value_is_not_taken_for_a_missing_one(
    arguments: list[str], argument: str, capsys: Capture
) -> None:
    assert ended(arguments) == 2
    assert f"argument {argument}: the value is empty (" in capsys.readouterr().err


def test_what_is_said_of_bad_input(capsys: Capture) -> None:
    depth = "argument DEPTH: a depth is a whole number from 1 to 20 (try 'thud perft --help')"
    for given, said in {
        ("show", "--position", CLASSIC.replace("R", "1")): "show: no stone (R) on any rank",
        ("play",): "play: the board needs a terminal: use --plain instead",
        ("resume", "nonsense"): "resume: there is no saved match 'nonsense': "
        "'thud resume --list' and 'thud history' list them",
        ("perft", "x"): f"perft: {depth}",
    }.items():
        assert ended(given) == 2
        assert capsys.readouterr().err == f"thud {said}\n"


@pytest.mark.parametrize(
    ("said", "guests"),
    [
        ([], "-g"),
        (["--dwarfs", "guest"], "g-"),
        (["--dwarfs", "human"], "-g"),
        (["--opponent", "guest"], "-g"),
        (["--opponent", "2"], "--"),
    ],
)
def test_a_host_plays_with_a_guest_unless_told_otherwise(
    said: list[str], guests: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Session] = []
    monkeypatch.setattr(remote, "play_hosted", lambda session, *_: begun.append(session))
    assert main(["host", "--plain", *said]) == 0
    [session] = begun
    assert (
        "".join("g" if session.state.seats[each].is_remote else "-" for each in range(2)) == guests
    )


def test_a_host_is_coached_against_a_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[bool] = []

    async def opened(*_: object) -> None:
        """Let nobody join."""

    def play(*_: object, coached: bool, **__: object) -> None:
        told.append(coached)

    monkeypatch.setattr(remote, "opened", opened)
    monkeypatch.setattr("thud.cli.launch.play_in_lines", play)
    for said in ([], ["--coach"]):
        assert main(["host", "--plain", "--opponent", "2", *said]) == 0
    assert told == [False, True]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["plya"], "there is no command 'plya': did you mean 'play'? (try 'thud --help')"),
        (["rela"], "there is no command 'rela': did you mean 'replay'?"),
        (["conga"], "there is no command 'conga' ("),
        ([""], "there is no command '' ("),
        (["--theme", "nord", "plya"], "there is no command 'plya': did you mean 'play'? ("),
        (["plya", "--plain"], "there is no command 'plya': did you mean 'play'? ("),
        (["help", "plya"], "there is no command 'plya': did you mean 'play'? ("),
        (["--conga"], "there is no option '--conga' (try 'thud --help')"),
        (["play", "--variant", "kom"], "there is no 'kom': did you mean 'koom'?"),
        (["play", "--variant", "chess"], "there is no 'chess': use classic, single, koom"),
        (["play", "--oponent", "3"], "there is no option '--oponent': did you mean '--opponent'?"),
        (["export", "--plain", "1"], "there is no option '--plain' ("),
        (["play", "now"], "there is no argument 'now' ("),
        (["replay"], "missing: FILE|ID"),
        (["reset"], "missing: WHAT ("),
        (["club"], "missing: COMMAND ("),
        (["completions", "csh"], "argument SHELL: there is no 'csh': use bash"),
        (["level"], "there is no command 'level' ("),
        (["serve", "--web", "99999"], "use 1 to 65535, or 0 for any free one"),
        (["serve", "--port", "1"], "(try 'thud serve --help')"),
        (["learn", "lnes", "--plain"], "there is no lesson 'lnes': did you mean 'lines'?"),
        (["play", "--dwarfs", "randm"], "unknown player 'randm': did you mean 'random'?"),
        (["arena", "random", "bogus"], "unknown player 'bogus': use cpu:1 to cpu:15, max, random"),
        (["reset", "everything"], "there is no 'everything': use lessons, puzzles or ratings"),
        (["show", "last", "--battle", "3"], "a match has battles 1 and 2, not '3'"),
        (["show", "--match", "2"], "--match, --battle and --ply need a FILE"),
        (["export", "last", "--ply", "-1"], "'-1' is not a whole number from 0"),
        (["rules", "KOOM"], "there is no game 'KOOM'"),
        (["edit"], "thud edit: "),
        (["edit", "--plain", "--position", "5/7 d"], "thud edit: "),
        (
            ["play", "--plain", "--log", "nowhere/a.log"],
            "the log 'nowhere/a.log' cannot be",
        ),
        (["play", "--plain", "--log", "."], "the log '.' cannot be written: "),
        (["play", "--plain", "--coach"], "--coach helps a person against a computer"),
        (
            ["play", "--plain", "--coach", "--dwarfs", "1", "--trolls", "1"],
            "--coach helps a person",
        ),
        ([*HANDICAP, "Zoe:1"], "Player 1 or Player 2 can give one"),
        ([*HANDICAP, "1:1", "--variant", "football"], "has no handicaps"),
        ([*HANDICAP, "1:1", "--position", CLASSIC], "leave out --position"),
        ([*HANDICAP, "1:1", "--from", "x"], "--from takes position, names and handicap"),
        (["join", "--plain", "nobody"], "no match 'nobody' is open here"),
        (["join", "--plain"], "no match is open here"),
        (["join", "--plain", "thud://box:1/#nonsense"], "is not a whole invitation"),
        (["join", "--plain", "http://box"], "begins with neither"),
        (["host", "--plain", "--listen", "box:0:0"], "is not a port"),
        (["watch", "--plain", f"/nowhere/at-all#{'A' * 22}"], "no host is at"),
        (["explore", "--json", "missing.tgn"], "No such file"),
        (["explore", "--json", "settings.txt"], "neither a folder nor"),
        (["review", "x", "--json", "--all"], "use --json or --all, not both ("),
        (["explore", "--json", "--plain"], "use --json or --plain, not both"),
        (["explore", "--json", "--material", "32 8"], "use --json or --material, not both"),
        (["explore", "--json", "--position", "x/y"], "ranks"),
        (["explore"], "terminal"),
    ],
)
def test_a_wrong_argument_is_told_in_plain_words(
    given: list[str], said: str, capsys: Capture
) -> None:
    assert ended(given) == 2
    out, err = capsys.readouterr()
    assert not out
    assert said in err
    assert err.count("\n") == 1
