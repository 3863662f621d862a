"""`thud host`: open a match to others and play it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from thud.cli.options import number
from thud.cli.play import add_play


def add_host(command: ArgumentParser) -> None:
    """Add the arguments: the match, and who can join it."""
    add_play(command)
    doors = command.add_argument_group("who can join")
    doors.add_argument(
        "--others",
        action="store_true",
        help="other users of this machine, with an invitation; by default only your own account "
        "can join, here or over ssh",
    )
    doors.add_argument(
        "--listen",
        nargs="?",
        const="",
        metavar="ADDRESS:PORT",
        help="anybody on the network with an invitation, encrypted (default: every address, "
        "port 4763)",
    )
    doors.add_argument(
        "--watchers", type=number, default=16, metavar="N", help="spectators at most (default: 16)"
    )
    doors.add_argument(
        "--wait-away",
        action="store_true",
        help="with --clock: stop the clock while a player is away",
    )
    doors.add_argument(
        "--claim",
        type=number,
        default=10,
        metavar="MINUTES",
        help="minutes a player can be away on their turn before the other can claim the "
        "battle (default: 10; 0: never)",
    )
    doors.add_argument("--hints", action="store_true", help="allow hints from the computer")
    doors.add_argument("--no-chat", dest="chat", action="store_false", help="turn the chat off")


def host(options: Namespace) -> None:
    """Open a match to others, and play it."""
    from thud.cli.remote import host_match

    host_match(options)
