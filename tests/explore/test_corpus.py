"""The corpus of computer battles included in the program, and the tool that makes it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import make_corpus
from make_corpus import Fixture
from rules.strategies import every_variant
from sampling import sampled
from thud import __version__
from thud.ai.player import Limits
from thud.cli.main import main
from thud.engines.analyst import Analyst
from thud.explore.files import CORPUS, corpus_of
from thud.records.formats import read_file, write_file
from thud.records.programs import level_of
from thud.records.record import Record
from thud.records.tgn.reader import read_tgn
from thud.review.judgement import Judgement
from thud.review.notes import judgements_in, without_judgements
from thud.review.reviewer import Judged, Tell
from thud.review.summary import Progress
from thud.rules.battle import Battle
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from variants import TOLD

DOCUMENT = (Path(__file__).parents[2] / "docs" / "explore.md").read_text(encoding="utf-8")
TEXT = " ".join(DOCUMENT.split())
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


@cache
def first_match(variant: Variant) -> Record:
    """Return the first match of a variant, without reading the others."""
    first, _, _ = corpus_of(variant).read_text(encoding="ascii").partition("\n\n[Event")
    [record] = read_tgn(first)
    return record


@pytest.fixture(autouse=True)
def _own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in "DATA", "CACHE":
        monkeypatch.setenv(f"THUD_{kind}_DIR", str(tmp_path / kind))


def test_it_is_small_and_of_games_that_the_rulebook_tells_of() -> None:
    assert {path.stem for path in CORPUS.iterdir()} == set(TOLD)
    assert sum(path.stat().st_size for path in CORPUS.iterdir()) < MOST_BYTES


def test_the_document_counts_the_battles() -> None:
    matches = [corpus_of(each).read_text(encoding="ascii").count("[Event ") for each in GAMES]
    told = re.search(r"adds (\d+) battles .*?: (\d+) .*?, (\d+) .*?, (\d+) .*?(\d+)", TEXT)
    assert told
    assert [int(number) // 2 for number in told.groups()] == [sum(matches), *matches]


def numbered(variant: Variant) -> Iterator[tuple[Fixture, Record]]:
    """Yield every match of a variant, with the tool's fixture for it."""
    for record in corpus(variant):
        yield Fixture(variant, int(dict(record.tags)["Round"])), record


@in_turn
def test_every_match_is_what_its_number_says(variant: Variant) -> None:
    fixtures = [fixture for fixture, _ in numbered(variant)]
    assert len({fixture.number for fixture in fixtures}) == len(fixtures) >= 20
    for fixture, record in numbered(variant):
        assert record.variant is variant
        assert record.over
        assert len(record.battles) == 2
        levels = tuple(level_of(each) for each in record.programs)
        assert levels == fixture.levels
        assert set(levels) <= {7, 9, 11}


@in_turn
def test_every_match_is_reviewed_and_only_marked_moves_are_noted(variant: Variant) -> None:
    """But for a few notes with margins that the board does not allow, which are cut when read."""
    assert any(map(has_notes, corpus(variant)))
    for record in corpus(variant):
        assert dict(record.tags)["Annotator"].endswith(f" {make_corpus._LOOKS} positions")
    assert sum(map(only_marks, corpus(variant))) >= 0.97 * len(corpus(variant))


@in_turn
def test_battles_begin_evenly_and_go_their_own_ways(variant: Variant) -> None:
    (_, record), *_ = numbered(variant)
    first, second = (battle.moves[:2] for battle in record.battles)
    assert first == second
    battles = [battle.moves for each in corpus(variant) for battle in each.battles]
    assert len(set(battles)) > 0.9 * len(battles)


