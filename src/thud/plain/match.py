"""The main loop of a match in plain text, and its commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thud.plain.lines import Superseded
from thud.plain.match_repl import MatchRepl
from thud.plain.repl import (
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
from thud.plain.review import learn, review, tried_in_words
from thud.records.formats import READABLE, WRITABLE, open_named, save_as
from thud.rules.variant import IllegalMove
from thud.session.events import Faulted
from thud.session.view import (
    Answer,
    Claim,
    GiveSeat,
    NewMatch,
    NextBattle,
    Open,
    Proposal,
    ProposeEnd,
    Redo,
    Reply,
    Resign,
    Say,
    TooLate,
    Undo,
    Withdraw,
)
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


def run(repl: MatchRepl, *notices: str) -> None:
    """Play until the players leave or the input ends, then say what happens to the match."""
    try:
        try:
            repl.do(repl.session.begin())
            repl.say(*filter(None, notices))
            while True:
                _turn(repl)
        finally:
            repl.close()
    except Left:
        repl.say(*filter(None, [repl.session.farewell(HOW)]))
    except KeyboardInterrupt:
        repl.lines.break_off()
        repl.say(repl.session.farewell(HOW))
        raise


def _turn(repl: MatchRepl) -> None:
    """Let engines play, then ask for one command and run it."""
    session = repl.session
    if session.paused:
        session.pause(False)
    if session.autosave.has_unsaved:
        repl.do(session.save_again())
    repl.let_others_play()
    if session.left:
        raise Left
    try:
        _ask(repl)
    except Superseded:
        return
    except (IllegalMove, TooLate) as refusal:
        repl.say(sentence(str(refusal)))


def _ask(repl: MatchRepl) -> None:
    session = repl.session
    match session.asked:
        case Faulted():
            session.take_over()
        case Reply(proposal):
            elsewhere = session.seat_of(proposal.by).is_remote
            (_answer_elsewhere if elsewhere else _answer)(repl, proposal)
        case _:
            _execute(repl, repl.ask_command())


def _answer(repl: MatchRepl, proposal: Proposal) -> None:
    """Ask the opponent whether they agree to a local player's proposal."""
    session, side = repl.session, proposal.by
    said = f"{proposes(session, side, proposal.wish)} {if_agreed(session.with_display_names)}"
    question = f"{said} {agreeing(session, side)}"
    repl.do(session.request(Answer(repl.ask_yes(question), proposal.wish)))


def _answer_elsewhere(repl: MatchRepl, proposal: Proposal) -> None:
    """Ask about a remote player's proposal; commands may be typed, too."""
    session = repl.session
    question = wish_question(session, proposal.by, proposal.wish)
    line = repl.ask_now(question, lambda: session.proposal is proposal)
    if not line:
        repl.say(YES_OR_NO)
    elif line.lower() not in YES + NO:
        _execute(repl, line)
    elif session.proposal is not proposal:
        raise TooLate("that question is closed")
    else:
        repl.do(session.request(Answer(line.lower() in YES, proposal.wish)))


def _execute(repl: MatchRepl, line: str) -> None:
    """Run a line: a word of `COMMANDS`, or a move.

    Raises:
        Left: the line is to quit, or the input has ended.
        Superseded: a question that it needed stands no longer.
    """
    if not line and repl.session.battle.outcome and not repl.match.over:
        line = "next"
    if line.startswith('"') and repl.session.seats.has_remote:
        line = f"say {line[1:]}"
    execute(repl, line, _commands(repl))


def _commands(repl: MatchRepl) -> Mapping[str, TypedCommand[MatchRepl]]:
    """Return the commands available now."""
    known = {**COMMANDS, **COMMANDS_APART} if repl.session.seats.has_remote else COMMANDS
    return {word: command for word, command in known.items() if word not in repl.off}


def _help(repl: MatchRepl, _: str) -> None:
    help_with(repl, _commands(repl))


def _score(repl: MatchRepl, _: str) -> None:
    repl.say(
        *standing(repl.session.with_display_names, repl.session.participants.free), *repl.clock_told
    )


def _clock(repl: MatchRepl, _: str) -> None:
    repl.say(*(repl.clock_told or ["There is no clock."]))


def _list(repl: MatchRepl, _: str) -> None:
    repl.say(*(move_list(repl.session.battle) or [NO_MOVES]))


def _variations(repl: MatchRepl, _: str) -> None:
    repl.say(*tried_in_words(repl.session.record.battles[repl.match.number - 1]))


def _undo(repl: MatchRepl, _: str) -> None:
    repl.do(repl.session.request(Undo(), repl.revision))


def _redo(repl: MatchRepl, _: str) -> None:
    repl.do(repl.session.request(Redo()))


def _hint(repl: MatchRepl, _: str) -> None:
    repl.do(_advised(repl))


async def _advised(repl: MatchRepl) -> None:
    repl.narrator.wait()
    await repl.session.advise()


def _again(repl: MatchRepl, _: str) -> None:
    if not repl.session.try_again():
        repl.say("No computer has failed.")


def _end(repl: MatchRepl, _: str) -> None:
    repl.do(repl.session.request(ProposeEnd(), repl.revision))


def _resign(repl: MatchRepl, _: str) -> None:
    question, then = resigning(repl.session)
    if repl.ask_yes(f"{then} {question}"):
        repl.do(repl.session.request(Resign()))


def _claim(repl: MatchRepl, _: str) -> None:
    question, then = claiming(repl.session)
    if repl.ask_yes(f"{then} {question}"):
        repl.do(repl.session.request(Claim()))


def _reconnect(repl: MatchRepl, _: str) -> None:
    repl.session.reconnect()


def _give(repl: MatchRepl, _: str) -> None:
    question, then = giving(repl.session)
    if repl.ask_yes(f"{then} {question}"):
        repl.do(repl.session.request(GiveSeat()))


def _review(repl: MatchRepl, _: str) -> None:
    review(repl)


def _next(repl: MatchRepl, _: str) -> None:
    repl.do(repl.session.request(NextBattle(), repl.revision))


def _new(repl: MatchRepl, _: str) -> None:
    sure = repl.match.over or repl.session.seats.has_remote
    if not sure and not repl.ask_yes("This match is not over. Start a new one?"):
        return
    repl.do(repl.session.request(NewMatch(), repl.revision))


def _save(repl: MatchRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as save battle.tgn")
    record = repl.session.record
    repl.say(sentence(saved_as(save_as(record, name), record)))


def _open(repl: MatchRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as open battle.tgn")
    record, fault = open_named(name, repl.session.autosave.store)
    repl.do(repl.session.request(Open(record)))
    if fault:
        repl.say(sentence(fault))


def _say(repl: MatchRepl, text: str) -> None:
    repl.do(repl.session.request(Say(text)))


def _who(repl: MatchRepl, _: str) -> None:
    repl.say(*participants_in_words(repl.session), *repl.session.participants.invitation)


def _said(repl: MatchRepl, _: str) -> None:
    repl.say(*(repl.session.participants.conversation or ["No messages yet."]))


def _withdraw(repl: MatchRepl, _: str) -> None:
    proposal = repl.session.proposal
    if proposal is None or not repl.session.seat_of(proposal.by).is_local:
        raise ValueError("you have not proposed anything")
    repl.do(repl.session.request(Withdraw()))


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
        learn, "learn, or learn dwarfs", "go over the mistakes of your side, or of one side"
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
