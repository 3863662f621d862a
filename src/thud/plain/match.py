"""The main loop of a match in plain text, and its commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thud.plain.conversation import MatchRepl
from thud.plain.lines import Superseded
from thud.plain.review import learn, review, tried_in_words
from thud.plain.talk import (
    BOARD_COMMANDS,
    NO,
    NO_MOVES,
    YES,
    YES_OR_NO,
    Left,
    TypedCommand,
    execute,
    help_with,
    leave,
)
from thud.records.formats import READABLE, WRITABLE, open_named, save_as
from thud.rules.variant import IllegalMove
from thud.session.asked import Reply, asked
from thud.session.events import Faulted
from thud.session.requests import (
    Answer,
    Claim,
    GiveSeat,
    NewMatch,
    NextBattle,
    Open,
    ProposeEnd,
    Redo,
    Resign,
    Say,
    Undo,
    Withdraw,
)
from thud.session.view import Proposal, TooLate
from thud.text import joined, sentence
from thud.wording.moves import move_list
from thud.wording.outcomes import if_agreed
from thud.wording.records import saved_as
from thud.wording.session import (
    agreeing,
    claiming,
    giving,
    participants_in_words,
    proposes,
    resigning,
    wish_question,
)
from thud.wording.standing import standing

HOW: str = "--plain"
"""The option to resume a match in plain text."""


def run(conversation: MatchRepl, *notices: str) -> None:
    """Play until the players leave or the input ends, then say what happens to the match."""
    try:
        try:
            conversation.do(conversation.session.begin())
            conversation.say(*filter(None, notices))
            while True:
                _turn(conversation)
        finally:
            conversation.close()
    except Left:
        conversation.say(*filter(None, [conversation.session.farewell(HOW)]))
    except KeyboardInterrupt:
        conversation.lines.break_off()
        conversation.say(conversation.session.farewell(HOW))
        raise


def _turn(conversation: MatchRepl) -> None:
    """Let engines play, then ask for one command and run it."""
    session = conversation.session
    if session.paused:
        session.pause(False)
    if session.autosave.has_unsaved:
        conversation.do(session.save_again())
    conversation.let_others_play()
    if session.left:
        raise Left
    try:
        _ask(conversation)
    except Superseded:
        return
    except (IllegalMove, TooLate) as refusal:
        conversation.say(sentence(str(refusal)))


def _ask(conversation: MatchRepl) -> None:
    session = conversation.session
    match asked(session):
        case Faulted():
            session.take_over()
        case Reply(proposal):
            elsewhere = session.seat_of(proposal.by).is_remote
            (_answer_elsewhere if elsewhere else _answer)(conversation, proposal)
        case _:
            _execute(conversation, conversation.ask_command())


def _answer(conversation: MatchRepl, proposal: Proposal) -> None:
    """Ask the opponent whether they agree to a local player's proposal."""
    session, side = conversation.session, proposal.by
    said = f"{proposes(session, side, proposal.wish)} {if_agreed(session.with_display_names)}"
    question = f"{said} {agreeing(session, side)}"
    conversation.do(session.request(Answer(conversation.ask_yes(question), proposal.wish)))


def _answer_elsewhere(conversation: MatchRepl, proposal: Proposal) -> None:
    """Ask about a remote player's proposal; commands may be typed, too."""
    session = conversation.session
    question = wish_question(session, proposal.by, proposal.wish)
    line = conversation.ask_now(question, lambda: session.proposal is proposal)
    if not line:
        conversation.say(YES_OR_NO)
    elif line.lower() not in YES + NO:
        _execute(conversation, line)
    elif session.proposal is not proposal:
        raise TooLate("that question is closed")
    else:
        conversation.do(session.request(Answer(line.lower() in YES, proposal.wish)))


def _execute(talk: MatchRepl, line: str) -> None:
    """Run a line: a word of `COMMANDS`, or a move.

    Raises:
        Left: the line is to quit, or the input has ended.
        Superseded: a question that it needed stands no longer.
    """
    if not line and talk.session.battle.outcome and not talk.match.over:
        line = "next"
    if line.startswith('"') and talk.session.seats.has_remote:
        line = f"say {line[1:]}"
    execute(talk, line, _commands(talk))


def _commands(talk: MatchRepl) -> Mapping[str, TypedCommand[MatchRepl]]:
    """Return the commands available now."""
    known = {**COMMANDS, **COMMANDS_APART} if talk.session.seats.has_remote else COMMANDS
    return {word: command for word, command in known.items() if word not in talk.off}


def _help(talk: MatchRepl, _: str) -> None:
    help_with(talk, _commands(talk))


def _score(talk: MatchRepl, _: str) -> None:
    talk.say(
        *standing(talk.session.with_display_names, talk.session.participants.free), *talk.clock_told
    )


def _clock(talk: MatchRepl, _: str) -> None:
    talk.say(*(talk.clock_told or ["There is no clock."]))


def _list(talk: MatchRepl, _: str) -> None:
    talk.say(*(move_list(talk.session.battle) or [NO_MOVES]))


def _variations(talk: MatchRepl, _: str) -> None:
    talk.say(*tried_in_words(talk.session.record.battles[talk.match.number - 1]))


def _undo(talk: MatchRepl, _: str) -> None:
    talk.do(talk.session.request(Undo(), talk.revision))


