"""When our levels accept a proposed end, and what they say if they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from thud.engines.spec import COMPUTER
from thud.wording.text import counted

if TYPE_CHECKING:
    from thud.rules.battle import Battle
    from thud.rules.position import Side

_OBLIGING: Final = (f"{COMPUTER}:1", f"{COMPUTER}:2")
_A_WHILE: Final = 8
"""So many moves without a capture are enough for the obliging levels."""


def obliges(player: str, battle: Battle) -> bool:
    """Say whether a player, as it is written on a command line, ends a battle to please."""
    return player in _OBLIGING and bool(battle.variant.worth) and battle.quiet_turns >= _A_WHILE


def refusal(player: str, battle: Battle, side: Side) -> str:
    """Return a sentence on when a player, who commands a side, will think otherwise."""
    from thud.ai.thinker import CALM

    if not (player.startswith(COMPUTER) and battle.variant.worth):
        return "It plays to the end. Quit when you like: the match is kept."
    obliges = player in _OBLIGING
    more = max(1, (_A_WHILE if obliges else CALM[side]) - battle.quiet_turns)
    first = "Ask again" if obliges else "Ask again, at the earliest,"
    return f"{first} after {counted(more, 'more move')} without a capture."
