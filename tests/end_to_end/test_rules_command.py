"""`thud rules`: printed without a terminal, and paged in one."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from terminal.emulator import Terminal
from thud.cli.main import main
from thud.rulebook.chapters import chapters, chapters_of
from thud.rules.variants import VARIANTS

THUD = (sys.executable, "-m", "thud", "rules")

in_terminal = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")


def headings(text: str) -> list[str]:
    """Return the underlined lines."""
    lines = text.splitlines()
    below = pairwise(lines)
    return [one for one, other in below if (other and set(other) <= {"-"}) or set(other) == {"="}]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("columns", ["60", "300"])
def test_all_is_printed_as_wide_as_there_is_room(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = printed(capsys)
    assert headings(text) == [chapter.title for chapter in chapters()]
    assert max(map(len, text.splitlines())) <= min(int(columns), 100)
    assert "<!--" not in text


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_has_its_own_chapters(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    titles = headings(printed(capsys, variant, "--plain"))
    assert titles == [chapter.title for chapter in chapters_of(variant)]


@pytest.mark.slow
@in_terminal
def test_a_terminal_has_pages(tmp_path: Path) -> None:
    environment = {"THUD_DATA_DIR": str(tmp_path), "THUD_CONFIG_DIR": str(tmp_path)}
    with Terminal((*THUD, "koom"), (80, 24), environment) as terminal:
        terminal.wait_for("Both sides want")
        terminal.send("n")
        terminal.wait_for("Koom Valley dwarfs")
        terminal.send("q")
        assert terminal.wait_for_end() == 0


@in_terminal
def test_a_terminal_that_cannot_be_drawn_on_has_lines(tmp_path: Path) -> None:
    environment = {"THUD_CONFIG_DIR": str(tmp_path), "TERM": "dumb"}
    with Terminal((*THUD, "football"), (80, 200), environment) as terminal:
        terminal.wait_for("Koom Valley Football")
        assert terminal.wait_for_end() == 0