def _redo(talk: MatchRepl, _: str) -> None:
    talk.do(talk.session.request(Redo()))


def _hint(talk: MatchRepl, _: str) -> None:
    talk.do(_advised(talk))


async def _advised(talk: MatchRepl) -> None:
    talk.narrator.wait()
    await talk.session.advise()


def _again(talk: MatchRepl, _: str) -> None:
    if not talk.session.try_again():
        talk.say("No computer has failed.")


def _end(talk: MatchRepl, _: str) -> None:
    talk.do(talk.session.request(ProposeEnd(), talk.revision))


def _resign(talk: MatchRepl, _: str) -> None:
    question, then = resigning(talk.session)
    if talk.ask_yes(f"{then} {question}"):
        talk.do(talk.session.request(Resign()))


def _claim(talk: MatchRepl, _: str) -> None:
    question, then = claiming(talk.session)
    if talk.ask_yes(f"{then} {question}"):
        talk.do(talk.session.request(Claim()))


def _reconnect(talk: MatchRepl, _: str) -> None:
    talk.session.reconnect()


def _give(talk: MatchRepl, _: str) -> None:
    question, then = giving(talk.session)
    if talk.ask_yes(f"{then} {question}"):
        talk.do(talk.session.request(GiveSeat()))


def _review(talk: MatchRepl, _: str) -> None:
    review(talk)


def _learn(talk: MatchRepl, whose: str) -> None:
    learn(talk, whose)


def _next(talk: MatchRepl, _: str) -> None:
    talk.do(talk.session.request(NextBattle(), talk.revision))


def _new(talk: MatchRepl, _: str) -> None:
    sure = talk.match.over or talk.session.seats.has_remote
    if not sure and not talk.ask_yes("This match is not over. Start a new one?"):
        return
    talk.do(talk.session.request(NewMatch(), talk.revision))


def _save(talk: MatchRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as save battle.tgn")
    record = talk.session.record
    talk.say(sentence(saved_as(save_as(record, name), record)))


def _open(talk: MatchRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as open battle.tgn")
    record, fault = open_named(name, talk.session.autosave.store)
    talk.do(talk.session.request(Open(record)))
    if fault:
        talk.say(sentence(fault))


def _say(talk: MatchRepl, text: str) -> None:
    talk.do(talk.session.request(Say(text)))


def _who(talk: MatchRepl, _: str) -> None:
    talk.say(*participants_in_words(talk.session), *talk.session.participants.invitation)


def _said(talk: MatchRepl, _: str) -> None:
    talk.say(*(talk.session.participants.conversation or ["No messages yet."]))


def _withdraw(talk: MatchRepl, _: str) -> None:
    proposal = talk.session.proposal
    if proposal is None or not talk.session.seat_of(proposal.by).is_local:
        raise ValueError("you have not proposed anything")
    talk.do(talk.session.request(Withdraw()))


COMMANDS: Final[Mapping[str, TypedCommand[MatchRepl]]] = {
    "help": TypedCommand(_help, "help, or ?", "this"),
    **BOARD_COMMANDS,
    "score": TypedCommand(_score, "score", "the state of the match"),
    "clock": TypedCommand(_clock, "clock", "the time both players have left"),
    "list": TypedCommand(_list, "list", "the moves of this battle"),
    "variations": TypedCommand(
        _variations, "variations", "variations that were tried, with their comments"
    ),
    "undo": TypedCommand(_undo, "undo, or u", "undo the last move"),
    "redo": TypedCommand(_redo, "redo, or r", "redo it"),
    "hint": TypedCommand(_hint, "hint", "a hint from the computer"),
    "again": TypedCommand(_again, "again", "restart a computer that failed"),
    "end": TypedCommand(_end, "end", "propose to end the battle"),
    "resign": TypedCommand(_resign, "resign", "resign the battle"),
    "next": TypedCommand(_next, "next", "the second battle, once the first is over"),
    "review": TypedCommand(_review, "review", "judge every move of a finished battle"),
    "learn": TypedCommand(
        _learn, "learn, or learn dwarfs", "go over the mistakes of your side, or of one side"
    ),
    "new": TypedCommand(_new, "new", "a new match with the same players"),
    "save": TypedCommand(
        _save, "save FILE", f"write the match to a file: {joined(WRITABLE, 'or')}"
    ),
    "open": TypedCommand(
        _open,
        "open FILE",
        f"open a match from a {joined(READABLE, 'or')} file, or by its id",
    ),
    "quit": TypedCommand(leave, "quit", "leave; the match is saved"),
}

COMMANDS_APART: Final[Mapping[str, TypedCommand[MatchRepl]]] = {
    "say": TypedCommand(_say, 'say TEXT, or "TEXT', "chat with players elsewhere"),
    "said": TypedCommand(_said, "said", "read the chat again"),
    "who": TypedCommand(_who, "who", "who is here and who is watching, and how to join"),
    "claim": TypedCommand(
        _claim, "claim", "claim the battle from a player who has been away for too long"
    ),
    "reconnect": TypedCommand(_reconnect, "reconnect", "answer ssh, to restore the connection"),
    "give": TypedCommand(_give, "give", "give an away player's seat to whoever asks for it"),
    "withdraw": TypedCommand(_withdraw, "withdraw", "withdraw your proposal"),
}
"""Commands that remote play adds."""
