"""Summaries of judgements, and remarks on marked moves, checked on the board."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explore.match_files import played
from review.judging import (
    judgement_at,
    random_battle,
    record_of,
    reviewed_of,
    variants,
)
from thud.ai.scores import GOAL, LIMIT
from thud.records.record import Record
from thud.review.judgement import (
    Judgement,
    Mark,
    accuracy,
    chance,
    given_away,
    mark_of,
    shares,
    thresholds,
)
from thud.review.phases import Course, courses, decided
from thud.review.sentences import (
    about_summary,
    accuracy_line,
    bar,
    because,
    better,
    cost_figure,
    cost_in_words,
    course_in_words,
    did,
    expected_in_words,
    how_far,
    in_turn,
    lost_in_words,
    marks_line,
    move_lines,
    par_line,
    story_lines,
    summary_lines,
    turning_line,
)
from thud.review.summary import Effort, Progress, Reviewed, curve, fault_of, marked, worst_first
from thud.rules.formation import largest_block, left_open
from thud.rules.geometry import listed, rank_of, square_name, squares_of
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import TELLING, Compared, Fault, captured_worth, fault
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.text import counted, spelled
from thud.words.remarks import merits

CLASSIC = VARIANTS["classic"]


def reviewed_at_random(variant: Variant, seed: int) -> Reviewed:
    battle, random = random_battle(variant, seed, 10), Random(seed)
    judgements = {ply: judgement_at(battle, ply, random) for ply in range(len(battle.moves))}
    return reviewed_of(record_of(battle), judgements)


@given(variants, st.integers(0, 10**6))
def test_marks_follow_what_was_given_away_and_efforts_add_up(variant: Variant, seed: int) -> None:
    reviewed = reviewed_at_random(variant, seed)
    for move in reviewed.moves:
        least = [lost for mark, lost in thresholds(variant).items() if mark is move.mark]
        assert move.cost >= (least[0] if least else 0)
        assert move.mark or move.cost < thresholds(variant)[Mark.DUBIOUS]
        assert move.cost == given_away(variant, move.position, move.judgement, move.quiet)
        told = float(cost_figure(variant, move).rstrip("%")) / (1 if variant.counts_points else 100)
        assert all(told < least for least in thresholds(variant).values() if move.cost < least)
        assert move.mark is mark_of(variant, move.position, move.judgement, move.quiet)
        first, *_ = move_lines(reviewed, move)
        assert move_text(move.position, move.move) in first
    record = Record(variant, (reviewed.battle,), ("Ann", "Bob"))
    assert len(list(summary_lines(record, reviewed))) >= 4
    efforts = [reviewed.effort(side) for side in Side]
    assert sum(effort.moves for effort in efforts) == len(reviewed.moves)
    marks = sum(sum(effort.marks.values()) for effort in efforts)
    assert marks == len(reviewed.mistakes) == sum(sum(e.kinds.values()) for e in efforts)
    assert len(curve(reviewed)) == len(reviewed.battle.moves) + 1


@given(variants, st.integers(0, 10**6))
def test_what_is_said_to_be_wrong_is_so_on_the_board(variant: Variant, seed: int) -> None:
    for move in reviewed_at_random(variant, seed).mistakes:
        found = fault_of(variant, move.position, move.move, move.judgement)
        assert found is move.fault
        words = because(variant, move.position, move.move, move.judgement)
        assert bool(words) is (found is not None)
        after = move.position.after(move.move)
        reply, best = move.judgement.reply, move.judgement.best
        assert best
        if found is Fault.LETS_WIN:
            assert winner(variant, after, reply[:1]) is after.to_move
        elif found is Fault.MISSES_WIN:
            assert winner(variant, move.position, (best,)) is move.side
        elif found is Fault.LOSES_LATER:
            assert winner(variant, after, reply) is after.to_move
            assert words.startswith("If the battle goes on with ")
        elif found is Fault.FORGOES_WIN:
            assert winner(variant, move.position, (best, *move.judgement.line)) is move.side
            assert words.startswith("If the battle went on with ")
        elif found is Fault.HANGS:
            assert captured_worth(variant, after, reply[0]) >= TELLING
            assert listed(reply[0].captures) in words
        elif found is Fault.MISSES_CAPTURE:
            assert captured_worth(variant, move.position, best) >= TELLING
            assert listed(best.captures) in words
        elif found is Fault.LOSES_SOON:
            assert any(each.captures for each in reply[::2])
            assert words.startswith("If the battle goes on with ")
            assert move_text(after, reply[0]) in words
        elif found is Fault.LEAVES_OPEN:
            opened = left_open(variant, after, move.position.after(best))
            assert opened
            assert f"go to {square_name(opened[0])} " in words
            assert counted(opened[1].bit_count(), "dwarf") in words
        elif found is Fault.BREAKS_BLOCK:
            sizes = (largest_block(each.dwarfs).bit_count() for each in (move.position, after))
            before, then = map(spelled, sizes)
            assert words.startswith(f"The largest block had {before} dwarfs before")
            assert f"has {then} after it" in words


def winner(variant: Variant, position: Position, line: tuple[Move, ...]) -> Side | None:
    """Return the winner after the first deciding move of a line, None if none decides."""
    for move in line:
        position = position.after(move)
        if outcome := variant.outcome(position):
            return outcome.winner
    return None


def line_of(variant: Variant, position: Position, *texts: str) -> tuple[Move, ...]:
    moves = list[Move]()
    for text in texts:
        moves.append(parse_move(variant, position, text))
        position = position.after(moves[-1])
    return tuple(moves)


def test_a_win_a_few_moves_later_is_told() -> None:
    koom = VARIANTS["koom"]
    start = Position.from_text("5/2d4/4R4/4d6/13/15/15/15/15/15/13/T10/1T7/T6/5 T")
    move, best = (parse_move(koom, start, text) for text in ("TC12-B11", "TC12-A10"))
    reply = line_of(koom, start.after(move), "RH3-H2", "TB11-B10", "RH2-H1")
    judgement = Judgement(GOAL - 4, 0, best, (), reply)
    assert fault_of(koom, start, move, judgement) is Fault.LOSES_LATER
    assert because(koom, start, move, judgement) == (
        "If the battle goes on with RH3-H2 TB11-B10 RH2-H1, the dwarfs win."
    )


def test_a_side_without_a_move_has_none_to_judge() -> None:
    battle = random_battle(CLASSIC, 0, 1)
    for judgements, told in (({}, "judged yet"), ({0: Judgement(0, 0)}, "to judge")):
        record = record_of(battle)
        lines = summary_lines(record, reviewed_of(record, judgements))
        assert f"Bob (trolls): no move {told}." in lines


@given(variants, st.integers(0, 200_000), st.integers(0, 1000), st.sampled_from(Side))
def test_who_loses_less_is_more_accurate(
    variant: Variant, lost: int, more: int, side: Side
) -> None:
    def after(loss: int) -> float:
        sign = 1 if side is Side.DWARFS else -1
        return accuracy(variant, Judgement(sign * (99_999 - loss), sign * 99_999), side)

    assert 0 <= after(lost + more) <= after(lost) <= 100
    assert after(0) == 100


def test_half_a_point_costs_a_quarter_of_accuracy() -> None:
    assert accuracy(CLASSIC, Judgement(-50, 0), Side.DWARFS) == pytest.approx(71.7, abs=0.1)
    assert accuracy(CLASSIC, Judgement(50, 0), Side.TROLLS) == pytest.approx(71.7, abs=0.1)
    assert accuracy(CLASSIC, Judgement(50, 0), Side.DWARFS) == 100
    assert accuracy(CLASSIC, Judgement(2350, 2400), Side.DWARFS) == pytest.approx(71.7, abs=0.1)


def test_how_far_a_review_is_says_how_long_it_will_take() -> None:
    assert how_far(0, 120, 0) == "0 of 120 moves judged"
    assert how_far(9, 120, 30) == "9 of 120 moves judged", "too few for an estimate"
    assert how_far(30, 120, 13) == "30 of 120 moves judged, about 40 seconds left"
    assert how_far(30, 120, 60) == "30 of 120 moves judged, about 3 minutes left"
    assert how_far(99, 120, 280) == "99 of 120 moves judged, about 1 minute left"
    assert how_far(69, 120, 30, before=60) == "69 of 120 moves judged", "nine in this run"
    assert how_far(90, 120, 29, before=60) == "90 of 120 moves judged, about 30 seconds left"
    assert how_far(1, 1, 9) == "1 of 1 move judged"
    assert bar(34, 120) == "██░░░░░░░░"


@given(st.sampled_from(["koom", "football"]), st.integers(-(10**5), 10**5), st.integers(0, 500))
def test_who_stands_better_wins_more_often(name: str, score: int, more: int) -> None:
    variant = VARIANTS[name]
    assert 0 <= chance(variant, score) <= chance(variant, score + more) <= 1


def test_the_battle_turns_with_the_last_move_that_gave_the_lead_away() -> None:
    record = played("dF1-F5", "TG7-F6", "dG1-G5", "TF6-G6xF5xG5", "dP10-G10", over=False)
    positions = list(record.battles[0].positions())
    best = parse_move(CLASSIC, positions[2], "dF5-F1")
    first = parse_move(CLASSIC, positions[0], "dF1-F2")
    judgements = {
        0: Judgement(-200, 100, first),
        1: Judgement(100, 100),
        2: Judgement(-300, 50, best),
        3: Judgement(-300, -300),
        4: Judgement(-500, -350, parse_move(CLASSIC, positions[4], "dP10-O10")),
    }
    point = reviewed_of(record, judgements).turning_point
    assert point
    assert point.ply == 2
    no_turn = [
        {2: Judgement(-60, 50, best)},  # dubious
        {2: Judgement(-90, 150, best)},  # a mistake after which hardly anybody is ahead
        {3: Judgement(150, 150)},  # the dwarfs were ahead again, and lost it little by little
    ]
    judgements[0] = Judgement(100, 100)
    for others in no_turn:
        reviewed = reviewed_of(record, judgements | others)
        assert reviewed.turning_point is None
        assert turning_line(reviewed, ("Ann", "Bob")) == (
            "Mistakes changed who was expected to end ahead, but no single one decided the battle."
            if others == no_turn[-1]
            else "No single mistake clearly changed who was expected to end ahead."
        )
    del judgements[3]
    assert reviewed_of(record, judgements).turning_point is None


def test_a_blunder_that_lets_the_other_side_win_is_worse_than_a_mistake_that_costs_more() -> None:
    record = played("dF1-F5", "TG7-F6", "dG1-G5", over=False)
    first, _, third = reviewed_of(record, {ply: Judgement(0, 0) for ply in range(3)}).moves
    gift = first._replace(mark=Mark.BLUNDER, cost=0.0)
    mistake = third._replace(mark=Mark.MISTAKE, cost=0.25)
    assert worst_first([third, mistake, gift]) == [gift, mistake, third]


def test_no_move_turns_a_battle_if_by_the_figures_told_the_same_side_was_ahead_before() -> None:
    football = VARIANTS["football"]
    battle = random_battle(football, 1, 50)
    assert len(battle.moves) == 50
    (*_, before, _) = battle.positions
    better = next(each for each in football.legal_moves(before) if each != battle.moves[-1])
    unseen = {ply: Judgement(0, 0) for ply in range(49)}
    reviewed = reviewed_of(record_of(battle), unseen | {49: Judgement(GOAL - 3, 0, better)})
    assert reviewed.moves[-1].mark is Mark.MISTAKE
    assert reviewed.winner is Side.DWARFS
    assert min(map(reviewed.lead_after, reviewed.moves)) > 0
    assert reviewed.turning_point is None
    assert reviewed.last_turn is None


def test_who_was_ahead_all_the_way_is_said_and_that_nothing_was_played() -> None:
    record = played("dF1-F5", "TG7-F6", "dG1-G5", over=False)
    best = parse_move(CLASSIC, list(record.battles[0].positions())[2], "dF5-F1")
    behind = {0: Judgement(-300, -300), 1: Judgement(-300, -300), 2: Judgement(-700, -300, best)}
    assert turning_line(reviewed_of(record, behind), ("Ann", "Bob")) == (
        "At every move the computer expected the trolls to end ahead."
    )
    trolls = dict.fromkeys(range(len(HELD)), Judgement(-300, -300))
    trolls[1] = Judgement(-300, -500)
    assert turning_line(reviewed_of(played(*HELD, over=False), trolls), ("Ann", "Bob")) == (
        "The dwarfs led in points at times, but at every move the computer expected the trolls to "
        "end ahead."
    )
    level = behind | {0: Judgement(-300, 0)}
    assert reviewed_of(record, level).ahead is None
    assert (
        turning_line(reviewed_of(played(over=False), {}), ("Ann", "Bob")) == "Nothing was played."
    )
    assert par_line([reviewed_of(record, behind)]).startswith("Between equal players the dwarfs")


def test_a_better_move_without_a_visible_reason_is_told_with_what_is_expected() -> None:
    for name, judgement, told in (
        ("classic", Judgement(-400, 200), "dwarfs +2 after it, give or take "),
        ("football", Judgement(3 - GOAL, 0), "after it, and a likely win for the trolls"),
    ):
        variant = VARIANTS[name]
        start = variant.start
        moves = [each for each in variant.legal_moves(start) if not merits(variant, start, each)]
        move, best = moves[0], moves[-1]
        found = marked(variant, 0, start, move, judgement._replace(best=best))
        words = better(variant, found)
        assert words.startswith(f"Better: {move_text(start, best)}. The computer expects ")
        assert told in words


@pytest.mark.parametrize(("reply", "told"), [("TG7-G6xF6", False), ("TG7-F7", True)])
def test_a_piece_that_is_captured_at_once_threatens_nothing(reply: str, told: bool) -> None:
    start = CLASSIC.start
    best, move = (parse_move(CLASSIC, start, each) for each in ("dF1-F6", "dA6-B7"))
    line = (parse_move(CLASSIC, start.after(best), reply),)
    found = marked(CLASSIC, 0, start, move, Judgement(-400, 200, best, line))
    assert ("It threatens" in better(CLASSIC, found)) is told


@pytest.mark.parametrize(
    ("dwarfs", "trolls", "fed", "told"),
    [
        (0, 0, 0, "nothing was captured"),
        (1, 0, 1, "one dwarf was captured, right after moving"),
        (1, 2, 1, "one dwarf and two trolls were captured, the dwarf right after moving"),
        (3, 0, 3, "three dwarfs were captured, all of them right after moving"),
        (3, 1, 2, "three dwarfs and one troll were captured, two of the dwarfs right after moving"),
        (0, 1, 0, "one troll was captured"),
    ],
)
def test_what_was_captured_is_told_in_a_sentence(
    dwarfs: int, trolls: int, fed: int, told: str
) -> None:
    captured = {Side.DWARFS: dwarfs, Side.TROLLS: trolls}
    assert course_in_words(Course(16, 40, captured, fed)) == f"Turns 16 to 40: {told}."


def test_it_is_told_what_accuracy_and_marks_mean() -> None:
    assert marks_line(CLASSIC) == (
        "A move that loses 1.5 points or more is marked ?!, from 2.5 ?, from 4 ??."
    )
    assert "loses 10% of the chance of winning or more is marked ?!, from 20% ?" in marks_line(
        VARIANTS["koom"]
    )
    football = accuracy_line(VARIANTS["football"], Effort(20, accuracy=90.0))
    assert football == "Accuracy: the best moves have 100%."
    for variant in set(VARIANTS.values()) - {VARIANTS["football"]}:
        assert variant.odds.usual
        random, low, high = variant.odds.usual
        assert random < low < high
        assert accuracy_line(variant).endswith(f"level 8 about {high}%, level 1 {low}%.")
        for moves, reached, told in (
            (9, 70.0, "so few moves say little"),
            (10, low - 4.1, "you are below level 1;"),
            (10, low + 4.0, "you are like level 1;"),
            (10, low + 4.1, "you are between level 1"),
            (10, high - 4.0, "you are like level 8;"),
            (10, high + 4.1, "you are above level 8;"),
        ):
            assert told in accuracy_line(variant, Effort(moves, accuracy=reached))
        about = " ".join(about_summary(variant, shade="Pale"))
        assert f"Moves at random have about {random}%" in about


def test_the_usual_accuracies_are_those_measured() -> None:
    results = Path(__file__).parents[2] / "benchmarks" / "results" / "review.md"
    measured = results.read_text("utf-8").partition("## Accuracy\n")[2].partition("\n## ")[0]
    rows = {
        title: [int(each.partition("±")[0]) for each in cells if "±" in each]
        for title, *cells in (line.strip("| ").split(" | ") for line in measured.splitlines())
    }
    for variant in set(VARIANTS.values()) - {VARIANTS["football"]}:
        figures = rows.get(variant.short) or rows[variant.short.lower()]
        assert variant.odds.usual == tuple(figures)


def test_what_is_lost_a_few_moves_later_is_told() -> None:
    start = CLASSIC.start
    move, best = (parse_move(CLASSIC, start, text) for text in ("dF1-F5", "dA6-B6"))
    reply = line_of(CLASSIC, start.after(move), "TG7-F6", "dG1-G5", "TF6-G6xF5xG5")
    judgement = Judgement(-200, 100, best, (), reply)
    assert fault(CLASSIC, Compared(start, move, best, reply[0])) is None
    assert fault_of(CLASSIC, start, move, judgement) is Fault.LOSES_SOON
    assert because(CLASSIC, start, move, judgement) == (
        "If the battle goes on with TG7-F6 dG1-G5 TF6-G6xF5xG5, the dwarfs lose two dwarfs."
    )


def test_moves_are_told_in_turn_however_they_come() -> None:
    record = played("dF1-F5", "TG7-F6", "dG1-G5")
    progress = Progress(record)
    news = in_turn(progress, 1, every=True)
    assert next(news) == []
    progress.add(1, 2, Judgement(0, 0))
    assert next(news) == []
    progress.add(1, 0, Judgement(100, 100))
    assert [line.split()[2] for line in next(news)] == ["dF1-F5"]
    progress.add(1, 1, Judgement(0, 0))
    assert [line.split()[2] for line in next(news)] == ["TG7-F6", "dG1-G5"]
    assert progress.complete
    assert Progress(progress.noted(record)).complete


HELD = (
    *("dP9-K14", "TG9-F10", "dA9-F14", "TJ9-K10", "dP7-K2", "TJ7-J6", "dD13-F13", "TK10-L11"),
    *("dF13-F10xF10", "TG7-G6", "dF10-F2", "TG6-E4xD3", "dF2-J2", "TH7-J7", "dG1-J3", "TJ6-H7"),
    *("dP6-G14", "TJ7-K6", "dM3-K3", "TK6-L5", "dP10-J4", "TH9-G10", "dJ4-J8xJ8", "TL5-L4xK3"),
    *("dJ8-H7xH7", "TG8-F8", "dA7-G13", "TG10-H11", "dG13-F13", "TH11-H12", "dH7-F7", "TF8-E8xF7"),
    *("dC4-C6", "TE8-E9", "dB5-B7", "TE4-D5xC6", "dA6-A8", "TD5-C6xB7", "dA8-E8", "TE9-D10"),
)
"""A battle in which a troll on L4 could capture four dwarfs from K3 for many turns."""


def test_a_danger_that_stood_for_long_is_told() -> None:
    record = played(*HELD, over=False)
    *_, turning, one, two, told = summary_lines(record, reviewed_of(record, {}))
    assert "judged" in turning
    assert one == "Turns 1 to 15: two dwarfs and three trolls were captured."
    assert two.startswith("Turns 16 to 20: three dwarfs were captured")
    assert told == (
        "From turn 13 to 20 a troll could have gone to K3 and captured four dwarfs, unanswered."
    )
    short = played(*HELD[:30], over=False)
    assert "From turn" not in "".join(summary_lines(short, reviewed_of(short, {})))


def test_a_battle_is_told_in_phases_and_when_it_was_decided() -> None:
    record = played(*HELD, over=False)
    (*_, last) = record.battles[0].positions()
    reviewed = reviewed_of(record, {})
    lost = {side: sum(each.captured[side] for each in courses(reviewed)) for side in Side}
    assert lost[Side.DWARFS] == 32 - last.dwarfs.bit_count()
    assert lost[Side.TROLLS] == 8 - last.trolls.bit_count()
    assert [(each.first, each.last) for each in courses(reviewed)] == [(1, 15), (16, 20)]
    # F7 has come and is taken at once.
    assert [each.fed for each in courses(reviewed)] == [0, 1]
    number = len(record.battles[0].moves)
    behind = {ply: Judgement(300 if ply < 20 else -500, 0) for ply in range(number)}
    told = "Decided in turn 11: from then on the trolls were expected to win by 4 points or more."
    assert told in story_lines(reviewed_of(record, behind))
    close = {ply: Judgement(-300, 0) for ply in range(number)}
    assert decided(reviewed_of(record, close)) is None
    assert decided(reviewed_of(record, {0: Judgement(-900, 0)})) is None, "not all are judged"


def test_what_a_move_leaves_open_is_told_if_a_better_one_does_not() -> None:
    record = played(*HELD[:30], over=False)
    *_, start = record.battles[0].positions()
    move, better = (parse_move(CLASSIC, start, text) for text in ("dH7-F7", "dJ3-B10"))
    judgement = Judgement(-300, 0, better)
    assert fault_of(CLASSIC, start, move, judgement) is Fault.LEAVES_OPEN
    assert because(CLASSIC, start, move, judgement) == (
        "A troll could go to K3 and capture four dwarfs, unanswered."
    )
    same = Judgement(-300, 0, parse_move(CLASSIC, start, "dH7-G7"))
    assert fault_of(CLASSIC, start, move, same) is not Fault.LEAVES_OPEN


def test_a_block_that_a_move_breaks_up_is_told_if_a_better_one_keeps_it() -> None:
    # Five dwarfs in a row; the one in the middle leaves, or stays.
    start = CLASSIC.position("5/7/9/11/13/15/5T9/7R7/15/15/13/3ddddd3/9/7/d4 d")
    middle, lone = (squares_of(start.dwarfs)[place] for place in (2, 5))
    moves = CLASSIC.legal_moves(start)
    move = next(each for each in moves if each.origin == middle and rank_of(each.destination) < 11)
    better = next(each for each in moves if each.origin == lone)
    judgement = Judgement(-300, 0, better)
    assert fault_of(CLASSIC, start, move, judgement) is Fault.BREAKS_BLOCK
    assert because(CLASSIC, start, move, judgement) == (
        "The largest block had five dwarfs before the move, and has two after it, "
        "because the block fell into two pieces."
    )


FEW = "5/4ddd/6ddd/11/13/5T9/15/7R7/15/15/13/11/9/7/5 d"
"""Classic with few dwarfs, whose outcome is nearly known."""


@pytest.mark.parametrize(
    ("variant", "start", "judgement", "cost"),
    [
        ("koom", "", Judgement(0, 600), "24% of the chance of winning"),
        ("koom", "", Judgement(-GOAL, 400), "50% of the chance of winning"),
        ("classic", FEW, Judgement(-320, 100), "4.2 points"),
        ("classic", FEW, Judgement(16, -85), "1.0 point"),
        ("classic", FEW, Judgement(-4, 196), "2.0 points"),
        ("classic", "", Judgement(-320, 100), "4 points"),
        ("classic", "", Judgement(16, -85), "1 point"),
    ],
)
def test_a_loss_is_the_difference_of_the_figures_shown(
    variant: str, start: str, judgement: Judgement, cost: str
) -> None:
    game = VARIANTS[variant]
    position = game.position(start) if start else game.start
    move = marked(game, 0, position, game.legal_moves(position)[0], judgement)
    assert cost_in_words(game, move) == cost


def test_a_move_that_lets_a_side_win_is_no_loss_of_nothing() -> None:
    game = VARIANTS["football"]
    position = game.position("5/7/9/11/13/15/15/3d3R7/7d7/10T1TT1/13/11/9/7/5 T")
    move = parse_move(game, position, "TL10-L11")
    lost = marked(game, 0, position, move, Judgement(GOAL - 1, GOAL - 3, best=None))
    lost = lost._replace(mark=Mark.BLUNDER)
    assert lost_in_words(game, lost) == "Let the dwarfs win at once."
    assert did(game, lost) == "let the dwarfs win at once"
    assert did(game, lost._replace(mark=None)) == "lost 0% of the chance of winning"
    assert "or if it lets the other side win at once ??" in marks_line(game)
    assert "win" not in marks_line(CLASSIC)


def test_draws_are_told_of_a_better_move_by_the_moves_since_the_last_capture() -> None:
    game = VARIANTS["koom"]
    position = game.start
    moves = (each for each in game.legal_moves(position) if not merits(game, position, each))
    best, played = next(moves), next(moves)
    draws = set[int]()
    for quiet in (0, 80):
        judged = Judgement(400, 600, best=best)
        made = marked(game, 90, position, played, judged, quiet=quiet)
        for move, expected in ((best, 600), (played, 400)):
            won, drawn, lost = shares(game, position.after(move), expected, quiet + 1).percents
            assert f"dwarfs {won}%, drawn {drawn}%, trolls {lost}% after" in better(game, made)
            draws.add(drawn)
    assert len(draws) > 2


@pytest.mark.parametrize("ply", [0, 60, 120])
@pytest.mark.parametrize("promised", [-2000, 0, LIMIT])
def test_with_no_goal_in_sight_a_move_costs_what_there_was(promised: int, ply: int) -> None:
    game = VARIANTS["football"]
    won, drawn, _ = shares(game, game.start, promised, ply)
    told = expected_in_words(game, game.start, promised, ply)
    assert told.endswith("%; no forced goal is in sight")
    move = parse_move(game, game.start, "dA10-B9")
    lost = marked(game, ply, game.start, move, Judgement(2 - GOAL, promised, best=move))
    assert lost.cost == pytest.approx(won + drawn / 2)
    assert cost_in_words(game, lost) == f"{round(100 * lost.cost)}% of the chance of winning"
    won, drawn, lost_then = shares(game, game.start.after(move), promised, ply + 1).percents
    then = f"dwarfs {won}%, drawn {drawn}%, trolls {lost_then}%"
    assert f"expects {then} after it" in better(game, lost)
    as_before = marked(game, ply, game.start, move, Judgement(promised + 5, promised))
    assert (as_before.cost, as_before.mark) == (0, None)
