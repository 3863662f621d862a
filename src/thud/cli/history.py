"""`thud history`: finished matches, and ratings of their players."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import add_variant
from thud.records.store import Store
from thud.rules.variants import VARIANTS
from thud.strength.people import begin_anew
from thud.text import counted


def add_history(command: argparse.ArgumentParser) -> None:
    """Add the arguments: filters, and the reset of ratings."""
    command.add_argument("--name", metavar="PLAYER", help="only this player's matches")
    add_variant(command, "only matches of this game")
    command.add_argument(
        "--reset-rating",
        action="store_true",
        help="reset the rating of --name, or all ratings; the matches stay",
    )


def history(options: Namespace) -> None:
    """Print the finished matches and their players' totals, or reset ratings."""
    if not options.reset_rating:
        from thud.cli.tables import print_history

        print_history(Store(), options.name, VARIANTS.get(options.variant or ""))
    elif options.variant:
        raise ValueError("a rating covers all games: leave out --variant")
    else:
        names = begin_anew(Store(), options.name)
        print(f"Reset {counted(len(names), 'rating')}. All matches are kept.")
