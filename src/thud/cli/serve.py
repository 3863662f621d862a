"""`thud serve`: a club on this machine, for browsers and for ssh."""

from __future__ import annotations

import argparse
from argparse import Namespace
from os.path import expanduser

from thud.cli.options import amount, number
from thud.club.doors import IDLE_MINUTES, MOST_VISITORS, SSH_PORT, WEB_PORT
from thud.text import is_number, quoted


def add_serve(command: argparse.ArgumentParser) -> None:
    """Add the arguments: doors, addresses and limits."""
    command.add_argument(
        "--web",
        nargs="?",
        type=_port,
        const=WEB_PORT,
        metavar="PORT",
        help=f"let browsers in, at port {WEB_PORT} or PORT; 0 picks a free one",
    )
    command.add_argument(
        "--ssh",
        nargs="?",
        type=_port,
        const=SSH_PORT,
        metavar="PORT",
        help=f"let ssh in, at port {SSH_PORT} or PORT; without --web and --ssh, only browsers can "
        "come in",
    )
    command.add_argument(
        "--host",
        metavar="ADDRESS",
        help="the address to listen on, such as 0.0.0.0 for all (default: only this machine "
        "can come in)",
    )
    command.add_argument(
        "--allow-remote",
        action="store_true",
        help="let other machines in, at the address of --host",
    )
    command.add_argument(
        "--open",
        action="store_true",
        help="let anybody in without the invitation; needs Linux 6.12, whose kernel jails them",
    )
    command.add_argument(
        "--public-url",
        metavar="URL",
        help="the address at which visitors reach the club, as behind a proxy: https://club.example",
    )
    command.add_argument(
        "--page",
        type=expanduser,
        metavar="FILE",
        help="the zip file of the page that runs Thud in a browser: anybody can play alone there, "
        "at /play/, also when the club is full",
    )
    command.add_argument(
        "--proxies",
        type=number,
        metavar="N",
        help="with --public-url: how many proxies a request passes, 0 for none (default: 1)",
    )
    command.add_argument(
        "--max-visitors",
        type=amount,
        default=MOST_VISITORS,
        metavar="N",
        help=f"visitors at a time (default: {MOST_VISITORS})",
    )
    command.add_argument(
        "--max-each",
        type=amount,
        metavar="N",
        help="visitors at a time from one address elsewhere (default: half of --max-visitors)",
    )
    command.add_argument(
        "--idle",
        type=amount,
        default=IDLE_MINUTES,
        metavar="MINUTES",
        help=f"disconnect a visitor after this much idle time (default: {IDLE_MINUTES})",
    )
    command.add_argument(
        "--matches",
        nargs="*",
        metavar="WORD",
        help="list the finished matches; or strike MATCH, so that it is not rated, or restore it",
    )


def _port(text: str) -> int:
    """Parse a port, 0 for any free one."""
    if not (is_number(text) and int(text) < 2**16):
        instead = "use 1 to 65535, or 0 for any free one"
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a port: {instead}")
    return int(text)


def serve(options: Namespace) -> None:
    """Open the doors, print their addresses, and serve until interrupted."""
    from thud.cli.club import serve_club

    serve_club(options)
