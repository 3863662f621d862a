"""`thud replay`: replay a match, on the board or in plain text."""

from __future__ import annotations

import argparse
from argparse import Namespace
from functools import partial

from thud.cli import launch
from thud.cli.explore import library
from thud.cli.options import add_file, add_plain, add_variant
from thud.cli.sources import name_of_saved, opened, opened_with_warning
from thud.records.links import is_link


def add_replay(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match."""
    add_file(command)
    add_plain(command, "replay")
    add_variant(command, "the game of a .thud file (the file does not say)")


def replay(options: Namespace) -> None:
    """Replay a match."""
    if is_link(options.file) and not options.plain:
        from thud.tui.links import start_of

        start = start_of(options.file)
        launch.show(start, options)
        return
    name = name_of_saved(options)
    if options.plain:
        launch.replay_in_lines(opened_with_warning(options), name)
    else:
        record, fault = opened(options)
        others = partial(library, [] if name else [options.file])
        from thud.tui.start import Replay

        launch.show(Replay(record, fault, name), options, library=others)
