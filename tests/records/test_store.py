"""The store: saving, finding and resuming, full disks, and concurrent processes."""

import errno
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from records.matches import every_variant, play
from saving import begin, save
from thud.disk import lock
from thud.records.record import Record
from thud.records.store import AlreadyKept, CannotResume, CannotSave, Store
from thud.records.summary import Totals, filtered, totals
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from unlockable import cannot_lock

CLASSIC = VARIANTS["classic"]


@pytest.fixture
def saves(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture(params=["locks", "no locks"])
def locking(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test on a disk whose files can be locked, and on one where they cannot."""
    if request.param == "no locks":
        cannot_lock(monkeypatch)


def moved(match: Match, plies: int = 1) -> Match:
    """Play random moves in a match and return it."""
    play(match.battle, Random(len(match.battle.moves)), plies)
    return match


def finished(saves: Store, variant: Variant, names: tuple[str, str], seed: int) -> Match:
    """Save a match that is played to its end."""
    match = Match(variant, names)
    with begin(saves, match) as saved:
        for number in (1, 2):
            play(match.battle, Random(seed + number), 30)
            if not match.battle.outcome:
                match.battle.agree()
            if number == 1:
                match.next_battle()
        save(saved, match)
    return match


@pytest.mark.usefixtures("locking")
@every_variant
def test_a_match_is_saved_and_resumed(saves: Store, variant: Variant) -> None:
    match = Match(variant, ("Ann", "Player 2"))
    with begin(saves, match, programs=("", "level 2")) as saved:
        match.rename(1, "Bob")
        for _ in range(6):
            moved(match)
            save(saved, match)
        match.battle.undo()
        match.battle.undo()
        save(saved, match)
        assert read_tgn(saved.path.read_text()) == (saved.record,)
    summary = saves.latest()
    assert summary is not None
    assert (summary.id, summary.variant, summary.players) == (saved.id, variant, ("Ann", "Bob"))
    assert (summary.battle, summary.turn, summary.tally) == (1, 3, (0, 0))
    assert summary.programs == ("", "level 2")
    with saves.resume(summary.id) as again:
        restored = again.record.match()
        assert restored.battle.moves == match.battle.moves
        assert restored.battle.undone == match.battle.undone
        assert restored.battle.redo()
        save(again, restored)
        assert again.path == saved.path
    assert len(saves.listing().unfinished) == 1


@pytest.mark.usefixtures("locking")
def test_a_match_without_a_move_leaves_nothing(saves: Store) -> None:
    assert saves.latest() is None
    saved = begin(saves, Match(CLASSIC))
    assert saved.path.exists()
    saved.close()
    saved.close()
    assert list(saves.matches.iterdir()) == []


@pytest.mark.usefixtures("locking")
def test_a_match_from_elsewhere_keeps_its_name_but_takes_nobodys(saves: Store) -> None:
    record = Record.of(moved(Match(CLASSIC)))
    with saves.adopt(record, "from-elsewhere") as saved:
        assert saved.id == "from-elsewhere"
        with pytest.raises(AlreadyKept):
            saves.adopt(record, "from-elsewhere")
    kept = saved.path.read_bytes()
    with pytest.raises(AlreadyKept):
        saves.adopt(Record.of(Match(CLASSIC)), "from-elsewhere")
    assert saved.path.read_bytes() == kept


def test_broken_files_are_told_and_left_alone(saves: Store) -> None:
    with begin(saves, moved(Match(CLASSIC))) as saved:
        good = saved.path.read_bytes()
    broken = {
        "illegal.tgn": good.replace(b"1. d", b"1. T"),
        "cut.tgn": good[:-5],
        "empty.tgn": b"",
        "two.tgn": good + b"\n" + good,
        "large.tgn": b" " * 1_100_000,
        "odd name!.tgn": good,
        "binary.tgn": bytes(range(256)),
    }
    for name, data in broken.items():
        (saves.matches / name).write_bytes(data)
    (saves.matches / "directory.tgn").mkdir()
    assert [summary.id for summary in saves.listing().unfinished] == [saved.id]
    found = saves.listing().broken
    assert sorted(entry.path.name for entry in found) == sorted([*broken, "directory.tgn"])
    assert all(entry.reason.isprintable() for entry in found)
    for name, data in broken.items():
        assert (saves.matches / name).read_bytes() == data
    for name in ("illegal", "cut", "two"):
        with pytest.raises(CannotResume, match=f"match {name} cannot be read: line"):
            saves.resume(name)
    assert not list(saves.matches.glob("*.lock"))


@pytest.mark.parametrize("name", ["../x", "", "x" * 100, "a/b", "nobody", "\x1b[2J", ".."])
def test_only_saved_matches_are_resumed(saves: Store, name: str) -> None:
    with pytest.raises(CannotResume, match="there is no saved match") as caught:
        saves.resume(name)
    assert str(caught.value).isprintable()


@pytest.mark.usefixtures("locking")
def test_a_match_is_open_once(saves: Store) -> None:
    saved = begin(saves, moved(Match(CLASSIC)))
    for action in (saves.resume, saves.discard):
        with pytest.raises(CannotResume, match="is open in another terminal: close it there first"):
            action(saved.id)
    assert [summary.id for summary in saves.listing().unfinished] == [saved.id]
    saved.close()
    saves.resume(saved.id).close()
    saves.put_back(saves.discard(saved.id))
    saves.discard(saved.id)
    assert saves.latest() is None


@pytest.mark.usefixtures("locking")
@pytest.mark.parametrize("closed", [False, True])
def test_who_lost_the_lock_never_writes_over_another(saves: Store, closed: bool) -> None:
    first = begin(saves, moved(Match(CLASSIC)))
    first.path.with_suffix(".lock").unlink()
    second = saves.resume(first.id)
    save(second, moved(second.record.match(), 2))
    if closed:
        second.close()
    theirs = first.path.read_bytes()
    for _ in range(2):
        with pytest.raises(CannotSave, match="was resumed in another terminal: moves played"):
            save(first, moved(first.record.match(), 4))
        assert first.path.read_bytes() == theirs
    first.close()
    assert first.path.read_bytes() == theirs
    if not closed:
        save(second, moved(second.record.match(), 6))
        second.close()
    assert len(saves.load(first.id).battles[0].moves) == (3 if closed else 9)


@pytest.mark.usefixtures("locking")
def test_a_lock_that_nobody_took_is_taken_again(saves: Store) -> None:
    with begin(saves, moved(Match(CLASSIC))) as saved:
        saved.path.with_suffix(".lock").unlink()
        save(saved, moved(saved.record.match()))
        with pytest.raises(CannotResume, match="is open in another terminal"):
            saves.resume(saved.id)
    assert len(saves.load(saved.id).battles[0].moves) == 2


@pytest.mark.usefixtures("locking")
def test_an_untouched_match_that_another_took_up_is_left_to_it(saves: Store) -> None:
    first = begin(saves, Match(CLASSIC))
    first.path.with_suffix(".lock").unlink()
    second = saves.resume(first.id)
    first.close()
    save(second, moved(second.record.match()))
    second.close()
    assert len(saves.load(first.id).battles[0].moves) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("locking")
def test_two_processes_that_begin_at_once_get_files_of_their_own(saves: Store) -> None:
    code = (
        "import sys; from pathlib import Path; from thud.records.store import Store;"
        "from thud.records.record import Record;"
        "from thud.rules.match import Match; from thud.rules.variants import VARIANTS;"
        "store = Store(Path(sys.argv[1])); record = Record.of(Match(VARIANTS['koom']));"
        "print(*(store.adopt(record).id for _ in range(40)))"
    )
    command = [sys.executable, "-c", code, str(saves.matches.parent)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    ids = [name for process in processes for name in process.communicate()[0].split()]
    assert len(ids) == len(set(ids)) == 120
    assert {summary.id for summary in saves.listing().unfinished} == set(ids)


@pytest.mark.usefixtures("locking")
@pytest.mark.parametrize("function", ["replace", "fsync", "open"])
def test_a_full_disk_costs_nothing_but_the_save(
    saves: Store, function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    match = moved(Match(CLASSIC))
    with begin(saves, match) as saved:
        before = saved.path.read_bytes()
        with monkeypatch.context() as patch:
            patch.setattr(f"thud.disk.atomic.os.{function}", full)
            for _ in range(2):
                moved(match)
                with pytest.raises(CannotSave, match=r"cannot be saved in .*: No space left"):
                    save(saved, match)
        assert saved.path.read_bytes() == before
        assert not list(saves.matches.glob("*.tmp"))
        save(saved, match)
        assert len(saves.load(saved.id).battles[0].moves) == 3


def test_a_match_whose_related_files_cannot_be_saved_can_be_saved_later(saves: Store) -> None:
    def full(name: str) -> None:
        raise OSError(errno.ENOSPC, name)

    record = Record.of(Match(CLASSIC))
    with pytest.raises(OSError, match="arranged"):
        saves.adopt(record, "arranged", full)
    assert not saves.version("arranged")
    saves.adopt(record, "arranged").close(keep_empty=True)
    assert saves.load("arranged") == record


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotSave, match=r"cannot be saved in .*file.matches: "):
        begin(Store(tmp_path / "file"), Match(CLASSIC))


def test_a_directory_that_refuses_is_told(saves: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    match = moved(Match(CLASSIC))
    with begin(saves, match) as saved:
        pass
    monkeypatch.setattr(lock, "Lock", refuse)
    with pytest.raises(CannotSave, match="Permission denied"):
        begin(saves, match)
    with pytest.raises(CannotResume, match=r"cannot be locked in .*: Permission denied"):
        saves.resume(saved.id)


@pytest.mark.usefixtures("locking")
def test_a_directory_that_vanishes_is_made_again(saves: Store) -> None:
    match = moved(Match(CLASSIC))
    with begin(saves, match) as saved:
        for path in saves.matches.iterdir():
            path.unlink()
        saves.matches.rmdir()
        save(saved, moved(match))
        assert len(saves.load(saved.id).battles[0].moves) == 2


def test_a_finished_match_is_listed_whatever_its_clock_and_told_of_when_it_is_opened(
    saves: Store,
) -> None:
    finished(saves, CLASSIC, ("Ann", "Bob"), 1)
    (summary,) = saves.finished()
    path = saves.matches / f"{summary.id}.tgn"
    path.write_text(path.read_text().replace("\n\n", '\n[TimeControl "soon"]\n\n', 1))
    assert saves.listing().broken == []
    assert [each.tally for each in saves.finished()] == [summary.tally]
    with pytest.raises(CannotResume, match=r"cannot be read: line .*'soon'"):
        saves.load(summary.id)


def test_finished_matches_are_kept_and_counted(saves: Store) -> None:
    koom = VARIANTS["koom"]
    players = [("Ann", "Bob"), ("bob", "Ann"), ("Ann", "Cat")]
    games = [CLASSIC, CLASSIC, koom]
    matches = [finished(saves, *each) for each in zip(games, players, (1, 5, 9), strict=True)]
    begin(saves, moved(Match(CLASSIC, ("Ann", "Dan")))).close()
    history = saves.finished()
    assert sorted(entry.tally for entry in history) == sorted(match.tally for match in matches)
    assert sorted(str(e.winner) for e in history) == sorted(str(m.winner) for m in matches)
    with pytest.raises(CannotResume, match="is over"):
        saves.resume(history[0].id)
    saves.take(history[0].id).close()
    assert len(filtered(history, "BOB")) == 2
    assert len(filtered(history, "Ann", koom)) == 1
    assert filtered(history, "Dan") == []
    found = totals(filtered(history, variant=CLASSIC))
    assert [name.casefold() for name in found] == ["ann", "bob"]
    ann, bob = found.values()
    first, second = matches[0].tally, matches[1].tally
    assert (ann.points_for, ann.points_against) == (first[0] + second[1], first[1] + second[0])
    assert (bob.points_for, bob.points_against) == (ann.points_against, ann.points_for)
    assert (ann.played, ann.won, ann.drawn, ann.lost) == (2, bob.lost, bob.drawn, bob.won)
    assert totals(filtered(history, variant=koom))["Cat"].played == 1
    assert totals([]) == {}
    assert Totals().played == 0


def test_a_record_from_elsewhere_can_be_adopted(saves: Store) -> None:
    text = tgn_text(Record.of(moved(Match(CLASSIC, ("Ann", "Bob")), 2)))
    (record,) = read_tgn(text.replace("\n\n1.", '\n[Site "Ankh"]\n\n{so it begins} 1.'))
    with saves.adopt(record) as saved:
        assert saves.load(saved.id) == record
        save(saved, moved(saved.record.match()))
    assert saves.load(saved.id).tags == (("Site", "Ankh"),)
    bad = record._replace(event="\x1b")
    with pytest.raises(CannotSave, match="the tag Event has unprintable characters"):
        saves.adopt(bad)
    assert len(list(saves.matches.iterdir())) == 1


def test_a_match_of_a_given_id_is_saved_where_somebody_died_while_saving_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.matches.mkdir()
    (store.matches / "20261130-120000-abcd.lock").touch()
    record = Record.of(Match(VARIANTS["classic"]))
    store.adopt(record, "20261130-120000-abcd").close(keep_empty=True)
    with pytest.raises(AlreadyKept):
        store.adopt(record, "20261130-120000-abcd")
