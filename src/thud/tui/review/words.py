"""What is said of a judged move beside the board, and what the board shows of it."""

from __future__ import annotations

from thud.review.judgement import counts_points
from thud.review.summary import Marked, Reviewed, curve
from thud.review.told import better, cost_in_words, expected_in_words, instead_of, wrong
from thud.rules.tactics import Fault
from thud.rules.threats import Threats, aim_of
from thud.rules.variant import Variant
from thud.wording.text import capitalised


def told_of_move(variant: Variant, move: Marked) -> list[str]:
    """Return what there is to say of a judged move, line by line."""
    if move.mark is None:
        return [f"Expected: {expected_in_words(variant, move.judgement.expected)}"]
    expected, promised = instead_of(variant, move.judgement)
    lost = cost_in_words(variant, move.cost)
    lines = [f"{move.mark.value} {capitalised(lost)} given away: {expected}, not {promised}."]
    lines += [line for line in (wrong(variant, move), better(variant, move)) if line]
    return lines


def pointed_out(variant: Variant, move: Marked) -> Threats | None:
    """Return what the other side could take after a marked move, None if that is not its fault."""
    if move.fault is not Fault.HANGS or not move.judgement.reply:
        return None
    after = move.position.after(move.move)
    return Threats((aim_of(variant, after, move.judgement.reply[0]),))


def drawn(reviewed: Reviewed, largest: float) -> list[float | None]:
    """Return what was expected after each number of moves as a graph of leads can draw it.

    Args:
        reviewed: the battle.
        largest: the largest lead that the graph has: as high as a battle that is won is drawn
            where no points count.
    """
    points = curve(reviewed)
    if counts_points(reviewed.variant):
        return points
    return [None if each is None else each * largest for each in points]
