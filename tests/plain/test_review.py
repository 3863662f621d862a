"""A battle that is over is judged in lines of text, and its mistakes are gone over."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plain.playing import begun, played
from thud.exercises.practise import Practice
from thud.records.record import Record
from thud.review.judgement import Judgement
from thud.review.notes import judgements_in
from thud.review.reviewer import Judged
from thud.rules.notation import parse_move

MOVES = ("f1 f5", "g7 f6 none", "g1 g5", "f6 g6 all")


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch) -> None:
    async def judged(
        record: Record, _: int, plies: list[int], __: object, tell: Callable[[Judged], None]
    ) -> None:
        battle = record.battles[0]
        positions = list(battle.positions())
        for ply in plies:
            judgement = Judgement(0, 0)
            if ply == 2:
                best = parse_move(record.variant, positions[2], "dF5-F1")
                judgement = Judgement(-250, 0, best, (), battle.moves[3:])
            tell(Judged(ply, judgement))

    monkeypatch.setattr("thud.plain.match.judge_battle", judged)


def test_a_battle_is_judged_once_it_is_over(tmp_path: Path) -> None:
    session = played(tmp_path, "review", *MOVES, "end", "yes", "review", "review")
    assert "A battle is reviewed when it is over." in session.said
    marked = "Turn 2, dG1-G5 ?  Cost the dwarfs 3 points."
    assert session.said.count(marked) == 2
    assert sum("can take a minute" in line for line in session.said) == 1
    assert any(each == "2 of 4 moves judged." for each in session.said)
    assert "Type learn to go over mistakes." in session.said
    assert "Ann (dwarfs): accuracy 59%, two moves." in session.said
    assert len(judgements_in(begun().variant, session.kept.battles[0])) == 4


def test_moves_judged_before_count_as_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def first(
        _: Record, __: int, plies: list[int], ___: object, tell: Callable[[Judged], None]
    ) -> None:
        tell(Judged(plies[0], Judgement(0, 0)))

    monkeypatch.setattr("thud.plain.match.judge_battle", first)
    session = played(tmp_path, *MOVES, "end", "yes", "review", "review", "review")
    counted = [each for each in session.said if each.endswith("of 4 moves judged.")]
    assert counted == [f"{judged} of 4 moves judged." for judged in (1, 2, 3)]


def test_who_made_no_move_is_not_said_to_have_made_no_mistakes(tmp_path: Path) -> None:
    script = "f1 f5", "resign", "yes", "review", "learn trolls", "learn dwarfs"
    session = played(tmp_path, *script)
    assert not any("Type learn" in line for line in session.said)
    assert session.said.count("Bob (trolls): no move to judge.") == 2
    assert "Ann made no mistakes with the dwarfs." in session.said
    session = played(tmp_path / "nothing", "resign", "yes", "review", "learn dwarfs")
    assert session.said.count("Ann (dwarfs): no move to judge.") == 2


def test_mistakes_are_gone_over_and_then_the_match_goes_on(tmp_path: Path) -> None:
    session = played(
        tmp_path,
        *(*MOVES, "end", "yes", "learn dwarfs", "review", "learn", "learn trolls"),
        *("learn dwarfs", "skip", "learn dwarfs", "hint", "f5 f1", "next"),
    )
    assert "Nothing has been reviewed here: type review first." in session.said
    assert "Say whose mistakes: learn dwarfs, or learn trolls." in session.said
    assert "Bob made no mistakes with the trolls." in session.said
    assert "0 of 1 found at the first try, one skipped. That was the only one." in session.said
    assert "Look at the dwarf on F5." in session.said
    assert any(line.startswith("Right: better by ") for line in session.said)
    assert session.said.count("Back at the match.") == 2
    answers = [card.answers for card in Practice(tmp_path).cards]
    assert [[each.grade for each in given] for given in answers] == [["hint"]], "it counts"
    assert len(session.kept.battles) == 2
    assert len(judgements_in(begun().variant, session.kept.battles[0])) == 4
