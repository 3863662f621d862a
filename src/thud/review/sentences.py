"""Sentences about reviews: of a move, a side, a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Final

from thud.ai.scores import goal_in, own_moves
from thud.records.programs import MIDDLE_LEVEL
from thud.records.record import Record
from thud.records.words import numbered
from thud.review.judgement import (
    Expectation,
    Judgement,
    Mark,
    in_points,
    is_coarse,
    is_open,
    is_unknown,
    lead_in_points,
    percent,
    rounded,
    shares,
    spread,
    thresholds,
)
from thud.review.phases import LEAD, Course, courses, decided
from thud.review.summary import (
    Effort,
    Marked,
    Progress,
    Reviewed,
    StandingDanger,
    compared,
    fault_of,
    standing_danger,
)
from thud.rules.geometry import square_name
from thud.rules.notation import move_text, texts_of
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import OF_FORMATION, Fault
from thud.rules.variant import Gain, Variant
from thud.text import YOU, called, capitalised, counted, joined, plural, sentence, spelled
from thud.words.clocks import lasting
from thud.words.formation import describe_weakness
from thud.words.match import par, points, result_of, why_over, with_side
from thud.words.remarks import FAULTS, describe_fault, merits


def cost_in_words(variant: Variant, marked: Marked) -> str:
    """Return a move's loss in words: `"4.2 points"`, or `"35% of the chance of winning"`."""
    number = cost_figure(variant, marked)
    if variant.counts_points:
        return f"{number} {'point' if float(number) == 1 else 'points'}"
    return f"{number} of the chance of winning"


def cost_figure(variant: Variant, marked: Marked) -> str:
    """Return a move's loss in figures: `"4.2"` or `"4"` points, or `"35%"` of the chances.

    It is the difference of the rounded expectations, so that what is read adds up, except where
    only whole points are told; and less than the least loss of a worse mark.
    """
    worse = [least for least in thresholds(variant).values() if marked.cost < least]
    limit = min(worse, default=inf)
    promised, expected = marked.judgement.promised, marked.judgement.expected
    if not variant.counts_points:
        before, after = (
            percent(variant, marked.position, each, marked.quiet) for each in (promised, expected)
        )
        return f"{round(min(abs(before - after), 100 * limit - 1))}%"
    wide = spread(variant, marked.position)
    if not is_coarse(wide):
        promised, expected = rounded(promised, wide), rounded(expected, wide)
    step = 100 if is_coarse(wide) else 10
    # The most that is rounded to less than the limit.
    most = 100 * limit - step // 2 - 1
    return in_points(round(min(abs(promised - expected), most)), wide)


def expected_in_words(
    variant: Variant, position: Position, expected: Expectation, quiet: int
) -> str:
    """Return an expectation of a position, some moves after the last capture.

    It is `"trolls +15, give or take 9"` where points count, else `"dwarfs 62%, drawn 10%, trolls
    28%"`, or `"a win for the trolls"`.  A win further away than the next move is likely: the engine
    sees it, the rules have not proved it.
    """
    if goal := _goal_in_words(expected):
        return goal
    if is_unknown(variant, position, expected):
        return "no forced goal is in sight"
    if not variant.counts_points:
        unseen = "; no forced goal is in sight" if is_open(variant, expected) else ""
        return f"{_shares_in_words(variant, position, expected, quiet)}{unseen}"
    return lead_in_points(variant, position, expected, within=", give or take ")


def _shares_in_words(
    variant: Variant, position: Position, expected: Expectation, quiet: int
) -> str:
    won, drawn, lost = shares(variant, position, expected, quiet).percents
    return f"dwarfs {won}%, drawn {drawn}%, trolls {lost}%"


def lost_in_words(variant: Variant, marked: Marked) -> str:
    """Say a move's loss, `"Cost the trolls 2.0 points."`, or that it let the other side win."""
    if is_gift(variant, marked):
        return capitalised(f"{did(variant, marked)}.")
    lost = cost_in_words(variant, marked)
    return f"Cost the {marked.side.plural} {lost}."


def did(variant: Variant, marked: Marked) -> str:
    """Say what a marked move did: `"lost 2.0 points"`, or `"let the dwarfs win at once"`."""
    if is_gift(variant, marked):
        return f"let the {marked.side.other.plural} win at once"
    return f"lost {cost_in_words(variant, marked)}"


def is_gift(variant: Variant, marked: Marked) -> bool:
    """Whether a move is marked for what it gave, and not for what it cost."""
    return marked.mark is not None and marked.cost < min(thresholds(variant).values())


