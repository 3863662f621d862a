"""What was wrong comes back until it is known, and no answer is lost."""

import errno
import io
import itertools
import json
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from thud.ai.scores import GOAL
from thud.cli.main import main
from thud.exercises import practise
from thud.exercises.drill import Attempts
from thud.exercises.lessons.lesson import lessons
from thud.exercises.mistakes import MistakeTask, mistakes_drill
from thud.exercises.practise import (
    FILE_NAME,
    LESSONS,
    MOST_A_DAY,
    MOST_MISSED,
    NEW_A_DAY,
    Card,
    GradedAnswer,
    Mistake,
    Practice,
    count_answer,
    in_words,
    mistakes_in,
)
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.puzzle import tasks
from thud.exercises.puzzles.score import PuzzleScore, save_score
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.review.judgement import Judgement
from thud.review.notes import EDITION, note, with_judgements
from thud.review.summary import Progress
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.rules.symmetry import symmetries
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import LastChoices, save_choices
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.deployment import HOME
from thud.tui.drill.screen import DrillScreen
from thud.tui.front.page import FrontPage
from thud.tui.start import Practise, Replay
from thud.tui.widgets.modals import ListScreen
from tui.driver import running

CLASSIC, FOOTBALL = VARIANTS["classic"], VARIANTS["football"]


