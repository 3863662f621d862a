"""The rules of Thud, a library in its own right: pure, using only the standard library.

Everything a program needs can be imported from here; docs/library.md shows how.  Names are
imported lazily, so that `import thud.rules.geometry` imports the board and no more.

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
    from thud.rules.battle import QUIET_LIMIT as QUIET_LIMIT
    from thud.rules.battle import Battle as Battle
    from thud.rules.geometry import BOARD as BOARD
    from thud.rules.geometry import FILES as FILES
    from thud.rules.geometry import RANKS as RANKS
    from thud.rules.geometry import SIZE as SIZE
    from thud.rules.geometry import SQUARES as SQUARES
    from thud.rules.geometry import InvalidSquare as InvalidSquare
    from thud.rules.geometry import Mask as Mask
    from thud.rules.geometry import Square as Square
    from thud.rules.geometry import distance as distance
    from thud.rules.geometry import file_of as file_of
    from thud.rules.geometry import mask_of as mask_of
    from thud.rules.geometry import parse_square as parse_square
    from thud.rules.geometry import rank_of as rank_of
    from thud.rules.geometry import square_at as square_at
    from thud.rules.geometry import square_name as square_name
    from thud.rules.geometry import squares_of as squares_of
    from thud.rules.match import BATTLES as BATTLES
    from thud.rules.match import InvalidPlayers as InvalidPlayers
    from thud.rules.match import Match as Match
    from thud.rules.notation import InvalidMoveText as InvalidMoveText
    from thud.rules.notation import move_text as move_text
    from thud.rules.notation import parse_move as parse_move
    from thud.rules.position import InvalidPosition as InvalidPosition
    from thud.rules.position import Move as Move
    from thud.rules.position import Position as Position
    from thud.rules.position import Side as Side
    from thud.rules.threats import Aim as Aim
    from thud.rules.threats import Threats as Threats
    from thud.rules.threats import threats_in as threats_in
    from thud.rules.typed import completions as completions
    from thud.rules.typed import read_captures as read_captures
    from thud.rules.typed import read_typed as read_typed
    from thud.rules.variant import IllegalMove as IllegalMove
    from thud.rules.variant import Kind as Kind
    from thud.rules.variant import Outcome as Outcome
    from thud.rules.variant import Reason as Reason
    from thud.rules.variant import Score as Score
    from thud.rules.variant import Variant as Variant
    from thud.rules.variant import perft as perft
    from thud.rules.variants import VARIANTS as VARIANTS

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
    "threats": ("Aim", "Threats", "threats_in"),
    "typed": ("completions", "read_captures", "read_typed"),
    "variant": ("IllegalMove", "Kind", "Outcome", "Reason", "Score", "Variant", "perft"),
    "variants": ("VARIANTS",),
}
_HOME: Final = {name: home for home, names in _HOMES.items() for name in names}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a name lazily from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    """List the names that can be imported from here."""
    return __all__
