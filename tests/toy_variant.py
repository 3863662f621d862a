"""A fifth variant, to test the program with a game of which it has only the rules.

`registered` registers it temporarily; the fixtures `skirmish` and `skirmish_engines` (in
conftest.py) do so for a test.  Run as a program, this module is `thud` with the variant registered:
`python toy_variant.py engine --level 4`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from thud.rules.geometry import (
    BOARD,
    NEIGHBOURS,
    RAYS,
    Mask,
    bit,
    distance,
    mask_of,
    parse_square,
    square_name,
    squares_of,
)
from thud.rules.moves import hops_from, slides
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import obstacle
from thud.rules.variant import Kind, Outcome, Reason, Score, Variant
from thud.rules.variants import VARIANTS

COMMAND: Final = (sys.executable, "-P", str(Path(__file__).resolve()), "engine")
"""`thud engine` with this variant; for a test to put in the place of the usual command."""

REACH: Final = 3
HILL: Final = parse_square("H8")
PEAK: Final = parse_square("H1")


class Skirmish(Variant):
    """Nine dwarfs against three trolls; the side that loses all its pieces loses.

    A dwarf slides up to three squares, and captures a troll at the end of the slide if another
    dwarf is beside the troll.  A troll steps one square, or captures a dwarf by hopping over it.
    """

    name = "skirmish"
    title = "Skirmish"
    short = "Skirmish"
    stone = "Hill"
    gist = "a scuffle around a hill"
    summary = "Two dwarfs together take a troll.\nA troll hops over a dwarf and takes it."
    start = Position.from_text(
        "5/7/9/11/4T1T1T4/15/15/7R7/15/15/2ddddddddd2/11/9/7/5 d",
    )
    worth = MappingProxyType({Side.DWARFS: 1, Side.TROLLS: 3})

    def faults(self, position: Position) -> list[str]:
        faults = super().faults(position)
        return faults if position.stone == HILL else [*faults, "the Hill is on H8"]

    def generate(self, position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Move]:
        occupied = position.occupied
        if position.to_move is Side.DWARFS:
            origins &= position.dwarfs
            return slides(origins, occupied, REACH) + list(_takes(position, origins))
        origins &= position.trolls
        hops = [
            Move(origin, beyond, bit(over))
            for origin in squares_of(origins)
            for over, beyond in hops_from(origin)
            if position.dwarfs >> over & 1 and not occupied >> beyond & 1
        ]
        return slides(origins, occupied, 1) + hops

    def count(self, position: Position) -> int:
        return len(self.generate(position, position.pieces(position.to_move)))

    def kind(self, position: Position, move: Move) -> Kind:
        if position.to_move is Side.DWARFS:
            return Kind.MOVE
        return Kind.TRAMPLE if move.captures else Kind.STEP

    def explain(self, position: Position, move: Move) -> str:
        if move.origin == position.stone:
            return "the Hill never moves"
        landing_on = "T" if position.to_move is Side.DWARFS else ""
        if blocked := obstacle(position, move, self.stone, landing_on):
            return blocked
        if distance(move.origin, move.destination) > REACH:
            return f"nobody goes as far as {square_name(move.destination)}"
        return "two dwarfs together take a troll, and a troll takes the dwarf it hops over"

    def decided(self, position: Position) -> Outcome | None:
        if position.dwarfs and position.trolls:
            return None
        winner = Side.DWARFS if position.dwarfs else Side.TROLLS
        because = f"the {winner.other.plural} are all gone"
        return Outcome(winner, Reason.GOAL, because, _points(position))

    def stuck(self, position: Position) -> Outcome:
        because = f"the {position.to_move.plural} have no legal move"
        return _by_points(position, Reason.NO_MOVES, because)

    def settled(self, position: Position, reason: Reason) -> Outcome:
        return _by_points(position, reason, reason.value)

    def progress(self, position: Position) -> tuple[tuple[str, str], ...]:
        points = _points(position)
        return (("points", f"{points.dwarfs:g} : {points.trolls:g}"),)

    def lead(self, position: Position) -> float:
        return _points(position).margin


def _takes(position: Position, origins: Mask) -> Iterator[Move]:
    """Yield the dwarfs' captures."""
    for troll in squares_of(position.trolls):
        for ray in RAYS[troll].values():
            taker = next((s for s in ray[:REACH] if position.occupied >> s & 1), None)
            if taker is not None and origins >> taker & 1:
                others = position.dwarfs & ~bit(taker)
                if mask_of(*NEIGHBOURS[troll]) & others:
                    yield Move(taker, troll, bit(troll))


def _points(position: Position) -> Score:
    worth = Skirmish.worth
    return Score(*(worth[side] * position.pieces(side).bit_count() for side in Side))


def _by_points(position: Position, reason: Reason, because: str) -> Outcome:
    score = _points(position)
    winner = Side.DWARFS if score.margin > 0 else Side.TROLLS if score.margin < 0 else None
    return Outcome(winner, reason, because, score)


class Eyrie(Skirmish):
    """The same pieces without points: the dwarfs must reach H1, and the trolls must prevent it.

    Like Koom Valley it has goals instead of points, but otherwise it has nothing in common with it.
    """

    name = "eyrie"
    title = "Eyrie"
    short = "Eyrie"
    worth = MappingProxyType({})

    def decided(self, position: Position) -> Outcome | None:
        if position.dwarfs >> PEAK & 1:
            return Outcome(Side.DWARFS, Reason.GOAL, "a dwarf stands on H1", Score(1, 0))
        if not position.dwarfs:
            return Outcome(Side.TROLLS, Reason.GOAL, "the dwarfs are all gone", Score(0, 1))
        return None

    def stuck(self, position: Position) -> Outcome:
        because = f"the {position.to_move.plural} have no legal move"
        return Outcome(None, Reason.NO_MOVES, because, Score(0.5, 0.5))

    def settled(self, position: Position, reason: Reason) -> Outcome:
        return Outcome(None, reason, reason.value, Score(0.5, 0.5))

    def lead(self, position: Position) -> float:
        return 15 - min((distance(s, PEAK) for s in squares_of(position.dwarfs)), default=15)


SKIRMISH: Final = Skirmish()
EYRIE: Final = Eyrie()


@contextmanager
def registered(variant: Variant = SKIRMISH) -> Iterator[Variant]:
    """Register a variant during the context."""
    VARIANTS[variant.name] = variant
    try:
        yield variant
    finally:
        del VARIANTS[variant.name]


if __name__ == "__main__":
    from thud.cli.main import main

    with registered():
        sys.exit(main())