@pytest.fixture(autouse=True)
def unturned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show every card as it is, unless a test turns it."""
    monkeypatch.setattr(practise, "choice", lambda known: known[0])


RIGHT, HINTED, WRONG = Attempts(), Attempts(0, 1), Attempts(1)
START = datetime(2026, 3, 1, 12, tzinfo=UTC).astimezone()


def reviewed_match(mistakes: int = 4, programs: tuple[str, str] = ("", "")) -> Record:
    """Return a match whose first moves cost three points each, as its review says."""
    match = Match(CLASSIC, ("Ann", "Bob"))
    judged = {}
    for ply in range(mistakes):
        position = match.battle.position
        best, *_, move = CLASSIC.legal_moves(position)
        sign = -1 if ply % 2 == 0 else 1
        judged[ply] = Judgement(300 * sign, 0, best)
        match.battle.play(move)
    record = Record.of(match, programs=programs)
    return with_judgements(record, 1, judged)


def practised(directory: Path, *records: Record) -> tuple[Practice, Store]:
    """Return the practice of the mistakes in saved matches."""
    practice, store = Practice(directory), Store(directory)
    for record in records:
        store.adopt(record).close()
    practice.refresh(store)
    return practice, store


def practice_of(count: int, directory: Path) -> Practice:
    """Return the practice of so many missed puzzles."""
    score = PuzzleScore()
    for puzzle in puzzles()[:count]:
        score = score.with_solved(puzzle, WRONG)
    save_score(directory, score)
    return practised(directory)[0]


def test_each_mistake_of_a_person_becomes_a_card(tmp_path: Path) -> None:
    record = reviewed_match(programs=("", "level 3"))
    practice, _ = practised(tmp_path, reviewed_match(), record)
    assert len(practice.cards) == 4, "the same positions in both matches are the same cards"
    own = list(mistakes_in("x", record))
    assert len(own) == 2
    assert {each.mistake.name for each in own if each.mistake} == {"Ann"}
    assert Practice(tmp_path).cards == practice.cards


@pytest.mark.parametrize("name", ["Ann", "Bob", "Zoe", ""])
def test_of_two_people_ones_own_mistakes_are_practised_where_ones_name_is_known(
    tmp_path: Path, name: str
) -> None:
    practice, store = practised(tmp_path, reviewed_match())
    answered = [practice.answer(card, HINTED, START).answers for card in practice.cards]
    practice.save()
    assert len(practice.current) == 4
    save_choices(tmp_path, LastChoices(names=(name or DEFAULT_PLAYERS[0], "Eve")))
    practice = Practice(tmp_path)
    practice.refresh(store)
    whose = {card.mistake.name for card in practice.current if card.mistake}
    assert whose == ({name} if name in ("Ann", "Bob") else {"Ann", "Bob"})
    assert [card.answers for card in practice.cards] == answered, "no answer is lost"


def test_what_an_earlier_edition_judged_is_no_card(tmp_path: Path) -> None:
    (old,) = read_tgn(tgn_text(reviewed_match()).replace(f" [%judge {EDITION}]", ""))
    assert not list(mistakes_in("x", old))
    practised(tmp_path, reviewed_match())
    path = tmp_path / FILE_NAME
    path.write_text(path.read_text().replace(f"[%judge {EDITION}]", "[%judge 1]"))
    again = Practice(tmp_path)
    assert len(again.cards) == 4
    assert not again.due(START)


def test_a_puzzle_missed_is_a_card_and_one_solved_is_none(tmp_path: Path) -> None:
    first, second, third = puzzles()[:3]
    score = PuzzleScore().with_solved(first, RIGHT).with_solved(second, WRONG)
    save_score(tmp_path, score.with_solved(third, RIGHT._replace(shown=True)))
    practice, _ = practised(tmp_path)
    assert {card.puzzle for card in practice.cards} == {second, third}


def test_a_puzzle_missed_today_comes_tomorrow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = puzzles()[:2]
    today = practise.now().date()
    score = PuzzleScore().with_solved(
        first, RIGHT._replace(shown=True), day=today - timedelta(days=1)
    )
    save_score(tmp_path, score.with_solved(second, WRONG, day=today))
    practice, store = practised(tmp_path)
    assert {card.puzzle for card in practice.cards} == {first}
    assert in_words(practice) == "One position to practise today."
    practice.answer(practice.cards[0], RIGHT, practise.now())
    told = "one right. The next one comes back tomorrow"
    assert in_words(practice).endswith(f"{told}: 'thud practise --early' has it now.")
    assert in_words(practice, early="").endswith(f"{told}.")
    assert [card.puzzle for card in practice.early()] == [second]
    tomorrow = practise.now() + timedelta(days=1)
    monkeypatch.setattr(practise, "now", lambda: tomorrow)
    practice.refresh(store)
    assert {card.puzzle for card in practice.cards} == {first, second}


def test_a_round_is_counted_and_the_next_day_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice = practice_of(3, tmp_path)
    first, second, third = practice.cards
    for card, effort in ((first, WRONG), (second, RIGHT), (third, HINTED)):
        practice.answer(card, effort, practise.now())
    told = "Practised today: one right, one with a hint and one at a later try. "
    assert in_words(practice, early="") == f"{told}The next one comes back tomorrow."
    for day in range(4):
        practice.answer(first, RIGHT, practise.now() + timedelta(days=3 * day))
    later = practise.now() - timedelta(days=60)
    monkeypatch.setattr(practise, "now", lambda: later)
    due = min(card.due for card in practice.cards if card.due).astimezone()
    assert f"comes back on {due.day} {due:%B}" in in_words(practice)


def test_new_cards_come_a_few_a_day(tmp_path: Path) -> None:
    practice = practice_of(NEW_A_DAY + 5, tmp_path)
    for day, expected in enumerate((NEW_A_DAY, 5)):
        at = START + timedelta(days=day)
        fresh = [card for card in practice.due(at) if not card.answers]
        assert len(fresh) == expected
        for place, card in enumerate(fresh):
            practice.answer(card, RIGHT, at)
            left = [each for each in practice.due(at) if not each.answers]
            assert len(left) == expected - place - 1


def test_at_most_twenty_a_day_come_and_the_oldest_first(tmp_path: Path) -> None:
    practice = practice_of(40, tmp_path)
    order = [card.key for card in practice.cards]
    for day in range(4):
        for place in range(10):
            card = practice.cards[10 * day + place]
            practice.answer(card, WRONG, START + timedelta(days=day, minutes=place))
    at, came = START + timedelta(days=30), list[str]()
    for day, waiting in enumerate((20, 0)):
        then = at + timedelta(days=day)
        due = practice.due(then)
        assert len(due) == MOST_A_DAY
        assert practice.waiting(then) == waiting
        came += [card.key for card in due]
        for card in due:
            practice.answer(card, RIGHT, then)
        assert not practice.due(then), "it is enough for the day"
    assert sorted(came) == sorted(order)
    assert {*came[:10]} == {*order[:10]}


def test_what_is_missed_four_times_is_put_aside_until_it_is_brought_back(tmp_path: Path) -> None:
    practice = practice_of(2, tmp_path)
    card, other = practice.cards
    for day in range(MOST_MISSED):
        assert not practice.aside
        practice.answer(card, WRONG, START + timedelta(days=day))
    later = START + timedelta(days=60)
    assert practice.aside == 1
    assert [each.key for each in practice.due(later)] == [other.key]
    practice.save()
    practice = Practice(tmp_path)
    assert practice.aside == 1
    assert "One position put aside: 'thud practise --return' brings it back." in in_words(practice)
    assert practice.bring_back() == 1
    practice = Practice(tmp_path)
    assert {each.key for each in practice.due(later)} == {card.key, other.key}
    practice.answer(practice.cards[0], WRONG, later)
    assert not practice.aside, "those before do not count again"


def test_what_the_book_has_no_more_is_not_put_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    practice = practice_of(1, tmp_path)
    for day in range(MOST_MISSED):
        practice.answer(practice.cards[0], WRONG, START + timedelta(days=day))
    assert practice.aside == 1
    monkeypatch.setattr(practise, "_by_position", dict)
    assert practice.aside == practice.bring_back() == 0, "nothing would come back"


def test_what_is_put_aside_has_a_lesson_of_its_game() -> None:
    known = {each.name: each for each in lessons()}
    for (game, side), name in LESSONS.items():
        assert known[name].variant.name == game
        assert side in {task.position.to_move for task in known[name].tasks}
    assert set(LESSONS) == {(name, side) for name in VARIANTS for side in Side}


@pytest.mark.parametrize("of_puzzles", [True, False])
async def test_a_card_is_shown_under_every_symmetry_of_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of_puzzles: bool
) -> None:
    practice, _ = practised(tmp_path, reviewed_match(2))
    if of_puzzles:
        practice = practice_of(4, tmp_path / "of puzzles")
    for turn in range(8):
        monkeypatch.setattr(practise, "choice", lambda known: known[turn % len(known)])  # noqa: B023
        for card, drill in zip(practice.due(), practice.drills(lambda: None), strict=True):
            known = symmetries(card.variant)
            assert len(known) == (8 if card.variant.name in ("classic", "single") else 2)
            image, task = known[turn % len(known)], drill.task
            assert task.position == image.position(card.position)
            solution = task.solution
            assert solution
            assert image.back.move(solution) in card.variant.legal_moves(card.position)
            for move in task.line[:1]:
                card.variant.check(task.position, move)
            shown = f"{drill.title} {task.words}"
            is_image = image is not known[0]
            mirrors = known.index(image) >= len(known) // 2
            assert shown.count("turned") == (is_image and not mirrors), "once"
            assert shown.count("mirrored") == (is_image and mirrors), "once"
            if card.mistake:
                played = image.move(card.mistake.played)
                assert task.played == played
                then = move_text(card.position, card.mistake.played)
                here = move_text(task.position, played)
                assert f" played {then}, which lost" in task.words
                assert task.words.startswith("In the match ") is is_image
                assert f" here: {here}. What is better?" in task.words or not is_image
            assert (await drill.attempt(task.solution)).right
            await drill.close()


def with_a_dubious_move(directory: Path) -> Store:
    """Return matches with one dubious move."""
    record = reviewed_match(2)
    best = CLASSIC.legal_moves(record.match_at_start().battle.position)[0]
    store = Store(directory)
    store.adopt(with_judgements(record, 1, {0: Judgement(-200, 0, best)})).close()
    return store


def test_dubious_moves_are_cards_only_if_that_is_chosen(tmp_path: Path) -> None:
    store, practice = with_a_dubious_move(tmp_path), Practice(tmp_path)
    for dubious, count in ((False, 0), (True, 1), (False, 0)):
        practice.refresh(store, dubious=dubious)
        assert len(practice.cards) == len(Practice(tmp_path).cards) == count


def test_the_answers_to_dubious_moves_are_kept_while_these_are_not_practised(
    tmp_path: Path,
) -> None:
    store, practice = with_a_dubious_move(tmp_path), Practice(tmp_path)
    practice.refresh(store, dubious=True)
    practice.answer(practice.cards[0], WRONG, START)
    practice.save()
    for program in (practice, Practice(tmp_path)):
        for dubious in (False, True):
            program.refresh(store, dubious=dubious)
            assert [len(card.answers) for card in Practice(tmp_path).cards] == [1]
            assert len(program.due()) == dubious
            assert ("Nothing to practise" in in_words(program)) is not dubious


@pytest.mark.slow
def test_a_learner_of_sixty_days(tmp_path: Path) -> None:
    """What is forgotten comes back soon, what is known ever later."""
    practice = practice_of(8, tmp_path)
    known = {card.key for card in practice.cards[:4]}
    seen: dict[str, list[int]] = {card.key: [] for card in practice.cards}
    for day in range(60):
        at = START + timedelta(days=day)
        for card in practice.due(at):
            seen[card.key].append(day)
            practice.answer(card, RIGHT if card.key in known else WRONG, at)
        assert not practice.due(at), "nothing comes back on the same day"
    for key, days in seen.items():
        gaps = [later - day for day, later in itertools.pairwise(days)]
        if key in known:
            assert gaps == sorted(gaps), "known ever longer"
            assert len(days) <= 6
        else:
            assert max(gaps) <= 2
            assert len(days) == MOST_MISSED, "then it is put aside"


def test_a_hint_brings_a_card_back_sooner_than_none(tmp_path: Path) -> None:
    practice = practice_of(2, tmp_path)
    one, other = practice.cards
    sooner = practice.answer(one, HINTED, START).due
    later = practice.answer(other, RIGHT, START).due
    assert sooner
    assert later
    assert sooner < later


efforts = st.sampled_from((RIGHT, HINTED, WRONG))


moments = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 10**6), efforts),
    max_size=20,
    unique_by=lambda each: each[1],
).map(lambda answers: sorted(answers, key=lambda each: each[1]))


@given(moments)
def test_files_of_two_machines_join_without_loss(
    tmp_path_factory: pytest.TempPathFactory, answers: list[tuple[int, int, Attempts]]
) -> None:
    one, other = (tmp_path_factory.mktemp("machine") for _ in range(2))
    practices = [practice_of(3, one), practice_of(4, other)]
    for number, (which, seconds, effort) in enumerate(answers):
        practice = practices[number % 2]
        card = practice.cards[which % 3]
        practice.answer(card, effort, START + timedelta(seconds=seconds))
        practice.save()
    practices[0].merge(other / FILE_NAME)
    practices[1].merge(one / FILE_NAME)
    told = [{card.key: card.answers for card in Practice(each).cards} for each in (one, other)]
    assert told[0] == told[1]
    given_ = {int(START.timestamp()) + seconds for _, seconds, _ in answers}
    assert {each.at for answers in told[0].values() for each in answers} == given_


def test_two_programs_at_once_lose_nothing(tmp_path: Path) -> None:
    practice_of(2, tmp_path)
    one, other = Practice(tmp_path), Practice(tmp_path)
    one.answer(one.cards[0], RIGHT, START)
    other.answer(other.cards[1], WRONG, START)
    one.save()
    other.save()
    assert [len(card.answers) for card in Practice(tmp_path).cards] == [1, 1]


def test_mistakes_of_deleted_matches_stay_until_they_are_dropped(tmp_path: Path) -> None:
    practice, store = practised(tmp_path, reviewed_match())
    (summary,) = store.listing().unfinished
    store.discard(summary.id)
    practice.refresh(store)
    assert len(practice.cards) == 4
    assert practice.forget_missing(store) == 4
    assert not Practice(tmp_path).cards


def test_what_a_new_review_calls_no_mistake_is_dropped(tmp_path: Path) -> None:
    _, store = practised(tmp_path, reviewed_match())
    (summary,) = store.listing().unfinished
    before = store.load(summary.id)
    store.rewrite(
        summary.id, before, with_judgements(before, 1, dict.fromkeys(range(4), Judgement(0, 0)))
    )
    assert store.listing().unfinished[0].modified == summary.modified
    practice = Practice(tmp_path)
    assert len(practice.cards) == 4
    practice.refresh(store)
    assert not practice.cards
    assert not Practice(tmp_path).cards


def test_a_file_that_anybody_wrote_is_read_as_far_as_it_is_valid(tmp_path: Path) -> None:
    position = CLASSIC.start.to_text()
    broken = {
        "cards": {
            f"classic {position}": {"answers": [[5, "right"], [6, "well"], "x", [-1, "wrong"]]},
            "chess 8/8": {},
            "classic nowhere": {},
            f"koom {VARIANTS['koom'].start.to_text()}": {
                "answers": {},
                "played": "dA1-B2",
                "note": "[%eval 1]",
                "name": "Ann",
                "match": "m",
            },
            f"single {position}": [],
        },
        "read": {"m": "never", "n": 7, "o": ["x"]},
    }
    path = tmp_path / FILE_NAME
    path.write_text(json.dumps(broken))
    (card,) = Practice(tmp_path).cards
    assert card == Card(CLASSIC, CLASSIC.start, None, (GradedAnswer(5, "right"),))
    for text in ("", "[]", "{", '{"cards": 3}', "\0"):
        path.write_text(text)
        assert not Practice(tmp_path).cards
        with pytest.raises(ValueError, match="has no cards"):
            Practice(tmp_path).merge(path)


def test_the_largest_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else all cards would be lost with the next answer."""
    card = Card(CLASSIC, CLASSIC.start)
    best, *_, move = CLASSIC.legal_moves(CLASSIC.start)
    judged = note(Judgement(-300, 0, best), CLASSIC.start, move, edition=True)
    longest = Mistake(move, judged.ljust(practise._LONGEST_NOTE), "A" * 80, "m" * 80)
    answers = [GradedAnswer(10**9 + n, "right") for n in range(2 * practise._MOST_ANSWERS)]
    full = card._replace(mistake=longest).with_answers(answers)
    practice = Practice(tmp_path)
    practice._cards[full.key] = full
    practice.save()
    size = (tmp_path / FILE_NAME).stat().st_size
    assert size * practise._MOST < practise._MAX_BYTES
    assert Practice(tmp_path).cards == (full,)


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """Return a noon that the system's clock shows, later than any card here."""
    at = datetime(2027, 3, 1, 12, tzinfo=UTC).astimezone()
    set_clock(monkeypatch, at)
    return at


