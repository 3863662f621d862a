"""Crowded test positions of Koom Valley and Football."""

from collections.abc import Iterator
from random import Random

from thud.rules.geometry import EDGE, SQUARES, distance, mask_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants.football import FOOTBALL


def crowds(variant: Variant) -> Iterator[Position]:
    """Yield positions with pieces crowded together, often near the goal: traps, held stones."""
    for seed in range(600):
        chance = Random(seed)
        centre, radius = chance.choice(SQUARES[: chance.choice((12, 165))]), chance.randint(2, 5)
        room = [square for square in SQUARES if distance(square, centre) <= radius]
        chance.shuffle(room)
        dwarfs, trolls = chance.randint(0, 16), chance.randint(0, 8)
        stone, room = room[0], room[1 : 1 + dwarfs + trolls]
        placed = mask_of(*room[dwarfs:])
        if variant is FOOTBALL:
            placed &= ~EDGE
        yield Position(mask_of(*room[:dwarfs]), placed, stone, chance.choice(tuple(Side)))
