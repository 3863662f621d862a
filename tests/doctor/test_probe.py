"""Interpretation of terminals' answers and environment variables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.terminal.cells import CELLS, SMALLEST, cell_at
from thud.terminal.environment import glyphs_in_doubt
from thud.terminal.probe import GLYPHS, Answers, questions, understood

COLUMNS = b"".join(b"\x1b[1;%dR" % (2 + (n == 3)) for n in range(len(GLYPHS)))


def test_all_answers_are_understood() -> None:
    heard = COLUMNS + b"\x1b[?1006;2$y\x1b[?2026;0$y\x1b[?1u\x1bP>|X\x07Y 3\x1b\\\x1b[?62c"
    answers = understood(heard)
    assert answers == Answers(
        True, {glyph: 1 + (glyph == GLYPHS[3]) for glyph in GLYPHS}, True, False, True, "XY 3"
    )


def test_no_answers() -> None:
    assert understood(b"") == Answers()


def test_widths_count_only_if_all_came() -> None:
    assert understood(COLUMNS[6:]).widths == {}


@given(
    st.lists(st.sampled_from([b"\x1b[", b"?", b"1006", b";", b"$y", b"R", b"c", b"9" * 99, b"u"]))
)
def test_any_bytes_are_understood(parts: list[bytes]) -> None:
    assert understood(b"".join(parts)).name == ""


@given(st.binary())
def test_a_name_always_prints(name: bytes) -> None:
    assert all(each.isprintable() for each in understood(b"\x1bP>|" + name + b"\x1b\\").name)


def test_a_terminal_that_shows_questions_about_modes_is_spared_them() -> None:
    assert "$p" in questions({})
    assert "$p" not in questions({"TERM_PROGRAM": "Apple_Terminal"})


@pytest.mark.parametrize(
    ("environ", "encoding", "doubt"),
    [
        ({}, "utf-8", False),
        ({"TERM": "xterm-kitty"}, "utf8", False),
        ({"TERM": "xterm", "LANG": "C"}, "ascii", True),
        ({"TERM": "xterm"}, "cp437", True),
        ({"TERM": "dumb"}, "utf-8", True),
        ({"TERM": "linux"}, "utf-8", True),
        ({"TERM": "xterm", "LANG": "ja_JP.UTF-8", "LC_ALL": "C.UTF-8"}, "utf-8", False),
        ({"TERM": "xterm", "LANG": "C.UTF-8", "LC_CTYPE": "zh_CN.UTF-8"}, "utf-8", True),
    ],
    ids=str,
)
def test_where_glyphs_are_in_doubt(environ: dict[str, str], encoding: str, doubt: bool) -> None:
    assert glyphs_in_doubt(environ, encoding) is doubt


def test_squares_grow_with_the_terminal() -> None:
    assert cell_at(SMALLEST[0] - 1, 30) is None
    assert cell_at(200, SMALLEST[1] - 1) is None
    assert cell_at(*SMALLEST) == CELLS[-1]
    sizes = [cell_at(columns, columns // 2) for columns in range(79, 500)]
    grown = [cell for cell in sizes if cell]
    assert grown == sorted(grown)
    assert set(grown) == set(CELLS)
    assert cell_at(500, 250, CELLS[2]) == CELLS[2]