def set_clock(monkeypatch: pytest.MonkeyPatch, at: datetime) -> None:
    monkeypatch.setattr(practise, "now", lambda: at)
    monkeypatch.setattr("thud.disk.dates.time.time", at.timestamp)


AHEAD = timedelta(days=400)


@pytest.mark.parametrize("merged", [False, True])
def test_a_clock_that_was_ahead_costs_no_day_of_practice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: datetime, merged: bool
) -> None:
    """Ten were answered then; today ten new ones come, and a wrong answer comes back tomorrow."""
    practice = practice_of(40, tmp_path)
    set_clock(monkeypatch, today + AHEAD)
    answered = practice.due()
    for card in answered:
        practice.answer(card, RIGHT, today + AHEAD)
    practice.save()
    set_clock(monkeypatch, today)
    if merged:
        practice = Practice(tmp_path / "other")
        practice.merge(tmp_path / FILE_NAME)
    else:
        practice = Practice(tmp_path)
        practice.refresh(Store(tmp_path))
    assert len([card for card in practice.due() if not card.answers]) == NEW_A_DAY
    wrong = practice.answer(answered[0], WRONG, today)
    assert [each.grade for each in wrong.answers] == ["right", "wrong"]
    assert wrong.due
    assert timedelta() < wrong.due - today < timedelta(days=3)
    saved = Practice(tmp_path / "other" if merged else tmp_path)
    set_clock(monkeypatch, today + timedelta(days=1))
    later = Practice(tmp_path / "other" if merged else tmp_path)
    assert later.cards == saved.cards, "dated once, not anew each day"


