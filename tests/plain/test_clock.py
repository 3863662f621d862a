"""Matches by the clock in lines of text: time passes while a line is waited for."""

from __future__ import annotations

import io
from pathlib import Path

from plain.playing import begun
from session.timing import ManualClock
from thud.plain.lines import Lines
from thud.plain.match import MatchRepl, run
from thud.records.store import Store
from thud.rules.clock import parse_control
from thud.session.autosave import Autosave
from thud.session.session import Session


class Slow(io.BytesIO):
    """Lines, each of which comes after some time."""

    def __init__(self, glass: ManualClock, script: list[tuple[int, str]]) -> None:
        super().__init__("".join(f"{line}\n" for _, line in script).encode())
        self._glass = glass
        self._waits = [ms for ms, _ in script]

    def readline(self, size: int | None = -1, /) -> bytes:
        """Return the next line, after its time."""
        self._glass.pass_ms(self._waits.pop(0) if self._waits else 0)
        return super().readline(size)


def said(directory: Path, control: str, *script: tuple[int, str], variant: str = "classic") -> str:
    """Return all that is said as Ann and Bob type lines, each after so many milliseconds."""
    match, sink = begun(variant), io.StringIO()
    match.control = parse_control(control)
    session = Session(match, Autosave(Store(directory)))
    glass = ManualClock().put_at(session)
    run(MatchRepl(session, Lines(Slow(glass, list(script)), sink, echo=True)))
    return sink.getvalue()


def test_each_question_says_what_is_left(tmp_path: Path) -> None:
    text = said(tmp_path, "20+10", (0, "f1 f5"), (100_000, "g7 f7"), (0, "clock"), (0, "quit"))
    assert (
        "Each player has 20 minutes for the battle, and ten seconds more after each move." in text
    )
    assert "Bob, trolls, to move, 20 minutes left. Your move: g7 f7" in text
    assert "Ann has 20 minutes left.\nBob has 18 minutes left.\n" in text


def test_a_line_that_comes_too_late_plays_nothing(tmp_path: Path) -> None:
    text = said(tmp_path, "5", (0, "f1 f5"), (300_000, "g7 f7"), (0, "undo"), (0, "quit"))
    over = text.index("The battle is over: Bob's time is up.")
    assert "Ann: 32 points, 32 dwarfs.\nBob: 0 points, time is up.\n" in text[over:]
    assert "Ann wins the battle by 32 points." in text[over:]
    assert "The time was up before that move." in text[over:]
    assert ", and that is final: nothing can be undone." in text[over:]
    assert "Bob: troll" not in text


def test_an_answer_that_comes_too_late_ends_nothing_else(tmp_path: Path) -> None:
    text = said(tmp_path, "5", (0, "f1 f5"), (0, "end"), (400_000, "yes"), (0, "quit"))
    assert "The battle is over: Bob's time is up." in text
    assert "both players agree" not in text


def test_without_a_clock_there_is_nothing_to_say(tmp_path: Path) -> None:
    match, sink = begun(), io.StringIO()
    source = io.BytesIO(b"clock\nquit\n")
    run(MatchRepl(Session(match, Autosave(Store(tmp_path))), Lines(source, sink, echo=True)))
    assert "Ann, dwarfs, to move. Your move: clock\nThere is no clock." in sink.getvalue()
