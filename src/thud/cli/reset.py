"""`thud reset`: start over with lessons, puzzles or ratings."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli import launch
from thud.disk.directories import data_directory
from thud.exercises.lessons.model_scores import ModelScores
from thud.exercises.lessons.progress import LessonProgress
from thud.exercises.puzzles.score import forget_score
from thud.records.store import Store
from thud.strength.people import begin_anew
from thud.terminal.streams import report
from thud.text import counted


def add_reset(command: argparse.ArgumentParser) -> None:
    """Add the arguments: what to reset, and whose rating."""
    command.add_argument(
        "what",
        choices=("lessons", "puzzles", "ratings"),
        metavar="WHAT",
        help="lessons: none is done, and no question of a model battle answered; puzzles: none is "
        "solved; ratings: they start anew, and all matches stay",
    )
    command.add_argument("--name", metavar="PLAYER", help="only this player's rating")


def reset(options: Namespace) -> None:
    """Forget which lessons are done, which puzzles are solved, or how strong players are."""
    if options.name and options.what != "ratings":
        raise ValueError("--name goes with ratings")
    launch.tell_damage()
    match options.what:
        case "lessons":
            LessonProgress(data_directory()).reset()
            ModelScores(data_directory()).reset()
            report("All lessons are marked as not done, and the models' questions as not answered.")
        case "puzzles":
            forget_score(data_directory())
            report("All puzzles are unsolved again.")
        case "ratings":
            names = begin_anew(Store(), options.name)
            report(f"Reset {counted(len(names), 'rating')}. All matches are kept.")
