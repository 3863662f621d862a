"""Sentences about a match being played and its events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.ai.player import CALM, is_calm, keeps_coming
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
    HandedOver,
    LookedBack,
    LookingBack,
    NewMatch,
    News,
    Notified,
    NotPlayed,
    NotSaid,
    Played,
    Proposed,
    ProposeEnd,
    RunningOut,
    Said,
    SeatAsked,
    SeatGiven,
    Sending,
    SpectatorSaid,
    TakenBack,
    Undo,
    Wish,
    Withdrawn,
)
from thud.session.law import Claim, GiveSeat, Resign, allows, why_not
from thud.session.participants import Computer
from thud.session.state import Connection, Proposal, Reply, TableState, Turn, Whose
from thud.text import YOU, capitalised, counted, does, sentence, stopped
from thud.words.clocks import has_left, set_to
from thud.words.match import (
    if_agreed,
    if_forfeited,
    leader,
    over,
    result_of,
    says,
    standing,
    untaken,
)
from thud.words.moves import describe_last

if TYPE_CHECKING:
    from thud.ai.player import Thought


# Events


def news(state: TableState, event: News) -> str:  # noqa: PLR0912 - a branch for each
    """Describe an event between players at different places."""
    match event:
        case Arrived(name, player, how):
            told = f"{name} is watching." if player is None else f"{name} {how.value}."
        case Departed(name, None):
            told = f"{name} has stopped watching."
        case Departed(name, _):
            told = f"{name} is away."
            if state.clock and state.clock.running:
                told += f" The clock {_when_away(state)}."
        case SeatAsked(player, name, origin):
            owner = state.match.players[player]
            told = f"{_asks(name, origin)} for the seat of {owner}, who is away."
        case SeatGiven(player, name):
            side = state.match.side_of(player)
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
            told = _lost(state, event)
        case ConnectionBack(away):
            told = f"{_who(away)} is back." if away else "The connection is back."
    return told


def _lost(state: TableState, lost: ConnectionLost) -> str:
    """Say that the connection to the host is lost."""
    if lost.for_good:
        return f"The connection has ended. {sentence(lost.because)}"
    if lost.asks:
        return f"The connection is broken. {sentence(lost.because)}"
    if not lost.away:
        told = "The connection is broken. Trying again."
        return f"{told} {sentence(lost.because)}" if lost.because else told
    how = "has left" if state.match.over else "is away; waiting"
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


def _unanswered(connection: Connection) -> str:
    """Say what is awaited of the host, and that a move is sent again when it is back."""
    if connection.lost:
        then = f"; {connection.sending} is sent then" if connection.sending else ""
        return f"{unheard(connection.lost)}{then}"
    if connection.sending:
        return f"Sending {connection.sending} …"
    return f"No answer for {connection.silent} s"


def happened(state: TableState, event: Event) -> str:
    """Describe an event that does not change the match; empty for any other."""
    said = ""
    match event:
        case Withdrawn(by):
            said = f"{state.match.name_of(by)} has withdrawn the proposal."
        case Said(player) if state.seats[player].is_local:
            said = ""
        case _ if isinstance(event, News):
            said = news(state, event)
        case Notified(words) | LookingBack(words, first=True):
            said = words
        case LookedBack(words, accuracy):
            said = f"{accuracy} {words}".lstrip()
        case HandedOver():
            said = "A person takes over."
        case RunningOut(side) if state.clock and state.seat_of(side).is_local:
            said = has_left(state.with_display_names.name_of(side), state.clock.left(side))
    return said


def calmed(state: TableState) -> str:
    """Say, once, that a battle has become calm by the last move; empty otherwise."""
    battle = state.battle
    if not battle.played or battle.outcome:
        return ""
    *before, _ = positions = battle.positions
    # Where a goal decides, a battle may go well without captures.
    has_calmed = is_calm if battle.variant.counts_points else keeps_coming
    if not has_calmed(positions) or has_calmed(before):
        return ""
    if battle.variant.counts_points and battle.quiet_moves >= CALM:
        return f"Nothing was captured for {counted(battle.quiet_moves, 'move')}."
    since = " since the last capture" if battle.variant.has_captures else ""
    return f"This position has come up for the third time{since}."


def begun(state: TableState, event: Begun) -> str:
    """Say who has which side in the second battle, and which remote player started it."""
    name = state.with_display_names.name_of(Side.DWARFS)
    exchanged = f"{does(name, 'have')} the dwarfs now: the sides are swapped."
    if event.by is None:
        return exchanged
    return f"{state.match.players[event.by]} has started battle {event.number}. {exchanged}"


def fails(match: Match, player: int, fault: str) -> str:
    """Say that a computer has failed at the host, who handles it."""
    return f"{match.players[player]} has failed ({fault}); the host decides what to do."


# Proposals


def proposes(state: TableState, proposal: Proposed | Proposal) -> str:
    """Say what a side's player proposes."""
    name, wish = state.with_display_names.name_of(proposal.by), proposal.wish
    if isinstance(wish, Undo):
        return f"{does(name, 'ask')} to {taking_back(state, 'their last move')}."
    return f"{does(name, 'propose')} to {_in_words(wish)}."


