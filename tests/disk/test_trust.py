"""Only what no other user could have changed is trusted; what is open is checked, not its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from thud.disk.trust import make_private, read_trusted, trusted_directory

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX owners and permissions")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory of this user's, with one above it that the tests change."""
    make_private(tmp_path / "above" / "own")
    return tmp_path / "above" / "own"


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Make something another user's: only root can; for others all files become somebody else's."""

    def act(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, 65534, -1, follow_symlinks=False)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: 65534)

    return act


def of_the_own_group(place: Path) -> Path:
    os.chown(place.parent, -1, os.getegid())
    place.parent.chmod(0o775)
    return place


def below_a_sticky_one(place: Path) -> Path:
    place.parent.chmod(0o1777)
    return place


def through_own_links(place: Path) -> Path:
    first, second = place.parent / "first", place.parent / "second"
    first.symlink_to("own/../second")
    second.symlink_to(place.parent, target_is_directory=True)
    return first / "own"


@pytest.mark.parametrize("reach", [of_the_own_group, below_a_sticky_one, through_own_links])
def test_what_others_cannot_change_is_trusted(reach: Callable[[Path], Path], place: Path) -> None:
    path = reach(place) / "file"
    path.write_bytes(b"1234")
    path.chmod(0o644)
    assert trusted_directory(path.parent) == place.resolve()
    assert read_trusted(path, 4) == b"1234"


def mode(of: Callable[[Path], Path], bits: int) -> Callable[[Path], Path]:
    def spoil(place: Path) -> Path:
        of(place).chmod(bits)
        return place

    return spoil


def missing(place: Path) -> Path:
    return place / "missing"


def a_file(place: Path) -> Path:
    (place / "file").touch()
    return place / "file"


def a_link(place: Path) -> Path:
    (place / "link").symlink_to(place)
    return place / "link"


def an_endless_link(place: Path) -> Path:
    (place / "link").symlink_to("link")
    return place / "link" / "below"


SPOILED = {
    "others write above": mode(lambda place: place.parent, 0o777),
    "others write there": mode(lambda place: place, 0o757),
    "the group writes there": mode(lambda place: place, 0o770),
    "it is sticky": mode(lambda place: place, 0o1777),
    "missing": missing,
    "a file": a_file,
    "a link": a_link,
    "an endless link": an_endless_link,
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
def test_what_others_could_change_is_refused(spoil: Callable[[Path], Path], place: Path) -> None:
    directory = spoil(place)
    with pytest.raises(OSError, match=r"others can change|not a dir|No such"):
        trusted_directory(directory)


def test_what_belongs_to_others_is_refused(
    place: Path, give_away: Callable[[Path], None], tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(place.parent)
    (place / "file").touch()
    for path in tmp_path / "link", place / "file", place, place.parent:
        give_away(path)
        with pytest.raises(PermissionError, match="belongs to another user"):
            read_trusted(tmp_path / "link" / "own" / "file", 1)
        if os.geteuid() == 0:
            os.chown(path, 0, -1, follow_symlinks=False)


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_directory(path: Path) -> None:
    path.mkdir()


def a_link_to_a_file(path: Path) -> None:
    path.with_name("target").touch()
    path.symlink_to("target")


def two_gigabytes(path: Path) -> None:
    path.touch()
    os.truncate(path, 2 << 30)


def writable_by_the_group(path: Path) -> None:
    path.touch()
    path.chmod(0o620)


def writable_by_all(path: Path) -> None:
    path.touch()
    path.chmod(0o602)


@pytest.mark.parametrize(
    "make",
    [
        a_pipe,
        a_directory,
        a_link_to_a_file,
        two_gigabytes,
        writable_by_the_group,
        writable_by_all,
    ],
)
def test_only_a_small_regular_file_is_read(make: Callable[[Path], None], place: Path) -> None:
    make(place / "file")
    with pytest.raises(OSError, match=r"file|symbolic|directory"):
        read_trusted(place / "file", 1 << 20)


def test_directories_are_made_for_this_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_private(tmp_path / "a" / "b")
        make_private(tmp_path / "a" / "b")
    finally:
        os.umask(before)
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b")} == {0o700}
