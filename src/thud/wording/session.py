"""Sentences about a session and its events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Reason
from thud.session.events import (
    Answered,
    Arrived,
    Begun,
    ConnectionBack,
    ConnectionLost,
    ConnectionSilent,
    Departed,
    Ended,
    Event,
    News,
    Notified,
    NotPlayed,
    NotSaid,
    Played,
    Proposed,
    Said,
    SeatAsked,
    SeatGiven,
    Sending,
    SpectatorSaid,
    TakenBack,
    Wish,
    Withdrawn,
)
from thud.session.view import Reply, SessionView
from thud.text import YOU, called, capitalised, does, sentence, stopped
from thud.wording.hints import expectation, foreseen
from thud.wording.match import if_forfeited, leader, over, result_of, says, untaken
from thud.wording.moves import describe_last

if TYPE_CHECKING:
    from thud.ai.player import Thought


# Events


def news(session: SessionView, event: News) -> str:  # noqa: PLR0912 - a branch for each
    """Describe an event between players at different places."""
    match event:
        case Arrived(name, player, how):
            told = f"{name} is watching." if player is None else f"{name} {how.value}."
        case Departed(name, None):
            told = f"{name} has stopped watching."
        case Departed(name, _):
            told = f"{name} is away."
            if session.clock and session.clock.running:
                told += f" The clock {_when_away(session)}."
        case SeatAsked(player, name, origin):
            owner = session.match.players[player]
            told = f"{_asks(name, origin)} for the seat of {owner}, who is away."
        case SeatGiven(player, name):
            side = session.match.side_of(player)
            told = f"The seat of the {side.plural} is free: {name} can join again and take it."
        case Said(_, name, text) | SpectatorSaid(name, text):
            told = says(name, text)
        case NotPlayed(move, because):
            told = f"{sentence(because)} Not played: {move}"
        case Sending(move):
            told = f"Sending {move} …" if move else ""
        case ConnectionSilent(seconds, first):
            told = f"No answer for {seconds} s." if first else ""
        case NotSaid(text, because):
            told = f"{sentence(because)} Not sent: {text}"
        case ConnectionLost():
            told = _lost(session, event)
        case ConnectionBack(away):
            told = f"{_who(away)} is back." if away else "The connection is back."
    return told


def _lost(session: SessionView, lost: ConnectionLost) -> str:
    """Say that the connection to the host is lost."""
    if lost.for_good:
        return f"The connection has ended. {sentence(lost.because)}"
    if lost.asks:
        return f"The connection is broken. {sentence(lost.because)}"
    if not lost.away:
        told = "The connection is broken. Trying again."
        return f"{told} {sentence(lost.because)}" if lost.because else told
    how = "has left" if session.match.over else "is away; waiting"
    return f"{_who(lost.away)} {how}."


def _who(away: str) -> str:
    """Return who is away, for the beginning of a sentence."""
    return "The host" if away == "the host" else away


def unheard(lost: ConnectionLost) -> str:
    """Say what a lost connection is waiting for, in a few words."""
    if lost.asks:
        return "ssh is asking you something"
    if lost.for_good:
        return "The connection has ended"
    return f"Waiting for {lost.away or 'the connection'}"


def _kept(session: SessionView) -> str:
    """Say that a move is sent again when the connection is back; empty if none is."""
    return f"; {session.sending} is sent then" if session.sending else ""


def happened(session: SessionView, event: Event) -> str:
    """Describe an event that does not change the match; empty for any other."""
    said = ""
    match event:
        case Withdrawn(by):
            said = f"{session.match.name_of(by)} has withdrawn the proposal."
        case Said(player) if session.seats[player].is_local:
            said = ""
        case _ if isinstance(event, News):
            said = news(session, event)
        case Notified(words):
            said = words
    return said


def begun(session: SessionView, event: Begun) -> str:
    """Say that the second battle begins, and which remote player started it."""
    exchanged = "The players have swapped sides."
    if event.by is None:
        return exchanged
    return f"{session.match.players[event.by]} has started battle {event.number}. {exchanged}"


def fails(match: Match, player: int, fault: str) -> str:
    """Say that a computer has failed at the host, who handles it."""
    return f"{match.players[player]} has failed ({fault}); the host decides what to do."


# Proposals


def proposes(session: SessionView, by: Side, wish: Wish) -> str:
    """Say what a side's player proposes."""
    name = session.with_display_names.name_of(by)
    if wish is Wish.TAKE_BACK:
        return f"{does(name, 'ask')} to {taking_back(session, 'their last move')}."
    return f"{does(name, 'propose')} to {wish.value}."