def test_a_clock_set_right_meanwhile_leaves_each_answer_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: datetime
) -> None:
    practice_of(3, tmp_path)
    programs = Practice(tmp_path), Practice(tmp_path)
    set_clock(monkeypatch, today + AHEAD)
    for effort in (WRONG, RIGHT):
        programs[0].answer(programs[0].cards[0], effort, today + AHEAD)
    programs[0].save()
    set_clock(monkeypatch, today)
    for each in (*programs, Practice(tmp_path), *programs):
        each.save()
    card = Practice(tmp_path).cards[0]
    assert [each.grade for each in card.answers] == ["wrong", "right"]
    assert card.answers[-1].at < today.timestamp()


@pytest.mark.parametrize("merged", [False, True])
def test_what_was_brought_back_while_the_clock_was_ahead_is_put_aside_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: datetime, merged: bool
) -> None:
    practice = practice_of(1, tmp_path)
    if merged:
        practice_of(1, tmp_path / "other")

    def miss(at: datetime) -> None:
        for day in range(MOST_MISSED):
            assert not practice.aside
            practice.answer(practice.cards[0], WRONG, at + timedelta(days=day))
        assert practice.aside == 1

    set_clock(monkeypatch, today + AHEAD)
    miss(today + AHEAD)
    assert practice.bring_back() == 1
    set_clock(monkeypatch, today)
    practice = Practice(tmp_path / "other" if merged else tmp_path)
    if merged:
        practice.merge(tmp_path / FILE_NAME)
    miss(today)


