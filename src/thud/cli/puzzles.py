"""`thud puzzles`: solve, list or print them."""

from __future__ import annotations

import argparse
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from datetime import date
from os.path import expanduser
from pathlib import Path

from thud.cli import launch
from thud.cli.options import add_plain, add_variant
from thud.disk.directories import data_directory
from thud.exercises.puzzles.book import (
    Daily,
    as_written,
    puzzle_of,
    puzzle_of_the_day,
    read_puzzles,
)
from thud.exercises.puzzles.book import puzzles as our_own
from thud.exercises.puzzles.puzzle import Puzzle, PuzzleFilter
from thud.exercises.puzzles.score import (
    PuzzleCourse,
    PuzzleScore,
    in_words,
    load_score,
    save_score,
    status_of,
)
from thud.exercises.puzzles.themes import THEMES
from thud.rules.variants import VARIANTS
from thud.text import why


def add_puzzles(command: argparse.ArgumentParser) -> None:
    """Add the arguments: filters, source and output."""
    command.add_argument("id", metavar="ID", nargs="?", help="one puzzle, such as classic-2")
    add_variant(command, "only puzzles of this game")
    command.add_argument(
        "--difficulty",
        "--band",
        dest="band",
        choices=("easy", "medium", "hard"),
        help="only puzzles this hard",
    )
    command.add_argument("--about", choices=tuple(THEMES), help="only puzzles of this theme")
    command.add_argument(
        "--file",
        type=expanduser,
        metavar="FILE",
        help="puzzles from a file written by 'thud edit'",
    )
    command.add_argument("--today", action="store_true", help="the puzzle of the day")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="list them and what you have solved")
    instead.add_argument(
        "--status",
        action="store_true",
        help="say whether the puzzle of the day is solved; the exit status is 1 if it waits",
    )
    instead.add_argument("--json", action="store_true", help="print them as JSON, with solutions")
    add_plain(command, "solve them")


def puzzles(options: Namespace) -> None:
    """Solve, list or print puzzles."""
    if options.theme in THEMES:
        # No colour theme has such a name: it is a theme of puzzles.
        options.about, options.theme = options.theme, None
    launch.tell_damage()
    known, choice = _found(options)
    found = list(filter(choice.fits, known))
    if options.status:
        daily, score = puzzle_of_the_day(date.today()), load_score(data_directory())
        print(status_of(daily, score))
        if score.waits(daily.day):
            sys.exit(1)
    elif options.json:
        print(json.dumps([as_written(puzzle) for puzzle in found], indent=1))
    elif options.list:
        from thud.cli.tables import print_puzzles

        score = load_score(data_directory())
        print_puzzles(found, score)
        print(f"\n{in_words(score)}")
    else:
        today = None if options.file else puzzle_of_the_day(date.today())
        if options.plain:
            _solve_in_lines(known, choice, today)
        else:
            from thud.tui.start import Puzzles

            launch.show(Puzzles(known, choice, today), options)


def _found(options: Namespace) -> tuple[Sequence[Puzzle], PuzzleFilter]:
    """Return the puzzles and the filter of the options."""
    try:
        known = read_puzzles(Path(options.file)) if options.file else our_own()
    except ValueError as error:
        raise ValueError(f"{options.file}: {error}") from error
    choice = PuzzleFilter(options.variant or "", options.band or "", options.about or "")
    if options.today or options.status:
        if options.id or options.file or any(choice):
            raise ValueError("the puzzle of the day goes with no ID, file or other choice")
        return known, PuzzleFilter(only=puzzle_of_the_day(date.today()).puzzle.id)
    if options.id:
        if any(choice):
            raise ValueError(
                "choose a puzzle by its ID, or by --variant, --difficulty and --about, not by both"
            )
        return [puzzle_of(options.id, known)], choice
    if not any(map(choice.fits, known)):
        variant = VARIANTS.get(choice.game)
        raise ValueError(f"there are no such puzzles of {variant.title if variant else 'any game'}")
    return known, choice


def _solve_in_lines(known: Sequence[Puzzle], choice: PuzzleFilter, daily: Daily | None) -> None:
    complain = launch.once_each()

    def save(score: PuzzleScore) -> None:
        try:
            save_score(data_directory(), score)
        except OSError as error:
            complain(f"thud puzzles: the score cannot be saved: {why(error)}")

    course = PuzzleCourse(known, load_score(data_directory()), save, choice, daily)
    lines = launch.lines()
    lines.say(launch.HELP)
    launch.drill_in_lines(course.drills(), lines)
