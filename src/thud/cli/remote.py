"""Matches that players elsewhere may take part in: hosted, joined."""

from __future__ import annotations

import getpass
import logging
import os
import sys
from argparse import Namespace
from asyncio import Runner
from collections.abc import Coroutine
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from thud.cli import launch, players
from thud.cli.match import begun, check_shown
from thud.engines.spec import GUEST
from thud.net.host_connection import Caller, Tokens
from thud.net.hosting import opened
from thud.net.remote import Remote
from thud.net.seat_registry import Terms
from thud.net.transports.invitation import Goal, OnThisMachine, parse_goal, parse_listen
from thud.net.transports.local import OpenMatch, open_matches
from thud.net.transports.permissions import own_name
from thud.net.transports.resolve import transport_to
from thud.net.transports.ssh import SshTransport
from thud.records.store import Store
from thud.session.session import Session
from thud.session.view import SessionView
from thud.text import is_number
from thud.tui.start import PlayMatch

_MOST_BYTES: Final = 2000
"""Most bytes of an invitation's file."""


def host_match(options: Namespace) -> None:
    """Open a match to others, and play it."""
    listen = None if options.listen is None else parse_listen(options.listen)
    if not players.given(options):
        options.trolls = GUEST
    elif not options.opponent and GUEST not in (options.dwarfs, options.trolls):
        # One side is named: the other is for a guest.
        options.dwarfs, options.trolls = options.dwarfs or GUEST, options.trolls or GUEST
    session, notice = begun(options, guests=range(2))
    if options.wait_away and session.state.match.control is None:
        raise ValueError("--wait-away needs a clock: add --clock")
    terms = Terms(
        options.others,
        listen,
        options.watchers,
        options.hints,
        options.chat,
        options.wait_away,
        options.claim * 60,
    )
    play_hosted(session, terms, options, notice)


def play_hosted(session: Session, terms: Terms, options: Namespace, notice: str = "") -> None:
    """Host a session, print its invitation, and play it."""

    async def prepared() -> Session:
        await opened(session, terms)
        print(*session.state.participants.how_to_join, sep="\n", flush=True)
        return session

    play_prepared(prepared(), options, notice)


def join_match(options: Namespace, want: str) -> None:
    """Join a remote match, to `"seat"` or to `"watch"`."""
    goal = _goal(options, want)
    check_shown(options)
    caller = Caller(options.name or own_name(), want, named=bool(options.name))
    command = f"thud {options.command} {goal}".rstrip()
    with ExitStack() as after:
        way = transport_to(goal, options.thud)
        if isinstance(way, SshTransport):
            after.callback(way.close)
            way.connect()
        play_prepared(Remote.joined(way, caller, store=Store(), command=command), options)


def _goal(options: Namespace, want: str) -> Goal:
    """Return where the match is, by the options or chosen among those on this machine.

    For a player, the only match with a free seat or a seat of theirs is chosen without asking.

    Raises:
        ValueError: there is no such match, or no invitation where it is to be read.
        OSError: the file of the invitation cannot be read.
    """
    _hide_in_arguments(options.where.partition("#")[2])
    invitation = _invitation(options.where)
    if options.where and not invitation:
        source = "standard input" if options.where == "-" else options.where[1:]
        raise ValueError(f"there is no invitation in {source}")
    goal = parse_goal(invitation)
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


def _hide_in_arguments(secret: str) -> None:
    """Overwrite a secret in this process's arguments, as `ps` shows them; on Linux only."""
    if not secret or sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, ValueError, IndexError), open("/proc/self/stat", "rb") as file:
        # After the name, fields 45 and 46 say where the arguments are in memory.
        fields = file.read().rpartition(b")")[2].split()
        start, end = int(fields[45]), int(fields[46])
        hidden = os.fsencode(secret)
        at = ctypes.string_at(start, end - start).find(hidden) if start else -1
        if at >= 0:
            ctypes.memset(start + at, ord("*"), len(hidden))


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
        print(f"{number:>3}  {match.description()}")
    try:
        answer = input("Which? [1] ").strip() or "1"
    except EOFError:
        print()
        raise ValueError("no match was chosen") from None
    if not (is_number(answer) and 0 < int(answer) <= len(matches)):
        raise ValueError(f"no such match: choose a number from 1 to {len(matches)}")
    return matches[int(answer) - 1]


def play_prepared(
    preparing: Coroutine[object, object, SessionView], options: Namespace, notice: str = ""
) -> None:
    """Play a session on the board or in plain text, on the event loop that prepared it."""
    # Warnings about guests are only for --log: without a handler Python would print them.
    logging.getLogger("thud.net").addHandler(logging.NullHandler())
    with Runner() as runner:
        session = runner.run(preparing)
        if options.plain:
            lines, coached = launch.lines(), bool(getattr(options, "coach", None))
            launch.play_in_lines(session, lines, coached=coached, notice=notice, runner=runner)
        else:
            launch.show(PlayMatch(session, notice), options, runner=runner)
