"""The course of a match in lines: whoever's turn it is comes next, until the players leave."""

from __future__ import annotations

from thud.plain.conversation import Conversation
from thud.plain.orders import obey
from thud.plain.talk import Left
from thud.plain.words import sentence, verdict
from thud.rules.variant import Reason

HOW: str = "--plain"
"""The option with which a match is gone on with in lines."""


def run(conversation: Conversation, *notices: str) -> None:
    """Play until the players leave or the input ends, and say what becomes of the match."""
    farewell = ""
    try:
        conversation.do(conversation.session.begin())
        conversation.say(*(sentence(notice) for notice in notices if notice))
        while True:
            _turn(conversation)
    except Left:
        farewell = conversation.session.keeper.farewell(HOW)
    except KeyboardInterrupt:
        conversation.say("", conversation.session.keeper.farewell(HOW))
        raise
    finally:
        conversation.close()
    if farewell:
        conversation.say(farewell)


def _turn(conversation: Conversation) -> None:
    session = conversation.session
    session.pause(False)
    conversation.do(session.play_on())
    if session.proposal:
        _answer(conversation)
    elif session.fault:
        session.take_over()
    else:
        obey(conversation, conversation.ask(conversation.question))


def _answer(conversation: Conversation) -> None:
    """Ask the player who is not to move whether the battle shall end."""
    session, match = conversation.session, conversation.match
    side = session.to_move
    then = verdict(match, match.variant.settled(session.battle.position, Reason.AGREEMENT))
    proposal = f"{match.name_of(side)} proposes to end the battle. {then}"
    question = f"{proposal} {match.name_of(side.other)}, do you agree?"
    conversation.do(session.answer(conversation.ask_yes(question)))
