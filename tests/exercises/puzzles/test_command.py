"""`thud puzzles`: output and errors."""

import io
import json
import os
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from thud.cli.main import main
from thud.exercises.drill import Attempts
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.score import PuzzleScore, load_score, save_score
from thud.exercises.puzzles.themes import THEMES
from thud.rules.notation import move_text, parse_move
from thud.rules.variants import VARIANTS

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    return tmp_path


def printed(capsys: Capture, *arguments: str) -> str:
    assert main(["puzzles", *arguments]) == 0
    out, err = capsys.readouterr()
    assert not err
    return out


def refused(capsys: Capture, *arguments: str) -> str:
    assert main(["puzzles", *arguments]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    return err


def test_json_has_all_that_there_is_of_every_puzzle_of_one_or_of_a_band(capsys: Capture) -> None:
    listed = json.loads(printed(capsys, "--json"))
    assert [each["id"] for each in listed] == [puzzle.id for puzzle in puzzles()]
    for each in listed:
        variant = VARIANTS[each["variant"]]
        position = variant.position(each["position"])
        assert each["band"]
        assert each["theme"]
        assert each["gain"]
        assert all(parse_move(variant, position, text) for text in each["solutions"][0])
    (only,) = json.loads(printed(capsys, "--json", "koom-2"))
    assert only["id"] == "koom-2"
    hard = json.loads(printed(capsys, "--json", "--band", "hard", "--variant", "classic"))
    assert {(each["variant"], each["band"]) for each in hard} == {("classic", "hard")}


def test_puzzles_are_chosen_by_difficulty_and_theme(capsys: Capture) -> None:
    chosen = "--json", "--difficulty", "easy"
    found = json.loads(printed(capsys, *chosen, "--about", "trap"))
    assert {(each["band"], each["theme"]) for each in found} == {("easy", "trap")}
    assert found == json.loads(printed(capsys, *chosen, "--theme", "trap"))


def test_the_list_says_what_is_solved_until_it_is_reset(capsys: Capture, data: Path) -> None:
    first, second, third = puzzles()[:3]
    score = PuzzleScore().with_solved(first, Attempts()).with_solved(second, Attempts(1, 0))
    save_score(data, score)
    lines = {line.split()[0]: line for line in printed(capsys, "--list").splitlines() if line}
    assert lines[first.id].rstrip().endswith("first try")
    assert lines[second.id].rstrip().endswith("with help")
    assert THEMES[second.theme] in lines[second.id]
    assert lines[third.id].split() == [third.id, third.band], "a theme is told when it is solved"
    assert ", rating " in printed(capsys, "--list")
    assert main(["reset", "puzzles"]) == 0
    assert capsys.readouterr().out == "All puzzles are unsolved again.\n"
    assert load_score(data) == PuzzleScore()
    assert "No puzzle solved" in printed(capsys, "--list")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["classic-9999"], "no puzzle 'classic-9999'"),
        (["--list", "\x1b[31m"], "no puzzle"),
        (["--variant", "football", "--about", "hurl"], "no such puzzles of Koom Valley Football"),
        (["koom-1", "--band", "easy"], "not by both"),
        (["--today", "koom-1"], "no ID, file or other choice"),
        (["--status", "--about", "win"], "no ID, file or other choice"),
        ([], "terminal"),
    ],
)
def test_what_cannot_be_done_is_refused(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert complaint in refused(capsys, *arguments)


def test_one_is_solved_in_lines(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    puzzle = next(each for each in puzzles() if each.replies)
    texts, position = list[str](), puzzle.position
    for best, reply in zip(puzzle.solutions, (*puzzle.replies, None), strict=True):
        texts.append(move_text(position, best[0]))
        position = position.after(best[0])
        position = position.after(reply) if reply else position
    wrong = move_text(puzzle.position, puzzle.tempting[0])
    typed = "\n".join([wrong, *texts]) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    out = printed(capsys, "--plain", puzzle.id)
    assert "There is a better move" in out
    assert out.count("Right.") == len(texts)
    assert load_score(data).solved[0].effort[:2] == (1, 0)
    answered = out.partition("There is a better move")[2].partition("Try again")[0]
    assert answered.count("captures") <= 1, "the reply is told once"
    assert "A wrong move counts as a miss. Solved 1" in out


def test_in_lines_a_puzzle_is_skipped_and_the_solution_shown(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    hard = [each for each in puzzles() if each.band == "hard" and each.variant.name == "koom"]
    typed = "skip\nsolution\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    out = printed(capsys, "--plain", "--variant", "koom", "--difficulty", "hard")
    assert [out.count(f"Koom Valley, puzzle {each.number} (hard)") for each in hard[:3]] == [1] * 3
    assert "The solution: " in out
    assert "Solved 0, first try 0, streak 0, rating 1193 (provisional)" in out
    (kept,) = load_score(data).solved
    assert (kept.id, kept.effort.shown) == (hard[1].id, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
def test_a_score_that_cannot_be_saved_is_told_in_words(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    os.mkfifo(data / "puzzles.json")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"solution\nquit\n")))
    assert main(["puzzles", "--plain", "koom-2"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told == ["thud puzzles: the score cannot be saved: not a file"]


def test_they_are_listed_without_loading_what_draws() -> None:
    asked = "import sys; from thud.cli.main import main; main(['puzzles', '--json']);"
    program = f"{asked} sys.exit('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_each_puzzle_is_listed_in_one_row_of_80_columns(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    listed = printed(capsys, "--list")
    assert "…" not in listed
    rows = [line for line in listed.splitlines() if line.strip()]
    assert len(rows) == len(puzzles()) + 2


def test_the_puzzle_of_the_day_and_whether_it_is_solved(capsys: Capture, data: Path) -> None:
    (daily,) = json.loads(printed(capsys, "--today", "--json"))
    assert daily["id"] in {puzzle.id for puzzle in puzzles()}
    with pytest.raises(SystemExit) as waiting:
        main(["puzzles", "--status"])
    assert waiting.value.code == 1
    assert capsys.readouterr().out.endswith(" waits.\n")
    # Around midnight the day may change meanwhile.
    today = date.today()
    save_score(data, PuzzleScore(days=(today, today + timedelta(days=1))))
    assert " is solved: " in printed(capsys, "--status")
