"""Matches played in lines of text."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import fake_engine
from plain.playing import begun, played, played_bytes
from records.matches import variations_of
from rules.drawing import drawn
from rules.test_typed import SHOVES
from saving import begin
from session.test_calm import FEW, RETURNED, SHUFFLE
from thud.ai.player import Decision
from thud.disk.atomic import write_atomic
from thud.engines.client import Engine
from thud.engines.spec import Contender, parse_contender
from thud.plain.lines import Lines
from thud.plain.match import MatchRepl, run
from thud.records.formats import match_in
from thud.records.links import is_link, read_link
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.clock import parse_control
from thud.rules.match import Handicap, Match, starts_at
from thud.rules.notation import move_text, parse_move
from thud.session.autosave import Autosave
from thud.session.commands import COMMANDS
from thud.session.session import Session

HUMAN = parse_contender("human")
CHOICE = drawn(SHOVES, "T").to_text()
"""G8 to G7 may capture F6, F7 and H6."""


def fake(how: str) -> Contender:
    return Contender(
        f"engine:{how}", "Fake", how, (sys.executable, fake_engine.__file__ or "", how)
    )


NOWHERE = Path("/dev/null/thud")
"""Nothing can be kept here."""


@given(st.binary(max_size=400))
def test_whatever_is_typed_the_match_goes_on(source: bytes) -> None:
    model = begun()
    played_bytes(NOWHERE, source.replace(b"q", b"") + b"\n\nback\nno\nf1 f5\n", model)
    assert model.battle.moves


orders = st.sampled_from([*COMMANDS, "f1", "f1 f5", "g7 f6", "all", "yes", "no", "quit now", "?"])
rests = st.sampled_from(["", "x", "A6", "12", "all", "é", "9" * 90])


@given(st.lists(st.tuples(orders, rests), max_size=12))
def test_words_in_any_order_are_answered(words: list[tuple[str, str]]) -> None:
    unsafe = "save", "open", "hint"
    script = [" ".join(each).strip() for each in words if each[0] not in unsafe]
    session = played(NOWHERE, *script)
    assert all(line.isascii() for line in session.said if "é" not in line)


QUESTION = "On G7 the troll can capture F6, F7 and H6. Captures: all, none, or squares?"


@pytest.mark.parametrize(
    ("answers", "captures"),
    [
        (["all"], "xF6xF7xH6"),
        (["none"], ""),
        (["h6, f6"], "xF6xH6"),
        (["g5", "f7"], "xF7"),
    ],
)
def test_what_a_move_leaves_open_is_asked(
    tmp_path: Path, answers: list[str], captures: str
) -> None:
    session = played(tmp_path, "g8 g7", *answers, position=CHOICE)
    assert sum(line.startswith(QUESTION) for line in session.said) == len(answers)
    ((move,),) = (battle.moves for battle in session.kept.battles)
    assert move_text(session.kept.start, move) == f"TG8-G7{captures}"


@pytest.mark.parametrize("answer", ["", "back", "cancel"])
def test_a_choice_can_be_given_up(tmp_path: Path, answer: str) -> None:
    session = played(tmp_path, "g8 g7", answer, position=CHOICE)
    assert session.said[-2] == "No move was made."
    assert not session.store.listing().unfinished


def test_take_all_asks_nothing(tmp_path: Path) -> None:
    session = played(tmp_path, "take all", "g8 g7", "take", position=CHOICE)
    assert "Bob: troll steps from G8 to G7 and captures F6, F7 and H6." in session.said
    assert "Say take all, or take ask." in session.said


def test_an_illegal_move_is_refused_with_its_reason(tmp_path: Path) -> None:
    session = played(tmp_path, "f1 f15", "a1 b2", "g7 g6", "castle", "f9", "")
    assert [line for line in session.said[17:] if "Your move:" not in line] == [
        "Dwarf on F1 cannot reach F15: a dwarf stands on F15.",
        "A1 is off the board.",
        "It is the dwarfs' turn, but G7 has a troll.",
        "Unknown command 'castle': type help, or a move like F1 F5.",
        "F9 can be reached from A9, B5, C12, F1, F15 and L14: say which.",
        "Type a move like F1 F5, or help.",
    ]
    assert not session.store.listing().unfinished


def test_undo_and_redo(tmp_path: Path) -> None:
    session = played(tmp_path, "undo", "redo", "f1 f5", "undo 2", "u", "redo 5", "r")
    assert session.answers("Your move: undo") == ["There is nothing to undo."]
    assert session.answers("Your move: redo") == ["There is nothing to redo."]
    assert session.answers("Your move: undo 2") == [
        "Undo goes back one turn at a time: leave out '2'."
    ]
    assert session.answers("Your move: redo 5") == [
        "Redo goes forward one turn at a time: leave out '5'."
    ]
    assert session.said.count("Undone: dwarf moves from F1 to F5.") == 1
    assert session.said.count("Ann: dwarf moves from F1 to F5.") == 2


def test_the_other_player_is_asked_to_end_a_battle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.plain.narrator._SOON", 0)
    session = played(tmp_path, "end", "what", "n", "f1 f5", "g7 f6", "yes", "g1 g2", "end", "no")
    assert "Please answer yes or no." in session.said
    assert "Bob plays on. You can resign: type resign." in session.said
    assert "Ann plays on." in session.said, "whoever leads is not told to resign"
    assert not [line for line in session.said if "is thinking" in line]


def test_sides_are_exchanged_and_the_match_is_reckoned(tmp_path: Path) -> None:
    battle = ["f1 f5", "g7 f6 all", "end", "y"]
    session = played(tmp_path, *battle, "", "score", *battle, "next", "score", "link", "new")
    link = next(line for line in session.said if is_link(line))
    assert len(match_in(read_link(link).text)[0].battles) == 2
    assert "Bob has the dwarfs. Ann has the trolls." in session.said
    assert "In the first battle Ann made 31 points, Bob made 32 points." in session.said
    result = session.said.index("Ann: 63 points in the match.")
    assert session.said[result : result + 3] == [
        "Ann: 63 points in the match.",
        "Bob: 63 points in the match.",
        "The match is drawn.",
    ]
    assert "A match has two battles, and the second has begun." in session.said
    assert session.kept.over
    assert session.talk.match.number == 1
    assert session.talk.match.battle.moves == ()


def test_a_new_match_in_the_middle_of_one_is_asked_for(tmp_path: Path) -> None:
    session = played(tmp_path, "f1 f5", "new", "no", "new", "yes", "g1 g5")
    assert len(session.store.listing().unfinished) == 2


def test_earlier_positions_can_be_heard(tmp_path: Path) -> None:
    session = played(
        tmp_path, "f1 f5", "board 0", "board 1", "board 2", "board x", "draw 0", "list", "dwarfs"
    )
    assert session.answers("Your move: board 0")[0] == "Rank 1: dwarfs F1 G1 J1 K1."
    assert session.answers("Your move: board 1")[0] == "Rank 1: dwarfs G1 J1 K1."
    assert session.answers("Your move: board 2") == ["This battle has had one move."]
    assert session.answers("Your move: board x") == ["'x' is not a number of moves."]
    assert session.answers("Your move: draw 0")[1].split() == ["1", *"dd.dd", "1"]
    assert session.answers("Your move: list") == ["1. dF1-F5"]
    (dwarfs,) = session.answers("Your move: dwarfs")
    assert dwarfs.startswith("32 dwarfs: A6, A7, A9, A10, B5, B11, C4, C12, D3, D13, E2, E14, F5,")


def test_a_match_is_saved_and_opened(tmp_path: Path) -> None:
    file, picture = tmp_path / "match.tgn", tmp_path / "board.svg"
    session = played(tmp_path / "data", "f1 f5", f"save {file}", f"save {file}", f"save {picture}")
    assert session.answers(f"save {file}") == [f"Saved as {file}."]
    assert f"{file} exists: nothing was written." in session.said
    assert picture.read_text().startswith("<svg")
    again = played(tmp_path / "other", f"open {file}", "g9 g10", variant="koom")
    assert [len(battle.moves) for battle in again.kept.battles] == [2]
    assert again.answers(f"open {file}")[0] == "Classic, battle 1 of 2."
    (summary,) = again.store.listing().unfinished
    by_id = played(tmp_path / "other", f"open {summary.id}", "list", "open 20200101-000000-0000")
    assert by_id.answers("Your move: list") == ["1. dF1-F5 TG9-G10"]
    assert "There is no saved match '20200101-000000-0000'." in by_id.said


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("open", "Name a file, such as open battle.tgn."),
        ("open nothing.tgn", "No such file or directory."),
        ("open /", "Not a file."),
        ("save", "Name a file, such as save battle.tgn."),
        ("save x.doc", "'x.doc' must end in .tgn, .thud, .json, .pos, .svg, .png or .gif."),
        ("save /dev/null/x.tgn", "/dev/null/x.tgn cannot be written: Not a directory."),
    ],
)
def test_files_that_cannot_be_used(tmp_path: Path, line: str, answer: str) -> None:
    assert played(tmp_path, line).answers(line) == [answer]


def test_a_finished_match_is_looked_at_and_kept_anew_when_played_on(tmp_path: Path) -> None:
    end = ["f1 f5", "end", "y"]
    over = played(tmp_path, *end, "next", *end, f"save {tmp_path / 'over.tgn'}")
    assert over.said[-1].startswith("Saved. Replay with: thud replay --plain ")
    other = tmp_path / "other"
    session = played(other, f"open {tmp_path / 'over.tgn'}", "board 0", "score", "quit")
    assert "The match is over. New match, undo, or quit? board 0" in session.said
    assert not other.exists()
    session = played(other, f"open {tmp_path / 'over.tgn'}", "undo", "g9 g10")
    kept = session.kept
    assert kept.over
    assert [len(battle.moves) for battle in kept.battles] == [1, 1]
    assert [len(variations_of(battle.line)) for battle in kept.battles] == [0, 1]
    assert "The match is saved as it was played; what you play now is a variation." in session.said


def test_what_cannot_be_kept_is_told_once(tmp_path: Path) -> None:
    session = played(NOWHERE, "f1 f5", "g9 g10")
    told = [line for line in session.said if "cannot be saved" in line]
    assert told == ["The match cannot be saved in /dev/null/thud/matches: Not a directory."]
    assert session.said[-1] == "The match is not saved."


# Computers


def test_whoever_plays_a_computer_is_told_of_it_as_you(tmp_path: Path) -> None:
    game = begun().variant
    match = Match(game, ("Ann", "Bob"), *starts_at(game, Handicap(0, 2)), parse_control("20"))
    seats = HUMAN, parse_contender("random")
    session = played(tmp_path, "clock", "resign", "yes", "next", match=match, seats=seats)
    assert "You have 20 minutes left." in session.said
    assert "You have the dwarfs. Bob has the trolls." in session.said
    assert any(line.startswith("You give two steps: ") for line in session.said)
    assert "You: 0 points, resigned." in session.said
    begins = session.said.index("Bob has the dwarfs now: the sides are swapped.")
    assert session.said[begins + 2] == "Bob has the dwarfs. You have the trolls."


class Pipe(io.StringIO):
    """Where nobody reads any more after some lines."""

    def write(self, text: str) -> int:
        if len(self.getvalue().splitlines()) > 30:
            raise BrokenPipeError
        return super().write(text)


def test_computers_stop_when_nobody_reads_any_more(tmp_path: Path) -> None:
    seats = parse_contender("random"), parse_contender("random")
    session = Session(begun(), Autosave(Store(tmp_path)), seats)
    with pytest.raises(BrokenPipeError):
        run(MatchRepl(session, Lines(io.BytesIO(), Pipe(), echo=True)))
    assert session.state.left
    assert not session.state.match.battles[0].outcome
    assert Store(tmp_path).load(session.autosave.id).battles[0].moves == session.state.battle.moves


def test_a_computer_that_fails_hands_its_side_over(tmp_path: Path) -> None:
    seats = fake("crash")._replace(name="fake"), HUMAN
    session = played(tmp_path, "again", "f1 f5", seats=seats)
    failed = "fake stopped (exit status 3: 'what a \\x1b[31mpity')."
    advice = "Move for Ann, or type again to let it try again."
    assert session.said.count(failed) == session.said.count(advice) == 2
    assert "Ann: dwarf moves from F1 to F5." in session.said


def test_a_computer_proposes_to_end_and_plays_when_that_is_refused(tmp_path: Path) -> None:
    session = played(tmp_path, "no", seats=(fake("well"), HUMAN))
    assert any("Ann proposes to end the battle." in line for line in session.said)
    assert "Ann: dwarf moves from F1 to F5." in session.said
    session = played(tmp_path / "other", "yes", seats=(fake("well"), HUMAN))
    assert "The battle is over: both players agree." in session.said


@pytest.mark.parametrize("watched", [False, True])
def test_who_only_watches_is_not_told_to_propose_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, watched: bool
) -> None:
    async def decide(_: Engine, battle: Battle, *__: object, **___: object) -> Decision:
        back_and_forth = SHUFFLE[battle.played % len(SHUFFLE)]
        move = parse_move(battle.variant, battle.position, back_and_forth)
        return Decision(move, ends=battle.played == 2 * len(SHUFFLE))

    monkeypatch.setattr(Engine, "decide", decide)
    computer = parse_contender("random")
    script = () if watched else (SHUFFLE[0], SHUFFLE[2]) * 2
    seats = (computer if watched else HUMAN, computer)
    said = played(tmp_path, *script, position=FEW, seats=seats).said
    (calm,) = (line for line in said if line.startswith(RETURNED))
    assert calm.endswith("Type end to propose the end.") is not watched


def kept_with(directory: Path, programs: tuple[str, str]) -> str:
    """Keep a match of one move, and what played it; return its id."""
    match = begun()
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    with begin(Store(directory), match, programs=programs) as saved:
        return saved.id


def test_those_who_played_go_on_with_a_match_that_is_opened(tmp_path: Path) -> None:
    name = kept_with(tmp_path / "first", ("", parse_contender("random").program))
    file = tmp_path / "first" / "matches" / f"{name}.tgn"
    session = played(tmp_path, f"open {file}", "undo", "redo")
    assert sum(line.startswith("Bob: ") for line in session.said) == 2
    asked = [line.partition(".")[0] for line in session.said if "Your move:" in line]
    assert asked[1:] == ["You have the dwarfs"] * 3
    assert session.kept.programs == ("", parse_contender("random").program)


def test_a_battle_is_resigned_once_that_is_meant(tmp_path: Path) -> None:
    session = played(tmp_path, "f1 f5", "resign", "no", "resign", "yes", "score")
    costs = "Ann would win the battle by 32 points: Bob's 32 would not count. Bob needs to win"
    asked = [line for line in session.said if "Bob resigns? Yes or no?" in line]
    assert [line.startswith(costs) for line in asked] == [True, True]
    for line in ("Bob resigns.", "0 points, resigned.", "Ann wins the battle by 32 points."):
        assert sum(said.endswith(line) for said in session.said) == 2  # at once, and as the score
    assert not any(said.startswith("Margin: ") for said in session.said)


def test_it_is_said_once_that_the_match_cannot_be_won_any_more(tmp_path: Path) -> None:
    two_trolls = "d2d1/7/9/11/13/15/15/5dTR6T/15/15/13/11/9/7/5 d"
    script = "end", "yes", "next", "f8 g8", "p8 p9", "score"
    session = played(tmp_path, *script, position=two_trolls)
    assert session.said.count("Ann can not win the match.") == 2, "at once, and as the score"


def test_notes_for_programs_are_not_read_aloud(tmp_path: Path) -> None:
    match = Match(begun().variant, ("Ann", "Bob"), control=parse_control("20"))
    played(tmp_path, "f1 f5", "g7 f6 none", match=match)
    (file,) = (tmp_path / "matches").glob("*.tgn")
    text = file.read_text()
    assert "[%clk" in text
    commented = tmp_path / "commented.tgn"
    commented.write_text(text.replace("]}", "] [%eval 1.25] Bold.}", 1))
    session = played(tmp_path / "other", f"open {commented}", "variations")
    assert "On dF1-F5: Bold." in session.said
    assert not [line for line in session.said if "[%" in line]


def test_another_program_is_not_started_because_a_match_names_it(tmp_path: Path) -> None:
    name = kept_with(tmp_path / "first", ("", "engine:rm"))
    file = tmp_path / "first" / "matches" / f"{name}.tgn"
    session = played(tmp_path, f"open {file}", "g9 g10", seats=(HUMAN, parse_contender("random")))
    assert "Bob, trolls, to move. Your move: g9 g10" in session.said
    assert session.kept.programs == ("", "engine:rm")


def test_what_else_was_tried_is_told(tmp_path: Path) -> None:
    text = """[Variant "classic"]

