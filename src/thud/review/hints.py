"""Sentences about a computer's hints and expectations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from thud.ai.player import Decision, Thought
from thud.ai.scores import Score, own_moves, seen_by
from thud.engines.outlook import Outlook, corrected
from thud.review.judgement import (
    POINTS,
    Mark,
    chance,
    chance_at,
    in_points,
    is_open,
    is_unknown,
    lead_in_points,
    shares,
    spread,
)
from thud.rules import tactics
from thud.rules.geometry import listed, square_name
from thud.rules.match import Match
from thud.rules.notation import texts_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Gain, Variant
from thud.text import YOU, called, capitalised, counted, does, whose
from thud.words.match import figure
from thud.words.moves import advised, described
from thud.words.remarks import merits

_EARLY: Final = 20
"""Most moves of a battle that has hardly begun."""

_CHANGED: Final = 0.1
"""Least change of the chances that is told."""

_SIDES: Final = frozenset(f"the {side.plural}" for side in Side)


# In figures


def expectation(variant: Variant, position: Position, thought: Thought, quiet: int = 0) -> str:
    """Return in short what to expect: `"dwarfs +1.5 ±0.8"`, `"trolls +15 ±9"`.

    Where a goal decides it is the percentages of battles that the dwarfs win, that are drawn and
    that they lose, `"dwarfs 62-10-28%"`. A win that only the engine sees is one that may come:
    `"dwarfs may win in 3"`.
    """
    side, thought = position.to_move, corrected(variant, position, thought)
    ahead = thought.ahead(side)
    if thought.goal_in is not None and ahead is not None:
        at_once = abs(thought.goal_in) == 1
        how = "win at once" if at_once else f"may win in {own_moves(thought.goal_in)}"
        return f"{ahead.plural} {how}"
    expected = seen_by(side, thought.score)
    if is_unknown(variant, position, expected):
        return "no goal in sight"
    if not variant.counts_points:
        three = shares(variant, position, expected, quiet).percents
        return f"dwarfs {'-'.join(map(str, three))}%"
    return lead_in_points(variant, position, expected)


def _chances(
    variant: Variant, position: Position, side: Side, score: Score, whose: str, *, quiet: int = 0
) -> str:
    """Say a side's chances of winning, drawing and losing."""
    expected = seen_by(position.to_move, score)
    if is_unknown(variant, position, expected):
        return "No goal is in sight."
    won, drawn, lost = shares(variant, position, expected, quiet).percents
    if is_open(variant, expected):
        when = "at such a turn" if quiet else "in the first turns"
        ended = f"the dwarfs won {won} battles of 100, and drew {drawn}"
        return f"No goal is in sight. Where that was so {when}, {ended}."
    won, lost = (won, lost) if side is Side.DWARFS else (lost, won)
    return f"{whose} chances: {won}% to win, {drawn}% to draw, {lost}% to lose."


def foreseen(position: Position, thought: Thought) -> str:
    """Return the first expected moves."""
    return " ".join(texts_of(position, thought.line[:3]))


def doubt_shown(answered: bool) -> str:
    """Say what the board shows for a doubtful move: the reply to it, or a better move."""
    what = "the reply" if answered else "a better move"
    return f"The board shows {what}."


# In words


def hint(
    match: Match,
    decision: Decision,
    because: str,
    expects: Outlook | None = None,
    before: Score | None = None,
) -> list[str]:
    """Say a computer's best move for the player to move, its reason and its expectation.

    Args:
        match: the match, its players called by the names to show.
        decision: the move.
        because: the reasons, empty if none are known.
        expects: the result to expect, None if unknown.
        before: what the player was told to expect by the last hint; None if this is the first.
    """
    variant, position, thought = match.variant, match.battle.position, decision.thought
    best = f"Try this: {advised(variant, position, decision.move)}."
    is_lost = expects is not None and expects.winner is position.to_move.other
    because = because or ("" if is_lost else _ahead(variant, position, decision))
    lines = [best, *filter(None, [because])]
    if expects is None:
        return lines
    if expects.end or expects.winner:
        names = {side: match.name_of(side) for side in Side}
        told = _ending(variant, position, decision.move, expects, names)
        return [best, told] if expects.end else [*lines, told]
    moves = thought.line[:2] if thought else ()
    if len(moves) > 1 and moves[0] == decision.move and moves[1].captures:
        answer = described(variant, position.after(decision.move), moves[1])
        lines.append(f"The likely reply: the {answer}.")
    if before is not None:
        news = _changed(match, expects.score, before)
    else:
        news = "" if _is_usual(match) else _expected(match, expects.score)
    return [*lines, *filter(None, [news])]


