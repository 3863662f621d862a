"""The core's evaluation of Classic against a count square by square, a weight at a time."""

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random

from thud.ai.core import Instance, position_line
from thud.rules.geometry import (
    NEIGHBOURS,
    RAYS,
    SQUARES,
    Square,
    distance,
    mask_of,
    square_name,
)
from thud.rules.moves import line_length
from thud.rules.position import Position, Side
from thud.rules.variants.classic import CLASSIC


def crowds(count: int) -> Iterator[Position]:
    """Yield positions with crowded dwarfs, and trolls among and around them."""
    for seed in range(count):
        chance = Random(seed)
        field = [
            square for square in SQUARES[: 40 + seed * 2 % 110] if square != CLASSIC.start.stone
        ]
        pieces = chance.sample(field, 36)
        few = seed % 5
        dwarfs, trolls = mask_of(*pieces[few:28]), mask_of(*pieces[28 + few :])
        yield Position(dwarfs, trolls, CLASSIC.start.stone)


GAPS = """
    G2 J2 G3 J3 F3 K3 G4 J4 F4 K4
    G14 J14 G13 J13 F13 K13 G12 J12 F12 K12
    B7 B9 C7 C9 C6 C10 D7 D9 D6 D10
    O7 O9 N7 N9 N6 N10 M7 M9 M6 M10
"""


class Board:
    """A position as sets of squares."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.dwarfs = {square for square in NEIGHBOURS if position.dwarfs >> square & 1}
        self.trolls = {square for square in NEIGHBOURS if position.trolls >> square & 1}
        self.empty = {square for square in NEIGHBOURS if not position.occupied >> square & 1}

    def ahead(self, side: Side) -> Iterator[tuple[Square, int, int]]:
        """Yield the free squares up to three ahead of each piece: square, distance, line length."""
        pieces = self.position.pieces(side)
        for head in self.dwarfs if side is Side.DWARFS else self.trolls:
            for step, ray in RAYS[head].items():
                length = line_length(pieces, head, step)
                for far, square in enumerate(ray[:3], 1):
                    if square not in self.empty:
                        break
                    yield square, far, length

    @property
    def landings(self) -> set[Square]:
        return {square for square, far, line in self.ahead(Side.TROLLS) if far <= line}

    @property
    def covered(self) -> set[Square]:
        """Squares where dwarfs can still hurl at a troll that has landed and captured nearby."""
        needed = {1: 3, 2: 2, 3: 3}
        return {square for square, far, line in self.ahead(Side.DWARFS) if line >= needed[far]}

    def beside(self, square: Square, pieces: set[Square]) -> int:
        return sum(other in pieces for other in NEIGHBOURS[square])

    def troll_within(self, steps: int, square: Square) -> bool:
        return any(distance(square, troll) <= steps for troll in self.trolls)

    @property
    def inroads(self) -> set[Square]:
        return {
            square for square in self.landings - self.covered if self.beside(square, self.dwarfs)
        }

    @property
    def hanging(self) -> set[Square]:
        return {dwarf for dwarf in self.dwarfs if self.beside(dwarf, self.inroads)}

    @property
    def lines(self) -> int:
        rays = [ray[:2] for dwarf in self.dwarfs for ray in RAYS[dwarf].values()]
        return sum(len(ray) == 2 and self.dwarfs.issuperset(ray) for ray in rays) // 2

    def counted(self) -> dict[str, int]:
        """Return the count that multiplies each weight."""
        return {
            "dwarf": len(self.dwarfs),
            "troll": -len(self.trolls),
            "pair": sum(self.beside(dwarf, self.dwarfs) for dwarf in self.dwarfs) // 2,
            "line": self.lines,
            "hanging": -len(self.hanging),
            "isolated": sum(not self.beside(troll, self.trolls) for troll in self.trolls),
            "crowded": sum(self.beside(dwarf, self.dwarfs) >= 4 for dwarf in self.dwarfs),
            "packed": sum(self.beside(dwarf, self.dwarfs) in {6, 7} for dwarf in self.dwarfs),
            "inroad": -len(self.inroads),
            "guarded": len(self.landings & self.covered),
            "skirmisher": sum(
                self.beside(dwarf, self.dwarfs) < 2 and self.troll_within(2, dwarf)
                for dwarf in self.dwarfs
            ),
            "exposed": -sum(
                self.beside(dwarf, self.dwarfs) >= 2 and self.troll_within(3, dwarf)
                for dwarf in self.dwarfs
            ),
            "gap": sum(square_name(dwarf) in GAPS.split() for dwarf in self.dwarfs),
            "gathering": 0,  # outside a search, there is no area in which to gather
        }


def evaluated(core: Instance, weights: Mapping[str, int], positions: list[Position]) -> list[int]:
    """Return the core's evaluations with some weights, all others 0."""
    about = "\nvariant classic\nof dwarfs\n"
    core.ask(f"weights{about}" + "\n".join(f"weight {name} {n}" for name, n in weights.items()))
    told = core.ask(
        f"evaluate{about}" + "\n".join(f"position {position_line(p)}" for p in positions)
    )
    return [each["score"] for each in told["evaluations"]]


def test_each_weight_counts_what_it_says(full: bool) -> None:
    core = Instance()
    names = core.ask("weights\nvariant classic\nof dwarfs")
    positions = list(islice(crowds(60), 0, None, 1 if full else 4))
    counted = [Board(position).counted() for position in positions]
    assert {*names} == {*counted[0]}
    for name in names:
        found = evaluated(core, dict.fromkeys(names, 0) | {name: 1}, positions)
        assert found == [each[name] for each in counted], name
        assert len({*found}) > (3 if full else 1) or name == "gathering"
    weights = {name: 3 + place for place, name in enumerate(names)}
    sums = [sum(weights[name] * each[name] for name in names) for each in counted]
    assert evaluated(core, weights, positions) == sums
