"""Fit what follows the search's scores: `Odds.followed` of a game with points, else `Odds.curve`.

Usage: python tools/calibrate.py VARIANT RECORDS...

Needs numpy.  The records are of battles by `selfplay generate` that the network did not learn from.
`benchmarks/reliability.py VARIANT` compares what is said then with how further battles end.
"""

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np

from thud.rules.variants import VARIANTS
from train_net import RECORD

_NUMBERS: Final = np.array([8, 14, 20, 26, 32])
"""Numbers of dwarfs between which factor, shift and lead change in proportion."""
_CHANCES: Final = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98])
"""Chances between which the shares won are compared."""


def followed(records: Any) -> None:
    """Print factor, shift and the mover's lead at each number of dwarfs, by least squares."""
    dwarfs = np.clip(np.bitwise_count(records["dwarfs"]).sum(axis=1), 8, 32)
    shares = np.stack([np.interp(dwarfs, _NUMBERS, each) for each in np.eye(len(_NUMBERS))], axis=1)
    ahead = np.where(records["side"] == 0, -1, 1)
    inputs = [shares * each[:, None] for each in (records["score"], np.ones(len(shares)), ahead)]
    found = np.linalg.lstsq(np.concatenate(inputs, axis=1), records["result"] * 1.0, rcond=None)[0]
    for number, factor, shift, lead in zip(_NUMBERS, *np.split(found, 3), strict=True):
        print(f"({number}, {factor:.2f}, {shift:.0f}, {lead:.0f}),")


def curve(records: Any, level: int, steep: int) -> None:
    """Print scores, and those whose chances the dwarfs won; a draw counts half."""
    said = 1 / (1 + np.exp(-records["score"] / 100.0))
    won, place = (1 + records["result"] / 100) / 2, np.searchsorted(_CHANCES, said)
    for each in range(1, len(_CHANCES)):
        pair = (
            np.log(p / (1 - p)) for p in (said[place == each].mean(), won[place == each].mean())
        )
        print("({:.0f}, {:.0f}),".format(*(level + steep * odds for odds in pair)))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("records", type=Path, nargs="+")
    options = parser.parse_args()
    records = np.concatenate([np.fromfile(path, dtype=RECORD) for path in options.records])
    variant = VARIANTS[options.variant]
    if variant.counts_points:
        followed(records)
    else:
        curve(records, *variant.odds[:2])


if __name__ == "__main__":
    main()
