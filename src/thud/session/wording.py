"""What is told of people at other places, in the same words everywhere."""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.reasons import sentence
from thud.session.events import Came, LineBack, LineLost, Said, Went, Wish
from thud.session.situation import Situation
from thud.session.time_words import when_away

LOOKS_ON: Final = "You look on."
"""What is said to who plays nothing at what others play."""

News: TypeAlias = Came | Went | Said | LineLost | LineBack
"""What happens between places."""


def news(situation: Situation, event: News) -> str:
    """Tell in a sentence what has happened between places."""
    match event:
        case Came(player, name):
            return f"{name} looks on." if player is None else f"{name} has come."
        case Went(None, name):
            return f"{name} looks on no longer."
        case Went(_, name):
            return f"{name} has gone away. {when_away(situation)}".rstrip()
        case Said(_, name, text):
            return f"{name} says: {text}"
        case LineLost(because, for_good):
            how = "has ended" if for_good else "is broken; we try again"
            return f"The line {how}. {sentence(because)}"
        case LineBack():
            return "The line is there again."


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
