"""`thud puzzles`: solve them, list them, print them, or begin anew."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence

from thud.commands import launch
from thud.disk.directories import data_directory
from thud.drills.drill import Drill
from thud.puzzles.book import as_written, chosen, puzzle_of
from thud.puzzles.puzzle import Puzzle
from thud.rules.variants import VARIANTS


def puzzles(options: Namespace) -> None:
    """Do with the puzzles what the options say."""
    if options.reset:
        _reset()
        return
    found = _found(options)
    if options.json:
        print(json.dumps([as_written(puzzle) for puzzle in found], indent=1))
    elif options.list:
        _list(found)
    else:
        _solve(found, options)


def _found(options: Namespace) -> Sequence[Puzzle]:
    if options.id:
        if options.variant or options.band:
            raise ValueError(
                "a puzzle is chosen by its ID, or by --variant and --band, not by both"
            )
        return [puzzle_of(options.id)]
    variant = VARIANTS.get(options.variant or "")
    found = chosen(variant, options.band)
    if not found:
        raise ValueError(f"there are no such puzzles of {variant.title if variant else 'any game'}")
    return found


def _reset() -> None:
    from thud.puzzles.kept import forget_score

    forget_score(data_directory())
    print("All puzzles are unsolved again.")


def _list(found: Sequence[Puzzle]) -> None:
    from thud.commands.tables import print_puzzles
    from thud.puzzles.kept import load_score

    print_puzzles(found, load_score(data_directory()))


def _solve(found: Sequence[Puzzle], options: Namespace) -> None:
    from thud.puzzles.course import course

    drills = course(found, data_directory())
    if options.plain:
        _solve_in_lines(drills)
    else:
        _solve_on_board(drills, options)


def _solve_in_lines(drills: Iterator[Drill]) -> None:
    from thud.plain.drill import run
    from thud.terminal.signals import ended_in_order

    with ended_in_order():
        run(drills, launch.lines())


def _solve_on_board(drills: Iterator[Drill], options: Namespace) -> None:
    launch.require_terminal()
    looks = launch.preferences(options)
    from thud.tui.drill_app import DrillApp

    launch.run(DrillApp(drills, looks))
