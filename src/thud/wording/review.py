"""Sentences about reviews: of a move, a side, a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from thud.ai.scores import goal_in
from thud.records.record import Record
from thud.review.judgement import Expectation, Judgement, Mark, chance, counts_points
from thud.review.summary import Effort, Marked, Progress, Reviewed, compared, fault_of
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import Fault, wins
from thud.rules.variant import Variant
from thud.wording.clocks import lasting
from thud.wording.remarks import FAULTS, merits, told
from thud.wording.text import called, capitalised, counted, plural

_FOR_DWARFS: Final = " for the dwarfs"


def cost_in_words(variant: Variant, cost: float) -> str:
    """Say what a move lost: `"4.2 points"`, or `"35 % of the chance of winning"`."""
    if counts_points(variant):
        number = cost_figure(variant, cost)
        return f"{number} {'point' if number == '1.0' else 'points'}"
    return f"{cost_figure(variant, cost)} of the chance of winning"


def cost_figure(variant: Variant, cost: float) -> str:
    """Return what a move lost: `"4.2"` points, or `"35 %"` of the chance of winning."""
    return f"{cost:.1f}" if counts_points(variant) else f"{cost:.0%}".replace("%", " %")


def expected_in_words(variant: Variant, expected: Expectation) -> str:
    """Say what is expected: `"-3.2"`, `"62 % for the dwarfs"`, `"a win for the trolls"`."""
    goal = goal_in(expected)
    if goal is not None:
        winner = Side.DWARFS if expected > 0 else Side.TROLLS
        when = f" in {counted((abs(goal) + 1) // 2, 'move')}" if goal else ""
        return f"a win for the {winner.plural}{when}"
    if counts_points(variant):
        return f"{expected / 100:+.1f}"
    return f"{chance(variant, expected):.0%}{_FOR_DWARFS}".replace("%", " %")


def instead_of(variant: Variant, judgement: Judgement) -> tuple[str, str]:
    """Say what is expected after a move, and what was before it, what both share only once."""
    now, before = judgement.expected, judgement.promised
    told, formerly = expected_in_words(variant, now), expected_in_words(variant, before)
    if goal_in(now) is None and goal_in(before) is None:
        formerly = formerly.removesuffix(_FOR_DWARFS)
    return told, formerly


def better(variant: Variant, marked: Marked) -> str:
    """Say what was better, and why, in a sentence or two; nothing if nothing was."""
    best = marked.judgement.best
    if best is None:
        return ""
    text = move_text(marked.position, best)
    reason = merits(variant, marked.position, best)
    return f"Better: {text}. {reason}".rstrip()


def wrong(variant: Variant, marked: Marked) -> str:
    """Say what the board shows to be wrong with a marked move; nothing if nothing does."""
    if marked.fault is None:
        return ""
    return because(variant, marked.position, marked.move, marked.judgement)


def because(variant: Variant, position: Position, move: Move, judgement: Judgement) -> str:
    """Say in a sentence what is wrong with a move that has a mark; nothing if nothing shows."""
    found, best = fault_of(variant, position, move, judgement), judgement.best
    if found is None or best is None:
        return ""
    after, reply = position.after(move), judgement.reply
    if found is Fault.LOSES_SOON:
        return _what_is_lost(after, reply)
    if found is Fault.LETS_WIN and not wins(variant, after, reply[0]):
        return f"After {_texts(after, reply)} the {after.to_move.plural} win."
    if found is Fault.MISSES_WIN and not wins(variant, position, best):
        line = _texts(position, (best, *judgement.line))
        return f"{line} would win."
    return told(variant, compared(position, move, judgement), found)


def _what_is_lost(position: Position, line: Sequence[Move]) -> str:
    """Say what a line takes, as far as its last capture by whoever begins it."""
    side = position.to_move
    own = [place for place in range(0, len(line), 2) if line[place].captures]
    line = line[: own[-1] + 1]
    taken, lost = (sum(move.captures.bit_count() for move in line[begin::2]) for begin in (0, 1))
    texts = _texts(position, line)
    gone = f"{counted(taken, side.other.singular)} {'is' if taken == 1 else 'are'} gone"
    price = f" for {counted(lost, side.singular)}" if lost else ""
    return f"After {texts}, {gone}{price}."


def _texts(position: Position, line: Sequence[Move]) -> str:
    return " ".join(texts_of(position, line))


def heading(record: Record, number: int) -> str:
    """Say which battle of a match is told of."""
    dwarfs, trolls = record.commanders(number)
    return f"{record.variant.title}, battle {number}: {dwarfs} (dwarfs), {trolls} (trolls)"


def move_lines(reviewed: Reviewed, marked: Marked) -> Iterator[str]:
    """Yield what there is to say of a move, a line each."""
    variant, judgement = reviewed.variant, marked.judgement
    turn = reviewed.battle.turn(marked.ply)
    dots = "..." if marked.side is Side.TROLLS else "."
    text = f"{turn}{dots} {move_text(marked.position, marked.move)}"
    expected, promised = instead_of(variant, judgement)
    if marked.mark is None:
        yield f"{text}  {expected}"
        return
    cost = cost_in_words(variant, marked.cost)
    yield f"{text} {marked.mark.value}  Lost {cost} ({expected} instead of {promised})."
    if reason := wrong(variant, marked):
        yield f"    {reason}"
    if judgement.best is not None:
        yield f"    {better(variant, marked)}"
        if judgement.line:
            after = marked.position.after(judgement.best)
            yield f"    Then: {' '.join(texts_of(after, judgement.line))}"


def summary_lines(reviewed: Reviewed, commanders: tuple[str, str]) -> Iterator[str]:
    """Yield what the judgements of a battle add up to, a line each.

    Args:
        reviewed: the battle.
        commanders: who commanded the dwarfs, and who the trolls.
    """
    for side, name in zip(Side, commanders, strict=True):
        yield from side_lines(reviewed, side, name)
    yield turning_line(reviewed, commanders)


def side_lines(reviewed: Reviewed, side: Side, name: str) -> Iterator[str]:
    """Yield how a side has done, a line each."""
    effort = reviewed.effort(side)
    head = f"{name} ({side.plural})"
    if not effort.moves:
        yield f"{head}: no move judged yet."
        return
    unit = " points" if counts_points(reviewed.variant) else " of the chance of winning"
    lost = f"{figure(reviewed.variant, effort)}{unit} lost per move"
    moves = counted(effort.moves, "move")
    yield f"{head}: accuracy {accuracy_figure(effort)}, {lost}, {moves}."
    if sum(effort.marks.values()):
        yield f"  {marks_in_words(effort)}: {kinds_in_words(effort)}."


def accuracy_figure(effort: Effort) -> str:
    """Return how near a side's moves came to the best: `"87 %"`, nothing if none is judged."""
    return "" if effort.accuracy is None else f"{effort.accuracy:.0f} %"