def test_no_answer_of_a_clock_that_is_ahead_time_and_again_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: datetime
) -> None:
    practice_of(1, tmp_path)
    for count in range(1, 6):
        set_clock(monkeypatch, today + count * AHEAD)
        practice = Practice(tmp_path)
        practice.answer(practice.cards[0], RIGHT, today + count * AHEAD)
        practice.save()
        set_clock(monkeypatch, today)
        practice = Practice(tmp_path)
        practice.save()
        assert len(practice.cards[0].answers) == count


def test_a_clock_that_is_behind_changes_no_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, today: datetime
) -> None:
    practice = practice_of(3, tmp_path)
    card = practice.answer(practice.cards[0], RIGHT, today)
    practice.save()
    at = datetime(2000, 1, 1, tzinfo=UTC).astimezone()
    set_clock(monkeypatch, at)
    again = Practice(tmp_path)
    assert card in again.cards
    again.answer(card, WRONG, at)
    again.save()
    set_clock(monkeypatch, today)
    answers = Practice(tmp_path).cards[0].answers
    assert [each.grade for each in answers] == ["right", "wrong"], "the later one counts as later"


async def test_an_answer_is_kept_and_says_when_it_comes_back(tmp_path: Path) -> None:
    practice = practice_of(2, tmp_path)
    assert in_words(practice) == "Two positions to practise today."
    saved = list[int]()

    def keep() -> None:
        practice.save()
        saved.append(sum(len(card.answers) for card in Practice(tmp_path).cards))

    for drill in practice.drills(keep):
        while not drill.over:
            await drill.attempt(drill.task.solution)
            drill.proceed()
        assert drill.farewell.startswith("You will see it again in ")
    assert saved == [1, 2]
    again, ended = drill.farewell.split("\n\n")
    assert (again, ended) == ("You will see it again in two days.", "Done for today: two right.")
    ended = "Practised today: two right. The next one comes back in "
    assert in_words(practice) == ended + "two days."


