"""The model battles: what they ask can be answered, and what they name is on the board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from thud.cli.main import main
from thud.exercises.lessons.model_battles import ModelBattle, model_battle, model_battles
from thud.exercises.lessons.model_scores import FILE_NAME, ModelScores
from thud.exercises.puzzles.search import look
from thud.records.questions import Questions, good_moves
from thud.records.tree import Cursor
from thud.records.words import place_in_words
from thud.rules.notation import move_text, parse_move
from thud.rules.variants import VARIANTS
from thud.text import capitalised, spelled

NODES = 600_000
SQUARE = "[A-HJ-P](?:1[0-5]|[1-9])"
BETTER = re.compile(r"would|better")
MOVE = re.compile(rf"[dTR]{SQUARE}-{SQUARE}(?:x{SQUARE})*")


def places(battle: ModelBattle) -> Iterator[Cursor]:
    here = Cursor.at(battle.record(), 1, 0)
    yield from (here.to(ply) for ply in range(here.last + 1))


every_battle = pytest.mark.parametrize(
    "battle", [pytest.param(each, id=each.name) for each in model_battles()]
)


def test_there_are_ten_of_each_game_with_different_titles() -> None:
    known = model_battles()
    assert [each.variant.name for each in known] == [name for name in VARIANTS for _ in range(10)]
    assert len({each.title for each in known}) == len(known)


@every_battle
def test_a_battle_is_whole_and_what_it_names_and_asks_is_legal(battle: ModelBattle) -> None:
    record = battle.record()
    assert len(record.battles) == 1
    assert record.battles[0].outcome
    near = list(places(battle))
    first, *others = (each for each in near if each.words)
    assert first.ply == 0
    assert len(others) >= 5
    for place in near:
        assert all(words.endswith((".", "?", "…")) for words in place.words)
        for text in MOVE.findall(" ".join(place.words)):
            around = near[max(0, place.ply - 2) : place.ply + 2]
            legal = (
                move_text(each.position, move)
                for each in around
                for move in battle.variant.legal_moves(each.position)
            )
            assert text in legal, place.ply
        if good := good_moves(place):
            assert place.next_move
            assert move_text(place.position, place.next_move) in good
            assert all(parse_move(battle.variant, place.position, text) for text in good)


@every_battle
def test_what_is_said_of_a_move_is_what_the_board_says(battle: ModelBattle) -> None:
    people = battle.record().match_at_start()
    for place in places(battle):
        words = " ".join(place.words)
        told, *_ = place_in_words(people, place) or [""]
        if line := re.match(r"(\w+) (?:dwarfs|trolls) in a line", told):
            for number in re.findall(r"(?i)\b(\w+) in a line|line of (\w+)", words):
                assert "".join(number).capitalize() == line[1], words
        if taken := re.search(r"captures? (\d+)", told):
            for number in re.findall(r"(\w+) dwarfs (?:at once|with one|are captured)", words):
                assert number == capitalised(spelled(int(taken[1]))), words


@pytest.mark.slow
@every_battle
def test_no_other_move_is_better_than_the_one_asked_for(battle: ModelBattle) -> None:
    variant = battle.variant
    for place in places(battle):
        if not (texts := good_moves(place)):
            continue
        good = [parse_move(variant, place.position, text) for text in texts]
        assert place.next_move
        best = look(variant, place.position, NODES)
        asked = best.score
        if best.move != place.next_move:
            asked = -look(variant, place.position.after(place.next_move), NODES).score
        others = look(variant, place.position, NODES, good)
        assert others.score < asked, (place.ply, move_text(place.position, others.move))


@pytest.mark.slow
@every_battle
def test_a_move_said_to_be_better_than_the_one_played_is(battle: ModelBattle) -> None:
    variant = battle.variant
    for before, after in pairwise(places(battle)):
        legal = {move_text(before.position, each) for each in variant.legal_moves(before.position)}
        for sentence in re.split(r"(?<=[.?…]) ", " ".join(after.words)):
            preferred = set(MOVE.findall(sentence)) & legal
            if not (BETTER.search(sentence) and preferred):
                continue
            move = parse_move(variant, before.position, preferred.pop())
            assert before.next_move != move
            played, instead = (
                -look(variant, before.position.after(each), NODES).score
                for each in (before.next_move, move)
                if each
            )
            assert instead > played, (after.ply, sentence)


def test_battles_are_listed_and_found_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    main(["models", "--list"])
    told = capsys.readouterr().out
    assert all(each.name in told and each.title in told for each in model_battles())
    assert model_battle("Koom-2").name == "koom-2"
    with pytest.raises(ValueError, match="there is no model battle 'koom-11': did you mean"):
        model_battle("koom-11")
    assert main(["models", "--plain"])
    assert "name a battle, such as classic-2" in capsys.readouterr().err


def test_the_first_answers_to_a_battles_questions_are_kept_between_runs(tmp_path: Path) -> None:
    battle = next(each for each in model_battles() if len(each.questions) == 2)
    record, scores = battle.record(), ModelScores(tmp_path)
    assert scores.in_words(battle) == f"{battle.moves} moves, 2 questions"
    here, good = Cursor.at(record, 1, 0), list[bool]()
    questions = scores.questions(record)
    for _ in range(2):
        here = here.to(questions.next_open(here))
        wrong = next(
            move
            for move in record.variant.legal_moves(here.position)
            if move_text(here.position, move) not in good_moves(here)
        )
        if not good:
            assert not questions.answer(here, wrong)
            assert not scores.done(battle)
        assert here.next_move
        good.append(questions.answer(here, here.next_move))
        here = here.to_next()
    assert good == [True, True]
    assert scores.done(battle)
    assert ModelScores(tmp_path).in_words(battle) == "1 of 2 right at first, 1 at a later try"
    first, second = battle.questions
    told = {str(first): True, str(second): 3, "1": True, "x": True}
    (tmp_path / FILE_NAME).write_text(json.dumps({battle.name: told, "x": [], "classic-1": 3}))
    assert scores.in_words(battle) == "1 of 2 answered, 1 right at first", (
        "what is asked no more does not count"
    )
    assert not scores.done(battle)
    assert sum("right" in scores.in_words(each) for each in model_battles()) == 1
    scores.reset()
    assert not any("right" in scores.in_words(each) for each in model_battles())


def test_one_goes_on_where_one_left_off_and_begins_a_battle_anew_after_its_end(
    tmp_path: Path,
) -> None:
    battle = next(each for each in model_battles() if len(each.questions) == 2)
    first, second = battle.questions
    begin = Cursor.at(battle.record(), 1, 0)

    def reopened() -> Questions:
        return ModelScores(tmp_path).questions(begin.record)

    questions, here = reopened(), begin.to(first)
    assert questions.begins == 0
    questions.leave(begin.to(1))
    assert ModelScores(tmp_path).in_words(battle) == f"move 1 of {battle.moves}, 2 questions"
    assert here.next_move
    questions.answer(here, here.next_move)
    questions.leave(here.to_next())
    questions = reopened()
    assert questions.begins == first + 1
    assert questions.open_in(begin) == [second], "the first one is answered"
    assert questions.first_open(begin) == begin.to(second)
    questions.leave(begin.to(begin.last))
    assert reopened().begins == begin.last, "a question is open"
    here = begin.to(second)
    assert here.next_move
    questions.answer(here, here.next_move)
    questions.leave(begin.to(begin.last))
    questions = reopened()
    assert (questions.begins, questions.open_in(begin)) == (0, [first, second])
    assert questions.end_at(begin.to(begin.last), "n") == (
        "Questions: 2 of 2 right at first. Two questions are open: n goes there."
    ), "the number is that of the list"


def test_a_question_is_open_until_it_is_found_also_after_one_has_left(tmp_path: Path) -> None:
    battle = next(each for each in model_battles() if len(each.questions) == 2)
    begin, scores = Cursor.at(battle.record(), 1, 0), ModelScores(tmp_path)
    places = [begin.to(ply) for ply in battle.questions]
    right = [place.next_move for place in places if place.next_move]
    legal = begin.record.variant.legal_moves(places[0].position)
    wrong = next(
        each for each in legal if move_text(places[0].position, each) not in good_moves(places[0])
    )
    questions = scores.questions(begin.record)
    questions.answer(places[0], wrong)
    for place in (places[0].to_next(), begin):
        questions.leave(place)
        questions = scores.questions(begin.record)
        assert questions.open_in(begin) == list(battle.questions)
        assert scores.in_words(battle) == "1 of 2 answered, 0 right at first"
    for place, move in zip(places, right, strict=True):
        assert not questions.all_found(begin)
        questions.answer(place, move)
    questions.leave(begin.to(places[1].ply + 1))
    questions = scores.questions(begin.record)
    assert questions.begins == places[1].ply + 1
    assert questions.all_found(begin), "found questions stay found while the battle is read"
    assert questions.back_at(begin, "End").endswith("at the end (End) they can be asked again.")
    assert not questions.back_at(begin.to(begin.last), "End")
    assert questions.end_at(begin.to(begin.last), "n").endswith("All are found: n asks again.")
    assert questions.ask_again(begin) == places[0]
    questions.answer(places[1], right[1])
    questions.leave(begin)
    questions = scores.questions(begin.record)
    assert questions.open_in(begin) == [places[0].ply]
    told = "1 of 2 right at first, 1 at a later try"
    assert scores.in_words(battle) == told, "what was once found stays so"
    assert scores.done(battle)


def test_a_file_without_what_was_found_is_read_as_before(tmp_path: Path) -> None:
    battle = next(each for each in model_battles() if len(each.questions) == 2)
    first, second = battle.questions
    begin, told = Cursor.at(battle.record(), 1, 0), {str(first): True, str(second): False}
    for place, left in ((second + 1, [second]), (0, [first, second])):
        written = {battle.name: told | {"place": place}}
        (tmp_path / FILE_NAME).write_text(json.dumps(written))
        questions = ModelScores(tmp_path).questions(begin.record)
        assert questions.open_in(begin) == left
    for found in ("3", f'[{first}, "x", 1e30]', "[[], {}]"):
        told_so = f'{json.dumps(told)[:-1]}, "found": {found}}}'
        (tmp_path / FILE_NAME).write_text(f'{{"{battle.name}": {told_so}}}')
        assert second in ModelScores(tmp_path).questions(begin.record).open_in(begin)


@pytest.mark.parametrize("place", [True, -1, 10**30, 71, "3", None, []])
def test_a_place_that_makes_no_sense_counts_as_the_beginning(tmp_path: Path, place: object) -> None:
    record = model_battle("classic-1").record()
    (tmp_path / FILE_NAME).write_text(json.dumps({"classic-1": {"place": place}}))
    assert ModelScores(tmp_path).questions(record).begins == 0


def test_an_answer_that_cannot_be_saved_is_told(tmp_path: Path) -> None:
    battle = next(each for each in model_battles() if each.questions)
    record = battle.record()
    (tmp_path / FILE_NAME).mkdir()
    questions = ModelScores(tmp_path).questions(record)
    place = Cursor.at(record, 1, battle.questions[0])
    assert place.next_move
    assert questions.answer(place, place.next_move)
    assert questions.complaint.startswith("Your answer cannot be saved: ")


def test_other_records_keep_nothing(tmp_path: Path) -> None:
    record = model_battles()[0].record()._replace(event="My own")
    here = Cursor.at(record, 1, 0)
    questions = ModelScores(tmp_path).questions(record)
    here = here.to(questions.next_open(here))
    assert here.next_move
    questions.answer(here, here.next_move)
    assert not (tmp_path / FILE_NAME).exists()


def test_a_damaged_file_of_answers_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    (tmp_path / FILE_NAME).write_text("{bad")
    assert main(["models", "--list"]) == 0
    assert f"{tmp_path / FILE_NAME} is damaged and counts as empty" in capsys.readouterr().err


def test_every_question_is_known_by_its_ply() -> None:
    for each in model_battles():
        (battle,) = each.record().battles
        asked = (any("[%ask " in told for told in node.comments) for node in battle.line)
        assert each.questions == tuple(ply for ply, asks in enumerate(asked) if asks)
        assert each.moves == len(battle.moves)
