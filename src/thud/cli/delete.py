"""`thud delete`: delete a saved match."""

from __future__ import annotations

import argparse
from argparse import Namespace
from contextlib import suppress

from thud.cli.options import ID_HELP
from thud.disk.atomic import write_atomic
from thud.records.store import CannotResume, Store
from thud.records.words import addressed_in
from thud.terminal.streams import at_terminal, report


def add_delete(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match, and the confirmation."""
    command.add_argument("id", metavar="ID", help=f"which match: {ID_HELP}")
    command.add_argument("--yes", action="store_true", help="delete it without asking")


def delete(options: Namespace) -> None:
    """Delete a match, after a confirmation unless `--yes`, keeping a copy of the last deleted."""
    store = Store()
    name = store.named(options.id)
    if not options.yes:
        if not at_terminal():
            raise ValueError(f"without a terminal you cannot be asked: add --yes to delete {name}")
        told = name
        with suppress(CannotResume):
            record = store.load(name)
            players = " against ".join(addressed_in(record).players)
            kind = "" if record.over else "unfinished, "
            told = f"{name}, {kind}{record.variant.title}, {players}"
        try:
            answer = input(f"Delete {told}? [y/N] ")
        except EOFError:
            print()
            answer = ""
        if answer.strip().lower() not in ("y", "yes"):
            report(f"Kept match {name}.")
            return
    copy = store.matches.with_name("deleted.tgn")
    discarded = store.discard(name)
    try:
        write_atomic(copy, discarded.content)
    except OSError:
        report(f"Deleted match {name}.")
        return
    report(f"Deleted match {name}. A copy stays at {copy} until you delete another match.")
