"""`thud practise`: your mistakes and missed puzzles, until you know them."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from os.path import expanduser
from pathlib import Path

from thud.cli import launch
from thud.cli.options import add_plain
from thud.disk.directories import data_directory
from thud.records.store import Store
from thud.settings.preferences import Preferences
from thud.terminal.streams import report
from thud.text import capitalised, counted, why


def add_practise(command: argparse.ArgumentParser) -> None:
    """Add the arguments: what to do instead, and looks."""
    instead = command.add_mutually_exclusive_group()
    instead.add_argument(
        "--status",
        action="store_true",
        help="say how much there is today; the exit status is 1 if there is anything",
    )
    instead.add_argument(
        "--merge",
        type=expanduser,
        metavar="FILE",
        help="add the practise.json of another machine",
    )
    instead.add_argument(
        "--forget-deleted",
        action="store_true",
        help="drop the mistakes of matches that you have deleted",
    )
    instead.add_argument(
        "--return",
        dest="bring_back",
        action="store_true",
        help="bring back the positions that were put aside",
    )
    command.add_argument(
        "--early",
        action="store_true",
        help="if nothing is left today, practise what comes back tomorrow",
    )
    add_plain(command, "practise")


def practise(options: Namespace) -> None:
    """Practise, or say what there is, merge or forget."""
    launch.tell_damage()
    instead = options.status, options.merge, options.forget_deleted, options.bring_back
    if not (options.plain or any(instead)):
        from thud.tui.start import Practise

        launch.show(Practise(options.early), options)
        return
    from thud.exercises.practise import Practice, in_words, nothing_kept

    store = Store()
    practice = Practice(data_directory())
    try:
        if options.merge:
            new = practice.merge(Path(options.merge))
            report(f"{capitalised(counted(new, 'new position'))}.")
            return
        if options.forget_deleted:
            gone = practice.forget_missing(store)
            report(f"{capitalised(counted(gone, 'position'))} dropped.")
            return
        if options.bring_back:
            back = practice.bring_back()
            report(f"{capitalised(counted(back, 'position'))} brought back.")
            return
    except OSError as error:
        raise ValueError(f"practice cannot be saved: {why(error)}") from error
    complaint, complain = "", launch.once_each()
    try:
        practice.refresh(store, dubious=Preferences.load().settings.practise_dubious)
    except OSError as error:
        complaint = f"thud practise: {nothing_kept(error)}"
    report(in_words(practice))
    due = practice.due()
    if options.status:
        sys.exit(bool(due))
    if not (due or (options.early and practice.early())):
        return
    if complaint:
        complain(complaint)

    def keep() -> None:
        try:
            practice.save()
        except OSError as error:
            complain(f"thud practise: {nothing_kept(error)}")

    lines = launch.lines()
    lines.say(launch.HELP)
    launch.drill_in_lines(practice.drills(keep, early=options.early), lines)
