"""`thud replay`: replay a match, on the board or in plain text."""

from __future__ import annotations

import argparse
from argparse import Namespace
from functools import partial

from thud.cli import launch
from thud.cli.options import add_file, add_looks, add_plain, add_variant
from thud.cli.sources import library, name_of_saved, opened, opened_with_warning
from thud.records.store import Store


def add_replay(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match."""
    add_file(command)
    add_looks(command)
    add_plain(command, "replay")
    add_variant(command, "the game of a .thud file (the file does not say)")


def replay(options: Namespace) -> None:
    """Replay a match."""
    if options.plain:
        _replay_in_lines(options)
    else:
        _replay_on_board(options)


def _replay_in_lines(options: Namespace) -> None:
    from thud.plain.replay import run
    from thud.records.notebook import Notebook, in_store
    from thud.terminal.signals import exit_cleanly

    record, name = opened_with_warning(options), name_of_saved(options)
    notebook = Notebook(record, in_store(Store(), name) if name else None)
    with exit_cleanly():
        run(notebook, launch.lines())


def _replay_on_board(options: Namespace) -> None:
    record, fault = opened(options)
    launch.require_terminal(options)
    looks = launch.preferences(options)
    from thud.tui.app import ThudApp
    from thud.tui.start import Replay

    name = name_of_saved(options)
    others = partial(library, [] if name else [options.file])
    start = Replay(record, fault, name)
    launch.run(ThudApp(start, preferences=looks, store=Store(), library=others))
