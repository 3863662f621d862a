"""The parts of the ssh door, without a connection."""

from pathlib import Path

import pytest

from thud.club.doors import MOST_QUEUED
from thud.club.ssh.auth import AuthorizedKeys
from thud.club.ssh.connection import FlowControl
from thud.club.ssh.session import OutputBuffer, environment
from thud.club.ssh.terminal import TerminalSize, bounded_size
from thud.club.storage import MOST_KNOWN
from thud.disk.small import write_small


def test_a_valve_is_shut_as_long_as_there_is_a_reason() -> None:
    told: list[str] = []
    flow = FlowControl(lambda: told.append("shut"), lambda: told.append("open"))
    for reason in ("window", "full", "full"):
        flow.pause(reason)
    for reason in ("full", "keys", "window", "window"):
        flow.resume(reason)
    assert told == ["shut", "open"]


class Reader:
    """Reads from an output buffer, and pauses it after a number of bytes."""

    def __init__(self) -> None:
        self.taken = b""
        self.overflown = 0
        self.takes = 1 << 30
        self.output = OutputBuffer(self._take, self._overflow)

    def _take(self, data: bytes) -> None:
        self.taken += data
        if len(self.taken) >= self.takes:
            self.output.pause()

    def _overflow(self) -> None:
        self.overflown += 1


def test_what_is_not_taken_waits_and_comes_in_order() -> None:
    reader = Reader()
    reader.takes = 2
    for each in (b"a", b"b", b"c", b"d"):
        reader.output.put(each)
    assert reader.taken == b"ab"
    reader.takes = 3
    reader.output.resume()
    assert reader.taken == b"abc"
    reader.output.put(b"e")
    reader.output.flush()
    assert reader.taken == b"abcde"


def test_no_more_waits_than_is_kept_for_anybody() -> None:
    reader = Reader()
    reader.output.pause()
    reader.output.put(bytes(MOST_QUEUED))
    kept = reader.overflown
    reader.output.put(b"x")
    assert (kept, reader.overflown) == (0, 1)
    assert reader.output._queued == 0


def test_every_size_that_is_told_fits() -> None:
    assert bounded_size(0, 0, 0, 0) == TerminalSize(80, 24, 0, 0)
    assert bounded_size(*(2**32 - 1,) * 4) == TerminalSize(500, 200, 65535, 65535)


def test_of_an_environment_only_what_looks_right_is_taken() -> None:
    assert environment("xterm", "Ann", {})["LC_CTYPE"] == "C.UTF-8"
    offered = {
        b"LANG": b"de_DE.ISO-8859-1@euro",
        b"LC_TIME": b"/etc/passwd",
        b"LC_x": b"C",
        b"COLORTERM": b"x" * 65,
        b"PATH": b"x",
        b"TERM": b"other",
        b"\xff": b"\xff",
        b"LC_CTYPE\n": b"C",
    }
    told = environment("xterm", "Ann", offered)
    assert told["LANG"] == "de_DE.ISO-8859-1@euro"
    assert told["LC_CTYPE"] == told["LC_ALL"] == ""
    assert {*told} == {"TERM", "VISITOR_NAME", "LANG", "LC_ALL", "LC_CTYPE"}
    assert told["TERM"] == "xterm"


def test_the_oldest_key_is_forgotten_first(tmp_path: Path) -> None:
    keys = AuthorizedKeys(tmp_path, "word")
    keys.add(b"old")
    keys.add(b"older")
    keys.add(b"old")
    kept = [keys._digest(b"older"), *(f"{number:032x}" for number in range(MOST_KNOWN - 2))]
    write_small(tmp_path / "keys.json", {"keys": [*kept, keys._digest(b"old")]}, private=True)
    keys.add(b"new")
    assert [keys.knows(each) for each in (b"older", b"old", b"new")] == [False, True, True]


@pytest.mark.parametrize("damaged", ["", "[]", '{"keys": 3}', '{"keys": [3, null]}', "\x00"])
def test_a_key_is_known_with_its_word_only_and_what_is_damaged_knows_nobody(
    tmp_path: Path, damaged: str
) -> None:
    (tmp_path / "keys.json").write_text(damaged)
    keys = AuthorizedKeys(tmp_path, "word")
    assert not keys.knows(b"key")
    keys.add(b"key")
    again, other = AuthorizedKeys(tmp_path, "word"), AuthorizedKeys(tmp_path, "other")
    assert [again.knows(b"key"), again.knows(b"no"), other.knows(b"key")] == [True, False, False]
