"""What is said of players at other places: who they are, and what is waited for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from thud.plain.words import sentence
from thud.rules.match import Match
from thud.rules.position import Side
from thud.session.events import Came, Event, LineBack, LineLost, Said, Went, Wish, Withdrawn
from thud.session.session import Session
from thud.session.situation import Situation

_WISHES: Final = {
    Wish.END: "proposes to end the battle",
    Wish.TAKE_BACK: "asks to take back",
}
_ASKED: Final = {
    Wish.END: "do you agree to end the battle?",
    Wish.TAKE_BACK: "do you agree to take back?",
}


def waiting(session: Session) -> str:
    """Say whom those who sit here wait for, nothing if it is for them to do something."""
    match, side, proposal = session.match, session.to_move, session.proposal
    if proposal and not session.seat_of(proposal.by.other).here:
        return f"Waiting for {match.name_of(proposal.by.other)} to answer."
    if session.can_move or (session.battle.outcome and session.seats.here):
        return ""
    if match.over:
        return "The match is over."
    if session.battle.outcome:
        return "Waiting for the next battle."
    away = ", who is away" if match.commander(side) in session.company.missing else ""
    return f"Waiting for {match.name_of(side)}, {side.plural}{away}."


def wished(match: Match, by: Side, wish: Wish) -> str:
    """Say what the player of a side proposes."""
    return f"{match.name_of(by)} {_WISHES[wish]}."


def wish_question(match: Match, by: Side, wish: Wish) -> str:
    """Ask the other player about it."""
    return f"{match.name_of(by.other)}, {_ASKED[wish]} Yes or no?"


def happened(situation: Situation, event: Event) -> list[str]:
    """Say what those at other places have done, but for the match; nothing of anything else."""
    match event:
        case Withdrawn(by):
            return [f"{situation.match.name_of(by)} asks no longer."]
        case Came(player, name):
            return [f"{name} {'looks on' if player is None else 'has come'}."]
        case Went(player, name):
            return [f"{name} {'looks on no longer' if player is None else 'has gone away'}."]
        case Said(player, name, text) if not situation.seats[player].here:
            return [f"{name} says: {text}"]
        case LineLost(because):
            return ["The line is broken, and is being mended.", sentence(because)]
        case LineBack():
            return ["The line is there again."]
    return []


def company_in_words(session: Session) -> list[str]:
    """Say where everybody is."""
    onlookers = session.company.onlookers
    looking = f"Looking on: {', '.join(onlookers)}." if onlookers else "Nobody looks on."
    return [*_players(session), looking]


def _players(session: Session) -> Iterator[str]:
    for player, name in enumerate(session.match.players):
        side, seat = session.match.side_of(player), session.seats[player]
        if seat.here:
            where = "sits here"
        elif not seat.elsewhere:
            where = "is a computer"
        elif player in session.company.missing:
            where = "is away"
        else:
            where = "is at another place"
        yield f"{name} has the {side.plural} and {where}."
