"""`thud host`: open a match to others and play it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from thud.cli import launch
from thud.cli.options import add_doors
from thud.cli.play import add_play, begun
from thud.engines.spec import GUEST


def add_host(command: ArgumentParser) -> None:
    """Add the arguments: the match, and who can join it."""
    add_play(command)
    add_doors(command)


def host(options: Namespace) -> None:
    """Open a match to others, and play it."""
    from thud.net.seat_registry import Terms
    from thud.net.transports.invitation import parse_listen

    listen = None if options.listen is None else parse_listen(options.listen)
    _seat_guest(options)
    session, notice = begun(options)
    if options.wait_away and session.match.control is None:
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
    launch.play_hosted(session, terms, options, notice)


def _seat_guest(options: Namespace) -> None:
    """Give a guest a seat that the options leave open."""
    if options.opponent:
        return
    if not (options.dwarfs or options.trolls):
        options.trolls = GUEST
    elif GUEST not in (options.dwarfs, options.trolls) and not (options.dwarfs and options.trolls):
        options.dwarfs, options.trolls = options.dwarfs or GUEST, options.trolls or GUEST