def better(variant: Variant, marked: Marked) -> str:
    """Say the better move and why, or else what is expected after it; empty if there is none."""
    if (best := marked.judgement.best) is None:
        return ""
    return f"Better: {move_text(marked.position, best)}. {why_better(variant, marked, best)}"


def why_better(variant: Variant, marked: Marked, best: Move) -> str:
    """Say what a better move does, or else what is expected after it and after the one played.

    Where only whole points are told, the loss says by how much these differ.
    """
    position, judgement = marked.position, marked.judgement
    replies = judgement.line[:1] if best == judgement.best else ()
    # A piece that is captured at once threatens nothing.
    is_lost = any(each.captures >> best.destination & 1 for each in replies)
    if reason := merits(variant, position, best, known=(Gain.THREATENS,) if is_lost else ()):
        return reason
    if is_open(variant, judgement.promised) and is_open(variant, judgement.expected):
        return "No goal is in sight after either move."
    after = position.after(marked.move)
    then, instead = (
        _lead_in_words(
            variant, position.after(move), expected, 0 if move.captures else marked.quiet + 1
        )
        for move, expected in ((best, judgement.promised), (marked.move, judgement.expected))
    )
    wide, ends = spread(variant, after), goal_in(judgement.expected) is not None
    played = "" if is_coarse(wide) and not ends else f", and {instead} after the move played"
    told = in_points(wide, wide)
    sure = f", give or take {told}" if float(told) and not ends else ""
    return f"The computer expects {then} after it{played}{sure}."


def _lead_in_words(variant: Variant, position: Position, expected: Expectation, quiet: int) -> str:
    """Return an expectation without its spread: `"trolls +15"`, `"dwarfs 62%, drawn 10%, …"`."""
    if goal := _goal_in_words(expected):
        return goal
    if is_unknown(variant, position, expected):
        return "no goal in sight"
    if not variant.counts_points:
        return _shares_in_words(variant, position, expected, quiet)
    points = in_points(expected, spread(variant, position))
    leader = Side.DWARFS if expected > 0 else Side.TROLLS
    return f"{leader.plural} +{points}" if float(points) else "an even battle"


def _goal_in_words(expected: Expectation) -> str:
    """Return which side reaches its goal; empty if none is in sight."""
    goal = goal_in(expected)
    if goal is None:
        return ""
    winner = Side.DWARFS if expected > 0 else Side.TROLLS
    when = f" in {counted(own_moves(goal), 'move')}" if goal else ""
    return f"a {'likely ' * (abs(goal) > 1)}win for the {winner.plural}{when}"


def wrong(variant: Variant, marked: Marked) -> str:
    """Say a marked move's visible fault; empty if it has none."""
    if marked.fault is None:
        return ""
    return because(variant, marked.position, marked.move, marked.judgement)


def because(variant: Variant, position: Position, move: Move, judgement: Judgement) -> str:
    """Say a marked move's fault in a sentence; empty if there is none to show.

    What only an engine's line shows is said of the line.
    """
    found, best = fault_of(variant, position, move, judgement), judgement.best
    if found is None or best is None:
        return ""
    after, reply = position.after(move), judgement.reply
    if found is Fault.LOSES_SOON:
        return _what_is_lost(after, reply)
    if found is Fault.LOSES_LATER:
        return f"If the battle goes on with {_texts(after, reply)}, the {after.to_move.plural} win."
    if found is Fault.FORGOES_WIN:
        line = _texts(position, (best, *judgement.line))
        return f"If the battle went on with {line}, the {position.to_move.plural} would win."
    if found in OF_FORMATION:
        return describe_weakness(variant, compared(position, move, judgement))
    return describe_fault(variant, compared(position, move, judgement), found)


def _what_is_lost(position: Position, line: Sequence[Move]) -> str:
    """Say what a line takes, up to the last capture by the side that begins it."""
    side = position.to_move
    own = [place for place in range(0, len(line), 2) if line[place].captures]
    line = line[: own[-1] + 1]
    taken, lost = (sum(move.captures.bit_count() for move in line[begin::2]) for begin in (0, 1))
    texts = _texts(position, line)
    price = f" for {counted(lost, side.singular)}" if lost else ""
    gone = f"the {side.other.plural} lose {counted(taken, side.other.singular)}{price}"
    return f"If the battle goes on with {texts}, {gone}."


def _texts(position: Position, line: Sequence[Move]) -> str:
    return " ".join(texts_of(position, line))


def heading(record: Record, number: int) -> str:
    """Return the heading of a battle."""
    players = map(with_side, record.commanders(number), Side)
    return f"{record.variant.title}, battle {number}: {', '.join(players)}"


