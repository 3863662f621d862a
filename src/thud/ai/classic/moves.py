"""Move generation for Classic, moves as ints: all moves, and the promising ones."""

from __future__ import annotations

from typing import Final

from thud.ai.bitboards import AXES, NEAR, spread, squares_in
from thud.ai.classic.evaluation import hanging_dwarfs, landings
from thud.rules.geometry import Mask, Square


def hurls(dwarfs: Mask, trolls: Mask, empty: Mask) -> list[int]:
    """List the hurls, found backwards from the trolls."""
    found: list[int] = []
    for axis in AXES:
        line, aim, far = dwarfs, trolls >> axis & (dwarfs | empty), axis
        while aim and line:
            if hits := aim & line:
                found += [origin | origin + far << 8 for origin in squares_in(hits)]
            aim = (aim & empty) >> axis
            line = line << axis & dwarfs
            far += axis
        line, aim, far = dwarfs, trolls << axis & (dwarfs | empty), axis
        while aim and line:
            if hits := aim & line:
                found += [origin | origin - far << 8 for origin in squares_in(hits)]
            aim = (aim & empty) << axis
            line = line >> axis & dwarfs
            far += axis
    return found


def slides_to(dwarfs: Mask, empty: Mask, targets: Mask) -> list[int]:
    """List the slides to target squares, all empty.

    The squares are extracted inline: there are many, and a function call for each front costs time.
    """
    found: list[int] = []
    for axis in AXES:
        front, far = dwarfs << axis & empty, axis
        while front:
            hits = front & targets
            while hits:
                low = hits & -hits
                hits ^= low
                at = low.bit_length() - 1
                found.append(at - far | at << 8)
            front = front << axis & empty
            far += axis
        front, far = dwarfs >> axis & empty, axis
        while front:
            hits = front & targets
            while hits:
                low = hits & -hits
                hits ^= low
                at = low.bit_length() - 1
                found.append(at + far | at << 8)
            front = front >> axis & empty
            far += axis
    return found


def all_slides(dwarfs: Mask, empty: Mask) -> list[int]:
    """List every slide."""
    return slides_to(dwarfs, empty, empty)


def crowded(dwarfs: Mask) -> tuple[Mask, Mask]:
    """Return the squares with two or more dwarfs around them, and those with three or more."""
    one = two = three = 0
    for axis in AXES:
        for side in (dwarfs << axis, dwarfs >> axis):
            three |= two & side
            two |= one & side
            one |= side
    return two, three


def aiming(dwarfs: Mask, targets: Mask, empty: Mask) -> Mask:
    """Return the empty squares where a dwarf would complete a line that reaches a target."""
    found = 0
    for axis in AXES:
        line, aim = dwarfs << axis, targets >> axis & empty
        aim = (aim & empty) >> axis & empty
        while aim and line:
            found |= aim & line
            aim = aim >> axis & empty
            line = (line & dwarfs) << axis
        line, aim = dwarfs >> axis, targets << axis & empty
        aim = aim << axis & empty
        while aim and line:
            found |= aim & line
            aim = aim << axis & empty
            line = (line & dwarfs) >> axis
    return found


def flights(dwarfs: Mask, trolls: Mask, empty: Mask) -> list[int]:
    """List the slides of hanging dwarfs to safe squares beside another dwarf."""
    hanging = hanging_dwarfs(dwarfs, trolls, empty)
    if not hanging:
        return []
    safe = empty & ~spread(landings(trolls, empty)) & spread(dwarfs ^ hanging)
    return slides_to(hanging, empty, safe)


def promising_slides(dwarfs: Mask, trolls: Mask, empty: Mask, enough: int) -> list[int]:
    """List the promising slides, the most promising first; later groups only up to `enough`.

    Promising are flights of hanging dwarfs, moves that complete a line aimed at a troll or at a
    square where a troll could land and take, and moves to squares beside other dwarfs.
    """
    reached = landings(trolls, empty)
    safe = empty & ~spread(reached)
    hanging = hanging_dwarfs(dwarfs, trolls, empty)
    calm = dwarfs ^ hanging
    two, three = crowded(dwarfs)
    aims = aiming(dwarfs, trolls, empty)
    lines = aims & two
    if threats := reached & spread(hanging):
        lines |= aiming(dwarfs, threats, empty)
    found = slides_to(dwarfs, empty, lines) if lines else []
    if hanging:
        found += slides_to(hanging, empty, safe & two & ~lines)
    if len(found) >= enough:
        return found
    company = safe & (three | aims) & ~lines
    found += slides_to(calm, empty, company)
    if hanging:
        found += slides_to(hanging, empty, safe & ~two & ~lines)
    if len(found) >= enough:
        return found
    rest = ((safe & two) | three & empty | aims) & ~lines
    found += slides_to(calm, empty, rest & ~company)
    if hanging:
        found += slides_to(hanging, empty, rest & ~safe)
    return found


ONE: Final = 1 << 24
"""Flag of a move that takes only one dwarf of several; its square is in bits 16 to 23."""


def takes(dwarfs: Mask, trolls: Mask, empty: Mask, dwarf: int) -> list[tuple[int, int]]:
    """List steps and shoves that take all dwarfs beside the landing, most dwarfs first."""
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
    """List origin and landing of shoves of two squares or more onto `near`."""
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
    """List steps to squares without an adjacent dwarf, those nearest to the dwarfs first."""
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
