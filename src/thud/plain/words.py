"""What is said of moves, choices, points and results: short sentences in plain letters."""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Final

from thud.ai.player import Decision, Thought
from thud.rules.battle import Battle
from thud.rules.geometry import listed, square_name
from thud.rules.handicaps import handicap_in, in_words
from thud.rules.match import BATTLES, Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import pieces_left
from thud.rules.typed import Moves
from thud.rules.variant import Outcome, Reason, Variant
from thud.session.company import untaken
from thud.wording.moves import described
from thud.wording.text import counted, sentence
from thud.wording.verdicts import battle_verdict, match_verdict

_MOST_SETS: Final = 8
_PLAIN: Final = str.maketrans({"±": "+/-", "×": "times ", "–": "-", "“": '"', "”": '"', "…": "..."})


def plain(text: str) -> str:
    """Return a text in letters that every terminal has and every voice can read."""
    return text.translate(_PLAIN)


def points(number: float) -> str:
    """Return points as they are said: `"21 points"`, `"1 point"`, `"half a point"`."""
    whole, half = int(number), number % 1 == 0.5
    if half:
        return f"{whole} and a half points" if whole else "half a point"
    return f"{whole} point" if whole == 1 else f"{whole} points"


def told(match: Match, before: Position, move: Move) -> str:
    """Tell a move that was played: `"Bob: troll steps from G8 to G7, captures F6 and F7."`."""
    return f"{match.name_of(before.to_move)}: {described(match.variant, before, move)}."


def changes(variant: Variant, before: Position, after: Position) -> list[str]:
    """Say what else a move has changed: the pieces left, and what counts."""
    lines = [
        f"{pieces_left(after, side)} left."
        for side in Side
        if before.pieces(side).bit_count() > after.pieces(side).bit_count()
    ]
    counted_before = variant.progress(before)
    return lines + [_row(row) for row in variant.progress(after) if row not in counted_before]


def _row(row: tuple[str, str]) -> str:
    label, value = row
    return sentence(f"{label}: {value}")


def handicap(match: Match) -> list[str]:
    """Say at which handicap a match is played, nothing if at none."""
    found = handicap_in(match.variant, match.starts)
    return [in_words(match.variant, match.players, found)] if found else []


def seats(match: Match, free: Collection[int] = ()) -> str:
    """Say who has which side; for some players nobody plays yet."""
    if free:
        return " ".join(_seat(match, side, free) for side in Side)
    dwarfs, trolls = (match.name_of(side) for side in Side)
    return f"{dwarfs} has the dwarfs, {trolls} has the trolls."


def _seat(match: Match, side: Side, free: Collection[int]) -> str:
    if match.commander(side) in free:
        return sentence(untaken(side))
    return f"{match.name_of(side)} has the {side.plural}."


def turn_of(battle: Battle, ply: int) -> int:
    """Return the number of the turn to which the move after so many moves belongs."""
    return 1 + (ply + battle.skipped) // 2


def standing(match: Match, free: Collection[int] = ()) -> list[str]:
    """Say how the match stands; for some players nobody plays yet."""
    battle = match.battle
    played = len(battle.moves)
    left = " and ".join(pieces_left(battle.position, side) for side in Side)
    return [
        f"{match.variant.title}, battle {match.number} of {BATTLES}.",
        seats(match, free),
        *handicap(match),
        *([f"Turn {turn_of(battle, played)}."] if battle.outcome is None else []),
        f"{left} on the board.",
        *map(_row, match.variant.progress(battle.position)),
        *_first_battle(match),
    ]


def _first_battle(match: Match) -> list[str]:
    if match.number == 1:
        return []
    made = (f"{name} made {points(match.points(i)[0])}" for i, name in enumerate(match.players))
    return [f"In the first battle {', '.join(made)}."]


