"""A position is set up in lines of text, and played, kept and judged from there."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from thud.exercises.puzzles.book import read_puzzles
from thud.plain.lines import Lines
from thud.plain.setup import SETUP_COMMANDS, SetupRepl, run
from thud.records.formats import read_file
from thud.records.links import link_to_position
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS
from thud.session.commands import BOARD_COMMANDS
from variants import as_told

DOCUMENT = (Path(__file__).parents[2] / "docs" / "editing.md").read_text(encoding="utf-8")
PUZZLE = "5/T1d4/9/6T3d/13/15/6TdT1d4/4T1T8/6Rd7/d14/13/11/8d/d5d/2d2 T"


class Edited:
    """What came of a script."""

    def __init__(self, *script: str, variant: str = "classic") -> None:
        sink = io.StringIO()
        source = io.BytesIO("".join(f"{line}\n" for line in script).encode())
        self.played: list[Match] = []
        self.talk = SetupRepl(
            Setup.usual(VARIANTS[variant]),
            Lines(source, sink, echo=True),
            lambda match, _: self.played.append(match),
        )
        run(self.talk)
        self.said = sink.getvalue().splitlines()

    def answers(self, line: str) -> list[str]:
        """Return what was said right after a line was typed."""
        at = next(n for n, each in enumerate(self.said) if each.endswith(f": {line}"))
        rest = self.said[at + 1 :]
        end = next((n for n, each in enumerate(rest) if each.startswith("What now?")), len(rest))
        return rest[:end]

    def at(self, square: str) -> str | None:
        return self.talk.position.letter_at(parse_square(square))


def test_pieces_are_put_moved_and_removed_and_what_is_wrong_is_said() -> None:
    edited = Edited("put d F5 G5", "put t h8", "remove G5", "move F5 G6", "put rock H8", "put r h8")
    again = Edited("put r J8 K8", "put t F5 f5")
    assert edited.answers("put d F5 G5") == [
        "A dwarf is on F5.",
        "A dwarf is on G5.",
        "34 dwarfs: Classic has at most 32.",
    ]
    assert "The Thudstone is missing: it begins on H8." in edited.answers("put t h8")
    assert edited.answers("remove G5")[0] == "A dwarf is removed from G5."
    assert edited.answers("move F5 G6")[0] == "A dwarf is moved from F5 to G6."
    assert "'rock' is not a piece" in edited.answers("put rock H8")[0]
    assert again.answers("put r J8 K8")[0] == "The Thudstone is on K8."
    assert again.answers("put t F5 f5").count("A troll is on F5.") == 1
    assert (edited.at("F5"), edited.at("G6"), edited.at("H8")) == (None, "d", "R")


def test_all_of_it_is_changed_at_once() -> None:
    edited = Edited(
        "clear", "put d F1", "turn", "mirror", "side trolls", "game koom", "text", "link"
    )
    assert edited.answers("text") == [Setup(*edited.talk.setup).position.to_text()]
    assert edited.answers("link") == [link_to_position(edited.talk.setup)]
    assert edited.at("A6") == "d"
    assert edited.talk.position.to_move.plural == "trolls"
    assert edited.talk.variant is VARIANTS["koom"]
    position = f"position {edited.talk.position.to_text()}"
    again = Edited(position, position, "start", "undo")
    assert "Nothing has changed." in again.said
    assert again.talk.position == edited.talk.position


def test_a_legal_move_is_played_and_others_are_explained() -> None:
    edited = Edited("f1 f5", "f5 f6", "put d H8", "g7 f6", "moves", "threats", "board")
    assert edited.answers("f1 f5")[0] == "Dwarf moves from F1 to F5."
    assert "turn" in edited.answers("f5 f6")[0]
    for line in ("g7 f6", "moves", "threats"):
        assert "is missing" in edited.answers(line)[0]


@pytest.mark.parametrize("line", [
    "put", "put d", "put d Z9", "remove", "remove A1", "move F1", "move F1 F1 F1", "move H5 H6",
    "side", "side elves", "game", "game chess", "position", "position x", "save", "puzzle",
    "play 1 2 3", "play nobody", "position " + "d" * 500, "save x.doc", "putt", "put x" + "9" * 900,
])  # fmt: skip
def test_what_cannot_be_done_is_refused_in_a_sentence_and_changes_nothing(line: str) -> None:
    edited = Edited(line)
    assert edited.talk.setup == Setup.usual(VARIANTS["classic"])
    (refusal,) = [each for each in edited.said[-2:-1] if each]
    assert refusal.endswith((".", "?"))
    assert "''" not in refusal
    assert not edited.talk.editor.can_undo


def test_it_is_played_with_whoever_is_named() -> None:
    edited = Edited("remove F1", "play human 3", "clear", "play")
    (match,) = edited.played
    assert match.players == ("Player 1", "Lamplighter")
    assert match.starts == (match.battle.position, match.battle.position)
    assert not match.battle.position.letter_at(parse_square("F1"))
    back = edited.answers("play human 3")
    assert back[back.index("Back to the position that is set up.") + 1 :] == Edited(
        "remove F1", "show"
    ).answers("show")
    assert "over at once" in edited.answers("play")[0]


def test_it_is_saved_in_any_format(tmp_path: Path) -> None:
    names = [str(tmp_path / name) for name in ("a.tgn", "a.pos", "a.svg", "a.thud")]
    edited = Edited("remove F1", *(f"save {name}" for name in names), f"save {names[0]}")
    (record,) = read_file(Path(names[0]))
    assert record.start == edited.talk.position
    assert Path(names[1]).read_text() == edited.talk.position.to_text() + "\n"
    assert Path(names[2]).read_bytes().startswith(b"<svg")
    assert "exists" in edited.said[-2]


def test_a_position_that_cannot_be_played_is_not_saved(tmp_path: Path) -> None:
    edited = Edited("put d F5", f"save {tmp_path / 'a.tgn'}", "clear", f"save {tmp_path / 'b.tgn'}")
    assert "33 dwarfs" in edited.answers(f"save {tmp_path / 'a.tgn'}")[0]
    assert "The battle would be over at once" in edited.answers(f"save {tmp_path / 'b.tgn'}")[0]
    assert not list(tmp_path.iterdir())


def test_the_computer_judges_it_and_makes_it_a_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.session.editor.SECONDS", 0.2)
    file = tmp_path / "mine"
    edited = Edited(f"position {PUZZLE}", "judge", f"puzzle {file}", variant="koom")
    assert edited.answers("judge")[0].startswith("The best move: ")
    assert len(edited.answers("judge")) == 2
    assert "This is a puzzle: win the battle (hard)." in edited.said
    (puzzle,) = read_puzzles(file.with_suffix(".jsonl"))
    assert puzzle.position.to_text() == PUZZLE


def test_the_words_of_the_document_are_those_that_are_known() -> None:
    rows = re.findall(r"^\| `(.*)` \| (.*) \|$", DOCUMENT.split("| Word |")[1], re.MULTILINE)
    assert [(form.replace("`, `", ", or "), meaning) for form, meaning in rows] == [
        (order.form, as_told(order.meaning))
        for name, order in SETUP_COMMANDS.items()
        if name == "text" or name not in BOARD_COMMANDS
    ]
    told = Edited("help").said
    assert all(f"{order.form}: {order.meaning}." in told for order in SETUP_COMMANDS.values())
    assert not any("draw 12" in each for each in told), "there is no battle"


def test_undone_changes_are_told_and_that_nothing_is_wrong_any_more() -> None:
    edited = Edited("put d F5", "undo", "undo", "redo", "remove F5", "clear", "u")
    assert edited.answers("undo") == ["F5: nothing.", "It can be played now."]
    assert "There is nothing to undo." in edited.said
    assert edited.answers("redo") == ["F5: a dwarf.", "33 dwarfs: Classic has at most 32."]
    assert edited.answers("remove F5")[-1] == "It can be played now."
    assert edited.answers("u")[0] == "Classic.", "many changes are told by the whole setup"
    edited = Edited("game koom", "undo")
    assert edited.answers("undo")[0] == "Classic."