def _refuses(wish: Wish) -> str:
    """Return the verb phrase for declining a proposal."""
    return "plays on" if wish is Wish.END else "does not agree"


def answered(session: SessionView, answer: Answered, resigning: str) -> str:
    """Say that a proposal is accepted or declined, and then what can be done instead.

    Args:
        session: the session.
        answer: the answer.
        resigning: how to resign, such as "resign with R".
    """
    match, asker = session.match, answer.by.other
    name = match.name_of(answer.by)
    if answer.agree:
        return f"{name} agrees."
    ending = answer.wish is Wish.END and session.seat_of(asker).is_local
    can = ending and session.can.resign and leader(match) is not asker
    told = f"{name} {_refuses(answer.wish)}."
    return " ".join(filter(None, (told, answer.until, f"You can {resigning}." if can else "")))


def ended_by(session: SessionView, answer: Answered) -> str:
    """Say whose agreement has ended the battle: `"You propose to end it, and Rocky agrees."`."""
    match = session.with_display_names
    proposer, other = match.name_of(answer.by.other), match.name_of(answer.by)
    agrees = does(other, "agree").replace(YOU, called(YOU), 1)
    return f"{capitalised(does(proposer, 'propose'))} to end it, and {agrees}."


def taking_back(session: SessionView, what: str) -> str:
    """Return the words for undoing something, or for undoing the agreement to end."""
    return "go on with the battle" if session.battle.agreed else f"undo {what}"


def wish_question(session: SessionView, by: Side, wish: Wish) -> str:
    """Ask the other player about a proposal."""
    what = taking_back(session, "that move") if wish is Wish.TAKE_BACK else wish.value
    return f"{session.match.name_of(by.other)}, do you agree to {what}? Yes or no?"


def agreeing(session: SessionView, by: Side) -> str:
    """Ask the other player to agree."""
    asked = session.with_display_names.name_of(by.other)
    return "Do you agree?" if asked == YOU else f"{asked}, do you agree?"


# Resigning and claiming


def resigning(session: SessionView) -> tuple[str, str]:
    """Ask whether the player here resigns, and say what that means.

    Raises:
        IllegalMove: as for `SessionView.playing_side`.
    """
    loser = session.playing_side()
    return "Resign?", if_forfeited(session.with_display_names, loser, Reason.RESIGNATION)


def claiming(session: SessionView) -> tuple[str, str]:
    """Ask whether the player here claims the battle, and say what that means.

    Raises:
        IllegalMove: as for `SessionView.absent_side`, or it is too early.
    """
    side = session.absent_side()
    session.refuse_early_claim()
    away = f"{session.match.name_of(side)} is away. "
    return "Claim the battle?", away + if_forfeited(session.match, side, Reason.CLAIM)


def giving(session: SessionView) -> tuple[str, str]:
    """Ask whether to give a seat to the person asking for it, and say what that means.

    Raises:
        ValueError: nobody asks for one.
    """
    if (asking := session.participants.asking) is None:
        raise ValueError("nobody is asking for a seat")
    owner = session.match.players[asking.player]
    asks = _asks(asking.name, asking.origin)
    return f"Give the seat of {owner} away?", f"{asks} for it. After that {owner} cannot come back."


def _asks(name: str, origin: str) -> str:
    """Say who asks, and from where, if known."""
    return f"{name}, {origin}, asks" if origin else f"{name} asks"


# While another screen is shown


def meanwhile(session: SessionView, event: Event) -> str:
    """Describe an event in a match that is not on the screen."""
    match event:
        case Played():
            told = stopped(describe_last(session.with_display_names))
        case Begun():
            told = begun(session, event)
        case Ended(outcome):
            people = session.with_display_names
            told = f"{over(people, outcome)} {result_of(people, outcome, brief=True)}."
        case TakenBack(turns):
            told = "Moves were undone." if turns else "The battle continues."
        case Proposed(by, wish):
            told = proposes(session, by, wish)
        case Answered(by, agree, wish):
            told = f"{session.match.name_of(by)} {'agrees' if agree else _refuses(wish)}."
        case _:
            told = happened(session, event)
    return told


def stands(session: SessionView) -> str:
    """Say whose turn it is, in a sentence."""
    if session.battle.outcome:
        return "The match is over." if session.match.over else "The battle is over."
    if isinstance(session.asked, Reply):
        return "There is a question for you."
    if _yours(session):
        return "It is your turn."
    return stopped(idle(session) or f"{session.match.name_of(session.to_move)} to move")


# Whose turn it is


