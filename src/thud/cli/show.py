"""`thud show`: the board of a position, as text."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import add_file, add_place, add_position
from thud.cli.sources import chosen, opened_with_warning
from thud.records.tree import Excerpt


def add_show(command: argparse.ArgumentParser) -> None:
    """Add the arguments: a position, or a place in a record."""
    add_file(command, optional=True)
    add_position(command)
    add_place(command)


def show(options: Namespace) -> None:
    """Print the board of a position, or of a place in a record."""
    from thud.cli.diagram import print_position

    if options.file is None:
        if (options.battle, options.ply, options.match) != (None, None, 1):
            raise ValueError("--match, --battle and --ply need a FILE")
        print_position(*chosen(options))
        return
    if options.position is not None:
        raise ValueError("use a FILE or --position, not both")
    record = opened_with_warning(options)
    place = Excerpt(options.battle, options.ply)
    print_position(record.variant, place.of(record).position)
