"""Reports a session's events in sentences."""

from __future__ import annotations

import asyncio
from typing import Final

from thud.plain.repl import Repl
from thud.rules.match import Match
from thud.rules.position import Side
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
    Redone,
    SaveFailed,
    SeatAsked,
    TakenBack,
    Thinking,
    Wish,
    Withdrawn,
)
from thud.session.view import SessionView
from thud.text import sentence
from thud.wording.board import board_in_words
from thud.wording.clocks import set_to
from thud.wording.hints import hint
from thud.wording.moves import describe, described
from thud.wording.outcomes import if_agreed, result
from thud.wording.session import answered, away_rule, begun, fails, happened, proposes
from thud.wording.standing import LOOKS_ON, changes, handicap, heading, seats

_SOON: Final = 1.5
"""Seconds of thinking after which that is reported."""


class Narrator:
    """A listener that reports each event.

    Args:
        session: the session.
        repl: where to report.
    """

    def __init__(self, session: SessionView, repl: Repl) -> None:
        self._session = session
        self._repl = repl
        self._say = repl.say
        self._alarm: asyncio.TimerHandle | None = None
        self._known: Match | None = None

    def __call__(self, event: Event) -> None:
        """Report an event."""
        self.settle()
        match event:
            case Begun():
                self._begin(event)
            case Played(before, move):
                self._say(describe(self._match, before, move))
                after = self._session.battle.position
                self._say(*changes(self._match.variant, before, after))
            case TakenBack(turns):
                self._take_back(turns)
            case Redone(turns):
                self._say(*(describe(self._match, *turn) for turn in turns))
            case Ended():
                rating = self._session.autosave.rating_change() if self._match.over else ""
                self._say(*result(self._match), *filter(None, [rating]))
            case Answered():
                self._say(answered(self._session, event, "resign: type resign"))
            case Faulted(player, fault):
                self._say(*self._failed(player, fault))
            case Advised(_, decision, because, expects):
                self._say(*hint(self._match, decision, because, expects))
            case SaveFailed(complaint) | Withdrawn(_, complaint) if complaint:
                self._say(sentence(complaint))
            case Thinking(side, None):
                self._warn(f"{self._match.name_of(side)} is thinking.")
            case Proposed(by, wish):
                self._propose(by, wish)
            case _ if said := happened(self._session, event):
                self._say(said, *self._how(event))

    def say_board(self) -> None:
        """Read out the board."""
        position = self._session.battle.position
        self._say(*board_in_words(self._match.variant, position, flipped=self._repl.flipped))

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

    @property
    def _match(self) -> Match:
        return self._session.with_display_names

    def _begin(self, event: Begun) -> None:
        match, known, self._known = self._match, self._known, self._session.match
        if known is self._known:
            self._say(begun(self._session, event))
        self._say(heading(match))
        self._say(seats(match, self._session.participants.free))
        self._say(*handicap(match), *([] if self._session.can.take_part else [LOOKS_ON]))
        if match.control:
            self._say(set_to(match.control), *away_rule(self._session))
        self.say_board()
        if match.battle.outcome:
            self._say(*result(match))
        if known is None:
            self._say(*self._session.participants.conversation)

    def _propose(self, by: Side, wish: Wish) -> None:
        """Report a remote player's proposal, or that a computer thinks about a local one."""
        asked = self._session.seat_of(by.other)
        if self._session.seat_of(by).is_remote:
            then = [if_agreed(self._match)] if wish is Wish.END else []
            self._say(" ".join([proposes(self._session, by, wish), *then]))
        elif not (asked.is_local or asked.is_remote):
            self._warn(f"{self._match.name_of(by.other)} is thinking.")

    def _failed(self, player: int, fault: str) -> tuple[str, ...]:
        """Return the sentences on a failed engine, here or elsewhere."""
        if self._session.seats[player].is_remote:
            return (fails(self._match, player, fault),)
        name = self._match.players[player]
        return sentence(fault), f"Move for {name}, or type again to let it try again."

    def _take_back(self, turns: tuple[Played, ...]) -> None:
        if not turns:
            self._say("The battle continues.")
        self._say(*(f"Undone: {described(self._match.variant, *turn)}." for turn in turns))

    def _how(self, event: Event) -> list[str]:
        """Return what to type in response to an event, if anything."""
        if isinstance(event, SeatAsked) and self._session.participants.asking:
            return ["Type give to let them have it."]
        if isinstance(event, ConnectionLost) and event.asks:
            return ["Type reconnect, and answer it."]
        return []
