"""`thud explore`: what others played, on the board, in plain text or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import closing

from thud.cli import launch
from thud.cli.options import add_plain, add_position
from thud.cli.progress import Bar
from thud.cli.sources import chosen
from thud.disk.directories import cache_directory
from thud.explore.files import checked, corpus_of
from thud.explore.library import IndexState, Library
from thud.explore.material import battles_with, parse_material
from thud.explore.words import FLEETING, faults, sample_line
from thud.records.bounds import READABLE
from thud.records.store import Store
from thud.rules.match import SIDES, Match
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.terminal.signals import exit_cleanly
from thud.terminal.streams import report
from thud.text import joined


def add_explore(command: argparse.ArgumentParser) -> None:
    """Add the arguments: sources, position and output."""
    command.add_argument(
        "files",
        metavar="FILE|DIR",
        nargs="*",
        help=f"{joined(READABLE, 'or')} files and folders to read besides your saved matches",
    )
    add_position(command)
    command.add_argument(
        "--corpus",
        action="store_true",
        help="add the computers' battles that come with the program",
    )
    command.add_argument(
        "--material",
        metavar="NUMBERS",
        help="print the matches with so many dwarfs and trolls, such as '24 1'",
    )
    command.add_argument(
        "--json", action="store_true", help="print the moves made in the position as JSON"
    )
    add_plain(command, "explore")


def explore(options: Namespace) -> None:
    """Show what others played."""
    if options.json and (options.plain or options.material is not None):
        other = "--plain" if options.plain else "--material"
        raise ValueError(f"use --json or {other}, not both")
    variant, position = chosen(options)
    in_text = options.json or options.plain or options.material is not None
    corpus = variant if options.corpus or not (in_text or options.files) else None
    matches = library(options.files, VARIANTS.get(options.variant or ""), corpus=corpus)
    if options.material is not None:
        _print_with(matches, variant, options.material)
    elif options.json:
        _print(matches, variant, position)
    elif options.plain:
        from thud.plain.explore import run

        with closing(matches), exit_cleanly():
            _bring_up_to_date(matches)
            run(matches, Match(variant, SIDES, position), launch.lines())
    else:
        from thud.tui.start import Explore

        start = Explore(Match(variant, SIDES, position))
        launch.show(start, options, library=lambda: matches)


def library(
    files: Sequence[str], variant: Variant | None = None, *, corpus: Variant | None = None
) -> Library:
    """Return the saved matches and those in files and folders.

    Args:
        files: the files and folders.
        variant: the variant of files that do not name it.
        corpus: the variant whose packaged battles to add, if any.

    Raises:
        OSError: there is no such file.
        ValueError: it cannot be a record.
    """
    roots = [*checked(files), *([corpus_of(corpus)] if corpus else [])]
    return Library(roots, cache_directory(), variant, Store().matches)


def _bring_up_to_date(matches: Library) -> IndexState:
    """Update the index, with a progress bar on standard error if that is a terminal."""
    with exit_cleanly(), Bar("reading", None) as bar:
        state = matches.update(lambda state: bar.reach(state.read, state.files))
    told_of = faults(state.faulty, state.fault), "" if state.lasts else FLEETING
    for told in filter(None, told_of):
        report(f"thud: {told}", sys.stderr)
    return state


def _print(matches: Library, variant: Variant, position: Position) -> None:
    with closing(matches):
        state = _bring_up_to_date(matches)
        played = matches.played(variant, position)
    print(
        json.dumps(
            {
                "variant": variant.name,
                "position": position.to_text(),
                "files": state.files,
                "passed_over": state.faulty,
                "battles": sum(each.number for each in played),
                "moves": [
                    {
                        "move": move_text(position, each.move),
                        "battles": each.number,
                        "share": round(each.share, 4),
                        "dwarfs_won": each.dwarfs,
                        "drawn": each.drawn,
                        "trolls_won": each.trolls,
                        "mean_margin": _rounded(each.mean),
                        "standard_error": _rounded(each.error),
                        "yours": each.own,
                        "your_mean_margin": _rounded(each.own_mean),
                    }
                    for each in played
                ],
            },
            indent=1,
        )
    )


def _print_with(matches: Library, variant: Variant, numbers: str) -> None:
    material = parse_material(numbers)
    with closing(matches):
        _bring_up_to_date(matches)
        found = battles_with(matches.paths, variant, material)
    if not found:
        print(f"No match has {material}.")
    for each in found:
        print(sample_line(variant, each))


def _rounded(mean: float | None) -> float | None:
    return None if mean is None else round(mean, 3)