def figure(variant: Variant, effort: Effort) -> str:
    """Return what a side lost a move: `"0.42"` points, or `"3.1 %"` of the chance."""
    if counts_points(variant):
        return f"{effort.each:.2f}"
    return f"{effort.each:.1%}".replace("%", " %")


def marks_in_words(effort: Effort) -> str:
    """Say how many marked moves there were of each mark, the worst first."""
    found = [(mark, effort.marks.get(mark, 0)) for mark in reversed(Mark)]
    return capitalised(", ".join(counted(number, mark.word) for mark, number in found if number))


def kinds_in_words(effort: Effort) -> str:
    """Say how many marked moves there were of each kind, the gravest kind first."""
    found = [(words, effort.kinds.get(kind, 0)) for kind, words in FAULTS.items()]
    return ", ".join(f"{number} {words}" for words, number in found if number)


def turning_line(reviewed: Reviewed, commanders: tuple[str, str]) -> str:
    """Say when the battle turned, in a sentence."""
    point = reviewed.turning_point
    if not reviewed.complete:
        left = len(reviewed.battle.moves) - len(reviewed.moves)
        have = "has" if left == 1 else "have"
        return f"{capitalised(counted(left, 'move'))} {have} not been judged."
    if point is None:
        return "No single move turned the battle."
    name = commanders[point.side is Side.TROLLS]
    turn = reviewed.battle.turn(point.ply)
    text = move_text(point.position, point.move)
    return f"The battle turned on move {turn}: {text} by {called(name)}."


_BAR: Final = 10


def how_far(judged: int, wanted: int, seconds: float) -> str:
    """Say how far a review is: `"34 of 120 moves judged, about 40 seconds left"`.

    Args:
        judged: how many moves have been judged.
        wanted: how many are to be judged in all.
        seconds: how long that has taken.
    """
    done = f"{judged} of {wanted} {plural(wanted, 'move')} judged"
    if not judged or judged == wanted:
        return done
    left = seconds / judged * (wanted - judged)
    return f"{done}, about {lasting(max(5, 5 * round(left / 5)))} left"


def bar(judged: int, wanted: int) -> str:
    """Return a bar that fills as moves are judged."""
    full = _BAR * judged // max(1, wanted)
    return "█" * full + "░" * (_BAR - full)


def in_turn(progress: Progress, number: int, *, every: bool = False) -> Iterator[list[str]]:
    """Yield, each time, what there is to say by now of the moves of a battle, in turn.

    Args:
        progress: what is known; it grows meanwhile.
        number: which battle.
        every: tell of every move, and not only of those that are marked.
    """
    place = 0
    while True:
        lines = list[str]()
        while move := progress.at(number, place):
            if every or move.mark:
                lines += move_lines(progress.reviewed(number), move)
            place += 1
        yield lines