def _ahead(variant: Variant, position: Position, decision: Decision) -> str:
    """Say what is expected to follow a move for which the board shows no reason."""
    line = decision.thought.line[:3] if decision.thought else ()
    if len(line) < 3 or line[0] != decision.move or any(each.captures for each in line):
        return "The reason lies further ahead."
    then = " ".join(texts_of(position.after(line[0]), line[1:]))
    yet = ": nothing is captured yet" if variant.has_captures else ""
    return f"The computer expects {then} to follow{yet}."


def reasons(
    variant: Variant, position: Position, decision: Decision, second: Thought | None
) -> str:
    """Say why a move is the best: what it does that the next best does not, and what others cost.

    It may try every move.  Empty if there is nothing to say.

    Args:
        variant: the game.
        position: the position.
        decision: the move.
        second: a thought about the next best move, as deep as the one about the best.
    """
    move = decision.move
    if variant.count_moves(position) == 1:
        return "It is the only move."
    other = second.line[0] if second else None
    does_this = merits(variant, position, move, known=(Gain.TAKES,), unlike=other)
    costs = _others(variant, position, decision, second) if second else ""
    return " ".join(filter(None, (does_this, costs)))


def _others(variant: Variant, position: Position, decision: Decision, second: Thought) -> str:
    """Say what every other move costs, or name one that is about as good."""
    if decision.thought is None:
        return ""
    side = position.to_move
    best, rest = (corrected(variant, position, each) for each in (decision.thought, second))
    if variant.counts_points:
        lost, least = (best.score - rest.score) / 100, 1.0
        worse = f"is about {_counted(round(lost))} worse"
    elif best.goal_in is not None or rest.goal_in is not None:
        if rest.goal_in is None or rest.goal_in > 0 or (best.goal_in or 1) < 0:
            return ""
        sure = tactics.only_these_save(variant, position, (decision.move,))
        win = "win at once" if sure else "may win"
        return f"After every other move the {side.other.plural} {win}."
    else:
        expected = [seen_by(side, each.score) for each in (best, rest)]
        if any(is_open(variant, each) for each in expected):
            return ""
        before, after = (chance(variant, each) for each in expected)
        lost, least = 100 * abs(before - after), 5.0
        worse = f"costs about {round(lost)}% of the chances"
    if lost >= least:
        return f"Every other move {worse}."
    # What lies between is neither.
    return f"{_between(rest.line[0])} is about as good." if lost < least / 2 else ""


def _between(move: Move) -> str:
    """Name a move by its squares, as somebody new to the notation can read it."""
    told = f"{square_name(move.origin)} to {square_name(move.destination)}"
    return f"{told}, capturing {listed(move.captures)}," if move.captures else told


def evaluation(
    variant: Variant, position: Position, decision: Decision, expects: Outlook | None
) -> list[str]:
    """Say a position's best move, and the expected result."""
    best = f"The best move: {advised(variant, position, decision.move)}."
    if expects is None:
        return [best]
    side, score = position.to_move, expects.score
    if expects.end or expects.winner:
        names = {each: f"the {each.plural}" for each in Side}
        return [best, _ending(variant, position, decision.move, expects, names)]
    if not variant.counts_points:
        return [best, _chances(variant, position, side, score, f"The {side.plural}'")]
    wide = spread(variant, position)
    points, ahead = in_points(score, wide), side if score > 0 else side.other
    told = f"The {ahead.plural} can expect to end {_counted(points)} ahead"
    if not float(points):
        told = "Both sides can expect to end about even"
    return [best, f"{told}{_give_or_take(wide)}."]