def result(match: Match) -> list[str]:
    """Say how the battle ended, and if it was the last, the match."""
    battle = match.battle
    assert battle.outcome is not None
    outcome, worth = battle.outcome, match.variant.worth
    lines = [f"The battle is over: {outcome.because}."]
    if worth:
        lines += [_reckoned(match, side, outcome) for side in Side]
    lines.append(verdict(match, outcome))
    return lines + (_match_result(match) if match.over else [])


def _reckoned(match: Match, side: Side, outcome: Outcome) -> str:
    if outcome.is_late(side):
        return f"{match.name_of(side)}: {points(0)}, {Reason.TIME.value}."
    worth, left = match.variant.worth[side], pieces_left(match.battle.position, side)
    several = match.battle.position.pieces(side).bit_count() > 1
    each = f", {points(worth)} each" if worth > 1 and several else ""
    return f"{match.name_of(side)}: {points(outcome.score.of(side))}, {left}{each}."


def verdict(match: Match, outcome: Outcome) -> str:
    """Say who won a battle, and by how much where points are counted."""
    return f"{battle_verdict(match, outcome, points)}."


def if_agreed(match: Match) -> str:
    """Say who wins the battle if both players agree to end it now."""
    return verdict(match, match.variant.settled(match.battle.position, Reason.AGREEMENT))


def _match_result(match: Match) -> list[str]:
    lines = [
        f"{name}: {points(match.tally[player])} in the match."
        for player, name in enumerate(match.players)
    ]
    return [*lines, f"{match_verdict(match, points)}."]


def capture_question(position: Position, moves: Moves) -> str:
    """Ask which of several moves of a piece to a place is meant: they differ in the captures."""
    piece, where = position.to_move.singular, square_name(moves[0].destination)
    victims = reduce(or_, (move.captures for move in moves))
    sets = [move.captures for move in moves if move.captures]
    none = "none" if len(sets) < len(moves) else ""
    if len(sets) == 1:
        return f"On {where} the {piece} can capture {listed(victims)}. Yes or no?"
    if len(sets) == (1 << victims.bit_count()) - 1:
        can, answers = listed(victims), ["all", none, "or squares"]
    else:
        can = "either " + ", or ".join(map(listed, sets[:_MOST_SETS]))
        can += f", or {len(sets) - _MOST_SETS} other sets" if len(sets) > _MOST_SETS else ""
        answers = [none, "or" if none else "", "squares"]
    answer = ", ".join(filter(None, answers)).replace("or, ", "or ")
    return f"On {where} the {piece} can capture {can}. Captures: {answer}?"


def move_list(battle: Battle) -> list[str]:
    """Return the moves of a battle, a turn a line."""
    texts = list(map(move_text, battle.positions, battle.moves))
    turns: dict[int, list[str]] = {}
    for ply, text in enumerate(texts):
        turns.setdefault(turn_of(battle, ply), ["..."] if not ply and battle.skipped else [])
        turns[turn_of(battle, ply)].append(text)
    return [f"{number}. {' '.join(each)}" for number, each in turns.items()]


def hint(match: Match, decision: Decision, because: str) -> list[str]:
    """Say what a computer would do for the player to move, what for, and what it expects."""
    variant, position, thought = match.variant, match.battle.position, decision.thought
    lines = [f"The best seems to be: {described(variant, position, decision.move)}."]
    lines += filter(None, [because])
    if thought is None:
        return lines
    after = position.after(decision.move)
    if len(thought.line) > 1 and thought.line[0] == decision.move:
        answer = described(variant, after, thought.line[1])
        lines.append(f"The answer may be: {answer}.")
    return [*lines, _expected(match, thought)]


def _expected(match: Match, thought: Thought) -> str:
    side = match.battle.position.to_move
    name, ahead = match.name_of(side), thought.ahead(side)
    if ahead is None:
        return f"{name} is level then."
    if thought.goal_in is not None:
        does = "wins" if ahead is side else "loses"
        return f"{name} {does} in {counted(abs(thought.goal_in), 'move')}."
    how = "ahead" if ahead is side else "behind"
    by = f"{thought.by} points " if match.variant.worth else ""
    return f"{name} is {by}{how} then."
