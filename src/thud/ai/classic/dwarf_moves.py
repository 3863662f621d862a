"""The dwarfs' moves in Classic as ints: every one, or the promising ones only."""

from __future__ import annotations

from thud.ai.bits import AXES, spread, squares_in
from thud.ai.classic.appraisal import hanging_dwarfs, landings
from thud.rules.geometry import Mask


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
    """List the slides that end on some empty squares.

    It takes squares out of masks by itself: there are many, and a call for each front costs time.
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
    """List the slides of hanging dwarfs to squares beside another dwarf that no troll reaches."""
    hanging = hanging_dwarfs(dwarfs, trolls, empty)
    if not hanging:
        return []
    safe = empty & ~spread(landings(trolls, empty)) & spread(dwarfs ^ hanging)
    return slides_to(hanging, empty, safe)


def promising_slides(dwarfs: Mask, trolls: Mask, empty: Mask, enough: int) -> list[int]:
    """List the slides worth a look, the most promising first; the last ones only if needed.

    Those are flights of dwarfs that hang, moves that complete a line aimed at a troll or at a
    square where a troll could land and take, and moves into company.
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
