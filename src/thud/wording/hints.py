"""Sentences about a computer's hints and expectations."""

from __future__ import annotations

from typing import Final

from thud.ai.player import Decision, Thought
from thud.rules.match import Match
from thud.rules.notation import texts_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.wording.moves import described
from thud.wording.text import YOU, counted

_FORESEEN: Final = 3
"""Most expected moves shown."""


# In figures


def expectation(variant: Variant, side: Side, thought: Thought) -> str:
    """Return in short what a side to move expects: `"dwarfs +3.0"`, `"dwarfs 62%"`."""
    ahead = thought.ahead(side)
    if thought.goal_in is not None and ahead is not None:
        return f"{ahead.plural} win in {abs(thought.goal_in)}"
    if not variant.worth:
        from thud.review.judgement import of_dwarfs
        from thud.wording.review import expected_in_short

        return expected_in_short(variant, of_dwarfs(thought.score, side))
    return "even" if ahead is None else f"{ahead.plural} +{thought.by}"


def _chance(variant: Variant, side: Side, thought: Thought) -> str:
    """Return the chance of winning, as a review does."""
    from thud.review.judgement import of_dwarfs
    from thud.wording.review import expected_in_words

    return expected_in_words(variant, of_dwarfs(thought.score, side))


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
    lines = [f"The best move seems to be: the {described(variant, position, decision.move)}."]
    lines += filter(None, [because])
    if thought is None:
        return lines
    after = position.after(decision.move)
    if len(thought.line) > 1 and thought.line[0] == decision.move:
        answer = described(variant, after, thought.line[1])
        lines.append(f"The likely reply: the {answer}.")
    return [*lines, _expected(match, thought)]


def evaluation(variant: Variant, position: Position, decision: Decision) -> list[str]:
    """Say a position's best move, and the expected result."""
    best = f"The best move seems to be: the {described(variant, position, decision.move)}."
    thought = decision.thought
    return [best, _balance(variant, position.to_move, thought)] if thought else [best]


def _balance(variant: Variant, side: Side, thought: Thought) -> str:
    ahead = thought.ahead(side)
    if thought.goal_in is not None and ahead is not None:
        return f"The {ahead.plural} win in {counted(abs(thought.goal_in), 'move')}."
    if not variant.worth:
        return f"Expected: {_chance(variant, side, thought)}."
    if ahead is None:
        return "Neither side is ahead."
    return f"The {ahead.plural} are ahead by {thought.by} points."


def _expected(match: Match, thought: Thought) -> str:
    side = match.battle.position.to_move
    name, ahead = match.name_of(side), thought.ahead(side)
    are, s = ("are", "") if name == YOU else ("is", "s")
    name_is = f"{'you' if name == YOU else name} {are}"
    if thought.goal_in is not None:
        does = "win" if ahead is side else "lose"
        return f"{name} {does}{s} in {counted(abs(thought.goal_in), 'move')}."
    if not match.variant.worth:
        return f"Expected: {_chance(match.variant, side, thought)}."
    if ahead is None:
        return f"After that {name_is} even."
    how = "ahead" if ahead is side else "behind"
    return f"After that {name_is} {thought.by} points {how}."