def title(session: SessionView) -> str:
    """Return a match's window title."""
    if session.battle.outcome:
        return "Thud: over"
    if _unmanned(session):
        return f"Thud: {session.to_move.plural} to move"
    if _yours(session) or session.you == session.match.commander(session.to_move):
        return "Thud: your move"
    return f"Thud: {session.match.name_of(session.to_move)} to move"


def _yours(session: SessionView) -> bool:
    """Whether the only player here is to move."""
    return session.can.move and len(session.seats.local) == 1


def _unmanned(session: SessionView) -> bool:
    """Whether the seat of the side to move is free."""
    return session.match.commander(session.to_move) in session.participants.free


def idle(session: SessionView) -> str:
    """Say why nobody here can move now; empty if somebody can, or the battle is over."""
    if session.battle.outcome:
        return ""
    if session.lost:
        return f"{unheard(session.lost)}{_kept(session)}"
    if session.sending:
        return f"Sending {session.sending} …"
    if session.silent and not session.can.move:
        return f"No answer for {session.silent} s"
    name, seat = session.match.name_of(session.to_move), session.seat_of(session.to_move)
    if session.proposal and session.seats.has_remote:
        asked = session.proposal.by.other
        waits = session.seat_of(asked).is_remote and session.can.take_part
        name = session.match.name_of(asked)
        said = f"Waiting for {name} to answer" if waits else f"{name} to answer"
    elif session.can.move:
        return ""
    elif _unmanned(session):
        said = capitalised(untaken(session.to_move))
    elif seat.is_remote:
        away = session.match.commander(session.to_move) in session.participants.missing
        waits = session.can.take_part and not away
        said = f"Waiting for {name}" if waits else f"{name} to move{', but away' * away}"
    elif session.pausing:
        said = f"Paused, {name} to move: Space continues"
    else:
        said = f"{name} is thinking"
    return said if session.can.take_part else f"Watching: {said}"


def thinking(session: SessionView, thought: Thought | None) -> str:
    """Say what a thinking computer has found so far."""
    if thought is None:
        return idle(session)
    position = session.battle.position
    expected = expectation(session.battle.variant, position, thought)
    return f"{idle(session)}: depth {thought.depth}, {expected}, {foreseen(position, thought)}"


def waiting(session: SessionView) -> str:
    """Say whom the players here are waiting for; empty if they can act."""
    match, proposal = session.match, session.proposal
    if session.lost and not match.over:
        return f"{unheard(session.lost)}{_kept(session)}."
    if proposal and not session.seat_of(proposal.by.other).is_local:
        return f"Waiting for {match.name_of(proposal.by.other)} to answer."
    if session.can.move or (session.battle.outcome and session.seats.local):
        return ""
    if session.battle.outcome:
        return "The match is over." if match.over else "Waiting for the next battle."
    side = session.to_move
    if _unmanned(session):
        return sentence(untaken(side))
    away = ", who is away" if match.commander(side) in session.participants.missing else ""
    return f"Waiting for {match.name_of(side)}, {side.plural}{away}."


# Who is here


def who_is_there(session: SessionView) -> list[str]:
    """Say which remote players and spectators are present; empty in a local match."""
    told = []
    for player, name in enumerate(session.match.players):
        if not session.seats[player].is_remote:
            continue
        if player in session.participants.free:
            told.append(sentence(untaken(session.match.side_of(player))))
        else:
            here = player in session.participants.connected
            told.append(f"{name} is {'here' if here else 'away'}.")
    told += [f"{name} is watching." for name in session.participants.spectators]
    return [*told, *away_rule(session)]


def participants_in_words(session: SessionView) -> list[str]:
    """Say where everybody is."""
    told = []
    for player, name in enumerate(session.match.players):
        side, seat = session.match.side_of(player), session.seats[player]
        if player in session.participants.free:
            told.append(sentence(untaken(side)))
            continue
        if seat.is_local:
            where = "sits here"
        elif not seat.is_remote:
            where = "is a computer"
        elif player in session.participants.missing:
            where = "is away"
        else:
            where = "plays elsewhere"
        told.append(f"{name} has the {side.plural} and {where}.")
    spectators = session.participants.spectators
    looking = f"Watching: {', '.join(spectators)}." if spectators else "Nobody is watching."
    return [*told, looking, *away_rule(session)]


# The clock while somebody is away


def away_rule(session: SessionView) -> list[str]:
    """Say whether the clock stops while a player is away; empty in a local match."""
    if session.match.control is None or not session.seats.has_remote:
        return []
    return [f"The clock {_when_away(session)} while somebody is away."]


def _when_away(session: SessionView) -> str:
    return "waits" if session.waits else "runs on"