@every_variant
def test_an_opening_is_repeated_and_the_battle_goes_on(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_corpus, "_GLANCE", Limits(nodes=100))
    moves = Fixture(variant, 3).opening()
    assert moves == Fixture(variant, 3).opening() != Fixture(variant, 7).opening()
    battle = Battle(variant)
    for move in moves:
        battle.play(move)
    assert battle.outcome is None


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
    assert told[1]["battles"] == sum(len(record.battles) for _, record in numbered(variant))


def test_it_goes_on_where_it_was_interrupted_and_is_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[Fixture] = []

    async def instead(fixture: Fixture) -> Record:
        if len(played) == len(GAMES) - 1:
            raise KeyboardInterrupt
        played.append(fixture)
        return first_match(fixture.variant)

    monkeypatch.setattr(Fixture, "played", instead)
    monkeypatch.setattr(make_corpus, "VARIANTS", {each.name: each for each in GAMES})
    monkeypatch.setattr(make_corpus, "CORPUS", tmp_path / "packed")
    monkeypatch.setattr(make_corpus, "corpus_of", lambda each: tmp_path / f"packed/{each.name}.tgn")
    directory = str(tmp_path / "matches")

    def run(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["make_corpus.py", directory, *arguments])
        make_corpus.main()
        return capsys.readouterr().out

    assert "interrupted" in run("--matches", "1")
    assert len(list(Path(directory).iterdir())) == len(GAMES) - 1
    played.pop()
    assert "interrupted" not in run("--matches", "1")
    assert [fixture.variant for fixture in played] == [*GAMES[:-2], *GAMES[-1:]]
    assert len(list(Path(directory).iterdir())) == len(GAMES)
    assert "classic.tgn: 2 battles" in run("--pack")
    [first] = read_file(tmp_path / "packed" / "koom.tgn")
    assert first == first_match(VARIANTS["koom"])
    # Matches in the package are not played again.
    directory = str(tmp_path / "anew")
    before = len(played)
    run("--matches", "1")
    assert len(played) == before
    assert len(list(Path(directory).iterdir())) == len(GAMES)


def test_a_match_is_reviewed_once_and_only_marked_moves_are_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def instead(
        record: Record, number: int, plies: range, _: Analyst, tell: Tell, *, limits: Limits
    ) -> None:
        best = next(iter(record.variant.legal_moves(record.start)))
        assert plies == range(len(record.battles[number - 1].moves))
        tell(Judged(0, Judgement(-500, 0, best)))
        tell(Judged(1, Judgement(-490, -500, best)))

    record = first_match(VARIANTS["single"])
    fixture = Fixture(record.variant, 1)
    file = fixture.file(tmp_path)
    write_file(file, without_judgements(record)._replace(tags=record.tags[:1]))
    monkeypatch.setattr(make_corpus, "judge_battle", instead)
    monkeypatch.setattr(sys, "argv", ["make_corpus.py", str(tmp_path), "--review"])
    make_corpus.main()
    assert capsys.readouterr().out == f"{file.stem} is reviewed\n"
    [judged] = read_file(file)
    assert dict(judged.tags)["Annotator"].endswith(" positions")
    assert [*judgements_in(judged.variant, judged.battles[1])] == [0]
    make_corpus.main()
    assert capsys.readouterr().out == ""
    assert [*read_file(file)] == [judged]
    # A deeper review starts again.
    monkeypatch.setattr(make_corpus, "_LOOKS", 17)
    make_corpus.main()
    assert capsys.readouterr().out == f"{file.stem} is reviewed\n"
    [closer] = read_file(file)
    assert closer == judged._replace(tags=closer.tags)
    assert [tag[1] for tag in closer.tags if tag[0] == "Annotator"] == [
        f"Thud {__version__}, 17 positions"
    ]


def has_notes(record: Record) -> bool:
    return any(battle.comments for battle in record.battles)


def only_marks(record: Record) -> bool:
    """Whether a review has stored judgements of marked moves only."""
    progress = Progress(record)
    battles = [progress.reviewed(number) for number in progress.numbers]
    return all(move.mark for battle in battles for move in battle.moves)
