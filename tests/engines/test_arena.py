"""The arena: openings, results, failures, and the command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from math import isclose, sqrt
from pathlib import Path
from random import Random

import pytest

from rules.strategies import every_variant
from sampling import sampled
from session.timing import ManualClock
from thud.ai.player import Limits
from thud.cli.main import main
from thud.engines.arena import Pairing, Plan, Tally, lost_on_time, opening
from thud.engines.spec import parse_contender
from thud.records.formats import read_file
from thud.records.record import Record
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.battle import QUIET_LIMIT
from thud.rules.clock import TimeLeft, parse_control
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Reason, Variant
from thud.rules.variants import VARIANTS
from thud.rules.variants.classic import Classic

QUICK = ("--variant", "football")
"""A game of which battles at random are soon over."""

FAKE = Path(__file__).with_name("fake_engine.py")

AGREEING = f"engine:{sys.executable} {Path(__file__).with_name('agreeing_engine.py')}"
"""A player who would end each battle after a few moves."""

PYTHON = Path(sys.executable).name
"""What the arena calls a player that runs in Python."""


def fake(how: str) -> str:
    return f"engine:{sys.executable} {FAKE} '{how}'"


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))


def arena(*arguments: str) -> int:
    try:
        return main(["arena", *arguments])
    except SystemExit as end:
        return int(end.code or 0)


def told(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, object]:
    """Run an arena; return its JSON report."""
    assert arena(*arguments, "--json") == status
    out, err = capsys.readouterr()
    assert err == ""
    report = json.loads(out)
    assert isinstance(report, dict)
    return report


def records(directory: Path) -> list[Record]:
    return [read_file(path)[0] for path in sorted(directory.glob("*.tgn"))]


@every_variant
def test_an_opening_is_of_its_length_and_the_battle_goes_on(variant: Variant) -> None:
    for plies in (0, 1, 7, 40):
        moves, again = (opening(variant, plies, Random(1)) for _ in range(2))
        assert moves == again
        position = variant.start
        for move in moves:
            assert variant.is_legal(position, move)
            position = position.after(move)
        assert len(moves) == plies
        assert variant.outcome(position) is None


class Brief(Classic):
    """A game without trolls that ends after the first move."""

    start = VARIANTS["classic"].start._replace(trolls=0)


def test_no_opening_is_looked_for_without_end() -> None:
    brief = Brief("brief", "Brief", "Brief")
    assert len(opening(brief, 0, Random(1))) == 0
    with pytest.raises(ValueError, match="Brief mostly ends before five moves at random"):
        opening(brief, 5, Random(1))


def test_a_tally_counts_and_estimates() -> None:
    tally = Tally.of([3, -1, 0, 6])
    assert tally[:4] == (2, 1, 1, 2.0)
    assert tally.error is not None
    assert isclose(tally.error, sqrt((1 + 9 + 4 + 16) / 3 / 4))
    assert Tally.of([5]).error is None
    assert Tally.of([]) == (0, 0, 0, 0.0, None)


def test_a_match_is_two_battles_from_one_opening_with_the_sides_exchanged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = "material", "random", "--variant", "koom", "--seed", "1"
    assert arena(*arguments, "--matches", "2", "-o", str(tmp_path)) == 0
    out, err = capsys.readouterr()
    told_in_words(out.splitlines(), tmp_path)
    assert err == ""
    first, second = records(tmp_path)
    assert first.commanders(1) == ("Material", "Random") == first.commanders(2)[::-1]
    assert [each.split()[-1] for each in first.programs] == ["material", "random"]
    assert first.battles[0].moves[:2] == first.battles[1].moves[:2]
    assert first.battles[0].moves[:2] != second.battles[0].moves[:2]
    assert {battle.quiet_limit for each in (first, second) for battle in each.battles} == {
        QUIET_LIMIT
    }
    assert dict(second.tags)["Round"] == "2"


@pytest.mark.slow
def test_the_numbers_add_up_and_a_seed_repeats_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.engines.arena.QUIET_LIMIT", 10)
    arguments = "random", "random", *QUICK, "--matches", "2", "--seed", "5", "--openings", "4"
    report = told(capsys, *arguments)
    again = told(capsys, *arguments, "--jobs", "2")
    matches = report["matches"]
    assert isinstance(matches, list)
    files = [match.pop("file") for match in matches]
    for match in again["matches"]:  # type: ignore[attr-defined]
        match.pop("file")
    assert again == report
    assert [player["name"] for player in report["players"]] == ["Random 1", "Random 2"]  # type: ignore[attr-defined]
    margins = []
    for match, file in zip(matches, files, strict=True):
        first, second = read_file(Path(file))[0].tally
        assert match["margin"] == first - second
        margins.append(first - second)
        battles = match["battles"]
        assert first == battles[0]["dwarfs"] + battles[1]["trolls"]
    assert report["result"]["matches"]["mean"] == sum(margins) / 2  # type: ignore[index]


def told_in_words(lines: list[str], directory: Path) -> None:
    assert lines[0] == (
        "Material against Random, Koom Valley, their own limits, openings of 2 random moves, seed 1"
    )
    assert lines[1].startswith("match   1: +2.0  as dwarfs +1.0 (")
    assert lines[4:6] == [
        "Material against Random: +2.00 ± 0.00 points a match",
        "  matches    won 2, drawn 0, lost 0",
    ]
    assert lines[-1] == f"The matches are in {directory}"
    assert all(len(line) <= 80 for line in lines[1:-1])


def test_a_match_with_a_fault_is_told_saved_and_not_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = told(capsys, "random", fake("illegal"), "--matches", "2", "--openings", "0", status=1)
    matches = report["matches"]
    assert isinstance(matches, list)
    assert len(matches) == 2
    for match in matches:
        assert (match["culprit"], match["margin"], match["battles"]) == (1, None, [])
        assert "which is not legal" in match["fault"]
        record = read_file(Path(match["file"]))[0]
        assert len(record.battles[0].moves) == 1
        assert not record.over
    assert report["result"]["matches"]["won"] == 0  # type: ignore[index]
    assert arena("random", fake("crash"), "--matches", "1") == 1
    out, _ = capsys.readouterr()
    assert "match   1: not counted: " in out
    assert "stopped (exit status 3: " in out
    assert "No match was finished." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["engine:/nowhere/x", "random"], "x cannot be started: No such file or directory"),
        (["random", "human"], "only computers play in the arena: use 'thud play' for people"),
        (["random", "chess"], "unknown player 'chess'"),
        (["random", fake("well"), "--variant", "football"], "does not play Koom Valley Football"),
        (["random", "random", "--openings", "41"], "begins with 0 to 40 moves at random"),
        (["random", "random", "--matches", "0"], "'0' is not a whole number from 1"),
        (["random", "random", "--nodes", "5", "--movetime", "5"], "use --nodes or --movetime, not"),
        (["random", "random", "--clock", "5", "--movetime", "9"], "use --clock or --movetime"),
        (["random", "random", "--output", __file__], "File exists"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert arena(*arguments) == 2
    _, err = capsys.readouterr()
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("data/arena/*"))


def test_a_battle_ends_when_both_players_would_end_it_and_is_never_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    arguments = AGREEING, AGREEING, "--matches", "1", "--output", str(tmp_path)
    assert arena(*arguments) == 0
    [record] = records(tmp_path)
    for battle in record.battles:
        assert battle.outcome is not None
        assert battle.outcome.reason is Reason.AGREEMENT
        # Two opening moves, two without an offer, the dwarfs' offer, and the trolls' agreement.
        assert len(battle.moves) == 6
    assert record.programs == ("First thought", "First thought")
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    assert arena(*arguments) == 2
    assert "has the matches of another arena" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


def _children_of(parent: int) -> Path:
    """Return the file that lists a process's children."""
    return Path(f"/proc/{parent}/task/{parent}/children")


