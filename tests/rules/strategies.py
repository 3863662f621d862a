"""Hypothesis strategies: variants, positions from play and random ones, moves, masks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import strategies as st

from thud.rules.geometry import BOARD, RAYS, SQUARES, Square, distance, mask_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

every_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
"""Run a test for each registered variant."""

masks = st.integers(0, BOARD).map(lambda number: number & BOARD)
"""Any set of squares."""

sides = st.integers(0, 2**16).map(lambda number: tuple(Side)[number % 2])
"""Either side with equal probability."""

squares = st.sampled_from(SQUARES)
"""Any square."""


@st.composite
def playouts(draw: st.DrawFn, variant: Variant, longest: int = 60) -> Position:
    """Play random moves from the start, with a preference for captures."""
    length, seed = draw(st.integers(0, longest)), draw(st.integers(0, 2**32 - 1))
    return list(played(variant, Random(seed), length))[-1]


def played(variant: Variant, random: Random, length: int) -> Iterator[Position]:
    """Yield the positions of a random battle from the start, up to `length` moves."""
    position = variant.start
    yield position
    for _ in range(length):
        moves = variant.legal_moves(position)
        captures = [move for move in moves if move.captures]
        if not moves:
            return
        choice = captures if captures and random.random() < 0.7 else moves
        position = position.after(random.choice(choice))
        yield position


@st.composite
def placements(draw: st.DrawFn, variant: Variant) -> Position:
    """Place pieces anywhere, often crowded, no more than the variant has."""
    to_move, stone = draw(sides), draw(st.sampled_from(stone_squares(variant)))
    centre, radius = draw(squares), draw(st.integers(1, 14))
    region = [s for s in SQUARES if distance(s, centre) <= radius and s != stone]
    trolls = draw(pieces(region, variant.start.trolls.bit_count()))
    rest = [square for square in region if square not in trolls]
    dwarfs = draw(pieces(rest, variant.start.dwarfs.bit_count()))
    return Position(mask_of(*dwarfs), mask_of(*trolls), stone, to_move)


@st.composite
def pieces(draw: st.DrawFn, region: list[Square], limit: int) -> set[Square]:
    """Choose up to `limit` squares of a region."""
    if not region:
        return set()
    number = draw(st.integers(0, min(limit, len(region))))
    return set(draw(st.randoms(use_true_random=False)).sample(region, number))


@st.composite
def formations(draw: st.DrawFn, variant: Variant) -> Position:
    """Place pieces in straight lines, for long hurls and shoves."""
    to_move, stone = draw(sides), draw(st.sampled_from(stone_squares(variant)))
    groups: dict[Side, set[Square]] = {side: set() for side in Side}
    for _ in range(draw(st.integers(1, 8))):
        side, origin = draw(sides), draw(squares)
        line = origin, *draw(st.sampled_from(list(RAYS[origin].values())))
        taken = {stone} | groups[side.other]
        groups[side] |= {s for s in line[: draw(st.integers(1, 6))] if s not in taken}
    dwarfs, trolls = (sorted(groups[s])[: variant.start.pieces(s).bit_count()] for s in Side)
    return Position(mask_of(*dwarfs), mask_of(*trolls), stone, to_move)


def stone_squares(variant: Variant) -> list[Square]:
    """List the squares on which a variant allows the stone."""
    return [square for square in SQUARES if not variant.faults(Position(0, 0, square))]


def positions(variant: Variant) -> st.SearchStrategy[Position]:
    """Generate positions of a variant, some with the battle over."""
    return st.one_of(playouts(variant), placements(variant), formations(variant))


def open_positions(variant: Variant) -> st.SearchStrategy[Position]:
    """Generate positions with at least one legal move."""
    return positions(variant).filter(variant.count_moves)


def legal(variant: Variant, position: Position) -> st.SearchStrategy[Move]:
    """Generate a legal move of a position that has one."""
    return st.sampled_from(variant.legal_moves(position))


few_squares = st.sets(squares, max_size=4).map(lambda chosen: mask_of(*chosen))
"""A small set of squares."""

any_move = st.builds(Move, squares, squares, st.one_of(few_squares, masks))
"""Any move between squares, hardly ever a legal one."""
