"""What a command line says is to be played."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import contenders, launch, sources
from thud.rules.clock import parse_control
from thud.rules.match import Match

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.session.session import Session


def begun(options: Namespace) -> tuple[Session, str]:
    """Return what the options say is to be played, and what there is to say of it.

    Raises:
        ValueError: that cannot be played, or not be shown.
    """
    if options.source:
        return _played_on(options)
    variant, position = sources.chosen(options)
    pair = chosen_pair(options)
    names = contenders.names(pair, options.names or ())
    control = parse_control(options.clock) if options.clock else None
    first, second = sources.starts(options, position, names)
    match = Match(variant, names, first, second, control)
    check_shown(options)
    from thud.records.store import Store
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    return Session(match, Keeper(Store()), pair), ""


def _played_on(options: Namespace) -> tuple[Session, str]:
    record, fault = sources.source(options)
    if options.clock:
        from thud.records.timed import with_other_clock

        record = with_other_clock(record, parse_control(options.clock))
    match = record.match()
    pair = chosen_pair(options, match, record.programs)
    check_shown(options)
    from thud.records.store import Store
    from thud.session.keeper import Keeper
    from thud.session.session import Session

    return Session(match, Keeper(Store(), record=record), pair), fault


def chosen_pair(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Contender, Contender] | None:
    """Return who plays, None where only people do: what starts computers is not loaded then."""
    if not (any(programs) or contenders.given(options)):
        return None
    return contenders.chosen(options, match, programs)


def check_shown(options: Namespace) -> None:
    """Pass if the match can be shown as the options say."""
    if not options.plain:
        launch.require_terminal()
