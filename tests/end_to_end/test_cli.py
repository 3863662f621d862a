"""The commands: output and errors."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import thud
from thud.cli import remote
from thud.cli.main import main
from thud.records.formats import write_file
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session

CLASSIC = VARIANTS["classic"].start.to_text()
STUCK = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/4d T"
TWO_ROADS = "5/7/9/11/13/15/15/5TTR7/3d11/15/13/11/9/7/4d T"
FOOTBALL_BOARD = """\
    A B C D E F G H J K L M N O P
  1           . . . . .           1
  2         . T . T . T .         2
  3       . T T . T . T T .       3
  4     . . . . . . . . . . .     4
  5   . . . . . . . . . . . . .   5
  6 . . . . . . . . . . . . . . . 6
  7 . . . . . . . . . . . . . . . 7
  8 . . . . . . . R . . . . . . . 8
  9 . . . . . . . d . . . . . . . 9
 10 d . . . . . . . . . . . . . d 10
 11   d . . . . . . . . . . . d   11
 12     d . . . . . . . . . d     12
 13       d . . . . . . . d       13
 14         d . . . . . d         14
 15           d d d d d           15
    A B C D E F G H J K L M N O P
"""

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "COLUMNS":
        monkeypatch.delenv(name, raising=False)


def printed(capsys: Capture, *arguments: str) -> str:
    """Run a command that must succeed; return its output."""
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["1"], "perft 1 656\n"),
        (["2"], "perft 1 656\nperft 2 22624\n"),
        (["--variant", "koom", "2"], "perft 1 388\nperft 2 33974\n"),
        (["--variant", "football", "2"], "perft 1 390\nperft 2 26718\n"),
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


def test_perft_divided_at_depth_one_counts_each_move_once(capsys: Capture) -> None:
    listed = printed(capsys, "moves").splitlines()
    divided = printed(capsys, "perft", "1", "--divide").splitlines()
    assert divided == [*(f"{text} 1" for text in listed), "total 656"]


def test_moves_are_sorted_one_a_line(capsys: Capture) -> None:
    lines = printed(capsys, "moves", "--position", TWO_ROADS).splitlines()
    assert lines == sorted(lines)
    assert len(lines) == len(set(lines)) > 10
    assert {"TF8-E8", "TF8-E8xD9", "TF8-F7", "TG8-G9"} <= set(lines)
    assert printed(capsys, "moves", "--position", STUCK) == ""


def test_show_draws_the_board(capsys: Capture) -> None:
    out = printed(capsys, "show", "--variant", "football")
    board, _, below = out.partition("\n\n")
    assert f"{board}\n" == FOOTBALL_BOARD
    assert below.splitlines()[0] == "Koom Valley Football: 16 dwarfs, 8 trolls"
    assert below.splitlines()[-1] == "dwarfs to move"
    assert "\x1b" not in out


def test_show_says_how_a_battle_ended(capsys: Capture) -> None:
    out = printed(capsys, "show", "--position", STUCK)
    assert out.splitlines()[-1] == "The battle is over: no troll is left"


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
    for arguments in ["--version"], ["--help"], ["perft", "--help"]:
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 0
    printed_first = capsys.readouterr().out
    assert printed_first.startswith(f"thud {thud.__version__} (Python ")
    assert "\nusage: thud " in printed_first
    assert main([]) == 0
    bare = capsys.readouterr().out
    assert bare.startswith("usage: thud ")
    assert all(f"  {command} " in bare for command in ("play", "show", "moves", "perft"))


def test_the_installed_command_begins_as_the_module_does() -> None:
    (command,) = entry_points(group="console_scripts", name="thud")
    assert command.value == "thud.__main__:main"


BAD = {
    "no such command": ["castle"],
    "no such option": ["--castle"],
    "no such option of a command": ["moves", "--castle"],
    "one argument too many": ["moves", "castle"],
    "an argument of two lines": ["moves", "two\nlines"],
    "an argument that rings": ["moves", "\x07\x1b[31m"],
    "an option of two lines": ["moves", "--two\nlines"],
    "a command of two lines": ["two\nlines"],
    "no such variant": ["moves", "--variant", "chess"],
    "a variant of two lines": ["moves", "--variant", "two\nlines"],
    "a missing value": ["show", "--variant"],
    "a position of nonsense": ["show", "--position", "nonsense"],
    "an empty position": ["show", "--position", ""],
    "a position of two lines": ["moves", "--position", CLASSIC.replace("R", "\n")],
    "a position with an escape code": ["perft", "1", "--position", CLASSIC.replace("R", "\x1b")],
    "a position beyond measure": ["moves", "--position", "d" * 10_000],
    "a position of another variant": ["moves", "--variant", "koom", "--position", CLASSIC],
    "no depth": ["perft"],
    "no depth to divide": ["perft", "--divide"],
    "depth zero": ["perft", "0"],
    "a negative depth": ["perft", "-1"],
    "half a depth": ["perft", "1.5"],
    "a depth beyond measure": ["perft", "21"],
    "a depth of fifty digits": ["perft", "9" * 50],
    "a depth behind many zeros": ["perft", "0000000205", "--position", STUCK],
    "a depth in other digits": ["perft", "٣"],
    "one name": ["play", "--names", "Angua"],
    "an empty name": ["play", "--names", "", "Brick"],
    "the same name twice": ["play", "--names", "Angua", "angua"],
    "a name of control characters": ["play", "--names", "\x1b", "Brick"],
    "a clock of nonsense": ["play", "--plain", "--clock", "20x"],
    "a clock of two lines": ["play", "--plain", "--clock", "20\n10"],
    "a clock without time": ["play", "--plain", "--clock", "0"],
    "a wait without a clock": ["host", "--plain", "--wait-away"],
    "a guest in a match that is not hosted": ["play", "--plain", "--dwarfs", "guest"],
    "no terminal": ["play"],
}


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_bad_input_is_answered_in_one_line_and_status_two(
    capsys: Capture, arguments: list[str]
) -> None:
    try:
        status = main(arguments)
    except SystemExit as stopped:
        status = int(str(stopped.code))
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert err.startswith("thud")
    assert err[:-1].isprintable()
    assert len(err) < 600


def test_what_is_said_of_bad_input(capsys: Capture) -> None:
    assert main(["show", "--position", CLASSIC.replace("R", "1")]) == 2
    assert capsys.readouterr().err == "thud show: no stone (R) on any rank\n"
    assert main(["play"]) == 2
    expected = "thud play: the board needs a terminal: use --plain instead\n"
    assert capsys.readouterr().err == expected
    assert main(["resume", "nonsense"]) == 2
    assert capsys.readouterr().err == "thud resume: there is no saved match 'nonsense'\n"
    assert main(["review", "none.json"]) == 2
    assert capsys.readouterr().err == "thud review: none.json: No such file or directory\n"
    with pytest.raises(SystemExit):
        main(["perft", "x"])
    assert capsys.readouterr().err == (
        "thud perft: argument DEPTH: a depth is a whole number from 1 to 20 "
        "(try 'thud perft --help')\n"
    )


@pytest.mark.parametrize(
    ("given", "of"), [(["serve", "--port", "1"], "thud serve"), (["--conga"], "thud")]
)
def test_an_unknown_argument_points_to_the_help_of_its_command(
    given: list[str], of: str, capsys: Capture
) -> None:
    with pytest.raises(SystemExit):
        main(given)
    told = capsys.readouterr().err
    assert told.startswith(f"{of}: ")
    assert told.endswith(f"(try '{of} --help')\n")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("plya", "'plya': did you mean 'play'?"),
        ("rela", "'rela': did you mean 'replay'?"),
        ("conga", "'conga'"),
        ("a\nb", "'a\\nb'"),
    ],
)
def test_what_is_no_command_is_told_with_one_that_is_like_it(
    word: str, said: str, capsys: Capture
) -> None:
    with pytest.raises(SystemExit):
        main([word])
    assert capsys.readouterr().err == f"thud: there is no command {said} (try 'thud --help')\n"


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


def test_help_may_be_asked_for_as_a_command(capsys: Capture) -> None:
    texts = list[str]()
    for given in (["help", "play"], ["play", "--help"], ["help"], ["--help"]):
        with pytest.raises(SystemExit) as ended:
            main(given)
        assert not ended.value.code
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    assert texts[2] == texts[3]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["play", "--variant", "kom"], "there is no 'kom': did you mean 'koom'?"),
        (["play", "--variant", "chess"], "there is no 'chess': use classic, single, koom"),
        (["play", "--oponent", "3"], "there is no option '--oponent': did you mean '--opponent'?"),
        (["export", "--plain", "1"], "there is no option '--plain' ("),
        (["play", "now"], "there is no argument 'now' ("),
        (["replay"], "missing: FILE|ID"),
        (["level"], "there is no command 'level' ("),
        (["serve", "--web", "99999"], "use 1 to 65535, or 0 for any free one"),
    ],
)
def test_a_wrong_argument_is_told_in_plain_words(
    given: list[str], said: str, capsys: Capture
) -> None:
    with pytest.raises(SystemExit):
        main(given)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["learn", "lnes", "--plain"], "there is no lesson 'lnes': did you mean 'lines'?"),
        (["play", "--dwarfs", "randm"], "unknown player 'randm': did you mean 'random'?"),
        (["export", "x.tgn", "--theme", "nrod"], "there is no theme 'nrod': did you mean 'nord'?"),
        (["arena", "random", "bogus"], "unknown player 'bogus': use cpu:1 to cpu:12, max, random"),
        (["puzzles", "--reset", "--variant", "koom"], "--reset forgets all puzzles"),
        (["puzzles", "--reset", "--file", "x.jsonl"], "--reset forgets all puzzles"),
        (["learn", "points", "--reset"], "--reset forgets all lessons"),
    ],
)
def test_a_wrong_choice_is_refused_with_what_to_do_instead(
    given: list[str], said: str, capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_file(Path("x.tgn"), Record.of(Match(VARIANTS["classic"], ("Ann", "Bob"))))
    assert main(given) == 2
    assert said in capsys.readouterr().err
