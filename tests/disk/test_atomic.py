"""A file is replaced atomically or not at all, and nothing is written elsewhere."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from thud.disk.atomic import replacing, target_of_temporary, write_atomic


class Interrupted(Exception):
    """A failure half-way through writing."""


@pytest.mark.parametrize("name", ["match.tgn", "ß" * 120, "a" * 250, ".hidden", "two\nlines"])
def test_a_file_is_made_and_replaced_and_nothing_else_is_left(name: str, tmp_path: Path) -> None:
    for data in b"first", b"second", b"":
        write_atomic(tmp_path / name, data)
        assert (tmp_path / name).read_bytes() == data
        assert os.listdir(tmp_path) == [name]


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
def test_a_private_file_is_its_owners_from_the_first_byte(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    before = os.umask(0)
    try:
        with replacing(path, private=True) as file:
            (temporary,) = tmp_path.iterdir()
            assert temporary.stat().st_mode & 0o077 == 0
            file.write(b"token")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o077 == 0


def test_a_block_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "battle.gif"
    path.write_bytes(b"the old picture")
    with suppress(Interrupted), replacing(path) as file:
        file.write(b"half of the new o")
        file.flush()
        raise Interrupted
    assert path.read_bytes() == b"the old picture"
    assert os.listdir(tmp_path) == ["battle.gif"]


def test_a_temporary_file_tells_what_it_stands_in_for(tmp_path: Path) -> None:
    with replacing(tmp_path / "20261120-1.tgn"):
        (name,) = os.listdir(tmp_path)
        assert target_of_temporary(name) == "20261120-1.tgn"
    for foreign in ("20261120-1.tgn", ".tmp", "..0123abcd.tmp", ".x.tgn.tmp", "x.0123abcd.tmp"):
        assert target_of_temporary(foreign) is None


def test_a_link_in_the_way_of_the_temporary_file_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    treasure = tmp_path / "treasure"
    treasure.write_text("untouched")
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / ".match.tgn.00000000.tmp").symlink_to(treasure)
    with pytest.raises(FileExistsError):
        write_atomic(tmp_path / "match.tgn", b"moves")
    assert treasure.read_text() == "untouched"
    assert len(os.listdir(tmp_path)) == 2


def test_a_link_stays_one_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "target"
    target.parent.mkdir()
    (tmp_path / "link").symlink_to(target)
    for data in b"made", b"replaced":
        write_atomic(tmp_path / "link", data)
        assert (tmp_path / "link").is_symlink()
        assert target.read_bytes() == data


@pytest.mark.skipif(os.name != "posix", reason="needs named pipes")
def test_a_pipe_is_written_to_if_that_is_asked_for_and_stays_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(OSError, match="not a file"):
            write_atomic(path, b"dF1-F5")
        with replacing(path, devices=True) as file:
            file.write(b"dF1-F5")
        assert os.read(reader, 100) == b"dF1-F5"
    finally:
        os.close(reader)
    assert path.is_fifo()


@pytest.mark.parametrize("place", [".", "nowhere/match.tgn"])
def test_what_cannot_be_written_is_an_error_of_the_system(place: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"directory|not a file") as refused:
        write_atomic(tmp_path / place, b"moves")
    assert refused.value.filename == str(tmp_path / place)
    assert os.listdir(tmp_path) == []
