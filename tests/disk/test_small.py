"""Small JSON files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from thud.disk.small import open_regular, read_small, write_small


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    write_small(tmp_path / "new" / "a.json", {"done": ["é"]})
    assert read_small(tmp_path / "new" / "a.json", 100) == {"done": ["é"]}


def test_a_damaged_file_stays_beside_what_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for before in "{bad", "":
        path.write_text(before)
        write_small(path, {"done": []})
        assert read_small(path, 100) == {"done": []}
        assert (tmp_path / "a.json.damaged").read_text() == "{bad"


@pytest.mark.parametrize(
    "text", ["", "[1]", "{", "[" * 100_000, "\xff\xfe", '{"a": "' + "x" * 200 + '"}']
)
def test_what_is_wrong_or_too_long_is_empty(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(text, encoding="latin-1")
    assert read_small(tmp_path / "a.json", 200) == {}
    assert read_small(tmp_path / "b.json", 200) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
def test_a_pipe_is_neither_waited_for_nor_written_to(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.json")
    assert read_small(tmp_path / "a.json", 200) == {}
    with pytest.raises(OSError, match="not a file"):
        write_small(tmp_path / "a.json", {"done": []})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX")
def test_what_is_open_is_checked_whatever_its_name_was_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = tmp_path / "match.tgn", os.open
    path.write_text("moves")

    def swapped(name: str | Path, *rest: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return real(name, *rest)

    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(OSError, match="not a file"):
        open_regular(path)
