"""`thud join`, `thud watch`, and `thud relay`, the far end of an ssh connection."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thud.cli import launch
from thud.cli.options import add_looks, add_open_match, add_place_of_host, add_plain
from thud.terminal.arguments import hide_in_arguments

if TYPE_CHECKING:
    from thud.net.transports.invitation import Goal
    from thud.net.transports.local import OpenMatch

_MOST_BYTES: Final = 2000
"""Most bytes of an invitation's file."""


def add_relay(command: argparse.ArgumentParser) -> None:
    """Add the argument: the match to connect to."""
    command.description = "Be the far end of 'thud join ssh://'."
    add_open_match(command)


def add_join(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match and the name of the player."""
    add_place_of_host(command)
    add_looks(command)
    add_plain(command)


def add_watch(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the match and the name of the spectator."""
    add_join(command)


def join(options: Namespace) -> None:
    """Join a remote match as a player."""
    _visit(options, "seat")


def watch(options: Namespace) -> None:
    """Join a remote match as a spectator."""
    _visit(options, "watch")


def _visit(options: Namespace, want: str) -> None:
    from thud.net.host_connection import Caller
    from thud.net.remote import Remote
    from thud.net.transports.resolve import transport_to
    from thud.net.transports.ssh import SshTransport
    from thud.records.store import Store

    goal = _goal(options, want)
    if not options.plain:
        launch.require_terminal(options)
    caller = Caller(options.name or getpass.getuser(), want, named=bool(options.name))
    command = f"thud {options.command} {goal}".rstrip()
    with ExitStack() as after:
        way = transport_to(goal, options.thud)
        if isinstance(way, SshTransport):
            after.callback(way.close)
            way.connect()
        launch.play_prepared(Remote.joined(way, caller, store=Store(), command=command), options)


def _goal(options: Namespace, want: str) -> Goal:
    """Return where the match is, by the options or chosen among those on this machine.

    For a player, the only match with a free seat or a seat of theirs is chosen without asking.

    Raises:
        ValueError: there is no such match, or no invitation where it is to be read.
        OSError: the file of the invitation cannot be read.
    """
    from thud.net.host_connection import Tokens
    from thud.net.transports.invitation import OnThisMachine, parse_goal
    from thud.net.transports.local import open_matches

    hide_in_arguments(options.where.partition("#")[2])
    goal = parse_goal(_invitation(options.where))
    if goal != OnThisMachine():
        return goal
    found = open_matches()
    if want == "seat" and len(found) > 1:
        tokens = Tokens()
        ours = [each for each in found if each.about.wanted or tokens.of(each.id)]
        if len(ours) == 1:
            return OnThisMachine(ours[0].id)
    choose = len(found) > 1 and sys.stdin.isatty()
    return OnThisMachine(_chosen(found).id) if choose else goal


def _invitation(where: str) -> str:
    """Return an invitation, read from a file or from standard input if that is asked for."""
    if where.startswith("@"):
        with Path(where[1:]).open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace").strip()
    if where != "-":
        return where
    if sys.stdin.isatty():
        return getpass.getpass("The invitation, which is not shown: ").strip()
    read = bytearray()
    # No further: moves may follow.
    while len(read) < _MOST_BYTES and (byte := os.read(0, 1)) not in (b"", b"\n"):
        read += byte
    return read.decode("utf-8", "replace").strip()


def _chosen(matches: tuple[OpenMatch, ...]) -> OpenMatch:
    """Ask which match to join.

    Raises:
        ValueError: none was chosen.
    """
    for number, match in enumerate(matches, 1):
        print(f"{number:>3}  {match.told()}")
    try:
        answer = input("Which? [1] ").strip() or "1"
    except EOFError:
        print()
        raise ValueError("no match was chosen") from None
    if not (answer.isascii() and answer.isdigit() and 0 < int(answer[:4]) <= len(matches)):
        raise ValueError(f"no such match: choose a number from 1 to {len(matches)}")
    return matches[int(answer) - 1]


def relay(options: Namespace) -> None:
    """Bridge the standard streams to a match open on this machine, or list those."""
    from thud.net.transports import relay as far_end

    if options.list:
        far_end.list_matches()
    else:
        far_end.relay(options.match)
