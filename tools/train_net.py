"""Train the network that evaluates a game's positions, on battles of `selfplay`.

Usage: python tools/train_net.py VARIANT FILE.net RECORDS... [--epochs 4] [--expected 0.3]
           [--after FILE.net] [--rate 0.004]

Needs numpy.  With `--after` it goes on from a network instead of from nothing.  Each file of
records, by `selfplay generate`, needs what `selfplay kinds` makes of it beside it, named `.kinds`.
The same seed and files make the same network, apart from the order in which a machine adds.  A
twentieth of the battles is held out; for them, the share of the variance of the result that the
network explains is printed, by the number of dwarfs.  A manifest beside the network, named `.json`,
has the command, the seed and the hashes of the files.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

UNITS: Final = 32
_CEILING: Final = 4.0
_UNIT: Final = 200
"""What 1 is in whole numbers, in the layer."""
_SHIFT: Final = 12
_HEAVIEST: Final = 127 / _UNIT
"""An input is a number of 8 bits."""
_BATCH: Final = 8192
_FEWEST: Final = 100
"""Fewest battles, of which a twentieth is held out."""
_RATE: Final = 0.004
_CLIP: Final = 1.5
"""Errors beyond, in tens of points, pull no harder."""
_PATIENCE: Final = 0.999
"""What a win a turn later counts: without it, who is winning has no reason to make progress."""
_BOARD: Final = [5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5]
"""The first column of each row."""
_AROUND: Final = [15, *[1] * 13, 15]
"""The same for what is up to six squares around the rock, with it in the centre."""

RECORD: Final = np.dtype(
    [
        ("dwarfs", "<u8", 4),
        ("trolls", "<u8", 4),
        ("stone", "u1"),
        ("side", "u1"),
        ("captures", "u1"),
        ("zero", "u1"),
        ("score", "<i2"),
        ("result", "<i2"),
        ("battle", "<u4"),
        ("turn", "<u2"),
        ("zeros", "<u2"),
    ]
)
"""A position as core/src/selfplay.rs writes it: 80 bytes."""

Array = Any
"""A numpy array."""


class Game(NamedTuple):
    """What networks of a game see, and how they say it."""

    squares: tuple[list[int], ...]
    """For each kind, the first column of each of its rows, which are symmetric."""
    symmetries: int
    """How many of the board's symmetries the game has."""
    decided: bool
    """Whether a goal decides: a network learns the logarithm of the odds, not the margin."""
    unit: float
    """What 1 is in what a network learns, in points or as that logarithm."""
    score: float
    """The same in the search's scores."""
    zero: float
    """The search's score of 0 in what a network learns: roughly the mean, or an even battle."""

    @property
    def mean(self) -> float:
        """The zero in points, or as the logarithm of the odds."""
        return 0 if self.decided else self.zero / self.score * self.unit


_CLASSIC: Final = Game((_BOARD,) * 9, 8, False, 10, 400, -400)
_KOOM: Final = Game((_BOARD,) * 4 + (_AROUND,) * 6, 2, True, 1, 600, 400)
GAMES: Final = {"classic": _CLASSIC, "single": _CLASSIC, "koom": _KOOM}


def columns(game: Game, symmetry: int) -> Array:
    """Return the inputs' bits among those of the masks, on a board turned or mirrored.

    Args:
        game: whose network it is.
        symmetry: one of the eight, from 0.
    """

    def turned(square: int) -> int:
        row, column = divmod(square, 16)
        if symmetry & 1:
            column = 14 - column
        if symmetry & 2:
            row = 14 - row
        return 16 * column + row if symmetry & 4 else 16 * row + column

    return np.array(
        [
            256 * kind + turned(16 * row + column)
            for kind, firsts in enumerate(game.squares)
            for row, first in enumerate(firsts)
            for column in range(first, 15 - first)
        ]
    )


