"""What a guest wants done, done at the host's session."""

from __future__ import annotations

from thud.net.messages import (
    Answer,
    Done,
    End,
    New,
    Next,
    Play,
    Refused,
    Request,
    Say,
    Undo,
    Withdraw,
)
from thud.rules.notation import written_move
from thud.rules.variant import IllegalMove
from thud.session.proceedings import TooLate
from thud.session.session import Session

_LATE = "the match has gone on meanwhile"


async def done(session: Session, intent: Request, player: int) -> Done | Refused:
    """Do what a player at another place wants, and return how that went."""
    try:
        await _do(session, intent, player)
    except TooLate as late:
        return Refused(str(late), late=True)
    except ValueError as refusal:
        return Refused(str(refusal))
    return Done()


async def _do(session: Session, intent: Request, player: int) -> None:
    # What a number was told for has been told: nothing is read into a change that is not over.
    await session.settled()
    match intent:
        case Say(text):
            session.company.say(text, player)
        case Play(at, text):
            _refuse_if_late(session, at)
            move = written_move(session.match.variant, session.battle.position, text)
            await session.play(move, at, by=player)
        case End(at):
            await session.propose_end(at, by=player)
        case Undo(at):
            await session.undo(at, by=player)
        case Next(at):
            await session.next_battle(at, by=player)
        case New(at):
            await session.new_match(at, by=player)
        case Answer(at, agree, wish):
            _refuse_if_late(session, at)
            if session.proposal is None or session.proposal.wish is not wish:
                raise IllegalMove("that is not proposed now")
            await session.answer(agree, by=player)
        case Withdraw(at):
            _refuse_if_late(session, at)
            await session.withdraw(by=player)


def _refuse_if_late(session: Session, at: int) -> None:
    if at != session.number:
        raise TooLate(_LATE)