def _counted(points: str | int) -> str:
    return f"{points} {'point' if float(points) == 1 else 'points'}"


def _give_or_take(spread: Score) -> str:
    """Say the spread, if it is half a point or more."""
    return f", give or take {round(spread / 100)}" if spread >= 50 else ""


def _ending(
    variant: Variant, position: Position, move: Move, expects: Outlook, names: Mapping[Side, str]
) -> str:
    """Say how the battle ends, by the rules, or else by the engine's line.

    Args:
        variant: the game.
        position: the position.
        move: the engine's move.
        expects: the end of the battle, or the winner in sight.
        names: the sides' players, or the sides.
    """
    side, end, winner = position.to_move, expects.end, expects.winner
    if end and variant.counts_points:
        dwarfs, trolls = map(figure, end.score)
        return f"That ends the battle: dwarfs {dwarfs}, trolls {trolls}."
    if winner is None:
        won = end.winner if end else None
        if won is side:
            return "It wins at once."
        return f"That ends the battle: {_wins(names[won]) if won else 'it is drawn'}."
    moves, wins = counted(expects.moves, "move"), _wins(names[winner])
    if expects.sure:
        loses = names[winner.other]
        whatever = f"whatever {called(loses)} {'play' if _are_many(loses) else 'plays'}"
        when = f"in {moves}" if winner is side else "at once"
        return f"{capitalised(whatever)}, {wins} {when}."
    if expects.line:
        line = " ".join(texts_of(position.after(move), expects.line))
        return f"If the battle goes on with {line}, {wins} in {moves}."
    return f"The computer expects that {wins} in {moves}."


def _wins(name: str) -> str:
    """Return within a sentence that a player, or a side, wins."""
    return f"{called(name)} win" if _are_many(name) else does(name, "win")


def _are_many(name: str) -> bool:
    """Whether a name takes a verb in the plural: `"You"`, or a side."""
    return name == YOU or name in _SIDES


def _is_usual(match: Match) -> bool:
    """Whether hardly anything has happened, so that one can expect what anybody can."""
    battle = match.battle
    return battle.start == match.variant.start and battle.played <= _EARLY


def _changed(match: Match, score: Score, before: Score) -> str:
    """Say by how much an expectation has changed since the last hint; empty if it hardly has."""
    position, variant = match.battle.position, match.variant
    side = position.to_move
    if not variant.counts_points:
        if is_open(variant, seen_by(side, score)):
            return ""
        quiet = match.battle.quiet_moves
        was, now = (
            chance_at(variant, position, seen_by(side, each), quiet) for each in (before, score)
        )
        if abs(now - was) < _CHANGED:
            return ""
        return _chances(variant, position, side, score, whose(match.name_of(side)), quiet=quiet)
    changed = round((score - before) / 100)
    if abs(score - before) < max(POINTS[Mark.DUBIOUS] * 100, spread(variant, position)):
        return ""
    better = "better" if changed > 0 else "worse"
    stands = does(match.name_of(side), "stand")
    return f"{stands} about {_counted(abs(changed))} {better} than at the last hint."


def _expected(match: Match, score: Score) -> str:
    """Say a player's expected result, without a win in sight."""
    position, variant = match.battle.position, match.variant
    side, name = position.to_move, match.name_of(position.to_move)
    if not variant.counts_points:
        quiet = match.battle.quiet_moves
        return _chances(variant, position, side, score, whose(name), quiet=quiet)
    points = round(abs(score) / 100)
    result = f"about {_counted(points)} {'ahead' if score > 0 else 'behind'}"
    ends = f"{result if points else 'about even'}{_give_or_take(spread(variant, position))}"
    return f"{capitalised(called(name))} would end {ends}."
