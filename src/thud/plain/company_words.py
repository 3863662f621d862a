"""What is said of players at other places: who they are, and what is waited for."""

from __future__ import annotations

from collections.abc import Iterator

from thud.rules.position import Side
from thud.session.events import (
    Came,
    Event,
    KeptAside,
    LineBack,
    LineLost,
    Said,
    Went,
    Wish,
    Withdrawn,
)
from thud.session.session import Session
from thud.session.situation import Situation
from thud.session.time_words import away_rule
from thud.session.wording import news, taking_back, unheard
from thud.wording.standing import untaken
from thud.wording.text import sentence


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
