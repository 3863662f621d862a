"""The trolls' moves in Classic as ints."""

from __future__ import annotations

from typing import Final

from thud.ai.bits import AXES, NEAR, spread, squares_in
from thud.rules.geometry import Mask, Square

ONE: Final = 1 << 24
"""Marks a move that takes one dwarf only, of several: its square is in bits 16 to 23."""


def takes(dwarfs: Mask, trolls: Mask, empty: Mask, dwarf: int) -> list[tuple[int, int]]:
    """List steps and shoves that take all the dwarfs beside the landing, most dwarfs first."""
    near = spread(dwarfs) & empty
    found = []
    for origin in squares_in(trolls & spread(near)):
        targets = NEAR[origin] & near
        while targets:
            low = targets & -targets
            targets ^= low
            landing = low.bit_length() - 1
            found.append(((dwarfs & NEAR[landing]).bit_count() * dwarf, origin | landing << 8))
    for origin, landing in shoves(trolls, empty, near):
        found.append(((dwarfs & NEAR[landing]).bit_count() * dwarf, origin | landing << 8))
    found.sort(reverse=True)
    return found


def single_takes(dwarfs: Mask, trolls: Mask, empty: Mask, dwarf: int) -> list[tuple[int, int]]:
    """List steps that take one dwarf and shoves that take all, most dwarfs first."""
    near = spread(dwarfs) & empty
    found = []
    for origin in squares_in(trolls & spread(near)):
        for landing in squares_in(NEAR[origin] & near):
            victims = dwarfs & NEAR[landing]
            move = origin | landing << 8
            count = victims.bit_count()
            behind = 2 * origin - landing
            if count == 1 or (behind >= 0 and trolls >> behind & 1):
                found.append((count * dwarf, move))
            else:
                found += [(dwarf, move | victim << 16 | ONE) for victim in squares_in(victims)]
    for origin, landing in shoves(trolls, empty, near):
        found.append(((dwarfs & NEAR[landing]).bit_count() * dwarf, origin | landing << 8))
    found.sort(reverse=True)
    return found


def shoves(trolls: Mask, empty: Mask, near: Mask) -> list[tuple[Square, Square]]:
    """List origin and landing of the shoves of two squares and more onto some squares."""
    found = []
    for axis in AXES:
        line = trolls & trolls >> axis
        distance = 2
        ahead, back = line << 2 * axis & empty, line >> axis & empty
        while line and (ahead or back):
            ahead, back = ahead << axis & empty, back >> axis & empty
            found += [(at - distance * axis, at) for at in squares_in(ahead & near)]
            found += [(at + distance * axis, at) for at in squares_in(back & near)]
            line &= trolls >> distance * axis
            distance += 1
            ahead &= line << 2 * (distance - 1) * axis
            back &= line >> (distance - 1) * axis
    return found


def steps(dwarfs: Mask, trolls: Mask, empty: Mask) -> list[int]:
    """List steps to squares without a dwarf beside, those nearest to the dwarfs first."""
    around = spread(dwarfs)
    free = empty & ~around
    close = free & spread(around)
    near: list[int] = []
    far: list[int] = []
    rest = trolls
    while rest:
        low = rest & -rest
        rest ^= low
        origin = low.bit_length() - 1
        targets = NEAR[origin] & free
        while targets:
            low = targets & -targets
            targets ^= low
            move = origin | (low.bit_length() - 1) << 8
            (near if low & close else far).append(move)
    return near + far
