"""Fit what is said of positions to battles, and write what was measured into the program.

Usage: python tools/measure.py DIRECTORY [--play]

Reads `VARIANT.jsonl` and `VARIANT-low.jsonl` of each variant, made by `battles.py`, and writes
`src/thud/rules/measurements.py`. `tools/fill_documents.py` then fills the documents from that. What
was measured of a variant without files stays.
Every third battle is left for `benchmarks/reliability.py`. Needs numpy.

The manifest, `benchmarks/results/measured.json`, has the edition of the levels, and the number of
battles in each file and its hash. With --play the battles that a file lacks are played first, up
to that number: with one from the manifest, all is made again from nothing; with a higher one, from
more battles.
"""

import argparse
import hashlib
import json
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

import numpy as np

from battles import Judged, extend, judged, positions, read
from thud import __version__
from thud.ai.levels import LEVELS, strength
from thud.ai.player import CALM, RETURNS
from thud.records.programs import EDITION
from thud.rules.measured import LONG, Following, Measured, NoGoalInSight, Par
from thud.rules.measurements import MEASURED
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

MANIFEST: Final = Path(__file__).parents[1] / "benchmarks/results/measured.json"
MEASUREMENTS: Final = Path(__file__).parents[1] / "src/thud/rules/measurements.py"

_NUMBERS: Final = np.array([1, 4, 8, 14, 20, 26, 32])
"""Numbers of dwarfs between which factor, shift, lead and spread change in proportion."""
_WITHIN: Final = 0.6827
"""Share of results within one standard deviation."""
_FOLDS: Final = 5
_LEVELS: Final = ((1, 3), (4, 6), (7, 8), (9, 10), (11, 14))
"""Levels whose battles with their equals are counted together."""
_NODES: Final = (("500", "1000"), ("4000", "8000"))

_TURNS: Final = (0, 40, 100, 10_000)
"""Turns between which battles with no goal in sight are counted together."""

_SWAY: Final = 300.0
"""How much speaks against a difference between the sides to move, in positions."""

_WEIGHT: Final = 6.0
"""What a battle counts, in positions of which no two are alike, however long it is."""

_AS_MET: Final = 3
"""How many others a battle between levels counts for: people meet levels."""

Fit = Callable[[Any, Any, Any], Any]


def weights(seen: Sequence[Judged]) -> Any:
    """Return what each position counts, the same for all of a battle."""
    positions = Counter(one.number for one in seen)
    counts = [_AS_MET if one.kind == "levels" else 1 for one in seen]
    return np.array(
        [_WEIGHT * count / positions[one.number] for count, one in zip(counts, seen, strict=True)]
    )


def margins(seen: Sequence[Judged]) -> tuple[Following, ...]:
    """Return factor, shift, lead, what is added for a lone troll and spread, by dwarfs."""
    score = np.array([one.score for one in seen], float)
    result = np.array([100.0 * one.result for one in seen])
    ahead = np.array([-1 if one.position.to_move is Side.DWARFS else 1 for one in seen])
    dwarfs = np.clip([one.position.dwarfs.bit_count() for one in seen], 1, 32)
    shares = np.stack([np.interp(dwarfs, _NUMBERS, each) for each in np.eye(len(_NUMBERS))], axis=1)
    lone = np.array([one.position.trolls.bit_count() == 1 for one in seen], float)
    scales = (score / 400, np.ones(len(seen)), ahead, lone)
    inputs = np.concatenate([shares * each[:, None] for each in scales], axis=1)
    prior, counts = np.repeat([400.0, 0.0, 0.0, 0.0], len(_NUMBERS)), weights(seen)
    # How far a score sways with the side to move depends on its depth: believe little of it.
    ridge = np.repeat([1.0, 1.0, _SWAY, 1.0], len(_NUMBERS))

    def fit(inputs: Any, result: Any, counts: Any) -> Any:
        square = (inputs * counts[:, None]).T @ inputs + np.diag(ridge)
        return prior + np.linalg.solve(
            square, (inputs * counts[:, None]).T @ (result - inputs @ prior)
        )

    factor, shift, lead, alone = np.split(fit(inputs, result, counts), len(scales))
    off = np.abs(result - _unseen(fit, inputs, result, counts, [one.number for one in seen]))
    spread = np.full((2, len(_NUMBERS)), 1.0)
    for side, sign in enumerate((-1, 1)):
        mine = ahead == sign
        # Interpolated, a spread is another one than of those it is from: correct it by what is off.
        for _ in range(3):
            said = shares[mine] @ spread[side]
            for place, each in enumerate(shares[mine].T):
                spread[side, place] *= _quantile(off[mine] / said, each * counts[mine]) or 1
    spread = np.rint(spread.T)
    rows = zip(_NUMBERS, factor / 400, *np.rint([shift, lead, alone]), spread, strict=True)
    return tuple(
        Following(int(number), round(float(a), 3), int(b), int(c), int(d), (int(one), int(other)))
        for number, a, b, c, d, (one, other) in rows
    )