def move_lines(reviewed: Reviewed, marked: Marked) -> Iterator[str]:
    """Yield the lines about a move."""
    variant, judgement = reviewed.variant, marked.judgement
    text = capitalised(numbered(reviewed.battle, marked.ply, marked.position, marked.move))
    if marked.mark is None:
        after = marked.position.after(marked.move)
        words = expected_in_words(variant, after, judgement.expected, marked.quiet_after)
        yield f"{text}  {words}"
        return
    yield f"{text} {marked.mark.value}  {lost_in_words(variant, marked)}"
    if reason := wrong(variant, marked):
        yield f"    {reason}"
    if judgement.best is not None:
        yield f"    {better(variant, marked)}"
        # The reason of a win that was forgone has the line.
        if judgement.line and marked.fault is not Fault.FORGOES_WIN:
            yield f"    Then: {_texts(marked.position.after(judgement.best), judgement.line)}"


def move_in_brief(reviewed: Reviewed, marked: Marked) -> Iterator[str]:
    """Yield what a marked move cost with the better one, and one reason."""
    variant, position, judgement = reviewed.variant, marked.position, marked.judgement
    text = capitalised(numbered(reviewed.battle, marked.ply, position, marked.move))
    mark = marked.mark.value if marked.mark else ""
    cost = f"Cost {cost_in_words(variant, marked)}."
    told = f"{text} {mark}  {lost_in_words(variant, marked) if is_gift(variant, marked) else cost}"
    if (best := judgement.best) is None:
        yield told
        return
    yield f"{told} Better: {move_text(position, best)}."
    yield wrong(variant, marked) or why_better(variant, marked, best)


def summary_lines(record: Record, reviewed: Reviewed) -> Iterator[str]:
    """Yield the lines of a battle's summary, one's own side first.

    Args:
        record: the match, with the names as they are shown.
        reviewed: the battle.
    """
    commanders = record.commanders(reviewed.number)
    yield ending(record, reviewed.number)
    for side, name in sorted(zip(Side, commanders, strict=True), key=lambda each: each[1] != YOU):
        yield from side_lines(reviewed, side, name)
    yield turning_line(reviewed, commanders)
    yield from story_lines(reviewed)


def ending(record: Record, number: int) -> str:
    """Say why a battle is over, and who won it."""
    outcome = record.battles[number - 1].outcome
    if outcome is None:
        return "The battle is not over."
    match = record.match_at_start()
    result = result_of(match, outcome, number, brief=True)
    return f"{capitalised(why_over(match, outcome, number))}. {result}."


def story_lines(reviewed: Reviewed) -> Iterator[str]:
    """Yield how a battle went: its phases where pieces count, when it was decided, one danger."""
    yield from _phase_lines(reviewed)
    yield from danger_lines(reviewed)


def _phase_lines(reviewed: Reviewed) -> Iterator[str]:
    if reviewed.variant.counts_points:
        yield from map(course_in_words, courses(reviewed))
    if found := decided(reviewed):
        turn, winner = found
        ahead = f"expected to win by {points(LEAD)} or more"
        ahead = ahead if reviewed.variant.counts_points else "well ahead"
        yield f"Decided in turn {turn}: from then on the {winner.plural} were {ahead}."


def danger_lines(reviewed: Reviewed) -> Iterator[str]:
    """Yield the worst danger that stood for long, if there was any."""
    if danger := standing_danger(reviewed.variant, list(reviewed.battle.positions())):
        yield danger_in_words(reviewed, danger)


def danger_in_words(reviewed: Reviewed, danger: StandingDanger) -> str:
    """Say how long the trolls could have captured several dwarfs without an answer."""
    square, dwarfs, plies = danger
    since, until = (reviewed.battle.turn(each) for each in (plies[0], plies[-1]))
    went = f"a troll could have gone to {square_name(square)}"
    took = f"captured {counted(dwarfs, 'dwarf')}, unanswered"
    return f"From turn {since} to {until} {went} and {took}."


def course_in_words(course: Course) -> str:
    """Say what a phase brought: captures, and dwarfs lost just after moving."""
    gone = [counted(number, side.singular) for side, number in course.captured.items() if number]
    when = (
        f"Turns {course.first} to {course.last}"
        if course.last > course.first
        else f"Turn {course.first}"
    )
    number, dwarfs = sum(course.captured.values()), course.captured[Side.DWARFS]
    taken = f"{joined(gone)} {'was' if number == 1 else 'were'} captured"
    fed = "all" if course.fed == dwarfs else spelled(course.fed)
    which = f"{fed} of {'them' if number == dwarfs else 'the dwarfs'} "
    if dwarfs == 1:
        which = "the dwarf " if number > 1 else ""
    moved = f", {which}right after moving" if course.fed else ""
    return f"{when}: {taken if gone else 'nothing was captured'}{moved}."


