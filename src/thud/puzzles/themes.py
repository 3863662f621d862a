"""Descriptions of puzzles, such as `"hurl a dwarf at a troll"`."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set

from thud.puzzles.search import POINTS, Step, lost, won
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import merits, surely_wins_in
from thud.rules.variant import Gain, Kind, Variant
from thud.text import counted, spelled


def theme_of(variant: Variant, steps: Sequence[Step]) -> str:
    """Describe a puzzle."""
    first = steps[0]
    if won(first.best.score):
        return goal_theme(variant, first.position, first.solutions)
    gains = {each.gain for each in merits(variant, first.position, first.best.move)}
    if first.quiet:
        return quiet_theme(variant, steps, gains)
    if len(steps) == 1 and variant.counts_points and takes_little(first):
        return "save the troll" if saves(first, gains) else "break into the dwarfs"
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


def saves(first: Step, gains: Set[Gain]) -> bool:
    """Whether the best move saves a piece, and the best other lets the opponent capture."""
    threatened = any(move.captures for move in first.rest.line[1:2])
    return threatened and not gains.isdisjoint((Gain.SAVES, Gain.FLEES))


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


def quiet_theme(variant: Variant, steps: Sequence[Step], gains: Set[Gain]) -> str:
    """Describe the point of a move that captures nothing, given what it gains by the rules."""
    first = steps[0]
    side = first.position.to_move
    if lost(first.rest.score) or Gain.KEEPS_FROM_WINNING in gains:
        does = "stop the" if side is Side.TROLLS else "keep the trolls from the"
        return f"{does} {variant.stone}"
    if len(steps) == 1 and saves(first, gains):
        return {Side.DWARFS: "save the line", Side.TROLLS: "save the troll"}[side]
    if len(steps) > 1 or Gain.THREATENS in gains:
        return "prepare a capture"
    return f"move the {variant.stone} on" if Gain.NEARER in gains else "find a quiet move"
