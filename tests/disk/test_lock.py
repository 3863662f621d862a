"""A lock has a single holder, who loses it with its file or its life."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sampling import sampled
from thud.disk import lock as module
from thud.disk.lock import Lock, Locked
from unlockable import ERRORS, cannot_lock


@pytest.fixture(params=["", *sampled(ERRORS, len(ERRORS))], autouse=True)
def refusal(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run each test where the system can lock files, and where it cannot."""
    if request.param:
        cannot_lock(monkeypatch, request.param)
    return str(request.param)


def test_a_lock_is_held_until_it_is_released(tmp_path: Path, refusal: str) -> None:
    path = tmp_path / "lock"
    lock = Lock(path)
    assert lock.held
    assert lock.soft is bool(refusal)
    with pytest.raises(Locked):
        Lock(path)
    assert lock.held
    for _ in "twice":
        lock.release()
        assert not lock.held
        assert not path.exists()


def test_a_lock_is_released_whatever_closing_its_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, close = Lock(tmp_path / "lock"), os.close

    def fails(descriptor: int) -> None:
        close(descriptor)
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as broken:
        broken.setattr(os, "close", fails)
        lock.release()
    assert not lock.held
    Lock(tmp_path / "lock", new=True).release()


def test_a_new_lock_must_not_have_been_there(tmp_path: Path) -> None:
    (tmp_path / "lock").touch()
    with pytest.raises(FileExistsError):
        Lock(tmp_path / "lock", new=True)
    (tmp_path / "lock").unlink()
    Lock(tmp_path / "lock", new=True).release()


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


HOLDER = """
import os, sys
from pathlib import Path
from thud.disk import lock

def refuse(_):
    raise OSError(37, "No locks available")

lock._UNSUPPORTED.add(37)
if sys.argv[2]:
    lock._seize = refuse
held = lock.Lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
os._exit(1)
"""


@pytest.mark.parametrize("softly", ["", "softly"])
def test_a_process_keeps_others_out_until_it_dies(
    softly: str, tmp_path: Path, refusal: str
) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path), softly],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline()
        with pytest.raises(Locked):
            Lock(path)
        holder.kill()
    assert path.exists()
    lock = Lock(path)
    assert lock.held
    lock.release()
    assert not list(tmp_path.iterdir())


def test_the_lock_of_the_dead_that_cannot_be_removed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "lock"
    path.touch()
    os.utime(path, (0, 0))
    monkeypatch.setattr(Path, "rename", refuse)
    if refusal:
        with pytest.raises(PermissionError):
            Lock(path)
    else:
        Lock(path).release()


def test_another_machine_keeps_others_out_while_it_uses_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    with monkeypatch.context() as there:
        cannot_lock(there)
        there.setattr(module, "_machine", lambda: "elsewhere")
        lock = Lock(path)
        with pytest.raises(Locked):
            Lock(path)
        long_ago = time.time() - 3 * 86400
        os.utime(path, (long_ago, long_ago))
        assert lock.held
    with pytest.raises(Locked):
        Lock(path)
    os.utime(path, (long_ago, long_ago))
    other = Lock(path)
    assert other.held
    lock.release()
    assert other.held
    other.release()


def test_a_lock_file_without_an_owner_is_one_that_is_being_written(
    tmp_path: Path, refusal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WRITTEN", 3600)  # a slow machine may stop here
    path = tmp_path / "lock"
    path.touch()
    if refusal:
        with pytest.raises(Locked):
            Lock(path)
    os.utime(path, (0, 0))
    lock = Lock(path)
    assert lock.held
    lock.release()
