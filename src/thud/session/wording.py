"""What is told of people at other places, in the same words everywhere."""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.rules.match import Match
from thud.rules.position import Side
from thud.session.company import says
from thud.session.events import Begun, Came, LineBack, LineLost, Said, Went, Wish
from thud.session.situation import Situation
from thud.session.time_words import when_away
from thud.wording.text import capitalised, sentence

LOOKS_ON: Final = "You look on."
"""What is said to who plays nothing at what others play."""

News: TypeAlias = Came | Went | Said | LineLost | LineBack
"""What happens between places."""


def news(situation: Situation, event: News) -> str:
    """Tell in a sentence what has happened between places."""
    match event:
        case Came(player, name, how):
            return f"{name} looks on." if player is None else f"{name} {how.value}."
        case Went(None, name):
            return f"{name} looks on no longer."
        case Went(_, name):
            return f"{name} has gone away. {when_away(situation)}".rstrip()
        case Said(_, name, text):
            return says(name, text)
        case LineLost():
            return _lost(situation, event)
        case LineBack(away):
            return f"{capitalised(away)} is back." if away else "The line is there again."


def _lost(situation: Situation, lost: LineLost) -> str:
    """Tell that nothing is heard from where the match is played."""
    if lost.for_good:
        return f"The line has ended. {sentence(lost.because)}"
    if not lost.away:
        told = "The line is broken; we try again."
        return f"{told} {sentence(lost.because)}" if lost.because else told
    how = "has left" if situation.match.over else "is away; we wait"
    return f"{capitalised(lost.away)} {how}."


def unheard(lost: LineLost) -> str:
    """Say in a few words what is waited for while the line is lost."""
    return "The line has ended" if lost.for_good else f"Waiting for {lost.away or 'the line'}"


def begun(situation: Situation, event: Begun) -> str:
    """Tell that the second battle begins, and who at another place wanted that."""
    exchanged = "The players have exchanged sides."
    if event.by is None:
        return exchanged
    return f"{situation.match.players[event.by]} has begun battle {event.number}. {exchanged}"


def proposes(situation: Situation, by: Side, wish: Wish) -> str:
    """Tell in a sentence what the player of a side proposes."""
    name = situation.match.name_of(by)
    if wish is Wish.TAKE_BACK:
        return f"{name} asks to {taking_back(situation, 'their last move')}."
    return f"{name} proposes to {wish.value}."


def refuses(wish: Wish) -> str:
    """Say what somebody does who does not agree to what is proposed."""
    return "plays on" if wish is Wish.END else "does not agree"


def taking_back(situation: Situation, what: str) -> str:
    """Say what it would be to take something back, or the agreement to end."""
    return "go on with the battle" if situation.agreed else f"take back {what}"


def fails(match: Match, player: int, fault: str) -> str:
    """Tell in a sentence that a computer has failed at another place, where that is seen to."""
    return f"{match.players[player]} has failed ({fault}); the host sees to it."