def _in_words(wish: Wish) -> str:
    """Return the verb phrase for what is proposed."""
    match wish:
        case ProposeEnd():
            return "end the battle"
        case Undo():
            return "undo"
        case NewMatch():
            return "begin another match"


def _refuses(wish: Wish) -> str:
    """Return the verb phrase for declining a proposal."""
    return "plays on" if isinstance(wish, ProposeEnd) else "does not agree"


def answered(state: TableState, answer: Answered, resigning: str) -> str:
    """Say that a proposal is accepted or declined, and then what can be done instead.

    Args:
        state: the match.
        answer: the answer.
        resigning: how to resign, such as "resign with R".
    """
    match, asker = state.match, answer.by.other
    name = match.name_of(answer.by)
    if answer.agree:
        return f"{name} agrees."
    ending = isinstance(answer.wish, ProposeEnd) and state.seat_of(asker).is_local
    can = ending and allows(state, Resign()) and leader(match) is not asker
    told = f"{name} {_refuses(answer.wish)}."
    return " ".join(filter(None, (told, answer.until, f"You can {resigning}." if can else "")))


def taking_back(state: TableState, what: str) -> str:
    """Return the words for undoing something, or for undoing the agreement to end."""
    return "go on with the battle" if state.battle.agreed else f"undo {what}"


def wish_question(state: TableState, by: Side, wish: Wish) -> str:
    """Ask the other player about a proposal."""
    what = taking_back(state, "that move") if isinstance(wish, Undo) else _in_words(wish)
    return f"{state.match.name_of(by.other)}, do you agree to {what}? Yes or no?"


def agreeing(state: TableState, by: Side) -> str:
    """Ask the other player to agree."""
    asked = state.with_display_names.name_of(by.other)
    return "Do you agree?" if asked == YOU else f"{asked}, do you agree?"


_FULFILLED: Final[Mapping[type[Wish], type[Event]]] = {
    ProposeEnd: Ended,
    Undo: TakenBack,
    NewMatch: Begun,
}
"""The event of a change that is what was proposed."""


def with_lapse(events: list[Event], pending: Wish | None) -> list[Event]:
    """Return the events of a change, and what they say to whoever had proposed something.

    Args:
        events: the events.
        pending: what was `TableState.pending` before the change, which has dropped it.
    """
    if pending is None or any(isinstance(each, _FULFILLED[type(pending)]) for each in events):
        return events
    lapsed = f"Your proposal to {_in_words(pending)} has lapsed: the match has moved on."
    return [*events, Notified(lapsed)]


# What a player asks

NO_CLOCK: Final = "There is no clock."
ANOTHER: Final = "This match is not over. Start a new one?"


def score_in_words(state: TableState) -> list[str]:
    """Return the state of the match, a sentence each."""
    told = standing(state.with_display_names, state.participants.free)
    return [*told, *clock_in_words(state)]


def clock_in_words(state: TableState) -> list[str]:
    """Return the clock's control and the time left, a sentence each; nothing without a clock."""
    clock, match = state.clock, state.with_display_names
    if clock is None:
        return []
    left = [has_left(match.name_of(side), clock.left(side)) for side in Side]
    return [set_to(clock.control), *left, *away_rule(state)]


# Confirmations


