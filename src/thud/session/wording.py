"""What is told of people at other places, in the same words everywhere."""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.rules.match import Match
from thud.rules.position import Side
from thud.session.events import Came, LineBack, LineLost, Said, Went, Wish

News: TypeAlias = Came | Went | Said | LineLost | LineBack
"""What happens between places."""

_ASKS: Final = {
    Wish.END: "proposes to end the battle.",
    Wish.TAKE_BACK: "asks to go back to before their last move.",
}


def news(event: News) -> str:
    """Tell in a sentence what has happened between places."""
    match event:
        case Came(player, name):
            return f"{name} looks on." if player is None else f"{name} is here."
        case Went(player, name):
            return f"{name} looks on no longer." if player is None else f"{name} is away."
        case Said(_, name, text):
            return f"{name}: {text}"
        case LineLost(because, True):
            return f"The line has ended: {because}."
        case LineLost(because):
            return f"The line is broken ({because}); it is being mended …"
        case LineBack():
            return "The line is there again."


def proposes(match: Match, by: Side, wish: Wish) -> str:
    """Tell in a sentence what the player of a side proposes."""
    return f"{match.name_of(by)} {_ASKS[wish]}"


def fails(match: Match, player: int, fault: str) -> str:
    """Tell in a sentence that a computer has failed at another place, where that is seen to."""
    return f"{match.players[player]} has failed ({fault}); the host sees to it."
