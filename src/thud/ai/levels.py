"""The levels of play: search limits and deliberate oversights."""

from itertools import starmap
from typing import Final, NamedTuple

from thud.ai.player import Limits
from thud.rules.position import Side
from thud.rules.variant import Variant


class Level(NamedTuple):
    """A level's name, and what it is like to play against, without a full stop."""

    name: str
    meeting: str
    agrees_when_calm: bool = False
    """Whether it agrees to end any calm battle."""


LEVELS: Final[dict[int, Level]] = dict(
    enumerate(
        (
            Level("Pebble", "overlooks nearly everything", agrees_when_calm=True),
            Level("Bell Ringer", "overlooks most of what you leave it", agrees_when_calm=True),
            Level("Lamplighter", "takes what it sees, which is little", agrees_when_calm=True),
            Level("Goatherd", "misses most of its chances"),
            Level("Cartwright", "misses every other chance"),
            Level("Tinsmith", "misses one chance in three"),
            Level("Ferryman", "misses a chance now and then"),
            Level("Miner", "takes what you leave it; plans nothing"),
            Level("Bridge Keeper", "looks a move or two ahead; carelessness costs"),
            Level("Rune Carver", "sees through simple traps"),
            Level("Forge Master", "prepares its attacks and sees yours coming"),
            Level("Gate Captain", "rarely gives anything away"),
            Level("Wall Warden", "leaves you little to take, and waits for your slip"),
            Level("War Chief", "looks far ahead and punishes nearly every slip"),
            Level("Old Mountain", "thinks for ten seconds and plays its best"),
        ),
        start=1,
    )
)
"""Levels by number."""


class LevelStrength(NamedTuple):
    """Search limits, and the share of ordinary moves overlooked on the best day and on the worst.

    Below the highest level nodes limit the search, so that a level is equally strong on every
    machine; the seconds are a fallback for very slow machines.
    """

    limits: Limits
    oversight: tuple[float, float] = (0, 0)


def _one_move(best: float = 0, worst: float | None = None) -> LevelStrength:
    return LevelStrength(Limits(20.0, None, 1), (best, best if worst is None else worst))


def _nodes(*numbers: int) -> tuple[LevelStrength, ...]:
    return tuple(LevelStrength(Limits(20.0, number)) for number in numbers)


_FULL: Final = LevelStrength(Limits(10.0))

_CLASSIC: Final = (
    *starmap(_one_move, ((0.84, 0.971), (0.76, 0.963), (0.63, 0.946), (0.42, 0.901))),
    *starmap(_one_move, ((0.24, 0.806), (0.10, 0.653), (0.02, 0.42), (0.0, 0.15))),
    *_nodes(600, 1_750, 6_000, 12_000, 25_000, 55_000),
    _FULL,
)
_SINGLE: Final = (
    *starmap(_one_move, ((0.84, 0.972), (0.76, 0.965), (0.63, 0.951), (0.46, 0.923))),
    *starmap(_one_move, ((0.29, 0.86), (0.13, 0.733), (0.03, 0.52), (0.0, 0.24))),
    *_nodes(700, 1_600, 3_400, 7_500, 17_000, 35_000),
    _FULL,
)
_KOOM: Final = (
    *starmap(_one_move, ((0.87, 0.976), (0.815, 0.969), (0.74, 0.959), (0.55, 0.942))),
    *starmap(_one_move, ((0.315, 0.892), (0.12, 0.78), (0.03, 0.48), (0.0, 0.05))),
    *_nodes(750, 1_150, 1_700, 2_800, 5_800, 20_000),
    _FULL,
)

_FOOTBALL_DWARFS: Final = (
    *map(_one_move, (0.965, 0.960, 0.952, 0.940, 0.923, 0.899, 0.871, 0.846, 0.805)),
    *map(_one_move, (0.765, 0.70, 0.60)),
    LevelStrength(Limits(20.0, 8_000), (0.82, 0.82)),
    LevelStrength(Limits(20.0, 8_000), (0.70, 0.70)),
    _FULL,
)
_FOOTBALL_TROLLS: Final = (
    *map(_one_move, (0.955, 0.947, 0.938, 0.928, 0.908, 0.85, 0.74, 0.44, 0.0)),
    *_nodes(1_500, 8_000, 20_000, 90_000, 250_000),
    _FULL,
)

_OWN: Final = {
    ("single", Side.DWARFS): _SINGLE,
    ("single", Side.TROLLS): _SINGLE,
    ("koom", Side.DWARFS): _KOOM,
    ("koom", Side.TROLLS): _KOOM,
    ("football", Side.DWARFS): _FOOTBALL_DWARFS,
    ("football", Side.TROLLS): _FOOTBALL_TROLLS,
}
"""Strengths for a side of a variant that has its own, by the variant's name.

In Football the dwarfs are weaker than the trolls. With the same strength they would win most
battles, and a match between neighbouring levels would be drawn.
"""


def strength(level: int, variant: Variant, side: Side) -> LevelStrength:
    """Return how strong a level plays a side of a variant."""
    return _OWN.get((variant.name, side), _CLASSIC)[level - 1]
