"""The registry of what the search can play: each variant's game, loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.ai.game import Game
from thud.ai.search import SELECTIVE, Options
from thud.rules.position import Side
from thud.rules.variant import Variant


def _classic(side: Side) -> Game:
    from thud.ai.classic import make_game
    from thud.rules.variants.classic import CLASSIC

    return make_game(CLASSIC, side)


def _single(side: Side) -> Game:
    from thud.ai.classic import make_game
    from thud.rules.variants.classic import SINGLE

    return make_game(SINGLE, side)


def _koom(side: Side) -> Game:
    from thud.ai.valley import KOOM

    return KOOM


def _football(side: Side) -> Game:
    from thud.ai.valley import FOOTBALL_GAME

    return FOOTBALL_GAME


_GAMES: Final[dict[str, Callable[[Side], Game]]] = {
    "classic": _classic,
    "single": _single,
    "koom": _koom,
    "football": _football,
}
"""What makes each variant's game, as the side sees it that is to be played."""


def game_for(variant: Variant, side: Side) -> Game:
    """Return the game to search for a side of a variant."""
    return _GAMES[variant.name](side)


def options_for(variant: Variant) -> Options:
    """Return what a search of a variant may leave out, where it is to play its best."""
    if variant.goals:
        from thud.ai.valley import VALLEY_OPTIONS

        return VALLEY_OPTIONS
    return SELECTIVE