def _unseen(fit: Fit, inputs: Any, results: Any, counts: Any, battles: Sequence[int]) -> Any:
    """Return what is said of each battle by a fit to the others."""
    said, part = np.zeros(len(results)), np.array(battles) // 3 % _FOLDS
    for each in range(_FOLDS):
        if (part == each).any():
            others = part != each
            found = fit(inputs[others], results[others], counts[others])
            said[part == each] = inputs[part == each] @ found
    return said


def _quantile(values: Any, weights: Any) -> float:
    """Return the value below which two thirds of the weight lie."""
    if not weights.sum():
        return 0.0
    order = np.argsort(values)
    summed = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(summed, _WITHIN * summed[-1])])


def chances(
    variant: Variant, seen: Sequence[Judged]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the weights for the odds that followed, and for those of a draw."""
    level, steep = variant.odds[:2]
    said = np.clip([(one.score - level) / steep for one in seen], -5, 5)
    traits = np.array([variant.traits(one.position) for one in seen], float)
    ones, result = np.ones(len(seen)), np.array([one.result for one in seen], float)
    inputs = np.column_stack([ones, said, traits, said * traits[:, -1]])
    prior = np.array([0.0, 1.0, *np.zeros(traits.shape[1] + 1)])
    counts = weights(seen)
    odds = _logistic(inputs, (1 + result) / 2, counts, prior)
    # What follows rises with what was said, everywhere.
    odds[-1] = max(odds[-1], 0.05 - odds[1])
    far = np.minimum(5, np.abs(inputs @ odds))
    quiet = np.log1p([one.quiet / LONG for one in seen])
    inputs, none = np.column_stack([ones, far, quiet, traits]), np.zeros(3 + traits.shape[1])
    drawn = _logistic(inputs, (result == 0) * 1.0, counts, none)
    return tuple(map(_short, odds)), tuple(map(_short, drawn))


def _short(weight: float) -> float:
    return round(float(weight), 3)


def _logistic(inputs: Any, results: Any, counts: Any, prior: Any) -> Any:
    """Return weights by logistic regression, near a prior where little is known (Newton)."""

    def loss(weights: Any) -> float:
        said = inputs @ weights
        surprise = counts * (np.logaddexp(0, said) - results * said)
        return float(surprise.sum() + ((weights - prior) ** 2).sum() / 2)

    found = prior.copy()
    for _ in range(100):
        said = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (counts * (said - results)) + found - prior
        curve = (inputs * (counts * said * (1 - said))[:, None]).T @ inputs + np.eye(len(prior))
        step = np.linalg.solve(curve, slope)
        while loss(found - step) > loss(found) and np.abs(step).max() > 1e-6:
            step = step / 2
        found = found - step
        if np.abs(step).max() < 1e-6:
            break
    return found


def no_goal_in_sight(seen: Sequence[Judged]) -> tuple[NoGoalInSight, ...]:
    """Return how battles ended in which no goal was in sight, by turns; those of few pieces not."""
    found = list[NoGoalInSight]()
    for first, after in pairwise(_TURNS):
        now = {
            one.number: one.result
            for one in seen
            if one.kind != "few" and first <= one.quiet < after
        }
        won, drawn, lost = (fmean(end == each for end in now.values()) for each in (1, 0, -1))
        found.append(NoGoalInSight(first, round(won, 3), round(drawn, 3), round(lost, 3)))
    return tuple(found)


def par(variant: Variant, records: Sequence[dict[str, Any]]) -> tuple[Par, ...]:
    """Return how battles from the start between equal players ended, the weakest first."""
    found = list[Par]()
    # Where a level plays its sides unequally well its battles with itself say nothing.
    fair = all(len({strength(level, variant, side) for side in Side}) == 1 for level in LEVELS)
    names = [
        (
            f"levels {a} {'and' if b - a == 1 else 'to'} {b}",
            {f"level {each}" for each in range(a, b + 1)},
        )
        for a, b in (_LEVELS if fair else ())
    ]
    names += [(f"{int(b):,} positions a move", {a, b}) for a, b in _NODES]
    for words, players in names:
        ends = [
            each["result"]
            for each in records
            if each["kind"] != "few" and {each["dwarfs"], each["trolls"]} <= players
        ]
        if len(ends) < 20:
            continue
        drawn = fmean(end == 0 for end in ends)
        dwarfs = ends if variant.counts_points else [(1 + end) / 2 for end in ends]
        error = stdev(dwarfs) / len(ends) ** 0.5
        places = 1 if variant.counts_points else 2
        found.append(
            Par(
                words,
                len(ends),
                round(fmean(dwarfs), places),
                round(error, places),
                round(drawn, 2),
            )
        )
    return tuple(found)


def calm(records: Iterable[dict[str, Any]]) -> tuple[float, float]:
    """Return the shares of battles with another capture after each sign that they are calm."""
    after_turns, after_return = list[bool](), list[bool]()
    for each in records:
        captures = [place for place, (_, _, *captured) in enumerate(each["moves"]) if captured]
        last = captures[-1] if captures else -1
        seen, quiet_due, return_due = Counter[Position](), True, True
        for ply, (position, quiet) in enumerate(positions(each)):
            if not quiet:
                seen.clear()
                quiet_due = return_due = True
            seen[position] += 1
            if quiet_due and quiet == CALM:
                after_turns.append(ply <= last)
                quiet_due = False
            if return_due and seen[position] == RETURNS:
                after_return.append(ply <= last)
                return_due = False
    one, other = (round(fmean(each), 2) for each in (after_turns, after_return))
    return one, other


def measured(variant: Variant, directory: Path) -> Measured:
    """Return all that is measured of a game."""
    paths = [directory / f"{variant.name}{part}.jsonl" for part in ("", "-low")]
    records = list(chain.from_iterable(read(path) for path in paths if path.exists()))
    seen = [one for one in judged(paths[0]) if not one.is_held_out]
    found = Measured(par=par(variant, records))
    if variant.counts_points:
        whole = [each for each in records if each["kind"] in ("equal", "levels")]
        return found._replace(following=margins(seen), calm=calm(whole))
    if not variant.odds.telling:
        return found._replace(no_goal_in_sight=no_goal_in_sight(seen))
    odds, drawn = chances(variant, seen)
    return found._replace(odds=odds, drawn=drawn)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--play", action="store_true", help="play the battles that are missing")
    options = parser.parse_args()
    files = json.loads(MANIFEST.read_text())["files"]
    if options.play:
        for name, file in files.items():
            stem, _, low = name.removesuffix(".jsonl").partition("-")
            extend(options.directory / name, VARIANTS[stem], file["battles"], low=bool(low))
    games = {
        name: measured(variant, options.directory)
        if (options.directory / f"{name}.jsonl").exists()
        else MEASURED[name]
        for name, variant in VARIANTS.items()
    }
    lines = [f"    {name!r}: {_told(value)}," for name, value in {"": Measured(), **games}.items()]
    MEASUREMENTS.write_text(
        '"""What was measured of the games: written by `tools/measure.py`."""\n\n'
        "from typing import Final\n\n"
        "from thud.rules.measured import Following, Measured, NoGoalInSight, Par\n\n"
        "MEASURED: Final = {\n" + "\n".join(lines) + "\n}\n"
    )
    files |= {
        path.name: {
            "battles": sum(1 for _ in read(path)),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(options.directory.glob("*.jsonl"))
    }
    made = {"version": __version__, "edition": EDITION, "files": files}
    MANIFEST.write_text(json.dumps(made, indent=2) + "\n")
    subprocess.run(["ruff", "format", "--quiet", MEASUREMENTS], check=True)


def _told(found: Measured) -> str:
    """Return the source of what was measured, without what was not."""
    nothing = Measured()
    pairs = zip(found._fields, found, nothing, strict=True)
    given = (f"{name}={value!r}" for name, value, none in pairs if value != none)
    return f"Measured({', '.join(given)})"


if __name__ == "__main__":
    main()
