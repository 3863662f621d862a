"""`thud history`: finished matches, and ratings of their players."""

from __future__ import annotations

import argparse
from argparse import Namespace

from thud.cli.options import add_variant
from thud.records.store import Store
from thud.records.summary import filtered
from thud.rules.variants import VARIANTS
from thud.strength.people import person


def add_history(command: argparse.ArgumentParser) -> None:
    """Add the arguments: filters."""
    command.add_argument("--name", metavar="PLAYER", help="only this player's matches")
    add_variant(command, "only matches of this game")
    instead = command.add_mutually_exclusive_group()
    instead.add_argument(
        "--results",
        action="store_true",
        help="print results by opponent and side, ratings, and accuracy by month",
    )
    instead.add_argument("--json", action="store_true", help="print all of it as JSON")


def history(options: Namespace) -> None:
    """Print the finished matches and their players' totals, or what they show of each person."""
    from thud.cli.tables import print_history

    store, variant = Store(), VARIANTS.get(options.variant or "")
    if options.json or options.results:
        from thud.history import histories, history_json, history_lines

        found = filtered(store.finished(), options.name, variant)
        people = histories(store, found)
        if options.name is not None:
            key = person(options.name)
            people = {name: each for name, each in people.items() if person(name) == key}
        if options.json:
            print(history_json(found, people), end="")
        else:
            print("\n".join(history_lines(people)))
    else:
        print_history(store, options.name, variant)
