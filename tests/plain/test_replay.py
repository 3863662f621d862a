"""A match is replayed in lines of text: places, variations, comments, marks, and what is kept."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest

from thud.cli.main import main
from thud.engines.refutation import refutation
from thud.plain.lines import Lines
from thud.plain.replay import run
from thud.records.annotation import Annotation
from thud.records.annotation_store import AnnotationStore, in_store
from thud.records.formats import read_file
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tree import Cursor
from thud.records.words import answered_in_words
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from tui.driver import placed


def record(*moves: str) -> Record:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for text in moves:
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    match.battle.agree()
    return Record.of(match)


def replayed(annotations: AnnotationStore, *script: str) -> str:
    source, sink = io.BytesIO("".join(f"{line}\n" for line in script).encode()), io.StringIO()
    run(annotations, Lines(source, sink, echo=True))
    return sink.getvalue()


PLAYED = record("dF1-F5", "TG7-F6xF5", "dG1-G5")


def test_a_battle_is_walked_through() -> None:
    script = "back", "next", "next", "list", "go 3", "next", "first", "last", "go x", "go"
    told = replayed(AnnotationStore(PLAYED._replace(event="Club night")), *script)
    begins = "Club night: Classic, Anna and Bert, one battle. Type next, or help.\n"
    assert told.startswith(begins)
    assert "That leads nowhere from here." in told
    assert "Anna moves F1-F5." in told
    assert "Bert steps G7-F6 and captures 1 dwarf." in told
    assert "1. dF1-F5 TG7-F6xF5\n2. dG1-G5\n" in told
    assert "Both players agree" in told
    assert "'x' is not a number of moves" in told
    assert "Say after how many moves, such as go 12." in told
    assert "Battle 1, move 3 of 3:" in told


def test_the_board_is_read_out_after_any_number_of_the_battles_moves() -> None:
    told = replayed(AnnotationStore(PLAYED), "draw 2", "go 2", "draw", "first", "draw 4")
    _, ahead, _, here, _, none, *_ = told.split("Battle 1, move ")
    assert ahead.split("\n")[1:] == here.split("\n")[1:]
    assert "This battle has had three moves." in none


def test_another_move_is_a_variation_and_is_lost_only_if_wanted() -> None:
    script = "f1 f4", "back", "into", "across", "into", "out", "into", "quit", "no", "delete"
    told = replayed(AnnotationStore(PLAYED), *script, "quit")
    assert "Variation from here: dF1-F4." in told
    assert "In a variation." in told
    assert told.count("Leave all the same?") == 1
    assert "only a variation can be deleted" not in told.lower()


def test_comments_and_marks_are_written_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "out.tgn"
    told = replayed(
        AnnotationStore(PLAYED),
        *("mark !", "next", "mark x", "mark !?", "comment", "comment Bold.", "arrows"),
        *("arrows I5", "arrows F1-F5 h8", "variations", f"save {file}", "quit"),
    )
    assert "No move has been made here." in told
    assert "A mark is !, !!, !?, ?!, ? or ??; or mark none." in told
    assert "Write a comment, such as comment Bold; or comment none." in told
    assert "such as arrows F1-F5 H8; or arrows none." in told
    assert "Write an arrow like F1-F5, and a circle like H8." in told
    assert "Marked !?" in told
    assert "On dF1-F5!?: Bold." in told
    assert "Leave all the same?" not in told
    (kept,) = read_file(file)
    place = Cursor.at(kept, 1, 1)
    f1, f5, h8 = map(parse_square, ("F1", "F5", "H8"))
    assert place.annotation == Annotation("!?", ((f1, f5), (h8, h8)))
    assert place.words == ("Bold.",)
    cleared = replayed(
        AnnotationStore(kept), "next", "mark none", "comment none", "arrows none", "quit", "y"
    )
    assert "Marked" not in cleared.rpartition("arrows none")[2]


def test_a_file_of_a_part_has_the_battle_and_the_place_looked_at(tmp_path: Path) -> None:
    match = PLAYED.match()
    match.next_battle()
    thud, pos = tmp_path / "first.thud", tmp_path / "first.pos"
    annotations = AnnotationStore(Record.of(match))
    told = replayed(annotations, "next", "h7 h6", f"save {thud}", f"save {pos}", "quit", "y")
    assert f"Saved as {thud} (battle 1)." in told
    assert read_file(thud)[0].match().battle.moves == PLAYED.match().battle.moves
    tried = Cursor.at(annotations.record, 1, trail=((1, 0),))
    assert pos.read_text() == f"{tried.position.to_text()}\n"


def test_a_saved_match_keeps_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(tmp_path)
    with store.adopt(PLAYED) as saved:
        name, path = saved.id, saved.path
    told = replayed(AnnotationStore(PLAYED, in_store(store, name)), "last", "mark ??", "quit")
    assert "not saved" not in told
    (kept,) = read_file(path)
    assert Cursor.at(kept, 1, 3).annotation.mark == "??"
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"last\nquit\n")))
    assert main(["replay", name, "--plain"]) == 0
    assert "Marked ??" in capsys.readouterr().out


def test_a_question_is_asked_before_its_move_is_shown() -> None:
    battle = PLAYED.battles[0]
    asked = "[%ask TG7-F6xF5] A dwarf is near."
    noted = PLAYED._replace(battles=(battle.with_notes({1: asked}),))
    script = "next", "list", "h7 h6", "g7 f6 x f5", "back", "next", "list"
    told = replayed(AnnotationStore(noted), *script)
    first, listed, wrong, right, *_ = told.split("Battle 1, move ")[1:]
    assert "A dwarf is near.\nWhat would you play as the trolls?" in first
    assert "TG7" not in listed
    assert "TH7-H6 is not as good as what was played." in wrong
    assert "Try another move." in wrong
    assert "Right: TG7-F6xF5 was played.\nBert steps G7-F6" in right
    # It is not asked again.
    assert "0 of 1 right at first, 1 at a later try." not in told
    ended = replayed(AnnotationStore(noted), *script, "last")
    assert ended.endswith("Battle 1, move 3 of 3: \n")
    assert "0 of 1 right at first, 1 at a later try." in ended
    assert told.count("What would you play") == 1
    assert told.count("2. dG1-G5") == 1
    also = {1: asked.replace("xF5]", "xF5 TH7-H6]")}
    told = replayed(
        AnnotationStore(PLAYED._replace(battles=(battle.with_notes(also),))), "next", "h7 h6"
    )
    assert "Right: TH7-H6 is as good as what was played.\nBert steps G7-F6" in told
    passed = replayed(AnnotationStore(noted), "next", "next", "back", "g7 f6 x f5")
    assert passed.count("Bert steps G7-F6") == passed.count("What would you play") == 2
    assert "Right: TG7-F6xF5 was played." in passed
    hints = replayed(AnnotationStore(noted), "hint", "next", "hint", "hint", "last", "note")
    assert "no question is open here" in hints.lower()
    assert "Look for a step. It captures one dwarf. Ask again for the piece." in hints
    assert "Look at the troll on G7." in hints
    assert "One question is open: note goes there." in hints
    assert hints.count("What would you play") == 2
    kept = AnnotationStore(noted)
    tried = replayed(kept, "f1 f4", "quit")
    assert "In a variation." in tried
    assert "not saved" not in tried
    replayed(kept, "f1 f4", "comment Short.", "quit", "no", "quit", "y")
    assert kept.behind


def test_note_goes_to_the_next_comment_mark_or_question() -> None:
    battle = PLAYED.battles[0].with_notes({1: "[%ask TG7-F6xF5]", 3: "[%mark ?!]"})
    told = replayed(AnnotationStore(PLAYED._replace(battles=(battle,))), *["note"] * 3)
    assert told.count("A question was passed over: go 1 goes back to it.") == 1
    asked, marked, again = told.split("Battle 1, move ")[1:4]
    assert "What would you play" in asked
    assert "Marked ?!" in marked
    assert "What would you play" in again, "the question is open"
    told = replayed(AnnotationStore(PLAYED), "note")
    assert "The battle's own moves have no comment, mark or question after this." in told


def test_a_command_of_a_match_is_no_slip_for_one_of_a_replay() -> None:
    told = replayed(AnnotationStore(PLAYED), "undo", "nxt")
    assert "undo' does nothing here: type help" in told.replace('"', "'")
    assert "did you mean 'next'?" in told


def test_a_club_has_no_files() -> None:
    source, sink = io.BytesIO(b"save x.tgn\nf1 f4\nquit\n"), io.StringIO()
    run(AnnotationStore(PLAYED), Lines(source, sink, echo=True), {"save"})
    assert "nknown" in sink.getvalue() or "is no" in sink.getvalue()
    assert "not saved" not in sink.getvalue()


def test_a_wrong_answer_is_answered_by_the_best_reply() -> None:
    position = placed("dF4", "dG4", "dH4", "dK12", "TJ4", "TN9", to_move="T")
    start = VARIANTS["classic"].position(position)
    here = Cursor.at(Record.of(Match(VARIANTS["classic"], start=start)), 1, 0)
    move = parse_move(here.record.variant, start, "TN9-N8")
    decision = asyncio.run(refutation(here.record.variant, start.after(move)))
    assert decision
    reply = decision.move
    told = answered_in_words(here, move, reply, good=False)
    assert told.startswith("TN9-N8 is not as good as what was played. Now the dwarf")
    assert told.endswith(" J4. Try another move.")


def test_a_wrong_answer_that_loses_nothing_is_told_what_was_missed() -> None:
    variant = VARIANTS["classic"]
    start = variant.position(placed("dF4", "dF6", "dK12", "TG5", to_move="T"))
    match = Match(variant, start=start)
    match.battle.play(parse_move(variant, start, "TG5-F5xF4xF6"))
    here = Cursor.at(Record.of(match), 1, 0)
    missed = "Two dwarfs were there for the taking."
    away = parse_move(variant, start, "TG5-H5")
    assert f"as what was played. {missed} Try" in answered_in_words(here, away, None, good=False)
    reply = asyncio.run(refutation(variant, start.after(away)))
    assert reply
    assert f"{missed} Now the dwarf" in answered_in_words(here, away, reply.move, good=False)
