"""The registry of what the search can play: each variant's game, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final, cast

from thud.ai.game import Game
from thud.rules.position import Side
from thud.rules.variant import Variant

_MAKERS: Final[dict[str, str]] = {
    "classic": "thud.ai.classic",
    "single": "thud.ai.classic",
    "koom": "thud.ai.valley",
    "football": "thud.ai.valley",
}
"""For each variant's name the module whose `make_game(variant, side)` makes its game."""


def game_for(variant: Variant, side: Side) -> Game:
    """Return the game to search for a side of a variant."""
    module = import_module(_MAKERS[variant.name])
    make = cast("Callable[[Variant, Side], Game]", module.make_game)
    return make(variant, side)
