"""What the keeper of a match remembers until it can be put on the disk."""

from __future__ import annotations

from pathlib import Path

from thud.records.files import open_named, read_file
from thud.records.record import Record
from thud.records.saved import CannotSave, Saved
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.position import Move
from thud.rules.variants import VARIANTS
from thud.session.events import NotKept
from thud.session.keeper import Keeper
from thud.session.session import Session

VARIANT = VARIANTS["classic"]


class FullAtFirst(Store):
    """A store that has room for a match only when it is asked for the second time."""

    asked = 0

    def adopt(self, record: Record) -> Saved:
        """Refuse once."""
        self.asked += 1
        if self.asked == 1:
            raise CannotSave("the match cannot be saved: no space left")
        return super().adopt(record)


def move(match: Match, text: str) -> Move:
    return parse_move(match.variant, match.battle.position, text)


def read_elsewhere(directory: Path) -> Record:
    """Return a record with a tag and a comment of another program, as it is read from a file."""
    match = Match(VARIANT, ("Anna", "Bert"))
    match.battle.play(move(match, "dF1-F5"))
    path = directory / "elsewhere.tgn"
    with Store(directory / "other").begin(match) as saved:
        saved.save(match)
        text = saved.path.read_text()
    head, body = text.split("\n\n", 1)
    text = f'{head}\n[Round "7"]\n\n{body.replace("dF1-F5", "dF1-F5 {a bold beginning}")}'
    path.write_text(text)
    record, fault = open_named(str(path))
    assert not fault
    return record


async def test_a_record_that_could_not_be_adopted_is_kept_whole_once_it_can(
    tmp_path: Path,
) -> None:
    record = read_elsewhere(tmp_path)
    assert record.tags
    assert record.battles[0].comments
    store = FullAtFirst(tmp_path)
    session = Session(Match(VARIANT), Keeper(store))
    told: list[object] = []
    session.subscribe(told.append)
    await session.open(record)
    assert any(isinstance(event, NotKept) for event in told)
    assert session.keeper.behind
    await session.play(move(session.match, "TG7-F6"))
    await session.leave()
    assert not session.keeper.behind
    (path,) = store.matches.glob("*.tgn")
    (kept,) = read_file(path)
    assert kept.tags == record.tags
    assert kept.battles[0].comments == record.battles[0].comments
    assert len(kept.battles[0].moves) == 2
