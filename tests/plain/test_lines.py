"""Lines in and out, whatever comes in."""

from __future__ import annotations

import io
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.plain.lines import LONGEST, Lines


class Zeros(io.RawIOBase):
    """Bytes without end and without a line among them."""

    given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        buffer[:] = bytes(len(buffer))
        self.given += len(buffer)
        assert self.given < 10_000_000, "it goes on reading for ever"
        return len(buffer)


def asked(source: bytes, *, echo: bool = False, times: int = 1) -> tuple[list[str | None], str]:
    sink = io.StringIO()
    lines = Lines(io.BytesIO(source), sink, echo=echo)
    return [lines.ask("Well?") for _ in range(times)], sink.getvalue()


def test_an_answer_is_the_line_after_the_question() -> None:
    assert asked(b" f1 f5 \r\nquit", times=3) == (["f1 f5", "quit", None], "Well? Well? Well? \n")


def test_an_answer_is_repeated_where_no_terminal_shows_it() -> None:
    assert asked(b"f1 f5\n", echo=True)[1] == "Well? f1 f5\n"
    assert asked(b"f" * 500, echo=True)[1] == f"Well? {'f' * 120}\n"


@pytest.mark.parametrize("space", ["\t", "\u00a0", "\u202f", "\u3000", "\u200b \u2060"])
def test_spaces_of_other_programs_are_spaces_and_their_marks_nothing(space: str) -> None:
    source = f"\ufefff1{space}f5{space}\nquit\n"
    assert asked(source.encode(), times=2)[0] == ["f1 f5", "quit"]


def test_the_end_of_the_input_is_known_from_an_answer() -> None:
    lines = Lines(io.BytesIO(b"quit\n\n"), io.StringIO(), echo=False)
    for answer in ("quit", ""):
        assert lines.ask("Well?") == answer
        assert not lines.ended
    assert lines.ask("Well?") is None
    assert lines.ended


@pytest.mark.parametrize("length", [LONGEST - 1, LONGEST, LONGEST + 1, 50 * LONGEST])
def test_what_is_beyond_the_longest_line_is_passed_over(length: int) -> None:
    answers, _ = asked(b"x" * length + b"\nnext\n", times=3)
    assert answers == ["x" * min(length, LONGEST), "next", None]


def test_only_so_much_of_a_line_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.plain.lines._MOST_SKIPPED", 3 * LONGEST)
    for more in (0, 1):
        answers, _ = asked(b"x" * (4 * LONGEST - 1 + more) + b"\n")
        assert answers == [None if more else "x" * LONGEST]


def test_a_line_without_end_ends_the_input() -> None:
    lines = Lines(io.BufferedReader(cast("io.RawIOBase", Zeros())), io.StringIO(), echo=False)
    assert lines.ask("Well?") is None


@given(st.binary(max_size=3000))
def test_any_bytes_are_lines_of_what_prints(source: bytes) -> None:
    answers, said = asked(source, echo=True, times=source.count(b"\n") + 2)
    assert answers[-1] is None
    assert all(each is None or each.isprintable() for each in answers)
    assert "\x1b" not in said
