"""`thud history`: finished matches, and ratings of their players."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import add_variant
from thud.records.store import Store
from thud.rules.variants import VARIANTS


def add_history(command: argparse.ArgumentParser) -> None:
    """Add the arguments: filters."""
    command.add_argument("--name", metavar="PLAYER", help="only this player's matches")
    add_variant(command, "only matches of this game")


def history(options: Namespace) -> None:
    """Print the finished matches and their players' totals."""
    from thud.cli.tables import print_history

    print_history(Store(), options.name, VARIANTS.get(options.variant or ""))
