"""What a puzzle is about, and what its solution gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from thud.rules.position import Move, Position, Side
from thud.rules.tactics import merits
from thud.rules.variant import Gain, Kind, Variant

A_WIN: Final = "a win"
NOT_LOSING: Final = "not losing"
GAINS: Final = (A_WIN, NOT_LOSING)
"""Unit of a solution's advantage where it is not points."""


class Theme(StrEnum):
    """What a puzzle is about, as in its file."""

    HURL = "hurl"
    TRAP = "trap"
    CAPTURE = "capture"
    SAVE = "save"
    WIN = "win"
    STOP = "stop"
    PREPARE = "prepare"
    QUIET = "quiet"


THEMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        Theme.HURL: "hurl a dwarf",
        Theme.TRAP: "trap trolls",
        Theme.CAPTURE: "capture dwarfs",
        Theme.SAVE: "save your own",
        Theme.WIN: "win the battle",
        Theme.STOP: "stop the other side",
        Theme.PREPARE: "prepare a capture",
        Theme.QUIET: "move quietly",
    }
)
"""Themes in words."""

_LITTLE: Final = 3
"""Dwarfs captured by trolls, fewer than which are not a capture's point."""


def theme_of(
    variant: Variant, position: Position, moves: Sequence[Move], rest: Move | None, gain: object
) -> Theme:
    """Return what a puzzle is about, by the rules and its gain.

    Args:
        variant: the game.
        position: its position.
        moves: the moves to find.
        rest: the reply to the best of the other moves.
        gain: the solution's advantage.
    """
    if gain == A_WIN:
        return Theme.WIN
    move, alone = moves[0], len(moves) == 1
    gains = {each.gain for each in merits(variant, position, move)}
    saves = alone and bool(rest and rest.captures and gains & {Gain.SAVES, Gain.FLEES})
    if taken := move.captures.bit_count():
        kind, trolls = variant.kind(position, move), position.to_move is Side.TROLLS
        if kind in (Kind.HURL, Kind.TRAP):
            return Theme.HURL if kind is Kind.HURL else Theme.TRAP
        little = alone and trolls and variant.counts_points and taken < _LITTLE
        return Theme.CAPTURE if not little else Theme.SAVE if saves else Theme.PREPARE
    if variant.counts_points and position.to_move is Side.DWARFS:
        return Theme.QUIET
    if gain == NOT_LOSING or Gain.KEEPS_FROM_WINNING in gains:
        return Theme.STOP
    prepares = not alone or Gain.THREATENS in gains
    return Theme.SAVE if saves else Theme.PREPARE if prepares else Theme.QUIET
