"""Listing the saved matches, among any other files."""

import errno
import os
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from records.matches import play
from saving import begin, save
from thud.cli.main import main
from thud.disk.atomic import replacing
from thud.records import bounds, summary
from thud.records.store import CannotResume, CannotSave, Store
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))
    return Store()


def kept(saves: Store, *, over: bool = False, age: int = 0) -> str:
    match = Match(CLASSIC, ("Ann", "Bob"))
    play(match.battle, Random(1), 2)
    if over:
        match.battle.agree()
        match.next_battle()
        match.battle.agree()
    with begin(saves, match) as saved:
        pass
    os.utime(saved.path, (1_000_000 - age, 1_000_000 - age))
    return saved.id


def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return a list to which every file read from now on is appended."""
    found: list[Path] = []
    read_text = bounds.read_text

    def counted(path: Path) -> str:
        found.append(path)
        return read_text(path)

    monkeypatch.setattr("thud.records.summary.read_text", counted)
    return found


def test_a_listing_reads_every_file_once(saves: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    unfinished = [kept(saves, age=age) for age in range(3)]
    finished = [kept(saves, over=True, age=age) for age in range(3)]
    (saves.matches / "broken.tgn").write_text("nonsense")
    read = reads(monkeypatch)
    listing = saves.listing()
    assert len(read) == len(set(read)) == 7
    assert [each.id for each in listing.unfinished] == unfinished
    assert [each.id for each in listing.finished] == finished
    assert [each.path.name for each in listing.broken] == ["broken.tgn"]


def test_the_latest_match_is_found_without_reading_the_older_ones(
    saves: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [kept(saves, age=age) for age in range(20)]
    kept(saves, over=True, age=-1)
    read = reads(monkeypatch)
    latest = saves.latest()
    assert latest
    assert latest.id == names[0]
    assert len(set(read)) == 2
    with saves.resume_latest() as first, saves.resume_latest() as other:
        assert [first.id, other.id] == names[:2]


def test_a_match_that_waits_was_begun_by_both_sides_and_not_long_ago(saves: Store) -> None:
    long_ago, since = kept(saves, age=3), datetime.now() - timedelta(days=14)
    path = saves.matches / f"{long_ago}.tgn"
    os.utime(path)
    once = Match(CLASSIC, ("Ann", "Bob"))
    once.battle.play(CLASSIC.legal_moves(CLASSIC.start)[0])
    begin(saves, once).close()
    waiting = saves.waiting(since=since)
    assert waiting
    assert waiting.id == long_ago
    assert saves.waiting(since=since, but=long_ago) is None
    os.utime(path, (path.stat().st_mtime - 15 * 86400,) * 2)
    assert saves.waiting(since=since) is None


def test_a_match_in_which_only_the_trolls_have_moved_does_not_wait(saves: Store) -> None:
    since = datetime.now() - timedelta(days=14)
    match = Match(CLASSIC, ("Ann", "Bob"), CLASSIC.start._replace(to_move=Side.TROLLS))
    with begin(saves, match) as saved:
        for begun in (False, True):
            match.battle.play(CLASSIC.legal_moves(match.battle.position)[0])
            save(saved, match)
            assert (saves.waiting(since=since) is not None) is begun


def test_between_the_battles_no_turn_is_to_come(saves: Store) -> None:
    match = Match(CLASSIC, ("Ann", "Bob"))
    with begin(saves, match) as saved:
        for place in "battle 1, turn 2", "battle 1 over":
            match.battle.play(CLASSIC.legal_moves(match.battle.position)[0])
            if place.endswith("over"):
                match.battle.agree()
            else:
                match.battle.play(CLASSIC.legal_moves(match.battle.position)[0])
            save(saved, match)
            assert [each.place for each in saves.listing().unfinished] == [place]


def test_a_match_that_was_deleted_is_put_back_as_it_was(saves: Store) -> None:
    name = kept(saves)
    before = saves.listing().unfinished
    discarded = saves.discard(name)
    assert saves.listing().unfinished == []
    saves.put_back(discarded)
    assert saves.listing().unfinished == before
    with pytest.raises(CannotSave, match="there is another match"):
        saves.put_back(discarded)


def test_a_match_is_deleted_by_a_command(saves: Store, capsys: Capture) -> None:
    name, other = kept(saves), kept(saves, age=1)
    text = (saves.matches / f"{name}.tgn").read_text()
    assert main(["delete", name]) == 2
    assert f"add --yes to delete {name}" in capsys.readouterr().err
    assert main(["delete", name, "--yes"]) == 0
    out, copy = capsys.readouterr().out, saves.matches.parent / "deleted.tgn"
    assert out == f"Deleted match {name}. A copy stays at {copy} until you delete another match.\n"
    assert copy.read_text() == text
    assert [each.id for each in saves.listing().unfinished] == [other]
    assert main(["delete", name]) == 2
    assert "there is no saved match" in capsys.readouterr().err


@pytest.mark.parametrize("answer", ["", "n", "nonsense", None])
def test_at_a_terminal_a_match_is_deleted_when_that_is_meant(
    saves: Store, monkeypatch: pytest.MonkeyPatch, answer: str | None
) -> None:
    name, asked = kept(saves), list[str]()

    def said(question: str) -> str:
        asked.append(question)
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr("thud.cli.delete.at_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", said)
    assert main(["delete", name]) == 0
    assert asked == [f"Delete {name}, unfinished, Classic, Ann against Bob? [y/N] "]
    assert [each.id for each in saves.listing().unfinished] == [name]


def test_a_broken_match_is_never_the_latest(saves: Store) -> None:
    name = kept(saves, age=5)
    text = (saves.matches / f"{name}.tgn").read_text()
    (saves.matches / "illegal.tgn").write_text(text.replace("1. d", "1. T"))
    (saves.matches / "odd name!.tgn").write_text(text)
    latest = saves.latest()
    assert latest
    assert latest.id == name
    with saves.resume_latest() as saved:
        assert saved.id == name
        with pytest.raises(CannotResume, match="illegal cannot be read"):
            saves.resume_latest()


@pytest.mark.skipif(not os.path.isdir("/dev/shm"), reason="needs a disk that takes any time")
@pytest.mark.parametrize("seconds", [300_000_000_000, -99_999_999_999])
def test_a_file_of_an_odd_time_hides_nothing(
    seconds: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    with TemporaryDirectory(dir="/dev/shm") as directory:
        monkeypatch.setenv("THUD_DATA_DIR", directory)
        saves = Store()
        names = {kept(saves), kept(saves)}
        finished = {kept(saves, over=True), kept(saves, over=True)}
        for name in next(iter(names)), next(iter(finished)):
            os.utime(saves.matches / f"{name}.tgn", (seconds, seconds))
        assert {each.id for each in saves.listing().unfinished} == names
        assert saves.latest()
        assert main(["resume", "--list"]) == 0
        listed = capsys.readouterr().out
        assert all(name in listed for name in names)
        assert main(["history"]) == 0
        printed = capsys.readouterr()
        assert all(name in printed.out for name in finished)
        assert not printed.err


COMMANDS = ("resume --list", "history", "resume", "resume --plain", "resume --plain x")


@pytest.mark.parametrize("place", ["data", "data/matches", ""])
def test_a_directory_that_cannot_be_read_is_told(
    saves: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture, place: str
) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    if place:
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("in the way")
    else:
        monkeypatch.setattr("thud.records.store.os.scandir", refused)
    for command in COMMANDS if place else COMMANDS[:4]:
        assert main(command.split()) == 2, command
        printed = capsys.readouterr()
        assert (printed.out, printed.err.count("\n")) == ("", 1)
        assert ("Not a directory" if place else "Permission denied") in printed.err


def test_no_directory_is_no_fault(saves: Store, capsys: Capture) -> None:
    assert saves.listing() == ([], [], [])
    assert main(["history"]) == 0
    assert capsys.readouterr().out == "No finished matches yet.\n"


def test_what_a_killed_process_left_is_cleared_away(saves: Store) -> None:
    name = kept(saves)
    left = [f"{name}.lock", "20200101-000000-abcd.lock", f".{name}.tgn.01234567.tmp"]
    foreign = ["notes.tmp", f".{name}.txt.01234567.tmp", "odd name!.lock", ".x.tgn.tmp", "a.txt"]
    for each in left + foreign:
        (saves.matches / each).write_text("")
    assert [each.id for each in saves.listing().unfinished] == [name]
    assert sorted(os.listdir(saves.matches)) == sorted([f"{name}.tgn", *foreign])


def test_what_is_in_use_stays(saves: Store) -> None:
    match = Match(CLASSIC)
    play(match.battle, Random(1), 2)
    with begin(saves, match) as saved, replacing(saved.path) as file:
        in_use = sorted(os.listdir(saves.matches))
        assert len(in_use) == 3
        saves.listing()
        assert sorted(os.listdir(saves.matches)) == in_use
        file.write(saved.path.read_bytes())
    assert os.listdir(saves.matches) == [saved.path.name]


def test_clearing_away_follows_no_link(saves: Store, tmp_path: Path) -> None:
    kept(saves)
    (tmp_path / "treasure").write_text("untouched")
    (saves.matches / "mine.lock").symlink_to(tmp_path / "treasure")
    (saves.matches / "other.lock").symlink_to(tmp_path / "nothing")
    saves.listing()
    assert (tmp_path / "treasure").read_text() == "untouched"
    assert not (tmp_path / "nothing").exists()


def test_a_match_that_the_disk_refuses_to_read_is_listed_with_the_reason(
    saves: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (name, other), read = (kept(saves), kept(saves)), summary.summary_of

    def refuse(path: Path) -> summary.Summary:
        if path.stem == name:
            raise OSError(5, "Input/output error")
        return read(path)

    monkeypatch.setattr(summary, "summary_of", refuse)
    found = saves.listing()
    assert [(each.path.stem, each.reason) for each in found.broken] == [
        (name, "Input/output error")
    ]
    assert [each.id for each in found.unfinished] == [other]


def test_a_match_is_named_by_its_id_a_beginning_or_last(saves: Store) -> None:
    with pytest.raises(CannotResume, match="no match is saved yet"):
        saves.named("last")
    old, new = kept(saves, over=True, age=9), kept(saves)
    assert [saves.named(each) for each in (old, new, "last")] == [old, new, new]
    (saves.matches / f"{new}.tgn").rename(saves.matches / f"{old[:4]}-new.tgn")
    assert saves.named(old[:5]) == old
    for text, told in (old[:4], "2 saved matches begin with "), ("x", "no saved match 'x'"):
        with pytest.raises(CannotResume, match=f"{told}.*thud history"):
            saves.named(text)
    for hostile in f"../{old}", "", "*", f"{old}\0":
        with pytest.raises(CannotResume, match="no saved match"):
            saves.named(hostile)
    for word in "review", "export", "show":
        assert main([word, "last"]) == 0
    assert main(["delete", "last", "--yes"]) == 0
    assert [saves.named("last"), saves.named(old[:1])] == [old, old]
    with pytest.raises(SystemExit, match="2"):
        main(["delete", "", "--yes"])  # an empty variable of a script names no match
    assert saves.named("last") == old