def side_lines(reviewed: Reviewed, side: Side, name: str) -> Iterator[str]:
    """Yield the lines of one side's summary."""
    effort = reviewed.effort(side)
    head = with_side(name, side)
    if not effort.moves:
        yield f"{head}: no move {'to judge' if reviewed.complete else 'judged yet'}."
        return
    moves = counted(effort.moves, "move")
    yield f"{head}: accuracy {effort.accuracy:.0f}%, {moves}."
    if sum(effort.marks.values()):
        found = [(mark, effort.marks.get(mark, 0)) for mark in reversed(Mark)]
        marks = capitalised(joined(counted(times, mark.word) for mark, times in found if times))
        yield f"  {marks}. {faults_in_words(effort)}"


_FEW: Final = 10
"""Moves below which an accuracy is compared with no level."""

_ALIKE: Final = 4
"""Accuracies that differ by no more are alike: the levels' are known to about as much."""


_MIDDLE: Final = f"level {MIDDLE_LEVEL}"


def accuracy_line(variant: Variant, own: Effort | None = None) -> str:
    """Say what accuracy is, and which is usual; compare one's own with it if given."""
    if not variant.odds.usual:
        return "Accuracy: the best moves have 100%."
    _, low, high = variant.odds.usual
    if own is None or own.accuracy is None:
        return f"Accuracy: the best moves have 100%, {_MIDDLE} about {high}%, level 1 {low}%."
    if own.moves < _FEW:
        told = "so few moves say little; "
    elif low + _ALIKE < own.accuracy < high - _ALIKE:
        return f"Accuracy: you are between level 1 (about {low}%) and {_MIDDLE} (about {high}%)."
    else:
        level, usual = ("level 1", low) if own.accuracy < high - _ALIKE else (_MIDDLE, high)
        apart = own.accuracy - usual
        where = "like" if abs(apart) <= _ALIKE else "below" if apart < 0 else "above"
        told = f"you are {where} {level}; "
    return f"Accuracy: {told}{_MIDDLE} has about {high}%, level 1 {low}%."


def accuracy_of(variant: Variant, own: Effort) -> str:
    """Say how accurate a player's moves were, and how accurate levels are."""
    told = f"Your accuracy: {own.accuracy:.0f}%"
    if own.moves < _FEW:
        return f"{told}, but so few moves say little."
    if not variant.odds.usual:
        return f"{told}."
    _, low, high = variant.odds.usual
    return f"{told}. Level 1 has about {low}%, {_MIDDLE} {high}%."


def marks_line(variant: Variant) -> str:
    """Say how much moves lose that are marked."""
    mild, middle, grave = sorted(thresholds(variant).items(), key=lambda each: each[1])
    figures = "{:g}" if variant.counts_points else "{:.0%}"
    least, more, most = (figures.format(lost) for _, lost in (mild, middle, grave))
    unit = " points" if variant.counts_points else " of the chance of winning"
    gift = "" if variant.counts_points else " or if it lets the other side win at once"
    return (
        f"A move that loses {least}{unit} or more is marked {mild[0].value}, "
        f"from {more} {middle[0].value}, from {most}{gift} {grave[0].value}."
    )


def about_summary(variant: Variant, *, shade: str) -> Iterator[str]:
    """Yield paragraphs on what a summary shows.

    Args:
        variant: the game.
        shade: how the graph draws what is open.
    """
    told = (
        "Accuracy is the mean of a player's moves: 100% for the best move, and the less, the more "
        "a move loses. A blunder counts as one bad move, however much it loses. Who blunders once "
        "and else plays well may so be more accurate than who loses a little with every move."
    )
    if usual := variant.odds.usual:
        random, low, high = usual
        told += f" Moves at random have about {random}%, level 1 has {low}%, {_MIDDLE} {high}%."
    yield told
    yield f"{marks_line(variant)} The figures are the turns: a click on one shows its move."
    what = "lead at the end of the battle" if variant.counts_points else "result of the battle"
    score = ", whatever the score is so far" if variant.counts_points else ""
    open_ = "how unsure that is" if variant.counts_points else "what may be drawn"
    yield (
        f"The graph is the {what} that the computer expected after each move{score}: up for the "
        f"dwarfs, down for the trolls. {shade} is {open_}. A click goes there."
    )
    yield par(variant)