Confirmed: TypeAlias = Resign | Claim | GiveSeat | ProposeEnd
"""Requests that are made once their player is sure; to end the battle, if a computer is asked."""


def confirmation(state: TableState, request: Confirmed) -> tuple[str, str]:
    """Ask whether to make a request that is possible now, and say what that means."""
    match request:
        case Resign():
            loser = state.side_of()
            assert loser
            match, whose = state.with_display_names, state.seats.local
            means = if_forfeited(match, loser, Reason.RESIGNATION)
            if _rated(state):
                means += " Your rating counts who wins the match, not by how much."
            several = len(whose) > 1
            return f"{does(match.name_of(loser), 'resign')}?" if several else "Resign?", means
        case Claim():
            away = f"{state.match.name_of(state.to_move)} is away. "
            return "Claim the battle?", away + if_forfeited(
                state.match, state.to_move, Reason.CLAIM
            )
        case ProposeEnd():
            match = state.with_display_names
            return (
                "Propose the end?",
                f"{if_agreed(match)} {match.name_of(state.to_move.other)} may agree.",
            )
        case GiveSeat():
            asking = state.participants.asking
            assert asking
            owner = state.match.players[asking.player]
            asks = _asks(asking.name, asking.origin)
            means = f"{asks} for it. After that {owner} cannot come back."
            return f"Give the seat of {owner} away?", means


def agrees_later(state: TableState) -> str:
    """Say when a computer may agree to end the battle; nothing if now, or not known."""
    other = state.seat_of(state.to_move.other)
    waits = other.waits_for(state.match.battle) if isinstance(other, Computer) else ""
    name = state.with_display_names.name_of(state.to_move.other)
    return f"{name} agrees to end the battle only {waits}." if waits else ""


def _rated(state: TableState) -> bool:
    """Whether the match will count for the rating of a person here."""
    from thud.records.programs import own_player

    you, match = state.you, state.match
    if you is None or any(start != match.variant.start for start in match.starts):
        return False
    played = own_player(state.seats.programs[1 - you])
    return played is not None and played.level is not None


def still_stands(state: TableState, request: Confirmed, asked: tuple[str, str]) -> bool:
    """Whether what was asked would be asked in the same words now."""
    return why_not(state, request) is None and confirmation(state, request) == asked


def _asks(name: str, origin: str) -> str:
    """Say who asks, and from where, if known."""
    return f"{name}, {origin}, asks" if origin else f"{name} asks"


# While another screen is shown


def meanwhile(state: TableState, event: Event) -> str:
    """Describe an event in a match that is not on the screen."""
    match event:
        case Played():
            told = stopped(describe_last(state.with_display_names))
        case Begun():
            told = begun(state, event)
        case Ended(outcome):
            people = state.with_display_names
            told = f"{over(people, outcome)} {result_of(people, outcome, brief=True)}."
        case TakenBack(turns):
            told = "Moves were undone." if turns else "The battle continues."
        case Proposed():
            told = proposes(state, event)
        case Answered(by, agree, wish):
            told = f"{state.match.name_of(by)} {'agrees' if agree else _refuses(wish)}."
        case _:
            told = happened(state, event)
    return told


def stands(state: TableState) -> str:
    """Say whose turn it is, in a sentence."""
    if isinstance(state.asked, Reply) and not state.battle.outcome:
        return "There is a question for you."
    match state.turn:
        case Turn(Whose.OVER):
            return "The match is over." if state.match.over else "The battle is over."
        case Turn(here=True) if len(state.seats.local) == 1:
            return "It is your turn."
        case Turn():
            return stopped(idle(state) or f"{state.match.name_of(state.to_move)} to move")


# Whose turn it is


def title(state: TableState) -> str:
    """Return a match's window title."""
    match state.turn:
        case Turn(Whose.OVER):
            whose = "over"
        case Turn(Whose.FREE, side):
            whose = f"{side.plural} to move"
        case Turn(here=here) if (here and len(state.seats.local) == 1) or (
            state.you == state.match.commander(state.to_move)
        ):
            whose = "your move"
        case Turn():
            whose = f"{state.match.name_of(state.to_move)} to move"
    return f"Thud: {whose}"


