"""What to do next."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest

from thud.cli import launch
from thud.cli.main import main
from thud.exercises.drill import Attempts
from thud.exercises.lessons.lesson import lessons
from thud.exercises.lessons.progress import GRADUATION, LessonProgress
from thud.exercises.next_step import next_step
from thud.exercises.puzzles.score import PuzzleScore, Solved, save_score
from thud.settings.last_choices import LastChoices, save_choices


def done(directory: Path, *names: str) -> None:
    progress = LessonProgress(directory)
    for name in names:
        progress.add(name)
    progress.save()


def test_what_is_begun_comes_before_what_is_new_today(tmp_path: Path) -> None:
    first, second, *_ = lessons()
    assert next_step(tmp_path, unfinished=0, due=0).words == "an easy puzzle of Classic"
    done(tmp_path, first.name)
    step = next_step(tmp_path, unfinished=1, due=1)
    assert step.way == "learn"
    assert second.title in step.words
    done(tmp_path, GRADUATION)
    assert next_step(tmp_path, unfinished=1, due=2).words == "two positions to practise"
    assert next_step(tmp_path, unfinished=1, due=0).words == "a match to go on with"
    save_choices(tmp_path, LastChoices("koom"))
    assert next_step(tmp_path, unfinished=0, due=0).command == "thud puzzles --variant koom"
    solved = (Solved("koom-1", "easy", Attempts()),)
    save_score(tmp_path, PuzzleScore(solved))
    assert next_step(tmp_path, unfinished=0, due=0).command == "thud puzzles --today"
    save_score(tmp_path, PuzzleScore(solved, days=(date.today(),)))
    assert next_step(tmp_path, unfinished=0, due=0).way == "learn"
    done(tmp_path, *(each.name for each in lessons()))
    assert next_step(tmp_path, unfinished=0, due=0).way == "play"


@pytest.mark.parametrize("read", [True, False])
def test_it_is_said_after_a_lesson_in_lines_where_somebody_reads_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    read: bool,
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("THUD_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    monkeypatch.setattr(launch, "at_terminal", lambda: read)
    assert main(["learn", "--plain"]) == 0
    told = "Next: an easy puzzle of Classic: thud puzzles --variant classic --plain"
    assert (told in capsys.readouterr().out) is read


def test_it_is_said_after_a_board_with_the_command_for_a_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("THUD_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr(launch, "at_terminal", lambda: True)
    monkeypatch.setattr("thud.cli.launch.show", lambda *_, **__: None)
    assert main(["learn"]) == 0
    told = "Next: an easy puzzle of Classic: thud puzzles --variant classic\n"
    assert capsys.readouterr().out == told
