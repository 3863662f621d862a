"""Descriptions of puzzles, such as `"hurl a dwarf at a troll"`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from thud.puzzles.search import POINTS, Step, lost, won
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import surely_wins_in
from thud.rules.variant import Kind, Variant
from thud.text import counted, spelled


def theme_of(variant: Variant, steps: Sequence[Step]) -> str:
    """Describe a puzzle."""
    first = steps[0]
    if won(first.best.score):
        return goal_theme(variant, first.position, first.solutions)
    if first.quiet:
        return quiet_theme(variant, steps)
    if len(steps) == 1 and variant.counts_points and takes_little(first):
        return "save the troll" if threatened(first) else "break into the dwarfs"
    theme = capture_theme(variant, first.position, first.best.move)
    return f"{theme}, then again" if len(steps) > 1 else theme


def goal_theme(variant: Variant, position: Position, solutions: Collection[Move]) -> str:
    """Describe a puzzle that wins, with the number of the player's moves if the rules prove it."""
    goals = {
        Side.DWARFS: "bring the {} to the far side",
        Side.TROLLS: "get three trolls next to the {}",
    }
    done = goals[position.to_move].format(variant.stone)
    moves = surely_wins_in(variant, position, solutions)
    return f"{done} in {counted(moves, 'move')}" if moves else done


def takes_little(first: Step) -> bool:
    """Whether the best move captures too few dwarfs to be its point."""
    few = 100 * first.best.move.captures.bit_count() < POINTS
    return few and first.position.to_move is Side.TROLLS


def threatened(first: Step) -> bool:
    """Whether the best of the other moves lets the opponent capture."""
    return any(move.captures for move in first.rest.line[1:2])


def capture_theme(variant: Variant, position: Position, move: Move) -> str:
    """Describe a capturing move."""
    kind = variant.kind(position, move)
    taken = move.captures.bit_count()
    if kind is Kind.HURL:
        return "hurl a dwarf at a troll"
    if kind is Kind.TRAP:
        return "trap the troll" if taken == 1 else f"trap {counted(taken, 'troll')}"
    if kind is Kind.TRAMPLE:
        return f"trample {counted(taken, 'dwarf')}"
    return f"{kind.value} and capture {spelled(taken)}"


def quiet_theme(variant: Variant, steps: Sequence[Step]) -> str:
    """Describe the point of a move that captures nothing."""
    first = steps[0]
    side = first.position.to_move
    if lost(first.rest.score):
        does = "stop the" if side is Side.TROLLS else "keep the trolls from the"
        return f"{does} {variant.stone}"
    if len(steps) == 1 and threatened(first):
        return {Side.DWARFS: "save the line", Side.TROLLS: "save the troll"}[side]
    return "prepare a capture"
