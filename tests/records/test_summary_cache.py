"""The cache of summaries: lists are the same with it, whatever has become of it."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from records.matches import every_variant, random_match
from records.test_listing import kept, reads
from thud.records import summary
from thud.records.record import GUEST, LOOKED_ON, Record
from thud.records.store import SUMMARIES, Listing, Store
from thud.rules.variant import Variant


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return a store whose matches count as saved long ago, and whose cache is always written."""
    monkeypatch.setattr(summary, "_SETTLED", -(1 << 62))
    monkeypatch.setattr(summary, "_FEW", 0)
    return Store(tmp_path)


def filled(saves: Store) -> Listing:
    """Save three unfinished matches, three finished ones and a broken one; return their list."""
    for age in range(3):
        kept(saves, age=age)
        kept(saves, over=True, age=age)
    (saves.matches / "broken.tgn").write_text("nonsense")
    return saves.listing()


@pytest.mark.slow
@every_variant
def test_a_list_is_the_same_with_a_cache(saves: Store, variant: Variant) -> None:
    rng = Random(1)
    for tags in [(), (LOOKED_ON,), (GUEST,)] * 8:
        record = Record.of(random_match(variant, rng), programs=("", "thud level 3"))
        saves.adopt(record._replace(tags=tags)).close(keep_empty=True)
    without = saves.listing()
    assert without.unfinished
    assert without.finished
    assert (saves.matches / SUMMARIES).exists()
    assert saves.listing() == without
    assert saves.latest() == without.unfinished[0]


def test_what_was_read_is_not_read_again(saves: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = filled(saves)
    read = reads(monkeypatch)
    assert saves.listing() == before
    assert [path.stem for path in read] == ["broken"]


def test_what_has_changed_is_read_again_even_if_it_has_the_old_size_and_time(saves: Store) -> None:
    before = filled(saves)
    path = saves.matches / f"{before.finished[0].id}.tgn"
    was = path.stat()
    path.write_text(path.read_text().replace("Ann", "Eve"))
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    now = saves.listing()
    assert now.finished[0] == before.finished[0]._replace(players=("Eve", "Bob"))
    assert now.finished[1:] == before.finished[1:]


def test_what_has_just_changed_is_not_stored(saves: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "_SETTLED", 1 << 62)
    filled(saves)
    assert not (saves.matches / SUMMARIES).exists()


def test_what_is_deleted_goes(saves: Store) -> None:
    before = filled(saves)
    for each in before.unfinished:
        saves.discard(each.id)
    assert saves.listing() == before._replace(unfinished=[])


def test_few_new_matches_are_not_worth_a_write(
    saves: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary, "_FEW", 6)
    before = filled(saves)
    assert not (saves.matches / SUMMARIES).exists()
    kept(saves, age=3)
    assert saves.listing().finished == before.finished
    assert (saves.matches / SUMMARIES).exists()


# In any doubt the matches are read


def headed(rows: bytes) -> bytes:
    """Return a cache of rows with a header that is right."""
    return f"{summary._HEADER} {zlib.crc32(rows):08x}\n".encode() + rows


def cut(sound: bytes) -> bytes:
    return sound[:-1]


def age(sound: bytes) -> bytes:
    return sound.replace(b"thud summaries ", b"thud summaries 0", 1)


DAMAGED = {
    "empty": b"",
    "another": b"Something else\n[]",
    "no list": headed(b'{"a": 1}'),
    "rows of another kind": headed(b'[["a"], [], 7, null]'),
    "deep": headed(b"[" * 100_000),
    "cut": cut,
    "aged": age,
}


@pytest.mark.slow
@pytest.mark.parametrize("damaged", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_cache_is_not_believed(
    saves: Store, damaged: bytes | Callable[[bytes], bytes]
) -> None:
    before, path = filled(saves), saves.matches / SUMMARIES
    path.write_bytes(damaged if isinstance(damaged, bytes) else damaged(path.read_bytes()))
    for _ in range(2):
        assert saves.listing() == before
        assert saves.latest() == before.unfinished[0]
        saves.resume_latest().close()


@pytest.mark.parametrize(
    "instead", ["directory", "loop", "", *(["pipe"] if hasattr(os, "mkfifo") else [])]
)
def test_what_is_no_cache_is_not_believed(saves: Store, instead: str) -> None:
    before, path = filled(saves), saves.matches / SUMMARIES
    path.unlink()
    if instead == "directory":
        path.mkdir()
    elif instead == "pipe":
        os.mkfifo(path)
    elif instead:
        path.symlink_to(path)
    for _ in range(2):
        assert saves.listing() == before


@pytest.mark.slow
def test_a_cache_with_any_byte_changed_is_not_believed(saves: Store) -> None:
    before, rng = filled(saves), Random(1)
    path = saves.matches / SUMMARIES
    sound = path.read_bytes()
    for _ in range(100):
        data = bytearray(sound)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        assert saves.listing() == before


def test_rows_that_make_no_sense_are_read_again(saves: Store) -> None:
    before = filled(saves)
    path = saves.matches / SUMMARIES
    text = path.read_bytes().partition(b"\n")[2]
    for ours, instead in ((b'"classic"', b'"chess"'), (b"true,", b"true,7,7,7,"), (b'"="', b'"x"')):
        path.write_bytes(headed(text.replace(ours, instead)))
        assert saves.listing() == before


def test_a_cache_that_cannot_be_written_costs_only_time(
    saves: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(summary, "write_atomic", refuse)
    before = filled(saves)
    assert saves.listing() == before
    assert not (saves.matches / SUMMARIES).exists()


def test_what_an_interrupted_write_left_is_cleared_away(saves: Store) -> None:
    before = filled(saves)
    left = saves.matches / f".{SUMMARIES}.01234567.tmp"
    left.write_bytes(b"")
    assert saves.listing() == before
    assert not left.exists()
