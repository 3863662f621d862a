"""What the autosave of a match remembers until it can be put on the disk."""

from __future__ import annotations

import asyncio
import errno
import os
from pathlib import Path

import pytest

from saving import begin, save
from thud.disk.atomic import write_atomic
from thud.records.formats import open_named, read_file
from thud.records.record import Record, line_of
from thud.records.store import CannotSave, Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Move
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import Notified, Played, ProposeEnd, SaveFailed, Undo
from thud.session.law import Answer, NextBattle, Open, Play, Redo
from thud.session.session import Session
from unlockable import cannot_lock
from waiting import until

VARIANT = VARIANTS["classic"]


class Disk:
    """A disk that is full, until it has room."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        monkeypatch.setattr("thud.records.store.write_atomic", self._write)

    def _write(self, path: Path, data: bytes) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_atomic(path, data)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def move(match: Match, text: str) -> Move:
    return parse_move(match.variant, match.battle.position, text)


def read_elsewhere(directory: Path) -> Record:
    """Return a record with a tag and a comment of another program, as it is read from a file."""
    match = Match(VARIANT, ("Anna", "Bert"))
    match.battle.play(move(match, "dF1-F5"))
    path = directory / "elsewhere.tgn"
    with begin(Store(directory / "other"), match) as saved:
        save(saved, match)
        text = saved.path.read_text()
    head, body = text.split("\n\n", 1)
    text = f'{head}\n[Round "7"]\n\n{body.replace("dF1-F5", "dF1-F5 {a bold beginning}")}'
    path.write_text(text)
    record, fault = open_named(str(path))
    assert not fault
    return record


async def test_a_record_that_could_not_be_adopted_is_kept_whole_once_it_can(
    tmp_path: Path, disk: Disk
) -> None:
    record = read_elsewhere(tmp_path)
    assert record.tags
    assert record.battles[0].line[1].comments
    store = Store(tmp_path)
    disk.full = True
    session = Session(Match(VARIANT), Autosave(store))
    told: list[object] = []
    session.subscribe(told.append)
    await session.request(Open(record))
    assert any(isinstance(event, SaveFailed) for event in told)
    assert session.autosave.has_unsaved
    disk.full = False
    await session.request(Play(move(session.state.match, "TG7-F6")))
    await session.leave()
    assert not session.autosave.has_unsaved
    (path,) = store.matches.glob("*.tgn")
    (kept,) = read_file(path)
    assert kept.tags == record.tags
    assert kept.battles[0].line[1].comments == record.battles[0].line[1].comments
    assert len(kept.battles[0].moves) == 2


async def test_a_match_that_is_over_stays_as_it_was_played(tmp_path: Path) -> None:
    store, told = Store(tmp_path), list[object]()
    session = Session(Match(VARIANT, ("Ann", "Bob")), Autosave(store))
    for number in (1, 2):
        for text in ("dF1-F5", "TG7-F6"):
            await session.request(Play(move(session.state.match, text)))
        await session.request(ProposeEnd())
        await session.request(Answer(True, ProposeEnd()))
        if number == 1:
            await session.request(NextBattle())
    name = session.autosave.id
    over = store.load(name)
    assert over.over
    session.subscribe(told.append)
    await session.request(Undo())
    assert any(isinstance(event, Notified) for event in told)
    await session.request(Undo())
    assert store.load(name) == over
    for text in ("TG7-H6", "dG1-G5"):
        await session.request(Play(move(session.state.match, text)))
    kept = store.load(name)
    assert kept.over
    assert kept.battles[0] == over.battles[0]
    start, first, second = kept.battles[1].line
    assert first.variations == (line_of(session.state.battle.moves)[2:],)
    as_played = (start, first._replace(variations=()), second)
    assert kept.battles[1]._replace(line=as_played) == over.battles[1]
    await session.request(Undo())
    await session.request(Redo())
    assert store.load(name) == kept
    await session.leave()
    assert "thud replay" in session.farewell()


async def test_where_files_cannot_be_locked_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cannot_lock(monkeypatch)
    told = list[object]()
    session = Session(Match(VARIANT), Autosave(Store(tmp_path)))
    session.subscribe(told.append)
    for text in "dF1-F5", "TG7-F6":
        await session.request(Play(move(session.state.match, text)))
    (notice,) = (event for event in told if isinstance(event, Notified))
    assert "do not play this match on two computers at once" in notice.words
    await session.leave()
    assert session.farewell().startswith("Saved.")


@pytest.mark.parametrize(
    ("room_at_first", "room_at_last", "farewell"),
    [
        (False, True, "Saved. Resume with: "),
        (True, True, "Saved. Resume with: "),
        (True, False, "The last moves are not saved."),
    ],
)
async def test_what_could_not_be_saved_is_saved_on_leaving_if_it_can_be(
    room_at_first: bool, room_at_last: bool, farewell: str, tmp_path: Path, disk: Disk
) -> None:
    session = Session(Match(VARIANT), Autosave(Store(tmp_path)))
    assert session.outlook() == "The match is not saved."
    disk.full = not room_at_first
    await session.request(Play(move(session.state.match, "dF1-F5")))
    assert (session.outlook() == "Saved. Resume with: thud resume") is room_at_first
    disk.full = True
    await session.request(Play(move(session.state.match, "TG7-F6")))
    assert session.autosave.has_unsaved
    disk.full = not room_at_last
    await session.leave()
    assert session.farewell().startswith(farewell)
    disk.full = False
    session.autosave.close()
    (path,) = (tmp_path / "matches").iterdir()
    assert len(read_file(path)[0].battles[0].moves) == (2 if room_at_last else 1)


async def test_what_could_not_be_saved_is_tried_again_while_the_match_goes_on(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.session.view.SAVE_AGAIN", 0.01)
    told = list[object]()
    session = Session(Match(VARIANT), Autosave(Store(tmp_path)))
    session.subscribe(told.append)
    disk.full = True
    await session.request(Play(move(session.state.match, "dF1-F5")))
    running = asyncio.create_task(session.run())
    disk.full = False
    await until(lambda: any(isinstance(event, Notified) for event in told))
    assert not session.autosave.has_unsaved
    assert [type(event) for event in told if not isinstance(event, Played)] == [
        SaveFailed,
        Notified,
    ]
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await session.leave()
    assert session.farewell().startswith("Saved. Resume with: ")


def test_another_match_that_waits_is_mentioned_once_a_day(tmp_path: Path) -> None:
    store = Store(tmp_path)
    autosave = Autosave(store)
    assert autosave.mention() == ""
    match = Match(VARIANT)
    with begin(store, match) as saved:
        for text in ("dF1-F5", "TG7-F7"):
            assert autosave.mention() == "", "both sides have to have moved"
            match.battle.play(move(match, text))
            save(saved, match)
    resumed = Autosave(store, store.resume(saved.id))
    assert resumed.mention() == "", "it is this one"
    resumed.close()
    assert autosave.mention("--plain").endswith(f"thud resume --plain {saved.id}")
    assert autosave.mention() == ""
    assert Autosave(None).mention() == ""


async def test_comments_on_a_match_that_has_moved_on_are_refused(tmp_path: Path) -> None:
    match, autosave = Match(VARIANT, ("Anna", "Bert")), Autosave(Store(tmp_path))
    before = Record.of(match)
    match.battle.play(move(match, "dF1-F5"))
    now = Record.of(match)
    assert await autosave.keep(now) == ""
    with pytest.raises(CannotSave, match="moved on"):
        autosave.annotate(before, before)
    autosave.annotate(now, now)
    autosave.close()
