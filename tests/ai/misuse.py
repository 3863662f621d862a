"""Fuzzes the compiled core's C interface with invalid calls; prints "alive" if it survives.

Usage: PYTHONPATH=tests python -m ai.misuse SEED
"""

from __future__ import annotations

import sys
from ctypes import byref, c_double, c_int32, c_int64, c_uint64
from random import Random
from typing import Any, Final

from thud.ai import compiled as binding
from thud.ai.core import compiled
from thud.ai.game import FULL, SELECTIVE
from thud.ai.games import game_for
from thud.rules.geometry import BOARD, SQUARES
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.rules.variants.classic import THUDSTONE

NUMBERS: Final = (0, 1, 2, 3, 4, -1, 2**31 - 1, -(2**31))
LARGE: Final = 2**32 - 1
WIDE: Final = (0, 1, -1, 7, 60, 61, 1000, 2**28, 2**31, 2**63 - 1, -(2**63))
STATUSES: Final = (0, 1, -1)


class Misuse:
    """Makes random calls, mostly with nearly valid arguments.

    Args:
        chance: source of randomness, for reproducible runs.
    """

    def __init__(self, chance: Random) -> None:
        core = compiled()
        assert core is not None
        self._library: Any = core.library
        self._chance = chance
        self._trees: list[int] = []
        self._asked = 0
        self._ask = binding._Ask(self._enough)

    def act(self) -> None:
        """Make a random call and check its status."""
        acts = (self._perft, self._new, self._free, self._turn, self._begin)
        ask = self._chance.choice((*acts, self._turn, self._begin, *[self._move] * 6, self._known))
        status = ask()
        assert status in STATUSES, (ask.__name__, status)

    def _enough(self) -> int:
        self._asked += 1
        return self._asked % 3 == 0

    def _some(self, mask: int) -> int:
        bits = self._chance.getrandbits
        thin = bits(256) & (bits(256) if self._chance.random() < 0.7 else -1)
        return thin & (mask if self._chance.random() < 0.98 else -1)

    def _maybe(self, value: Any) -> Any:
        """Return a pointer to a value, occasionally a null pointer."""
        return byref(value) if self._chance.random() < 0.97 else None

    def _position(self) -> Any:
        dwarfs = self._some(BOARD)
        trolls = self._some(BOARD & ~dwarfs)
        stones = THUDSTONE, THUDSTONE, THUDSTONE + 1, *(0, 255, 256, LARGE)[: self._rarely(4)]
        stone = self._chance.choice(stones)
        side = self._chance.choice((0, 1, *(2, LARGE)[: self._rarely(2)]))
        if stone < 256 and self._chance.random() < 0.97:
            dwarfs, trolls = dwarfs & ~(1 << stone), trolls & ~(1 << stone)
        words = binding._words
        return binding._Position(words(dwarfs), words(trolls), stone, side)

    def _rarely(self, most: int) -> int:
        return most if self._chance.random() < 0.1 else 0

    def _tree(self) -> int:
        """Return a tree's number, perhaps of a freed tree; occasionally one that never existed."""
        some = self._trees[-3:] if self._chance.random() < 0.95 else (0, 2**64 - 1)
        return self._chance.choice(some or (0,))

    def _perft(self) -> int:
        chance, stop = self._chance, c_int32(self._chance.choice((0, 1)))
        status: int = self._library.thud_perft(
            chance.choice(NUMBERS),
            self._maybe(self._position()),
            chance.choice((0, 1, 1, 2, 61, LARGE)),
            chance.choice((0, 1, 2, LARGE)),
            byref(stop) if chance.random() < 0.9 else None,
            self._maybe(c_uint64()),
        )
        return status

    def _new(self) -> int:
        number = c_uint64()
        status: int = self._library.thud_tree_new(self._maybe(number))
        if status == 0 and (len(self._trees) < 3 or self._rarely(1)):
            self._trees.append(number.value)
        return status

    def _free(self) -> int:
        # Freed trees stay in the list, so that later calls use them again.
        status: int = self._library.thud_tree_free(self._tree()) if self._rarely(1) else -1
        return status

    def _turn(self) -> int:
        chance = self._chance
        name = chance.choice((*VARIANTS,))
        game = game_for(VARIANTS[name], chance.choice((*Side,)))
        usual = chance.choice((game.options, SELECTIVE, FULL))
        options = binding._options(usual, game.swing)
        weights, areas = binding._weights(game), [BOARD] * self._rarely(chance.choice((3, 65)))
        for numbers, least, most in ((options, -(2**63), 2**63), (weights, -(2**31), 2**31)):
            for _ in range(self._rarely(3)):
                place = chance.randrange(len(numbers))
                numbers[place] = max(least, min(most - 1, chance.choice(WIDE)))
            del numbers[len(numbers) - self._rarely(1) :]
        before = [self._position() for _ in range(self._rarely(5))]
        settings = binding._Game(
            binding._NUMBERS[name] if chance.random() < 0.95 else chance.choice(NUMBERS),
            len(options),
            len(weights),
            len(areas),
            (c_int64 * len(options))(*options),
            (c_int32 * len(weights))(*weights),
            ((c_uint64 * 4) * len(areas))(*map(binding._words, areas)),
        )
        positions = (binding._Position * len(before))(*before)
        status: int = self._library.thud_tree_turn_to(
            self._tree(), self._maybe(settings), positions if before else None, len(before)
        )
        return status

    def _begin(self) -> int:
        chance = self._chance
        nodes = chance.choice((0, 1, 500, 3000, -1, 2**63 - 1))
        seconds = chance.choice((-1.0, 0.0, 0.01, 1e300, float("nan"), float("inf")))
        status: int = self._library.thud_tree_begin(
            self._tree(), self._maybe(self._position()), nodes, c_double(seconds)
        )
        return status

    def _move(self) -> int:
        chance, tree = self._chance, self._tree()
        steps = THUDSTONE, *chance.choices(SQUARES, k=6)
        step = chance.choice(steps) | chance.choice(steps) << 8
        move = chance.choice((step, step, 0, chance.getrandbits(256), 1 << 255))
        found = self._ask, self._maybe(c_int32()), self._maybe(c_uint64())
        words = self._maybe(binding._words(move))
        status: int
        if chance.random() < 0.3:
            status = self._library.thud_tree_glance(tree, words, *found)
            return status
        window = binding._Window(*(chance.choice((*WIDE, 2, 3, 50)) for _ in range(6)))
        if chance.random() < 0.7:
            window.depth, window.alpha, window.beta = chance.choice((0, 1, 4, 60)), -(10**6), 10**6
            window.spare, window.less, window.tried = chance.choice((0, 1, 3)), 0, 0
        status = self._library.thud_tree_search(tree, words, self._maybe(window), *found)
        return status

    def _known(self) -> int:
        status: int = self._library.thud_tree_best_known(
            self._tree(), self._maybe(self._position()), self._maybe((c_uint64 * 4)())
        )
        return status


def main(seed: str) -> None:
    """Make some thousand calls."""
    misuse = Misuse(Random(seed))
    for _ in range(4_000):
        misuse.act()
    print("alive")


if __name__ == "__main__":
    main(sys.argv[1])