@pytest.mark.slow
@pytest.mark.skipif(not _children_of(os.getpid()).exists(), reason="needs a Linux kernel")
@pytest.mark.parametrize("as_json", sampled([True, False]))
def test_an_interrupt_gives_the_result_so_far_and_leaves_no_engine(
    tmp_path: Path, as_json: bool
) -> None:
    command = [sys.executable, "-m", "thud", "arena", AGREEING, AGREEING, "--matches", "999999"]
    command += ["--jobs", "2", "-o", str(tmp_path), *(["--json"] if as_json else [])]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        engines_and_guards = list[str]()
        while len(engines_and_guards) < 2 * 4 or not list(tmp_path.glob("match-*.tgn")):
            assert process.poll() is None
            engines_and_guards = _children_of(process.pid).read_text().split()
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "")
    assert len(engines_and_guards) == 2 * 4
    assert not any(Path(f"/proc/{number}").exists() for number in engines_and_guards)
    if as_json:
        report = json.loads(out)
        assert report["interrupted"]
        assert len(report["matches"]) == len(list(tmp_path.glob("match-*.tgn")))
    else:
        assert f"{PYTHON} 1 against {PYTHON} 2: " in out


@pytest.mark.parametrize("begun", [0, 2])
async def test_a_battle_is_lost_by_whoever_is_out_of_time(begun: int) -> None:
    glass = ManualClock()

    def moved(_: int, match: Match) -> None:
        if len(match.battle.moves) in (0, 5):
            glass.pass_ms(90_000)

    pair = parse_contender("random"), parse_contender("material")
    control = parse_control("1+2")
    plan = Plan(VARIANTS["classic"], pair, 1, Limits(), begun, 1, 7, "2026-11-22", control)
    pairing = Pairing(plan, moved)
    pairing.now = glass
    try:
        fought = await pairing.match(1)
    finally:
        await pairing.close()
    for battle in fought.record.battles:
        assert battle.outcome is not None
        assert (battle.outcome.reason, len(battle.moves)) == (Reason.TIME, 5)
        assert battle.outcome.is_forfeit(Side.TROLLS)
    assert lost_on_time([fought]) == (1, 1)
    [read] = read_tgn(tgn_text(fought.record))
    assert read.battles == fought.record.battles
    assert read.control == control
    # The start of a battle, an opening or the first move, neither takes time nor adds any.
    left = read.match().battle.left
    assert left[: max(1, begun)] == (TimeLeft(60_000),) * max(1, begun)
    assert left[-1] == TimeLeft(64_000)


def test_the_clock_is_told_and_so_is_who_was_out_of_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    how = (AGREEING, AGREEING, "--matches", "1", "--clock", "600")
    assert arena(*how) == 0
    out = capsys.readouterr().out
    assert "clock 600, " in out
    assert f"battles lost on time: 0 by {PYTHON} 1, 0 by {PYTHON} 2" in out
    report = told(capsys, *how)
    assert (report["clock"], report["lost_on_time"]) == ("600", [0, 0])