class Trainer:
    """A network under training, by Adam.

    Args:
        game: whose positions it evaluates.
        kinds: the squares of each kind, 32 bytes a kind, by position.
        sides: 0 for dwarfs and 1 for trolls to move, by position.
        expected: what to learn, by position: a margin in the game's unit from its mean, or
            a chance.
        seed: of the first weights and the order.
        rate: the highest rate of learning.
    """

    def __init__(
        self, game: Game, kinds: Array, sides: Array, expected: Array, *, seed: int, rate: float
    ) -> None:
        self._game = game
        self._rate = rate
        self._kinds, self._sides, self._expected = kinds, sides, expected
        self._chance = chance = np.random.default_rng(seed)
        self._columns = [columns(game, symmetry) for symmetry in range(game.symmetries)]
        self.weights = [
            chance.normal(0, 0.1, (len(self._columns[0]), UNITS)).astype("f4"),
            chance.uniform(0, 1, UNITS).astype("f4"),
            chance.normal(0, 0.12, (UNITS, 2)).astype("f4"),
            np.zeros(2, "f4"),
        ]
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._step = 0

    def _inputs(self, places: Array, symmetry: int = 0) -> Array:
        bits = np.unpackbits(self._kinds[places], axis=1, bitorder="little")
        return bits[:, self._columns[symmetry]].astype("f4")

    def _forward(self, inputs: Array, sides: Array) -> tuple[Array, Array, Array]:
        first, biases, outputs, offsets = self.weights
        sums = inputs @ first + biases
        layer = np.clip(sums, 0, _CEILING)
        return sums, layer, (layer * outputs.T[sides]).sum(1) + offsets[sides]

    def said(self, places: Array) -> Array:
        """Return what it says of positions for the dwarfs: margins in points, or chances."""
        parts = [places[at : at + 20_000] for at in range(0, len(places), 20_000)]
        found = [self._forward(self._inputs(part), self._sides[part])[2] for part in parts]
        said = np.concatenate(found)
        if self._game.decided:
            return 1 / (1 + np.exp(-said))
        return said * self._game.unit + self._game.mean

    def train(self, places: Array, steps: int) -> None:
        """Go once through positions.

        Args:
            places: which.
            steps: in all epochs, over which the rate falls to zero.
        """
        order = self._chance.permutation(places)
        for at in range(len(places) // _BATCH):
            batch = np.sort(order[at * _BATCH : (at + 1) * _BATCH])
            self._learn(batch, steps)

    def _learn(self, batch: Array, steps: int) -> None:
        self._step += 1
        rate = (
            self._rate * min(1, self._step / 100) * 0.5 * (1 + np.cos(np.pi * self._step / steps))
        )
        inputs, sides = (
            self._inputs(batch, int(self._chance.integers(self._game.symmetries))),
            self._sides[batch],
        )
        sums, layer, said = self._forward(inputs, sides)
        if self._game.decided:
            said = 1 / (1 + np.exp(-said))
        error = np.clip(said - self._expected[batch], -_CLIP, _CLIP)
        pull = (error / len(batch)).astype("f4")
        outputs = self.weights[2]
        back = pull[:, None] * outputs.T[sides]
        back[(sums <= 0) | (sums >= _CEILING)] = 0
        of = [sides == side for side in (0, 1)]
        slopes = [
            inputs.T @ back,
            back.sum(0),
            np.stack([layer[which].T @ pull[which] for which in of], axis=1),
            np.array([pull[which].sum() for which in of]),
        ]
        known = zip(self.weights, slopes, self._means, self._squares, strict=True)
        for weights, slope, mean, square in known:
            mean[...] += 0.1 * (slope - mean)
            square[...] += 0.001 * (slope * slope - square)
            size = np.sqrt(square / (1 - 0.999**self._step)) + 1e-8
            weights[...] -= (rate * mean / (1 - 0.9**self._step) / size).astype("f4")
        np.clip(self.weights[0], -_HEAVIEST, _HEAVIEST, out=self.weights[0])

    def go_on_from(self, file: bytes) -> None:
        """Take the weights of a network, as `file` wrote them."""
        first, biases, outputs, offsets = self.weights
        scale = self._game.score
        parts = {"i1": first.size, "<i2": biases.size + outputs.size, "<i4": offsets.size}
        numbers, at = [], 0
        for kind, count in parts.items():
            numbers.append(np.frombuffer(file, kind, count, at).astype(float))
            at += count * np.dtype(kind).itemsize
        assert at == len(file)
        first[...] = numbers[0].reshape(first.shape) / _UNIT
        biases[...] = numbers[1][: biases.size] / _UNIT
        outputs[...] = (
            numbers[1][biases.size :].reshape(outputs.T.shape).T * _UNIT / 2**_SHIFT / scale
        )
        offsets[...] = (numbers[2] / 2**_SHIFT - self._game.zero) / scale

    def file(self) -> bytes:
        """Return the network as core/src/net.rs reads it."""
        first, biases, outputs, offsets = self.weights
        scale = self._game.score
        numbers = [np.rint(biases * _UNIT), np.rint(outputs.T * scale / _UNIT * 2**_SHIFT)]
        assert max(np.abs(each).max() for each in numbers) < 2**15
        last = np.rint((offsets * scale + self._game.zero) * 2**_SHIFT).astype("<i4")
        parts = [
            np.rint(first * _UNIT).astype("i1"),
            *(each.astype("<i2") for each in numbers),
            last,
        ]
        return b"".join(part.tobytes() for part in parts)


def left(records: Array) -> Array:
    """Return the number of turns to the end of the battle, by position."""
    _, battles = np.unique(records["battle"], return_inverse=True)
    last = np.zeros(battles.max() + 1, int)
    np.maximum.at(last, battles, records["turn"])
    return last[battles] - records["turn"]


def explained(said: Array, happened: Array) -> str:
    """Return the share of the variance of what happened that was said."""
    return f"{1 - ((said - happened) ** 2).mean() / happened.var():.3f}"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=GAMES)
    parser.add_argument("net", type=Path)
    parser.add_argument("records", type=Path, nargs="+")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--expected", type=float, default=0.3, help="share of the search's score")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=Path, help="a network to go on from")
    parser.add_argument("--rate", type=float, default=_RATE, help="the highest rate of learning")
    options = parser.parse_args()
    game = GAMES[options.variant]
    records = np.concatenate([np.fromfile(path, dtype=RECORD) for path in options.records])
    kinds = np.concatenate(
        [
            np.fromfile(path.with_suffix(".kinds"), dtype=np.uint8).reshape(
                -1, 32 * len(game.squares)
            )
            for path in options.records
        ]
    )
    result, searched = records["result"] / 100, records["score"] / 100
    share = options.expected
    if game.decided:
        won, searched = (1 + result * _PATIENCE ** left(records)) / 2, 1 / (1 + np.exp(-searched))
        result = (1 + result) / 2
        expected = (1 - share) * won + share * searched
    else:
        searched = np.clip(searched, -32, 32)
        expected = ((1 - share) * result + share * searched - game.mean) / game.unit
    sides = records["side"].astype(int)
    trainer = Trainer(
        game, kinds, sides, expected.astype("f4"), seed=options.seed, rate=options.rate
    )
    if options.after:
        trainer.go_on_from(options.after.read_bytes())
    held = (records["battle"].astype("u8") * 2654435761 % 2**32 >> 16) % 20 == 0
    learning, tested = np.flatnonzero(~held), np.flatnonzero(held)[:100_000]
    dwarfs = np.bitwise_count(records["dwarfs"]).sum(1)[tested]
    battles = len(np.unique(records["battle"]))
    if battles < _FEWEST or len(learning) < _BATCH or not len(tested):
        parser.error(
            f"too little to learn from: {len(learning)} positions of {battles} battles; it takes "
            f"{_BATCH} positions of {_FEWEST} battles at least"
        )
    print(f"{len(learning)} positions, and {len(tested)} of other battles")
    for epoch in range(options.epochs):
        trainer.train(learning, options.epochs * (len(learning) // _BATCH))
        said, happened = trainer.said(tested), result[tested]
        bands = [(0, 33), (0, 8), (8, 16), (16, 24), (24, 33)]
        told = [
            f"{low}-{high - 1} {explained(said[among], happened[among])}"
            for low, high in bands
            for among in [(low <= dwarfs) & (dwarfs < high)]
        ]
        off = np.abs(said - happened).mean()
        print(f"epoch {epoch + 1}: dwarfs {', '.join(told)}; {off:.2f} off", flush=True)
    options.net.write_bytes(trainer.file())
    files = [*options.records, options.net, *([options.after] if options.after else [])]
    manifest = {
        "command": sys.argv,
        "seed": options.seed,
        "positions": len(records),
        "battles": battles,
        "sha256": {str(path): _hash(path) for path in files},
    }
    options.net.with_suffix(".json").write_text(json.dumps(manifest, indent=2) + "\n")


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
