"""The registry of games for the search, imported on demand.

A variant without an entry is searched through its rules alone.
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
"""Makers of each variant's game, for the side to play."""


def has_game(variant: Variant) -> bool:
    """Whether a variant has a game for the quick search."""
    return variant.name in _GAMES


def game_for(variant: Variant, side: Side) -> Game:
    """Return the game for a side of a variant.

    Raises:
        ValueError: the variant has none.
    """
    if not has_game(variant):
        raise ValueError(f"{variant.title} has no quick form that could be searched")
    return _GAMES[variant.name](side)


def searcher_for(variant: Variant, seed: int, options: Options | None = None) -> Searcher:
    """Return the best searcher for a variant.

    Args:
        variant: any variant.
        seed: makes the choice among equally good moves repeatable.
        options: options of a quick search; None for the game's own.
    """
    if not has_game(variant):
        from thud.ai.by_rules import RulesSearcher

        return RulesSearcher(variant, seed)
    from thud.ai.quick import QuickSearcher

    return QuickSearcher({side: game_for(variant, side) for side in Side}, seed, options)
