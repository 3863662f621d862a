"""Train the network that evaluates a game's positions, on battles of `selfplay`.

Usage: python tools/train_net.py VARIANT FILE.net [RECORDS...] [--epochs 4] [--expected 0.3]
           [--after FILE.net] [--rate 0.004] [--batch 8192]

Needs numpy.  With `--after` it goes on from a network instead of from nothing; with `--epochs 0`
and no records it writes random weights.  Each file of records, by `selfplay generate`, needs what
`selfplay kinds` makes of it beside it, named `.kinds`.  The same seed and files make the same
network, apart from the order in which a machine adds.

A twentieth of the battles is held out; for them, the share of the variance of the result that the
network explains is printed, by the number of dwarfs, before and after each epoch.  A network that
explains nothing is not written.  A manifest beside the network, named `.json`, has the command, the
seeds, the version of numpy and the hashes of the files.  `make_net.py` makes records, too.
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
_FEWEST: Final = 100
"""Fewest battles, of which a twentieth is held out."""
_WARM: Final = 100
"""The steps in which the rate rises; twice as many are the fewest from which anything is learnt."""
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
        batch: the positions in a step.
    """

    def __init__(
        self,
        game: Game,
        kinds: Array,
        sides: Array,
        expected: Array,
        *,
        seed: int,
        rate: float = 0,
        batch: int = 1,
    ) -> None:
        self._game = game
        self._rate, self._batch = rate, batch
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
        for at in range(len(places) // self._batch):
            batch = np.sort(order[at * self._batch : (at + 1) * self._batch])
            self._learn(batch, steps)

    def _learn(self, batch: Array, steps: int) -> None:
        self._step += 1
        rate = (
            self._rate * min(1, self._step / _WARM) * 0.5 * (1 + np.cos(np.pi * self._step / steps))
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


def read(paths: list[Path], variant: str) -> tuple[Array, Array]:
    """Return the records of files, and the squares of each kind.

    Raises:
        ValueError: a file of kinds is not that of its records.
    """
    size = 32 * len(GAMES[variant].squares)
    records, kinds = [], []
    for path in paths:
        seen = path.with_suffix(".kinds")
        records.append(np.fromfile(path, dtype=RECORD))
        squares = np.fromfile(seen, dtype=np.uint8) if seen.exists() else np.zeros(0, np.uint8)
        if not seen.exists() or len(squares) != size * len(records[-1]):
            raise ValueError(f"{seen} is not what 'selfplay kinds {variant} {path} {seen}' makes")
        kinds.append(squares.reshape(-1, size))
    return np.concatenate(records), np.concatenate(kinds)


def labels(game: Game, records: Array, share: float) -> tuple[Array, Array]:
    """Return how battles ended, and what to learn, by position.

    Args:
        game: whose battles they are.
        records: the positions.
        share: of the search's score in what to learn.
    """
    result, searched = records["result"] / 100, records["score"] / 100
    if game.decided:
        won, searched = (1 + result * _PATIENCE ** left(records)) / 2, 1 / (1 + np.exp(-searched))
        return (1 + result) / 2, (1 - share) * won + share * searched
    searched = np.clip(searched, -32, 32)
    return result, ((1 - share) * result + share * searched - game.mean) / game.unit


def explained(said: Array, happened: Array, dwarfs: Array) -> str:
    """Return the share of the variance of what happened that was said, by the number of dwarfs."""
    told = []
    for low, high in [(0, 33), (0, 8), (8, 16), (16, 24), (24, 33)]:
        among = (low <= dwarfs) & (dwarfs < high)
        if among.any() and (variance := happened[among].var()):
            error = ((said - happened)[among] ** 2).mean()
            told.append(f"{low}-{high - 1} {1 - error / variance:.3f}")
    return f"dwarfs {', '.join(told)}; {np.abs(said - happened).mean():.2f} off"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=GAMES)
    parser.add_argument("net", type=Path)
    parser.add_argument("records", type=Path, nargs="*")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--expected", type=float, default=0.3, help="share of the search's score")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--after", type=Path, help="a network to go on from")
    parser.add_argument("--rate", type=float, default=_RATE, help="the highest rate of learning")
    parser.add_argument("--batch", type=int, default=8192, help="positions in a step")
    options = parser.parse_args()
    game = GAMES[options.variant]
    if not options.records and options.epochs:
        parser.error("no records to learn from; random weights take --epochs 0")
    if not options.records:
        none = np.zeros(0)
        options.net.write_bytes(Trainer(game, none, none, none, seed=options.seed).file())
        return
    try:
        records, kinds = read(options.records, options.variant)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    battles = np.unique(records["battle"])
    held = (records["battle"].astype("u8") * 2654435761 % 2**32 >> 16) % 20 == 0
    learning, tested = np.flatnonzero(~held), np.flatnonzero(held)[:100_000]
    steps = options.epochs * (len(learning) // options.batch)
    if len(battles) < _FEWEST or steps < 2 * _WARM or not len(tested):
        parser.error(
            f"too little to learn from: {len(battles)} battles, {len(tested)} positions of them "
            f"held out, {steps} steps; it takes {_FEWEST} battles, some held out, and "
            f"{2 * _WARM} steps (more battles, more --epochs or a smaller --batch)"
        )
    result, expected = labels(game, records, options.expected)
    trainer = Trainer(
        game,
        kinds,
        records["side"].astype(int),
        expected.astype("f4"),
        seed=options.seed,
        rate=options.rate,
        batch=options.batch,
    )
    if options.after:
        trainer.go_on_from(options.after.read_bytes())
    dwarfs, happened = np.bitwise_count(records["dwarfs"]).sum(1)[tested], result[tested]
    constant = np.abs(np.median(happened) - happened).mean()
    print(f"{len(learning)} positions, and {len(tested)} of other battles")
    print(f"a constant: {constant:.2f} off")
    print(f"before: {explained(trainer.said(tested), happened, dwarfs)}", flush=True)
    for epoch in range(options.epochs):
        trainer.train(learning, steps)
        said = trainer.said(tested)
        print(f"epoch {epoch + 1}: {explained(said, happened, dwarfs)}", flush=True)
    if ((said - happened) ** 2).mean() >= happened.var():
        sys.exit("Of the battles held out it says no more than a constant. No network is written.")
    options.net.write_bytes(trainer.file())
    files = [*options.records, options.net, *([options.after] if options.after else [])]
    manifest = {
        "command": sys.argv,
        "seed": options.seed,
        "numpy": np.__version__,
        "positions": len(records),
        "battles": len(battles),
        "battles by seed": _by_seed(battles),
        "sha256": {str(path): sha256(path) for path in files},
    }
    options.net.with_suffix(".json").write_text(json.dumps(manifest, indent=2) + "\n")


def _by_seed(battles: Array) -> dict[str, int]:
    """Return the number of battles of each seed of `selfplay generate`, which numbers them."""
    seeds, counts = np.unique(battles // 1_000_000, return_counts=True)
    return {str(seed): int(count) for seed, count in zip(seeds, counts, strict=True)}


def sha256(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    main()
