"""Every registered format, wherever a player may name a file."""

import os
import sys
from pathlib import Path
from random import Random

import pytest

from records.matches import play, random_match
from thud.records.bounds import READABLE
from thud.records.formats import (
    FORMATS,
    WRITABLE,
    format_of,
    is_saved,
    open_named,
    read_file,
    save_as,
    unused_name,
    write_file,
)
from thud.records.record import InvalidRecord, Record
from thud.records.store import CannotResume, Store
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.records.tree import Excerpt
from thud.records.words import saved_as
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS


@pytest.mark.parametrize("dash", "‐‑‒–—−")
def test_a_dash_of_a_phone_or_word_processor_is_a_hyphen(dash: str) -> None:
    match = Match(VARIANTS["classic"], ("Ann", "Bob – Co"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    match.battle.agree()
    record = Record.of(match)
    text = tgn_text(record)
    for there in ("F1-F5", "32-32", 'Result1 "32-32'):
        text = text.replace(there, there.replace("-", dash))
    assert read_tgn(text) == (record,)
    (alone,) = read_tgn(f"1. dF1{dash}F5 TG7{dash}F6")
    assert len(alone.battles[0].moves) == 2


def test_lines_for_other_programs_and_comments_to_the_end_of_a_line_are_read() -> None:
    (record,) = read_tgn(
        '[Variant "classic"]\n%an "escape { ]\n\n; a (start) {in braces}\n'
        "1. dF1-F5 ; good\n% another\n TG7-F6; best\n;\n*\n"
    )
    assert [each.comments for each in record.battles[0].line] == [
        ("a (start) (in braces)",),
        ("good",),
        ("best",),
    ]


BEGINNINGS = {
    ".tgn": b"[",
    ".thud": b"d",
    ".json": b"{",
    ".pos": b"5/1T",
    ".svg": b"<svg",
    ".png": b"\x89PNG",
    ".gif": b"GIF89a",
}
"""How the files of each format begin."""


def every_format(*suffixes: str) -> pytest.MarkDecorator:
    slow = {".png": pytest.mark.slow}
    return pytest.mark.parametrize(
        "suffix", [pytest.param(each, marks=slow.get(each, ())) for each in suffixes]
    )


@pytest.fixture
def record() -> Record:
    match = Match(VARIANTS["koom"], ("Ann", "Bob"))
    play(match.battle, Random(4), 9)
    match.battle.agree()
    match.next_battle()
    play(match.battle, Random(5), 7)
    return Record.of(match)


def test_the_registry_has_every_format_once() -> None:
    assert set(WRITABLE) == set(BEGINNINGS)
    assert set(READABLE) <= set(WRITABLE)
    assert len({kind.purpose for kind in FORMATS.values()}) == len(FORMATS)
    assert all(format_of(Path(f"X{suffix.upper()}")).suffix == suffix for suffix in FORMATS)


@every_format(*WRITABLE)
def test_a_match_is_saved_under_any_name_but_never_over_another(
    suffix: str, record: Record, tmp_path: Path
) -> None:
    path = tmp_path / f"match{suffix}"
    battle = "" if suffix in (".tgn", ".json") else " (battle 2)"
    assert save_as(record, str(path)) == path
    assert saved_as(path, record) == f"Saved as {path}{battle}"
    written = path.read_bytes()
    assert written.startswith(BEGINNINGS[suffix])
    with pytest.raises(ValueError, match="exists: nothing was written"):
        save_as(record, str(path))
    assert path.read_bytes() == written
    assert os.listdir(tmp_path) == [path.name]
    if suffix in READABLE:
        opened, fault = open_named(str(path))
        assert (opened.battles[-1].moves, fault) == (record.battles[-1].moves, "")


def test_a_file_of_one_battle_holds_the_one_that_is_meant(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "match.thud"
    with pytest.raises(InvalidRecord, match="say which"):
        write_file(path, record)
    for number, battle in enumerate(record.battles, 1):
        write_file(path, record, excerpt=Excerpt(number), overwrite=True)
        (read,) = read_file(path)
        assert read.battles[0].moves == battle.moves


def test_a_name_without_a_suffix_is_saved_as_a_record(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert save_as(record, "~/mine") == tmp_path / "mine.tgn"
    assert open_named("~/mine.tgn") == (record, "")


def test_a_name_is_a_file_or_the_id_of_a_saved_match(record: Record, tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.adopt(record) as saved:
        assert open_named(saved.id, store) == (record, "")
        with pytest.raises(ValueError, match="there is no match 2, the last is 1"):
            open_named(saved.id, store, number=2)
    with pytest.raises(CannotResume, match="there is no saved match 'nobody'"):
        open_named("nobody", store)
    (tmp_path / "there").write_text("")
    assert not is_saved(str(tmp_path / "there"))
    for name in "nobody", "nobody.tgn":
        with pytest.raises(ValueError, match=r"must end in|No such file"):
            open_named(name)


def test_a_picture_is_no_record_and_its_name_is_left_to_the_caller(tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    picture.touch()
    with pytest.raises(ValueError, match=r"must end in \.tgn or \.thud") as told:
        open_named(str(picture))
    assert "board" not in str(told.value)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("match.doc", "'match.doc' must end in .tgn, .thud, .json, .pos, .svg, .png or .gif"),
        ("none/match.tgn", "cannot be written: No such file or directory"),
        ("", "a file needs a name"),
    ],
)
def test_a_name_that_cannot_be_written_is_told(
    name: str, reason: str, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=reason):
        save_as(record, name)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("suffix", [".png", ".gif"])
def test_a_picture_says_what_it_needs(
    suffix: str, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "thud.pictures.raster", raising=False)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ValueError, match=r"needs an extra: install Thud as '\.\[pictures\]'"):
        save_as(record, str(tmp_path / f"battle{suffix}"))
    assert os.listdir(tmp_path) == []


@every_format(*WRITABLE)
def test_a_failing_disk_leaves_the_old_file(
    suffix: str, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    path = tmp_path / f"match{suffix}"
    path.write_bytes(b"the old one")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="the disk is full"):
        write_file(path, record, excerpt=Excerpt(1), overwrite=True)
    assert path.read_bytes() == b"the old one"
    assert os.listdir(tmp_path) == [path.name]


def test_pictures_are_of_the_place_that_is_meant(tmp_path: Path) -> None:
    record = Record.of(random_match(VARIANTS["classic"], Random(1)))
    last = record.battles[0]
    for ply in range(len(last.moves) + 1):
        path = tmp_path / f"{ply}.svg"
        write_file(path, record, excerpt=Excerpt(1, ply))
        position = list(last.positions())[ply]
        assert path.read_text().count('"#thud-troll"') == position.trolls.bit_count()
    with pytest.raises(ValueError, match="battle 1 has no ply 99"):
        write_file(tmp_path / "99.svg", record, excerpt=Excerpt(1, 99))


def test_a_proposed_name_is_of_no_file_that_exists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["match.tgn", "match-2.tgn", "match-3.tgn"]
    for name in names:
        assert unused_name("match", ".tgn") == name
        Path(name).touch()