async def test_a_hint_is_told_to_bring_it_back_sooner(tmp_path: Path) -> None:
    practice = practice_of(1, tmp_path)
    (drill,) = practice.drills(practice.save)
    drill.hint()
    while not drill.over:
        await drill.attempt(drill.task.solution)
        drill.proceed()
    assert drill.farewell.startswith("Because of the hint you will see it again tomorrow.\n\n")


async def test_a_mistake_is_asked_and_a_skipped_one_comes_again(tmp_path: Path) -> None:
    practice, _ = practised(tmp_path, reviewed_match(2))
    drills = practice.drills(practice.save)
    first = next(drills)
    assert first.task.words.startswith("Ann played d")
    assert "lost 3 points. What is better?" in first.task.words
    verdict = await first.attempt(first.task.solution)
    assert verdict.right
    second = next(drills)
    assert not second.skip()
    assert "Bob played T" in second.task.words
    assert "That was against Ann, on " in second.task.words
    await first.close()
    await second.close()
    (card, *_) = practice.cards
    assert card.mistake
    nameless = card._replace(mistake=card.mistake._replace(name="Player 1"))
    drill = practice._drill(nameless, symmetries(CLASSIC)[0], "Practise", 0, practice.save)
    assert drill.tasks[0].words.startswith("You played d")
    assert len(practice.due(datetime.now(UTC).astimezone())) == 1


async def test_a_mistake_in_football_costs_as_much_as_when_it_was_made(tmp_path: Path) -> None:
    match, random = Match(FOOTBALL, ("Ann", "Bob")), Random(3)
    while match.battle.played < 100:
        moves = FOOTBALL.legal_moves(match.battle.position)
        match.battle.play(random.choice(moves))
    best = next(move for move in moves if move != match.battle.moves[-1])
    judged = {99: Judgement(0, 9 - GOAL, best)}
    record = with_judgements(Record.of(match), 1, judged)
    (made,) = Progress(record).reviewed(1).mistakes
    practised(tmp_path, record)
    (drill,) = Practice(tmp_path).drills(lambda: None)
    assert isinstance(drill.task, MistakeTask)
    assert drill.task.mistake.cost == made.cost
    await drill.close()


async def test_what_comes_tomorrow_can_be_practised_today_and_comes_hardly_later_for_it(
    tmp_path: Path,
) -> None:
    missed = puzzles()[1]
    save_score(tmp_path, PuzzleScore().with_solved(missed, WRONG, day=practise.now().date()))
    practice, store = practised(tmp_path)
    assert not practice.due()
    assert not [*practice.drills(practice.save)]
    (drill,) = practice.drills(practice.save, early=True)
    while not drill.over:
        await drill.attempt(drill.task.solution)
        drill.proceed()
    assert drill.farewell.startswith("You will see it again tomorrow.")
    (card,) = Practice(tmp_path).cards
    assert [each.grade for each in card.answers] == ["wrong", "right"]
    practice.refresh(store)
    assert not practice.due()
    assert [each.puzzle for each in practice.early()] == [missed]


