"""`thud replay`: replay a match on the board."""

from __future__ import annotations

import argparse
from argparse import Namespace
from functools import partial

from thud.cli import launch
from thud.cli.options import add_file, add_looks, add_variant
from thud.cli.sources import library, name_of_saved, opened
from thud.records.store import Store


def add_replay(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match."""
    add_file(command)
    add_looks(command)
    add_variant(command, "the game of a .thud file (the file does not say)")


def replay(options: Namespace) -> None:
    """Replay a match on the board."""
    record, fault = opened(options)
    launch.require_terminal(options)
    looks = launch.preferences(options)
    from thud.tui.app import ThudApp
    from thud.tui.start import Replay

    name = name_of_saved(options)
    others = partial(library, [] if name else [options.file])
    start = Replay(record, fault, name)
    launch.run(ThudApp(start, preferences=looks, store=Store(), library=others))
