"""Fit what a Koom Valley network says to how battles end, on battles that it did not learn from.

Usage: python tools/calibrate_net.py FILE.net RECORDS...

Needs numpy.  The records are of battles by `selfplay generate`.  The logarithm of the odds that the
search said is multiplied and shifted such that the results are likeliest (Platt scaling), and the
network's outputs are changed accordingly.
"""

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np

from train_net import GAMES, RECORD, UNITS

_KOOM: Final = GAMES["koom"]
_SHIFT: Final = 12
_SEEN: Final = 9.0
"""Beyond, the search saw the end."""


def fitted(said: Any, won: Any) -> tuple[float, float]:
    """Return the factor and the shift of a logistic regression, by Newton's method.

    Args:
        said: the logarithms of the odds.
        won: 1 for a win of the dwarfs, 0 for one of the trolls.
    """
    found = np.array([1.0, 0.0])
    inputs = np.stack([said, np.ones_like(said)])
    for _ in range(50):
        chances = 1 / (1 + np.exp(-(found @ inputs)))
        weighted = inputs * (chances * (1 - chances))
        found -= np.linalg.solve(weighted @ inputs.T, inputs @ (chances - won))
    return float(found[0]), float(found[1])


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("records", type=Path, nargs="+")
    options = parser.parse_args()
    records = np.concatenate([np.fromfile(path, dtype=RECORD) for path in options.records])
    said, won = records["score"] / 100, (1 + records["result"] / 100) / 2
    unseen = np.abs(said) < _SEEN
    factor, shift = fitted(said[unseen], won[unseen])
    print(f"{unseen.sum()} positions: {factor:.3f} times, and {shift:+.3f}")
    net = options.net.read_bytes()
    places = len(net) - 8 - 2 * 2 * UNITS, len(net) - 8
    outputs = np.frombuffer(net[slice(*places)], "<i2") * factor
    assert np.abs(outputs).max() < 2**15
    even = _KOOM.zero * 2**_SHIFT
    offsets = even + (np.frombuffer(net[places[1] :], "<i4") - even) * factor
    offsets += shift * _KOOM.score * 2**_SHIFT
    parts = np.rint(outputs).astype("<i2"), np.rint(offsets).astype("<i4")
    options.net.write_bytes(net[: places[0]] + b"".join(part.tobytes() for part in parts))


if __name__ == "__main__":
    main()
