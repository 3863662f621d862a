"""The registry of games for the search, loaded when asked for.

A variant that has no entry here is searched through the rules alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from thud.ai.searcher import Searcher
from thud.rules.position import Side
from thud.rules.variant import Variant

if TYPE_CHECKING:
    from thud.ai.game import Game, Options


def _classic(side: Side) -> Game:
    from thud.ai.classic.game import make_game
    from thud.rules.variants.classic import CLASSIC

    return make_game(CLASSIC, side)


def _single(side: Side) -> Game:
    from thud.ai.classic.game import make_game
    from thud.rules.variants.classic import SINGLE

    return make_game(SINGLE, side)


def _koom(side: Side) -> Game:
    from thud.ai.valley.koom import KOOM

    return KOOM


def _football(side: Side) -> Game:
    from thud.ai.valley.football import FOOTBALL_GAME

    return FOOTBALL_GAME


_GAMES: Final[dict[str, Callable[[Side], Game]]] = {
    "classic": _classic,
    "single": _single,
    "koom": _koom,
    "football": _football,
}
"""Each variant's game, made for the side to be played."""


def has_game(variant: Variant) -> bool:
    """Say whether a variant has a quick form that can be searched."""
    return variant.name in _GAMES


def game_for(variant: Variant, side: Side) -> Game:
    """Return the game to search for a side of a variant.

    Raises:
        ValueError: nobody has made the variant quick for a search.
    """
    if not has_game(variant):
        raise ValueError(f"{variant.title} has no quick form that could be searched")
    return _GAMES[variant.name](side)


def searcher_for(variant: Variant, seed: int, options: Options | None = None) -> Searcher:
    """Return what looks ahead best in a variant.

    Args:
        variant: what is played; any variant can be.
        seed: makes the choice among equals repeatable.
        options: what a quick search may leave out, if not what suits the game.
    """
    if not has_game(variant):
        from thud.ai.by_rules import RulesSearcher

        return RulesSearcher(variant, seed)
    from thud.ai.quick import QuickSearcher

    return QuickSearcher({side: game_for(variant, side) for side in Side}, seed, options)
