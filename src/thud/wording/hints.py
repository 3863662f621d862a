"""Sentences about a computer's hints and expectations."""

from __future__ import annotations

from typing import Final

from thud.ai.player import Decision, Thought
from thud.rules.match import Match
from thud.rules.notation import texts_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.wording.moves import advised, described
from thud.wording.text import YOU, called, counted, whose

_FORESEEN: Final = 3
"""Most expected moves shown."""


# In figures


def expectation(variant: Variant, side: Side, thought: Thought) -> str:
    """Return in short what a side to move expects: `"dwarfs +3.0"`, `"dwarfs 62%"`."""
    ahead = thought.ahead(side)
    if thought.goal_in is not None and ahead is not None:
        return f"{ahead.plural} win in {_own(thought.goal_in)}"
    if not variant.worth:
        from thud.review.judgement import of_dwarfs
        from thud.wording.review import expected_in_short

        return expected_in_short(variant, of_dwarfs(thought.score, side))
    return "even" if ahead is None else f"{ahead.plural} +{thought.by}"


def _chances(variant: Variant, side: Side, thought: Thought, whose: str) -> str:
    """Say a side's chance of winning."""
    from thud.review.judgement import chance, is_open, of_dwarfs

    expected = of_dwarfs(thought.score, side)
    if is_open(variant, expected):
        return "No goal is in sight."
    share = round(100 * chance(variant, expected))
    return f"{whose} chances: {share if side is Side.DWARFS else 100 - share}%."


def foreseen(position: Position, thought: Thought) -> str:
    """Return the first expected moves."""
    return " ".join(texts_of(position, thought.line[:_FORESEEN]))


def doubt_shown(answered: bool) -> str:
    """Say what the board shows for a doubtful move: the reply to it, or a better move."""
    what = "the reply" if answered else "a better move"
    return f"The board shows {what}."


# In words


def hint(match: Match, decision: Decision, because: str) -> list[str]:
    """Say a computer's best move for the player to move, its reason and its expectation.

    Args:
        match: the match, its players called by the names to show.
        decision: the move.
        because: the reason, empty if none is known.
    """
    variant, position, thought = match.variant, match.battle.position, decision.thought
    lines = [f"Try this: {advised(variant, position, decision.move)}."]
    lines += filter(None, [because])
    if thought is None:
        return lines
    after = position.after(decision.move)
    if len(thought.line) > 1 and thought.line[0] == decision.move:
        answer = described(variant, after, thought.line[1])
        lines.append(f"The likely reply: the {answer}.")
    if because and thought.goal_in == 1:
        return lines
    return [*lines, _expected(match, thought)]


def evaluation(variant: Variant, position: Position, decision: Decision) -> list[str]:
    """Say a position's best move, and the expected result."""
    best = f"The best move: {advised(variant, position, decision.move)}."
    thought = decision.thought
    return [best, _balance(variant, position.to_move, thought)] if thought else [best]


def _balance(variant: Variant, side: Side, thought: Thought) -> str:
    ahead = thought.ahead(side)
    if thought.goal_in is not None and ahead is not None:
        return f"The {ahead.plural} should win in {_in_moves(thought.goal_in)}."
    if not variant.worth:
        return _chances(variant, side, thought, f"The {side.plural}'")
    if ahead is None:
        return "Neither side is ahead."
    return f"The {ahead.plural} are ahead by {thought.by} points."


def _expected(match: Match, thought: Thought) -> str:
    side, variant = match.battle.position.to_move, match.variant
    name, ahead = match.name_of(side), thought.ahead(side)
    if thought.goal_in is not None:
        does = "win" if ahead is side else "lose"
        return f"{name} should {does} in {_in_moves(thought.goal_in)}."
    if not variant.worth:
        return _chances(variant, side, thought, whose(name))
    stands = f"After that {called(name)} {'are' if name == YOU else 'is'} about"
    points = round(abs(thought.score) / 100)
    if not points:
        return f"{stands} even."
    how = "ahead" if ahead is side else "behind"
    return f"{stands} {counted(points, 'point')} {how}."


def _in_moves(goal_in: int) -> str:
    return counted(_own(goal_in), "move")


def _own(goal_in: int) -> int:
    from thud.ai.scores import own_moves  # not imported before the first frame

    return own_moves(goal_in)