1. dF1-F5 {bold}
(1. dE2-E6 TG7-F6 {why?}
(1. ... TG7-G6))
1. ... TG7-F6
*
"""
    (tmp_path / "tried.tgn").write_text(text)
    session = played(tmp_path, "variations", f"open {tmp_path}/tried.tgn", "variations")
    assert "Nothing else was tried in this battle." in session.said
    at = session.said.index("On dF1-F5: bold")
    assert session.said[at + 1 : at + 4] == [
        "Variation 1, after no move: dE2-E6, TG7-F6.",
        "On TG7-F6: why?",
        "Variation 1.1, after 1 move: TG7-G6.",
    ]


def test_a_line_of_the_list_of_moves_plays_them_all_or_none(tmp_path: Path) -> None:
    found = played(tmp_path, "1. dF1-F5 TG7-F6", "2. dG1-G5 TF6-A9", "list", "quit")
    assert "1. dF1-F5 TG7-F6" in found.answers("list")
    assert any("No move was played: in 'TF6-A9'" in line for line in found.said)
    assert len(found.kept.battles[0].moves) == 2


@pytest.mark.parametrize("meanwhile", [True, False])
def test_what_could_not_be_saved_is_saved_at_the_next_line_or_on_leaving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: bool
) -> None:
    # Each line tries once more before it is asked for.
    refused = iter([OSError("the disk is full")] * (1 if meanwhile else 2))

    def once_full(path: Path, data: bytes) -> None:
        for error in refused:
            raise error
        write_atomic(path, data)

    monkeypatch.setattr("thud.records.store.write_atomic", once_full)
    found = played(tmp_path, "f1 f5", *(["moves"] if meanwhile else []), "quit")
    assert any("cannot be saved" in line for line in found.said)
    assert ("The match is saved again." in found.said) is meanwhile
    assert found.said[-1].startswith("Saved. Resume with: thud resume --plain")
    assert len(found.kept.battles[0].moves) == 1
