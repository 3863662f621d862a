"""The arguments of the command that opens a club."""

from __future__ import annotations

import argparse

from thud.arguments.numbers import amount, port
from thud.club.bounds import IDLE_MINUTES, MOST_VISITORS
from thud.club.doors import SSH_PORT, WEB_PORT


def add_serve(command: argparse.ArgumentParser) -> None:
    """Add which doors are opened, to whom, and for how many."""
    command.add_argument(
        "--web",
        nargs="?",
        type=port,
        const=WEB_PORT,
        metavar="PORT",
        help=f"let browsers in; port {WEB_PORT} if not said otherwise, 0 for any that is free",
    )
    command.add_argument(
        "--ssh",
        nargs="?",
        type=port,
        const=SSH_PORT,
        metavar="PORT",
        help=f"let terminals in, over ssh; port {SSH_PORT} if not said otherwise; browsers are let "
        "in if neither is given",
    )
    command.add_argument(
        "--host",
        metavar="ADDRESS",
        help="the address to listen at, 0.0.0.0 for all of this machine's; only this machine "
        "itself gets in if not given",
    )
    command.add_argument(
        "--allow-remote",
        action="store_true",
        help="let others than this machine in, at the address of --host",
    )
    command.add_argument(
        "--public-url",
        metavar="URL",
        help="where browsers find this behind a proxy, such as https://club.example",
    )
    command.add_argument(
        "--max-visitors",
        type=amount,
        default=MOST_VISITORS,
        metavar="N",
        help=f"so many may be in at a time, {MOST_VISITORS} by itself",
    )
    command.add_argument(
        "--idle",
        type=amount,
        default=IDLE_MINUTES,
        metavar="MINUTES",
        help=f"let go whoever has done nothing for so long, {IDLE_MINUTES} by itself",
    )
    command.add_argument(
        "--new-invitation",
        action="store_true",
        help="make another invitation: nobody gets in with the one before any more",
    )