def faults_in_words(effort: Effort) -> str:
    """Say what a side's marked moves did: `"Two moves left pieces hanging, one missed a win."`.

    The gravest is first; empty if no move is marked.
    """
    kinds = [(effort.kinds[kind], words) for kind, words in FAULTS.items() if kind in effort.kinds]
    told = [f"{spelled(times)} {words}" for times, words in kinds[1:]]
    first = [f"{counted(times, 'move')} {words}" for times, words in kinds[:1]]
    return sentence(joined([*first, *told])) if kinds else ""


def turning_line(reviewed: Reviewed, commanders: tuple[str, str]) -> str:
    """Say when the battle turned, in a sentence."""
    if not reviewed.complete:
        left = len(reviewed.battle.moves) - len(reviewed.moves)
        have = "has" if left == 1 else "have"
        return f"{capitalised(counted(left, 'move'))} {have} not been judged."
    if not reviewed.battle.moves:
        return "Nothing was played."
    if not reviewed.mistakes:
        return "No mistakes."

    def where(move: Marked) -> str:
        turn, text = reviewed.battle.turn(move.ply), move_text(move.position, move.move)
        return f"turn {turn}: {text} by {called(commanders[move.side is Side.TROLLS])}."

    if point := reviewed.turning_point:
        return f"The turning point was {where(point)}"
    if not (last := reviewed.last_turn):
        return _ahead_line(reviewed)
    decided_none = "but no single one decided the battle."
    told = decided_none if reviewed.winner else f"the last in {where(last)}"
    return f"Mistakes {_changed(reviewed)}, {told}"


def _changed(reviewed: Reviewed) -> str:
    return f"changed who was expected to {_ends(reviewed)}"


def _ends(reviewed: Reviewed) -> str:
    return "end ahead" if reviewed.variant.counts_points else "win"


def _ahead_line(reviewed: Reviewed) -> str:
    """Say which side was expected ahead all the way, if any, whatever the score was."""
    if not (side := reviewed.ahead):
        return f"No single mistake clearly {_changed(reviewed)}."
    expected = f"at every move the computer expected the {side.plural} to {_ends(reviewed)}."
    sign = 1 if side is Side.TROLLS else -1
    leads = map(reviewed.variant.lead, reviewed.battle.positions())
    if reviewed.variant.counts_points and any(sign * lead > 0 for lead in leads):
        return f"The {side.other.plural} led in points at times, but {expected}"
    return capitalised(expected)


def par_line(reviews: Sequence[Reviewed]) -> str:
    """Say how battles between equals end; empty if unknown, or if none began as usual."""
    usual = [each.variant for each in reviews if each.battle.start == each.variant.start]
    return par(usual[0]) if usual else ""


def closing_lines(reviews: Sequence[Reviewed]) -> Iterator[str]:
    """Yield what holds for all battles: how they end between equals, accuracy and marks."""
    yield from filter(None, [par_line(reviews)])
    for each in reviews[:1]:
        yield accuracy_line(each.variant)
        yield marks_line(each.variant)


_BAR: Final = 10
_BASIS: Final = 10
"""Fewest moves judged before the time left is estimated."""


def how_far(judged: int, total: int, seconds: float, *, before: int = 0) -> str:
    """Return a review's progress: `"34 of 120 moves judged, about 40 seconds left"`.

    Args:
        judged: number of moves judged, those before this run included.
        total: number of moves in all.
        seconds: time since this run's first was judged: the engines take a moment to start.
        before: number of moves judged before this run.
    """
    done = f"{judged} of {total} {plural(total, 'move')} judged"
    if judged - before < _BASIS or judged == total:
        return done
    left = seconds / (judged - before - 1) * (total - judged)
    return f"{done}, about {lasting(max(5, 5 * round(left / 5)))} left"


def bar(judged: int, total: int) -> str:
    """Return a progress bar."""
    full = _BAR * judged // max(1, total)
    return "█" * full + "░" * (_BAR - full)


def in_turn(progress: Progress, number: int, *, every: bool = False) -> Iterator[list[str]]:
    """Yield, each time, the lines about further moves of a battle judged by now, in order.

    Args:
        progress: the judgements, which grow meanwhile.
        number: the battle's number.
        every: whether to include unmarked moves.
    """
    place = 0
    while True:
        lines = list[str]()
        while move := progress.at(number, place):
            if every or move.mark:
                lines += move_lines(progress.reviewed(number), move)
            place += 1
        yield lines
