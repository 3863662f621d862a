"""The players of this program by the words for them; each is loaded when it is asked for."""

from __future__ import annotations

from typing import Final

from thud.ai.player import Player
from thud.rules.variant import Variant

COMPUTER: Final = "cpu"
PLAYERS: Final = (COMPUTER, "random", "material")
"""The players that `thud engine` can be."""

FULL_STRENGTH: Final = 0
"""The level that keeps to no limits but those it is given."""

HIGHEST_LEVEL: Final = 7

FAIR: Final = "fair"
"""The word for the level that is about as strong as the person who plays against it."""


def make_player(kind: str, variant: Variant, level: int, seed: int | None) -> Player:
    """Return a player of a variant; the level is for the computer's own player only."""
    if kind == COMPUTER and level == FULL_STRENGTH:
        from thud.ai.thinker import Thinker

        return Thinker(variant, seed)
    if kind == COMPUTER:
        from thud.ai.levels import LevelPlayer

        return LevelPlayer(variant, level, seed)
    from thud.ai.simple import MaterialPlayer, RandomPlayer

    return RandomPlayer(variant, seed) if kind == "random" else MaterialPlayer(variant, seed)
