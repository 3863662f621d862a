"""A lock has a single holder, who loses it with its file."""

from pathlib import Path

import pytest

from thud.disk.lock import Lock, Locked


def test_a_lock_is_held_until_it_is_released(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = Lock(path)
    assert lock.held
    with pytest.raises(Locked):
        Lock(path)
    assert lock.held
    for _ in "twice":
        lock.release()
        assert not lock.held
        assert not path.exists()


def test_a_new_lock_must_not_have_been_there(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    with pytest.raises(FileExistsError):
        Lock(tmp_path / "lock", new=True)
    Lock(tmp_path / "lock").release()


def test_who_has_lost_the_file_holds_nothing_and_takes_nothing_away(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = Lock(path)
    path.unlink()
    assert not first.held
    second = Lock(path)
    first.release()
    assert second.held
    with pytest.raises(Locked):
        Lock(path)
    second.release()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"):
        Lock(tmp_path / "lock")
    assert not (tmp_path / "elsewhere").exists()
