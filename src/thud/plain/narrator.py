"""What is said of a session: what happens in it, who is there, and who is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

from thud.plain.talk import Talk
from thud.rules.match import BATTLES, Match
from thud.rules.position import Side
from thud.session.events import (
    Advised,
    Answered,
    Begun,
    Came,
    Ended,
    Event,
    Faulted,
    KeptAside,
    LineBack,
    LineLost,
    MadeAgain,
    NotKept,
    Played,
    Proposed,
    Said,
    TakenBack,
    Thinking,
    Went,
    Wish,
    Withdrawn,
)
from thud.session.proceedings import Proceedings
from thud.session.session import Session
from thud.session.situation import Situation
from thud.session.time_words import away_rule
from thud.session.wording import (
    LOOKS_ON,
    begun,
    fails,
    news,
    proposes,
    refuses,
    taking_back,
    unheard,
)
from thud.wording.board import board_in_words
from thud.wording.clocks import set_to
from thud.wording.hints import hint
from thud.wording.moves import described, told
from thud.wording.outcomes import if_agreed, result
from thud.wording.standing import changes, handicap, seats, untaken
from thud.wording.text import sentence

_SOON: Final = 1.5
"""After so many seconds it is said that somebody is thinking."""


class Narrator:
    """Listens to a session and says what it hears.

    Args:
        situation: the session.
        talk: with whom.
    """

    def __init__(self, situation: Proceedings, talk: Talk) -> None:
        self._situation = situation
        self._talk = talk
        self._say = talk.say
        self._alarm: asyncio.TimerHandle | None = None
        self._known: Match | None = None

    def __call__(self, event: Event) -> None:
        """Say what has happened."""
        self.settle()
        match event:
            case Begun():
                self._begin(event)
            case Played(before, move):
                self._say(told(self._match, before, move))
                after = self._situation.battle.position
                self._say(*changes(self._match.variant, before, after))
            case TakenBack(turns):
                self._take_back(turns)
            case MadeAgain(turns):
                self._say(*(told(self._match, *turn) for turn in turns))
            case Ended():
                self._say(*result(self._match))
            case Answered(by, agrees, until, wish):
                does = "agrees" if agrees else refuses(wish)
                self._say(f"{self._match.name_of(by)} {does}. {until}".rstrip())
            case Faulted(player, fault):
                self._say(*self._failed(player, fault))
            case Advised(_, decision, because):
                self._say(*hint(self._match, decision, because))
            case NotKept(complaint) | Withdrawn(_, complaint) if complaint:
                self._say(sentence(complaint))
            case Thinking(side, None):
                self._warn(f"{self._match.name_of(side)} is thinking.")
            case Proposed(by, wish):
                self._propose(by, wish)
            case _ if said := happened(self._situation, event):
                self._say(said)

    def say_board(self) -> None:
        """Say what stands where."""
        position = self._situation.battle.position
        self._say(*board_in_words(self._match.variant, position, flipped=self._talk.flipped))

    def wait(self) -> None:
        """Say after a while that the computer takes its time."""
        self._warn("The computer is thinking.")

    def settle(self) -> None:
        """Forget what would have been said after a while."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None

    def _warn(self, text: str) -> None:
        self.settle()
        self._alarm = asyncio.get_running_loop().call_later(_SOON, self._say, text)

    @property
    def _match(self) -> Match:
        return self._situation.match

    def _begin(self, event: Begun) -> None:
        match, known = self._match, self._known
        if match is known:
            self._say(begun(self._situation, event))
        self._known = match
        self._say(f"{match.variant.title}, battle {match.number} of {BATTLES}.")
        self._say(seats(match, self._situation.company.free))
        self._say(*handicap(match), *([] if self._situation.takes_part else [LOOKS_ON]))
        if match.control:
            self._say(set_to(match.control), *away_rule(self._situation))
        self.say_board()
        if match.battle.outcome:
            self._say(*result(match))
        if known is None:
            self._say(*self._situation.company.conversation)

    def _propose(self, by: Side, wish: Wish) -> None:
        """Tell what is proposed from elsewhere; people here are asked, computers think."""
        asked = self._situation.seat_of(by.other)
        if self._situation.seat_of(by).elsewhere:
            then = [if_agreed(self._match)] if wish is Wish.END else []
            self._say(" ".join([proposes(self._situation, by, wish), *then]))
        elif not (asked.here or asked.elsewhere):
            self._warn(f"{self._match.name_of(by.other)} is thinking.")

    def _failed(self, player: int, fault: str) -> tuple[str, ...]:
        """Return what is said where a computer has failed, here or at another place."""
        if self._situation.seats[player].elsewhere:
            return (fails(self._match, player, fault),)
        name = self._match.players[player]
        return sentence(fault), f"Move for {name}, or type again to let it try again."

    def _take_back(self, turns: tuple[Played, ...]) -> None:
        if not turns:
            self._say("The battle goes on.")
        self._say(*(f"Taken back: {described(self._match.variant, *turn)}." for turn in turns))


def waiting(session: Session) -> str:
    """Say whom those who sit here wait for, nothing if it is for them to do something."""
    match, proposal = session.match, session.proposal
    if session.lost and not match.over:
        return f"{unheard(session.lost)}."
    if proposal and not session.seat_of(proposal.by.other).here:
        return f"Waiting for {match.name_of(proposal.by.other)} to answer."
    if session.can_move or (session.battle.outcome and session.seats.here):
        return ""
    if match.over:
        return "The match is over."
    if session.battle.outcome:
        return "Waiting for the next battle."
    return _waiting_for(session)


def _waiting_for(session: Session) -> str:
    """Say who is to move, at another place."""
    match, side = session.match, session.to_move
    if match.commander(side) in session.company.free:
        return sentence(untaken(side))
    away = ", who is away" if match.commander(side) in session.company.missing else ""
    return f"Waiting for {match.name_of(side)}, {side.plural}{away}."


def wish_question(situation: Situation, by: Side, wish: Wish) -> str:
    """Ask the other player about it."""
    does = taking_back(situation, "that move") if wish is Wish.TAKE_BACK else wish.value
    return f"{situation.match.name_of(by.other)}, do you agree to {does}? Yes or no?"


def happened(situation: Situation, event: Event) -> str:
    """Say what has come about besides what is done to the match; nothing of anything else."""
    said = ""
    match event:
        case Withdrawn(by):
            said = f"{situation.match.name_of(by)} asks no longer."
        case Said(player) if situation.seats[player].here:
            said = ""
        case Came() | Went() | Said() | LineLost() | LineBack():
            said = news(situation, event)
        case KeptAside(words):
            said = words
    return said


def company_in_words(session: Session) -> list[str]:
    """Say where everybody is."""
    onlookers = session.company.onlookers
    looking = f"Looking on: {', '.join(onlookers)}." if onlookers else "Nobody looks on."
    return [*_players(session), looking, *away_rule(session)]


def _players(session: Session) -> Iterator[str]:
    for player, name in enumerate(session.match.players):
        side, seat = session.match.side_of(player), session.seats[player]
        if player in session.company.free:
            yield sentence(untaken(side))
            continue
        if seat.here:
            where = "sits here"
        elif not seat.elsewhere:
            where = "is a computer"
        elif player in session.company.missing:
            where = "is away"
        else:
            where = "is at another place"
        yield f"{name} has the {side.plural} and {where}."