async def test_an_answer_in_a_review_counts_as_one_of_today(tmp_path: Path) -> None:
    record = reviewed_match(2)
    _, store = practised(tmp_path, record)
    drill = mistakes_drill(Progress(record).reviewed(1), Side.DWARFS, "Ann")
    assert drill
    drill.answered = partial(count_answer, store)
    drill.give_up()
    await drill.close()
    answered = {
        card.mistake.name: [each.grade for each in card.answers]
        for card in Practice(tmp_path).cards
        if card.mistake
    }
    assert answered == {"Ann": ["shown"], "Bob": []}
    (left,) = Practice(tmp_path).due()
    assert left.mistake
    assert left.mistake.name == "Bob"
    count_answer(store, next(tasks(puzzles()[0])), RIGHT)
    assert len(Practice(tmp_path).cards) == len(answered), "only cards are answered"


async def test_the_board_counts_an_answer_in_a_review(tmp_path: Path) -> None:
    practice, store = practised(tmp_path, reviewed_match(2))
    (name,) = {card.mistake.match for card in practice.cards if card.mistake}
    start = Replay(store.load(name), name=name, learn=(1, Side.DWARFS))
    async with running(ThudApp(start, store=store)) as player:
        await player.see(DrillScreen)
        await player.press("s")
        await player.until(lambda: any(card.answers for card in Practice(tmp_path).cards))


async def test_the_board_offers_what_comes_tomorrow(tmp_path: Path) -> None:
    missed = puzzles()[1]
    save_score(tmp_path, PuzzleScore().with_solved(missed, WRONG, day=practise.now().date()))
    app = ThudApp(Practise(), store=Store(tmp_path), preferences=Preferences(None))
    async with running(app) as player:
        await player.see(ListScreen)
        await player.until(lambda: "The next one comes back tomorrow." in player.written)
        await player.press("escape")
        await player.until(lambda: "comes back tomorrow." in player.text("#notice"))
        await player.press("P")
        await player.see(ListScreen)
        await player.until(lambda: "Practise one position of tomorrow now" in player.written)
        await player.press("enter")
        assert (await player.see(DrillScreen)).drill.title.startswith("Practise: ")

    async with running(ThudApp(Practise(early=True), store=Store(tmp_path))) as player:
        assert (await player.see(DrillScreen)).drill.title.startswith("Practise: "), "unasked"


async def test_a_skipped_one_comes_again_at_the_end_of_the_round_once(tmp_path: Path) -> None:
    practice, skipped = practice_of(3, tmp_path), list[str]()
    numbers = list[str]()
    for drill in practice.drills(practice.save):
        numbers.append(drill.title.split(":")[0])
        if not skipped:
            skipped.append(str(drill.tasks[0].position))
            continue
        while not drill.over:
            await drill.attempt(drill.task.solution)
            drill.proceed()
    assert numbers == [
        f"Practise, {which}" for which in ("1 of 3", "2 of 3", "3 of 3", "1 of 3 again")
    ]
    assert [str(drill.tasks[0].position)] == skipped, "on the board as before"


# The command, and the board


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    return tmp_path


def test_the_status_is_a_line_and_an_exit_status(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    with pytest.raises(SystemExit) as nothing:
        main(["practise", "--status"])
    assert not nothing.value.code
    practice_of(1, data)
    with pytest.raises(SystemExit) as something:
        main(["practise", "--status"])
    assert something.value.code == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told] == [
        "Nothing to practise yet",
        "One position to practise today.",
    ]


@pytest.mark.parametrize("early", [False, True])
def test_the_board_begins_with_what_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, data: Path, early: bool
) -> None:
    starts = list[object]()
    monkeypatch.setattr("thud.cli.launch.show", lambda start, _: starts.append(start))
    main(["practise", *["--early"] * early])
    assert starts == [Practise(early)]


def test_in_lines_an_answer_is_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    puzzle = puzzles()[0]
    practice_of(1, data)
    typed = move_text(puzzle.position, puzzle.solutions[0][0]) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    assert main(["practise", "--plain"]) == 0
    assert "You will see it again in two days." in capsys.readouterr().out
    (card,) = Practice(data).cards
    assert [each.grade for each in card.answers] == ["right"]


