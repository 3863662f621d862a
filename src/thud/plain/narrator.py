"""Reports a session's events in sentences."""

from __future__ import annotations

import asyncio
from typing import Final

from thud.plain.board import board_in_words
from thud.plain.repl import BoardRepl
from thud.review.hints import hint
from thud.rules.match import Match
from thud.session.events import (
    Advised,
    Answered,
    Begun,
    ConnectionLost,
    Ended,
    Event,
    Faulted,
    Played,
    Proposed,
    ProposeEnd,
    Redone,
    SaveFailed,
    SeatAsked,
    TakenBack,
    Thinking,
    Withdrawn,
)
from thud.session.view import SessionView
from thud.session.words import answered, away_rule, begun, calmed, fails, happened, proposes
from thud.text import sentence, stopped
from thud.words.clocks import set_to
from thud.words.match import (
    LOOKS_ON,
    changes,
    handicap,
    heading,
    if_agreed,
    newly_needed,
    result,
    seats,
)
from thud.words.moves import describe, described

_SOON: Final = 1.5
"""Seconds of thinking after which that is reported."""


class Narrator:
    """A listener that reports each event.

    Args:
        session: the session.
        repl: where to report.
    """

    def __init__(self, session: SessionView, repl: BoardRepl) -> None:
        self._state = session.state
        self._autosave = session.autosave
        self._repl = repl
        self._say = repl.say
        self._alarm: asyncio.TimerHandle | None = None
        self._known: Match | None = None

    def __call__(self, event: Event) -> None:  # noqa: PLR0912 - a branch for each
        """Report an event."""
        self.settle()
        state, match = self._state, self._state.with_display_names
        match event:
            case Begun():
                self._begin(event)
            case Played(before, move):
                self._say(describe(match, before, move))
                self._say(
                    *changes(match.variant, before, state.battle.position),
                    *newly_needed(match, before),
                )
                if calm := calmed(state):
                    what = " Type end to propose the end." if state.seats.local else ""
                    self._say(f"{calm}{what}")
                if state.battle.outcome is None and state.aimed:
                    self._say(state.aimed)
            case TakenBack(turns):
                if not turns:
                    self._say("The battle continues.")
                undone = (described(match.variant, turn.before, turn.move) for turn in turns)
                self._say(*(f"Undone: {each}." for each in undone))
            case Redone(turns):
                self._say(*(describe(match, turn.before, turn.move) for turn in turns))
            case Ended():
                rating = self._autosave.rating_change() if match.over else ""
                self._say(*result(match), *filter(None, [state.aimed, rating]))
            case Answered():
                self._say(answered(state, event, "resign: type resign"))
            case Faulted(player, fault) if state.seats[player].is_remote:
                self._say(fails(match, player, fault))
            case Faulted(player, fault):
                retry = f"Move for {match.players[player]}, or type again to let it try again."
                self._say(stopped(fault), retry)
            case Advised(_, decision, because, expects, earlier):
                self._say(*hint(match, decision, because, expects, earlier))
            case SaveFailed(complaint) | Withdrawn(_, complaint) if complaint:
                self._say(sentence(complaint))
            case Thinking(side, None):
                self._warn(f"{match.name_of(side)} is thinking.")
            case Proposed(by, wish) if state.seat_of(by).is_remote:
                then = [if_agreed(match)] if isinstance(wish, ProposeEnd) else []
                self._say(" ".join([proposes(state, event), *then]))
            case Proposed(by):
                asked = state.seat_of(by.other)
                if not (asked.is_local or asked.is_remote):
                    self._warn(f"{match.name_of(by.other)} is thinking.")
            case _ if said := happened(state, event):
                self._say(said)
                if isinstance(event, SeatAsked) and state.participants.asking:
                    self._say("Type give to let them have it.")
                if isinstance(event, ConnectionLost) and event.asks:
                    self._say("Type reconnect, and answer it.")

    def wait(self) -> None:
        """Report after a while that the computer is thinking."""
        self._warn("The computer is thinking.")

    def settle(self) -> None:
        """Cancel the delayed report."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _warn(self, text: str) -> None:
        self.settle()
        self._alarm = asyncio.get_running_loop().call_later(_SOON, self._say, text)

    def _begin(self, event: Begun) -> None:
        state, match = self._state, self._state.with_display_names
        known, self._known = self._known, state.match
        if known is self._known:
            self._say(begun(state, event))
        self._say(heading(match))
        self._say(seats(match, state.participants.free))
        self._say(*handicap(match), *([] if state.takes_part else [LOOKS_ON]))
        if match.control:
            self._say(set_to(match.control), *away_rule(state))
        position = match.battle.position
        self._say(*board_in_words(match.variant, position, flipped=self._repl.flipped))
        if match.battle.outcome:
            self._say(*result(match))
        if known is None:
            self._say(*state.participants.conversation)
