"""The rules of Thud, a library in its own right: pure, the standard library only.

Everything that a program about the game looks for can be imported from here; docs/library.md
shows how it is used.  What is asked for is loaded then, so that `import thud.rules.geometry` loads
the board and no more.

>>> from thud.rules import VARIANTS, Battle, parse_move
>>> battle = Battle(VARIANTS["classic"])
>>> len(battle.variant.legal_moves(battle.position))
656
>>> battle.play(parse_move(battle.variant, battle.position, "dF1-F5"))
>>> battle.position.to_move.plural
'trolls'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from thud.rules.battle import QUIET_LIMIT, Battle
    from thud.rules.geometry import (
        BOARD,
        FILES,
        RANKS,
        SIZE,
        SQUARES,
        InvalidSquare,
        Mask,
        Square,
        distance,
        file_of,
        mask_of,
        parse_square,
        rank_of,
        square_at,
        square_name,
        squares_of,
    )
    from thud.rules.match import BATTLES, InvalidPlayers, Match
    from thud.rules.notation import InvalidMoveText, move_text, parse_move
    from thud.rules.position import InvalidPosition, Move, Position, Side
    from thud.rules.tactics import Aim, Threats, threats_in
    from thud.rules.typed import completions, read_captures, read_typed
    from thud.rules.variant import IllegalMove, Kind, Outcome, Reason, Score, Variant, perft
    from thud.rules.variants import VARIANTS

__all__ = [
    "BATTLES",
    "BOARD",
    "FILES",
    "QUIET_LIMIT",
    "RANKS",
    "SIZE",
    "SQUARES",
    "VARIANTS",
    "Aim",
    "Battle",
    "IllegalMove",
    "InvalidMoveText",
    "InvalidPlayers",
    "InvalidPosition",
    "InvalidSquare",
    "Kind",
    "Mask",
    "Match",
    "Move",
    "Outcome",
    "Position",
    "Reason",
    "Score",
    "Side",
    "Square",
    "Threats",
    "Variant",
    "completions",
    "distance",
    "file_of",
    "mask_of",
    "move_text",
    "parse_move",
    "parse_square",
    "perft",
    "rank_of",
    "read_captures",
    "read_typed",
    "square_at",
    "square_name",
    "squares_of",
    "threats_in",
]

_HOMES: Final = {
    "battle": ("QUIET_LIMIT", "Battle"),
    "geometry": (
        *("BOARD", "FILES", "RANKS", "SIZE", "SQUARES", "InvalidSquare", "Mask", "Square"),
        *("distance", "file_of", "mask_of", "parse_square", "rank_of", "square_at"),
        *("square_name", "squares_of"),
    ),
    "match": ("BATTLES", "InvalidPlayers", "Match"),
    "notation": ("InvalidMoveText", "move_text", "parse_move"),
    "position": ("InvalidPosition", "Move", "Position", "Side"),
    "tactics": ("Aim", "Threats", "threats_in"),
    "typed": ("completions", "read_captures", "read_typed"),
    "variant": ("IllegalMove", "Kind", "Outcome", "Reason", "Score", "Variant", "perft"),
    "variants": ("VARIANTS",),
}
_HOME: Final = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load what is asked for from the module that it is at home in."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    """List what can be imported from here."""
    return __all__
