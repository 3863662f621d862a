"""A match as the options describe it, begun or resumed, and shown."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Container
from typing import TYPE_CHECKING

from thud.cli import launch, players, sources
from thud.disk.directories import data_directory
from thud.engines.spec import Contender, with_guests
from thud.records.store import LAST, Damaged, Store
from thud.rules.clock import parse_control
from thud.rules.match import Match
from thud.session.autosave import Autosave
from thud.session.session import Session
from thud.tui.start import PlayMatch

if TYPE_CHECKING:
    from thud.exercises.lessons.aim import Attempt
    from thud.net.seat_registry import Terms


def begun(options: Namespace, *, guests: Container[int] = ()) -> tuple[Session, str]:
    """Return the session that the options describe, and a notice.

    Args:
        options: the command line's options.
        guests: the players who can be guests.

    Raises:
        ValueError: it cannot be played or shown.
    """
    control = parse_control(options.clock) if options.clock else None
    if options.source:
        record, fault = sources.source(options)
        if control:
            record = record.with_clock(control)
        match = record.match()
        pair = chosen_pair(options, match, record.programs, guests=guests)
        autosave = Autosave(Store(), record=record)
    else:
        variant, position = sources.chosen(options)
        pair = chosen_pair(options, guests=guests)
        names = players.names(pair, options.names or ())
        first, second = sources.starts(options, position, names)
        match = Match(variant, names, first, second, control)
        autosave, fault = Autosave(Store()), ""
    check_shown(options)
    return Session(match, autosave, pair), fault


def chosen_pair(
    options: Namespace,
    match: Match | None = None,
    programs: tuple[str, str] = ("", ""),
    *,
    guests: Container[int] = (),
) -> tuple[Contender, Contender] | None:
    """Return the contenders; None for two people.

    Raises:
        ValueError: as for `players.chosen`, or a player other than `guests` is to be a guest, or
            the coach has nobody to help.
    """
    pair = players.chosen(options, match, programs)
    if options.coach and pair[0].human == pair[1].human:
        raise ValueError("--coach helps a person against a computer: add --opponent")
    if not (any(programs) or players.given(options)):
        return None
    if any(each.guest and player not in guests for player, each in enumerate(pair)):
        raise ValueError("a guest can only play in a match begun with 'thud host'")
    return pair


def check_shown(options: Namespace) -> None:
    """Check that the match can be shown as the options say."""
    if not options.plain:
        launch.require_terminal(options)


def show(session: Session, options: Namespace, *, notice: str = "", mention: bool = False) -> None:
    """Play a session on the board or in plain text."""
    if options.plain:
        lines, coached = launch.lines(), bool(options.coach)
        launch.play_in_lines(session, lines, coached=coached, notice=notice, mention=mention)
    else:
        launch.show(PlayMatch(session, notice, mention), options)


def resumed(store: Store, options: Namespace) -> tuple[Session, Terms | None]:
    """Return the session of an unfinished match, and on what terms it is hosted, if it is.

    Raises:
        ValueError: there is none, or it cannot be played or shown.
    """
    from thud.records.formats import salvage

    latest = options.id in (None, LAST)
    if latest and store.latest() is None:
        raise ValueError("no unfinished match: start one with 'thud play'")
    try:
        saved = store.resume_latest() if latest else store.resume(store.named(options.id))
    except Damaged as damaged:
        _, fault = salvage(store, damaged.name)
        left = f"match {damaged.name} is damaged: {fault}"
        raise ValueError(f"{left}: go on with 'thud play --from {damaged.name}'") from damaged
    from thud.net.seat_registry import hosted  # not to begin a match

    try:
        check_shown(options)
        match = saved.record.match()
        was = hosted(store.matches, saved.id)
        guests = was.players if was else ()
        pair = chosen_pair(options, match, saved.record.programs, guests=guests)
    except ValueError:
        saved.close()
        raise
    pair = with_guests(pair, guests) if was else pair
    session = Session(match, Autosave(store, saved), pair)
    session.state.attempt = _attempt_in(saved.id)
    return session, was and was.terms


def _attempt_in(match: str) -> Attempt | None:
    """Return the aim of a match that ends a lesson; None of any other."""
    from thud.exercises.lessons.course import Course  # not to begin a match
    from thud.exercises.lessons.progress import LessonProgress

    return Course(LessonProgress(data_directory()), lambda: None).attempt_in(match)