def idle(state: TableState) -> str:
    """Say why nobody here can move now; empty if somebody can, or the battle is over."""
    turn = state.turn
    whose, side, here = turn.whose, turn.side, turn.here
    name, plays = state.match.name_of(side), state.takes_part
    match whose:
        case Whose.OVER | Whose.HERE:
            return ""
        case Whose.CONNECTION | Whose.SENDING | Whose.SILENT:
            assert state.connection
            return _unanswered(state.connection)
        case Whose.ANSWER if plays and state.seat_of(side).is_remote:
            said = f"Waiting for {name} to answer"
        case Whose.ANSWER if state.seats.has_remote:
            said = f"{name} to answer"
        case Whose.ANSWER if here:
            return ""
        case Whose.ANSWER:
            said = f"{state.match.name_of(side.other)} is thinking"
        case Whose.FREE:
            said = capitalised(untaken(side))
        case Whose.AWAY:
            said = f"{name} to move, but away"
        case Whose.ELSEWHERE:
            said = f"Waiting for {name}" if plays else f"{name} to move"
        case Whose.PAUSE:
            said = f"Paused, {name} to move: Space continues"
        case Whose.FAULT:
            said = f"{name} has failed"
        case Whose.COMPUTER:
            said = f"{name} is thinking"
    return said if plays else f"Watching: {said}"


def thinking(state: TableState, thought: Thought | None) -> str:
    """Say what a thinking computer has found so far."""
    from thud.review.hints import expectation, foreseen

    if thought is None:
        return idle(state)
    position = state.battle.position
    expected = expectation(state.battle.variant, position, thought, state.battle.quiet_moves)
    return f"{idle(state)}: depth {thought.depth}, {expected}, {foreseen(position, thought)}"


def waiting(state: TableState) -> str:  # noqa: PLR0911 - a branch for each
    """Say whom the players here are waiting for; empty if they can act."""
    match, proposal = state.match, state.proposal
    match state.turn:
        case _ if (connection := state.connection) and connection.lost and not match.over:
            return f"{_unanswered(connection)}."
        case _ if proposal and not state.seat_of(proposal.by.other).is_local:
            return f"Waiting for {match.name_of(proposal.by.other)} to answer."
        case Turn(here=True):
            return ""
        case Turn(Whose.OVER) if state.seats.local:
            return ""
        case Turn(Whose.OVER):
            return "The match is over." if match.over else "Waiting for the next battle."
        case Turn(Whose.FREE, side):
            return sentence(untaken(side))
        case Turn(whose):
            side, away = state.to_move, ", who is away" * (whose is Whose.AWAY)
            return f"Waiting for {match.name_of(side)}, {side.plural}{away}."


# Who is here


def who_is_there(state: TableState) -> list[str]:
    """Say which remote players and spectators are present; empty in a local match."""
    told = []
    for player, name in enumerate(state.match.players):
        if not state.seats[player].is_remote:
            continue
        if player in state.participants.free:
            told.append(sentence(untaken(state.match.side_of(player))))
        else:
            here = player in state.participants.connected
            told.append(f"{name} is {'here' if here else 'away'}.")
    told += [f"{name} is watching." for name in state.participants.spectators]
    return [*told, *away_rule(state)]


def participants_in_words(state: TableState) -> list[str]:
    """Say where everybody is."""
    told = []
    for player, name in enumerate(state.match.players):
        side, seat = state.match.side_of(player), state.seats[player]
        if player in state.participants.free:
            told.append(sentence(untaken(side)))
            continue
        if seat.is_local:
            where = "sits here"
        elif not seat.is_remote:
            where = "is a computer"
        elif player in state.participants.missing:
            where = "is away"
        else:
            where = "plays elsewhere"
        told.append(f"{name} has the {side.plural} and {where}.")
    spectators = state.participants.spectators
    looking = f"Watching: {', '.join(spectators)}." if spectators else "Nobody is watching."
    return [*told, looking, *away_rule(state)]


# The clock while somebody is away


def away_rule(state: TableState) -> list[str]:
    """Say whether the clock stops while a player is away; empty in a local match."""
    if state.match.control is None or not state.seats.has_remote:
        return []
    return [f"The clock {_when_away(state)} while somebody is away."]


def _when_away(state: TableState) -> str:
    return "waits" if state.waits else "runs on"