def test_without_a_disk_one_can_practise_and_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    puzzle = puzzles()[0]
    save_score(data, PuzzleScore().with_solved(puzzle, WRONG))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(practise, "write_small", full)
    typed = move_text(puzzle.position, puzzle.solutions[0][0]) + "\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
    assert main(["practise", "--plain"]) == 0
    told = capsys.readouterr()
    assert "You will see it again in two days." in told.out
    assert told.err == "thud practise: your answers are not kept: No space left on device\n"


def test_without_a_disk_nothing_is_said_of_answers_if_there_are_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    store = Store()
    store.adopt(reviewed_match(programs=("level 3", "level 3"))).close()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(practise, "write_small", full)
    assert main(["practise", "--plain"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("Nothing to practise yet")
    assert told.err == ""


def test_files_are_merged_and_the_deleted_forgotten_by_the_command(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other")
    practice_of(3, other)
    assert main(["practise", "--merge", str(other / FILE_NAME)]) == 0
    assert main(["practise", "--forget-deleted"]) == 0
    assert capsys.readouterr().out == "Three new positions.\nNo positions dropped.\n"
    assert len(Practice(data).cards) == 3
    assert main(["practise", "--merge", str(other / "missing.json")]) == 2
    assert f"there is no file {other / 'missing.json'}" in capsys.readouterr().err
    (data / FILE_NAME).write_text("{bad")
    assert main(["practise", "--forget-deleted"]) == 0
    assert f"{data / FILE_NAME} is damaged and counts as empty" in capsys.readouterr().err
    assert (data / f"{FILE_NAME}.damaged").read_text() == "{bad"


@pytest.mark.parametrize("home", [True, False])
async def test_on_the_board_the_way_back_is_named_where_there_is_a_shell(
    tmp_path: Path, home: bool
) -> None:
    practice = practice_of(1, tmp_path)
    for day in range(MOST_MISSED):
        practice.answer(practice.cards[0], WRONG, START + timedelta(days=day))
    practice.save()
    app = ThudApp(Practise(), store=Store(tmp_path), deployment=replace(HOME, files=home))
    async with running(app) as player:
        await player.see(ListScreen)
        await player.press("escape")
        await player.see(FrontPage)
        await player.until(lambda: "put aside" in player.text("#notice"))
        assert ("thud practise --return" in player.text("#notice")) is home


async def test_on_the_board_what_is_due_is_practised_and_counted(tmp_path: Path) -> None:
    puzzle = puzzles()[0]
    practice_of(1, tmp_path)
    app = ThudApp(Practise(), store=Store(tmp_path), preferences=Preferences(None))
    async with running(app) as player:
        await player.see(DrillScreen)
        text = move_text(puzzle.position, puzzle.solutions[0][0])
        await player.press(":", *text, "enter")
        await player.until(lambda: "see it again" in player.question)
        await player.until(lambda: "next: " in player.question)
        assert "finish" in player.question
        assert "go on" not in player.question, "nothing else is due"
        await player.press("enter")
        await player.see(FrontPage)
        done = "Done for today: one right. The next one comes back in two days."
        await player.until(lambda: " ".join(player.text("#notice").split()) == done)
        await player.until(lambda: "due in two days" in player.text("#practise"))
        await player.press("P")
        await player.until(lambda: "Practised today: one right." in player.text("#notice"))
    await player.until(lambda: all(card.answers for card in Practice(tmp_path).cards))


async def test_an_arrow_marks_the_mistake_and_the_solution_is_drawn_before_it_is_played(
    tmp_path: Path,
) -> None:
    practice, _ = practised(tmp_path, reviewed_match(2))
    app = ThudApp(Practise(), store=Store(tmp_path), preferences=Preferences(None))
    async with running(app) as player:
        screen = await player.see(DrillScreen)
        (first, *_) = practice.due()
        assert first.mistake
        await player.until(lambda: "An arrow marks the move played, a ring" in player.message)
        assert list(screen.picker.shapes) == [first.mistake.played[:2]]
        await player.press("s")
        await player.until(lambda: player.question.startswith("The solution: "))
        assert "next: " not in player.question, "the round is not over"
        assert not screen.picker.match.battle.moves
        assert screen.picker.advice.move == screen.drill.task.solution
        await player.press("right")
        assert list(screen.picker.match.battle.moves) == [screen.drill.task.solution]
        assert not screen.picker.shapes
        await player.press("enter")
        await player.until(lambda: "2 of 2" in player.written)
        await player.press("n")
        await player.see(FrontPage)
        await player.until(
            lambda: player.text("#notice") == "Practised today: one shown. One position left today."
        )
