"""The course of a match in lines: whoever's turn it is comes next, until the players leave."""

from __future__ import annotations

from thud.plain.company_words import wish_question
from thud.plain.conversation import Conversation
from thud.plain.lines import Overtaken
from thud.plain.orders import obey
from thud.plain.talk import NO, YES, Left
from thud.rules.variant import IllegalMove
from thud.session.proceedings import TooLate
from thud.session.situation import Proposal
from thud.session.wording import proposes
from thud.wording.outcomes import if_agreed
from thud.wording.text import sentence

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
        conversation.lines.break_off()
        conversation.say(conversation.session.keeper.farewell(HOW))
        raise
    finally:
        conversation.close()
    if farewell:
        conversation.say(farewell)


def _turn(conversation: Conversation) -> None:
    """Let others play, and have one thing asked and done."""
    session = conversation.session
    if session.paused:
        session.pause(False)
    conversation.let_others_play()
    if session.left:
        raise Left
    try:
        _ask(conversation)
    except Overtaken:
        return
    except (IllegalMove, TooLate) as refusal:
        conversation.say(sentence(str(refusal)))


def _ask(conversation: Conversation) -> None:
    session, proposal = conversation.session, conversation.session.proposal
    if session.fault:
        session.take_over()
    elif proposal is None or not session.seat_of(proposal.by.other).here:
        obey(conversation, conversation.ask_order())
    elif session.seat_of(proposal.by).elsewhere:
        _answer_elsewhere(conversation, proposal)
    else:
        _answer(conversation, proposal)


def _answer(conversation: Conversation, proposal: Proposal) -> None:
    """Ask the player who is not to move whether the battle shall end."""
    match, side = conversation.match, proposal.by
    said = f"{proposes(conversation.session, side, proposal.wish)} {if_agreed(match)}"
    question = f"{said} {match.name_of(side.other)}, do you agree?"
    conversation.do(conversation.session.answer(conversation.ask_yes(question)))


def _answer_elsewhere(conversation: Conversation, proposal: Proposal) -> None:
    """Ask about what is proposed from another place; anything else may be typed, too."""
    session = conversation.session
    question = wish_question(session, proposal.by, proposal.wish)
    line = conversation.ask_now(question, lambda: session.proposal is proposal)
    if not line:
        conversation.say("Please answer yes or no.")
    elif line.lower() not in YES + NO:
        obey(conversation, line)
    elif session.proposal is not proposal:
        raise TooLate("that is not asked any more")
    else:
        conversation.do(session.answer(line.lower() in YES))
