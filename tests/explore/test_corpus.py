"""The corpus of computer battles included in the program, and the tool that makes it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

import make_corpus
from sampling import sampled
from thud.ai.player import Limits
from thud.cli.main import main
from thud.engines.analyst import Analyst
from thud.explore.files import CORPUS, corpus_of
from thud.explore.library import Library
from thud.records.formats import read_file
from thud.records.record import Record
from thud.review.judgement import Judgement, is_mistake
from thud.review.notes import judgements_in
from thud.review.reviewer import Judged, Tell
from thud.review.summary import Progress
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from variants import TOLD

CLASSIC = VARIANTS["classic"]
MOST_BYTES = 2_000_000
GAMES = [variant for variant in VARIANTS.values() if corpus_of(variant).exists()]
"""A game without battles of the computer is explored like one that nobody has played."""

in_turn = pytest.mark.parametrize(
    "variant", sampled(sorted(GAMES, key=lambda each: corpus_of(each).stat().st_size), every=4)
)
"""Run a test for each game that has a corpus: for the smallest of them in every run."""


@cache
def corpus(variant: Variant) -> tuple[Record, ...]:
    """Return the matches of a variant, read only once."""
    return read_file(corpus_of(variant))


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in "DATA", "CACHE":
        monkeypatch.setenv(f"THUD_{kind}_DIR", str(tmp_path / kind))


def test_it_is_small_and_of_games_that_the_rulebook_tells_of() -> None:
    assert {path.stem for path in CORPUS.iterdir()} == set(TOLD)
    assert sum(path.stat().st_size for path in CORPUS.iterdir()) < MOST_BYTES


@in_turn
def test_matches_are_numbered_over_different_and_judged_by_the_present_evaluation(
    variant: Variant,
) -> None:
    records = corpus(variant)
    assert len({dict(record.tags)["Round"] for record in records}) == len(records) >= 100
    for record in records:
        assert record.variant is variant
        assert record.over
        assert len(record.battles) == 2
        assert all(" positions a move" in each for each in record.programs)
        progress = Progress(record)
        assert not progress.outdated
        moves = (move for n in progress.numbers for move in progress.reviewed(n).moves)
        assert all(is_mistake(move.mark) for move in moves)
    battles = [battle.moves for each in records for battle in each.battles]
    # The dwarfs win Football soon, and often in the same way.
    least = 0.6 if variant.name == "football" else 0.85
    assert len(set(battles)) > least * len(battles)
    assert len({moves[0] for moves in battles}) <= 10
    assert len({moves[:3] for moves in battles}) < 0.6 * len(battles)


@in_turn
def test_it_is_looked_into_where_that_is_asked_for(
    variant: Variant, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for asked in [], ["--corpus"]:
        assert main(["explore", "--variant", variant.name, "--json", *asked]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert (told[0]["files"], told[0]["battles"]) == (0, 0)
    assert (told[1]["files"], told[1]["passed_over"]) == (1, 0)
    assert told[1]["battles"] == sum(len(record.battles) for record in corpus(variant))


def test_the_board_has_it_unless_files_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []

    def show(*_: object, library: Callable[[], Library]) -> None:
        with closing(library()) as matches:
            files.append(matches.update(lambda _: None).files)

    monkeypatch.setattr("thud.cli.launch.show", show)
    for named in [], [str(tmp_path)], ["--corpus", str(tmp_path)]:
        assert main(["explore", *named]) == 0
    assert files == [1, 0, 1]


def test_it_is_played_judged_and_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With moves of ours in place of those that the core's program finds."""

    def continued(
        variant: Variant, position: Position, program: str, nodes: int
    ) -> list[tuple[Move, int]]:
        assert program == "selfplay"
        found, score = [], 300
        for _ in range(40):
            move = next(m for m in variant.legal_moves(position) if not m.captures)
            found.append((move, score))
            position, score = position.after(move), -score
        return found

    async def judged(
        record: Record, number: int, plies: list[int], _: Analyst, tell: Tell, *, limits: Limits
    ) -> None:
        position = list(record.battles[number - 1].positions())[plies[0]]
        best = record.variant.legal_moves(position)[-1]
        sign = 1 if position.to_move is Side.DWARFS else -1
        tell(Judged(plies[0], Judgement(-400 * sign, 0, best)))
        tell(Judged(plies[1], Judgement(0, 0)))

    monkeypatch.setattr(make_corpus, "_continued", continued)
    monkeypatch.setattr(make_corpus, "judge_battle", judged)
    monkeypatch.setattr(make_corpus, "_NODES", 200)
    monkeypatch.setattr(make_corpus, "_FIRST", Limits(nodes=2_000))
    monkeypatch.setattr(make_corpus, "corpus_of", lambda each: tmp_path / f"{each.name}.tgn")
    make_corpus.choices.cache_clear()
    directory = tmp_path / "matches"
    assert [*make_corpus.openings(CLASSIC, 3)] == [*make_corpus.openings(CLASSIC, 3)]

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["make_corpus.py", "classic", str(directory), *arguments])
        make_corpus.main()
        return capsys.readouterr().out

    assert run("--selfplay", "selfplay", "--matches", "1").startswith("classic-0001 ")
    assert run("--selfplay", "selfplay", "--matches", "1") == ""
    assert run("--judge") == "classic-0001 is judged\n"
    assert run("--judge") == ""
    assert "classic.tgn: 2 battles" in run("--pack")
    [record] = read_file(tmp_path / "classic.tgn")
    assert record.over
    for battle in record.battles:
        assert len(battle.moves) == 6 + 20, "the quiet moves at the end are cut"
        assert len(judgements_in(record.variant, battle)) == 1
    assert not Progress(record).outdated
    make_corpus.choices.cache_clear()
