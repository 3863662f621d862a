"""The evaluation of Classic positions, on bitboards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from thud.ai.bitboards import AXES, spread
from thud.rules.geometry import BOARD, CENTRE, SQUARES, Mask, file_of, mask_of, rank_of

_GAPS: Final = mask_of(
    *(
        square
        for square in SQUARES
        if sorted((abs(file_of(square) - CENTRE), abs(rank_of(square) - CENTRE)))
        in ([1, 4], [1, 5], [1, 6], [2, 4], [2, 5])
    )
)
"""The squares in front of the gaps in the dwarfs' starting line, and beside them."""


class Weights(NamedTuple):
    """The weight of each term of the evaluation."""

    dwarf: int
    troll: int
    pair: int
    """Two adjacent dwarfs."""
    line: int
    """Three dwarfs in a line; four in a line count twice."""
    hanging: int
    """A dwarf that a troll can take from a square no line of dwarfs aims at."""
    isolated: int
    """A troll without another beside it."""
    crowded: int
    """A dwarf with four or more dwarfs around it."""
    packed: int
    """A dwarf with six or seven around it: inside a block, yet not enclosed."""
    inroad: int
    """A square beside dwarfs where a troll can land and no line of dwarfs aims."""
    guarded: int
    """A square where a troll can land and a line of dwarfs aims."""
    gathering: int
    """For each dwarf, a belt of the gathering area that it is in."""
    skirmisher: int
    """A dwarf within two steps of a troll with at most one dwarf beside it: little to take."""
    exposed: int
    """A dwarf within three steps of a troll with two or more dwarfs beside it: much to take."""
    gap: int
    """A dwarf in front of one of the four gaps in the dwarfs' starting line."""


DWARF_WEIGHTS: Final = Weights(
    dwarf=38,
    troll=490,
    pair=14,
    line=2,
    hanging=42,
    isolated=6,
    crowded=18,
    packed=5,
    inroad=6,
    guarded=6,
    gathering=8,
    skirmisher=26,
    exposed=8,
    gap=10,
)
ADVANCE_WEIGHTS: Final = DWARF_WEIGHTS._replace(
    troll=500,
    line=8,
    hanging=55,
    crowded=16,
    packed=0,
    guarded=3,
    gathering=10,
    skirmisher=0,
    exposed=0,
    gap=0,
)
"""The dwarfs' weights when they have gathered and advance."""

TROLL_WEIGHTS: Final = Weights(
    dwarf=36,
    troll=320,
    pair=10,
    line=17,
    hanging=12,
    isolated=6,
    crowded=0,
    packed=0,
    inroad=0,
    guarded=0,
    gathering=0,
    skirmisher=0,
    exposed=0,
    gap=0,
)


def landings(trolls: Mask, empty: Mask) -> Mask:
    """Return the empty squares that trolls reach by a step or by a shove of up to three."""
    found = spread(trolls) & empty
    for axis in AXES:
        if pairs := trolls & trolls >> axis:
            ahead = (pairs << 2 * axis & empty) << axis & empty
            back = (pairs >> axis & empty) >> axis & empty
            found |= ahead | back
            if lines := pairs & trolls >> 2 * axis:
                found |= (ahead & lines << 4 * axis) << axis & empty
                found |= (back & lines >> 2 * axis) >> axis & empty
    return found


def hanging_dwarfs(dwarfs: Mask, trolls: Mask, empty: Mask) -> Mask:
    """Return the dwarfs beside a square where a troll can land and no line of dwarfs aims."""
    covered = 0
    for axis in AXES:
        if pairs := dwarfs & dwarfs >> axis:
            ahead, back = pairs << 2 * axis & empty, pairs >> axis & empty
            covered |= ahead << axis | back >> axis
            if lines := pairs & dwarfs >> 2 * axis:
                ahead, back = lines << 3 * axis & empty, lines >> axis & empty
                far = (ahead << axis & empty) << axis | (back >> axis & empty) >> axis
                covered |= ahead | back | far
    return spread(landings(trolls, empty) & ~covered) & dwarfs


def worth(
    dwarfs: Mask, trolls: Mask, empty: Mask, weights: Weights, area: Sequence[Mask] = ()
) -> int:
    """Return the score for the dwarfs, with `area` as the belts to gather in.

    One pass does the work of the functions above, twice as quickly.
    """
    score = dwarfs.bit_count() * weights.dwarf - trolls.bit_count() * weights.troll
    pairs = lines = covered = beside = 0
    once = twice = often = 0
    around = spread(trolls)
    landing = around & empty
    for axis in AXES:
        two = dwarfs & dwarfs >> axis
        if two:
            pairs += two.bit_count()
            ahead, back = two << 2 * axis & empty, two >> axis & empty
            covered |= ahead << axis | back >> axis
            three = two & two >> axis
            if three:
                lines += three.bit_count()
                ahead, back = three << 3 * axis & empty, three >> axis & empty
                far = (ahead << axis & empty) << axis | (back >> axis & empty) >> axis
                covered |= ahead | back | far
            # Count the dwarfs around each dwarf with a bitwise adder, for all dwarfs at once.
            other = two << axis
            carry = two & other
            both = two ^ other
            carried = once & both
            once ^= both
            often |= twice & carry | (twice ^ carry) & carried
            twice ^= carry ^ carried
        two = trolls & trolls >> axis
        if two:
            beside |= two | two << axis
            ahead = (two << 2 * axis & empty) << axis & empty
            back = (two >> axis & empty) >> axis & empty
            landing |= ahead | back
            three = two & two >> axis
            if three:
                landing |= (ahead & three << 4 * axis) << axis & empty
                landing |= (back & three >> 2 * axis) >> axis & empty
    for belt in area:
        score += (dwarfs & belt).bit_count() * weights.gathering
    if weights.skirmisher or weights.exposed:
        company = dwarfs & (twice | often)
        near = spread(around & BOARD)
        score += (near & (dwarfs ^ company)).bit_count() * weights.skirmisher
        score -= (spread(near & BOARD) & company).bit_count() * weights.exposed
    if weights.gap:
        score += (dwarfs & _GAPS).bit_count() * weights.gap
    inroads = landing & ~covered & spread(dwarfs)
    hanging = spread(inroads) & dwarfs
    return (
        score
        + pairs * weights.pair
        + lines * weights.line
        + often.bit_count() * weights.crowded
        + (often & twice).bit_count() * weights.packed
        - hanging.bit_count() * weights.hanging
        - inroads.bit_count() * weights.inroad
        + (landing & covered).bit_count() * weights.guarded
        + (trolls & ~beside).bit_count() * weights.isolated
    )
