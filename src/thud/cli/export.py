"""`thud export`: convert a match to another format, or draw it."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from collections.abc import Iterator
from os.path import expanduser
from pathlib import Path
from typing import Final

from thud.cli.options import ALL, add_file, add_place, add_variant
from thud.cli.sources import all_opened, name_of_saved, opened_with_warning, picked
from thud.records.formats import FORMATS, USUAL, Extent, Format, format_of, write_file
from thud.records.links import is_link
from thud.records.record import Record
from thud.records.tree import Excerpt
from thud.review.notes import without_judgements
from thud.rules.setup import Setup
from thud.settings.values import CARVED, PICTURED
from thud.terminal.streams import report
from thud.text import spelled, why

_THEME: Final = "ankh-morpork"
"""The theme whose pieces are drawn by default."""


def add_export(command: argparse.ArgumentParser) -> None:
    """Add the arguments: source, formats and output."""
    add_file(command, several=True)
    command.set_defaults(match=None)
    add_variant(command, "the game of a .thud file (the file does not say)")
    add_place(command)
    kinds = ", ".join(f"{kind.name} ({kind.purpose})" for kind in FORMATS.values())
    command.add_argument(
        "--format",
        choices=[kind.name for kind in FORMATS.values()],
        help=f"the format (default: by the suffix of OUT): {kinds}",
    )
    command.add_argument(
        "--output",
        "-o",
        type=expanduser,
        metavar="OUT",
        help="write to a file instead of the screen",
    )
    for kind, what in (
        ("svg", "an SVG image of the position"),
        ("png", "a PNG image of the position"),
        ("gif", "an animated GIF of the battle"),
    ):
        command.add_argument(f"--{kind}", type=expanduser, metavar="OUT", help=f"write {what}")
    command.add_argument("--force", action="store_true", help="replace existing files")
    command.add_argument("--no-judgements", action="store_true", help="leave out the review")
    command.add_argument("--flip", action="store_true", help="turn the board round in pictures")
    command.add_argument("--theme", metavar="NAME", help="draw pictures in this theme's colours")
    command.add_argument(
        "--pieces", choices=PICTURED, help="draw the terminal's pieces instead of carved ones"
    )
    command.add_argument(
        "--arrows",
        choices=("last", "hint", "both"),
        help="draw an arrow for the last move, for the computer's best move, or both",
    )


def export(options: Namespace) -> None:
    """Write a record in another format, a position as a picture, or a battle as an animation."""
    records = _records(options)
    if options.no_judgements:
        records = [without_judgements(record) for record in records]
    outputs = list(_outputs(options))
    if [name for _, name in outputs].count("-") > 1:
        raise ValueError("only one output can go to standard output: name a file for the other")
    whole, extents = outputs[-1][0], {kind.extent for kind, _ in outputs}
    for option, obeyed in ("battle", {Extent.BATTLE, Extent.PLACE}), ("ply", {Extent.PLACE}):
        if getattr(options, option) is not None and not extents & obeyed:
            told = f"a {whole.suffix} file holds {whole.extent.value}"
            raise ValueError(f"{told}: leave out --{option}")
    if len(records) > 1 and extents != {Extent.RECORD}:
        raise ValueError("only .tgn and .json files hold several matches: choose one with --match")
    place = _looked(records[0], options)
    for kind, name in outputs:
        if name == "-":
            # The same bytes as in a file, whatever the terminal's encoding, to be read back.
            sys.stdout.flush()
            kind.write(sys.stdout.buffer, records, place)
            continue
        try:
            write_file(Path(name), *records, excerpt=place, overwrite=options.force, kind=kind)
        except FileExistsError as error:
            raise ValueError(f"{name} exists: use --force to replace it") from error
        except OSError as error:
            raise ValueError(f"{name} cannot be written: {why(error)}") from error


def _records(options: Namespace) -> list[Record]:
    """Return the chosen matches, the first by default; tell faults, and that there are others.

    Raises:
        ValueError: there is none, or nothing of it can be read.
    """
    chosen, options.match = options.match, 1 if options.match in (None, ALL) else options.match
    if is_link(options.file) or name_of_saved(options):
        return [opened_with_warning(options)]
    readings = all_opened(options)
    if chosen == ALL:
        for number, each in enumerate(readings, 1):
            if each.fault:
                report(f"thud: {options.file}, match {number}: {each.fault}", sys.stderr)
        if records := [each.record for each in readings if each.record]:
            return records
    elif chosen is None and len(readings) > 1:
        there = f"{options.file} has {spelled(len(readings))} matches, and this is the first"
        report(f"thud: {there}: use --match N, or --match all", sys.stderr)
    record, fault = picked(options, readings)
    if fault:
        report(f"thud: {fault}", sys.stderr)
    return [record]


def _looked(record: Record, options: Namespace) -> Excerpt:
    """Return the part to export, with the look of its picture."""
    place = Excerpt(options.battle, options.ply, options.flip)
    if options.theme or options.pieces:
        from thud.tui.board.designs import design_named

        stone = record.variant.stone
        design = design_named(options.theme or _THEME, options.pieces or CARVED, stone)
        # Without a theme, keep the usual colours of pictures.
        place = place._replace(design=design if options.theme else design._replace(colours={}))
    if options.arrows in ("hint", "both"):
        setup = Setup(record.variant, place.of(record).position)
        if not setup.variant.outcome(setup.position):
            import asyncio

            from thud.session.editor import evaluated_once

            found = asyncio.run(evaluated_once(setup))
            place = place._replace(advised=found.decision.move)
    return place._replace(arrow=options.arrows in ("last", "both"))


def _outputs(options: Namespace) -> Iterator[tuple[Format, str]]:
    """Yield the format and file name of each output; `-` is standard output."""
    for kind in "svg", "png", "gif":
        if name := getattr(options, kind):
            yield FORMATS[f".{kind}"], name
    if options.format or options.output or not (options.svg or options.png or options.gif):
        path = Path(options.output or "")
        if options.format:
            chosen = FORMATS[f".{options.format}"]
        else:
            chosen = format_of(path) if path.suffix else FORMATS[USUAL]
        yield chosen, options.output or "-"
