"""Files written by version 0.1.0 are read as by that version.

`data/written_by_0.1.0` has players' files: matches, settings, progress, exports.  Its
`summary.json` was made by `everything_read` in version 0.1.0, and must not be regenerated.
"""

import json
import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from saving import save
from thud.exercises.lessons.progress import LessonProgress
from thud.exercises.puzzles.book import read_puzzles
from thud.exercises.puzzles.score import load_score
from thud.net.host_connection import Tokens
from thud.records.as_json import as_json, json_text
from thud.records.formats import read_file
from thud.records.record import Record
from thud.records.store import CannotResume, Store
from thud.records.summary import Summary
from thud.records.tgn.writer import tgn_text
from thud.review.notes import judgements_in
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.settings.file import load
from thud.settings.last_choices import load_choices
from thud.strength.people import strengths_in
from thud.tui.keys.keymap import keymap

WRITTEN = Path(__file__).with_name("data") / "written_by_0.1.0"
SAVED_AT = 1_600_000_000
"""Seconds since the epoch: when the first of the matches was saved."""


def everything_read(directory: Path) -> dict[str, Any]:
    """Return the contents read from all files, as JSON values."""
    data, files = directory / "data", directory / "files"
    store = Store(data)
    matches = sorted(store.matches.iterdir())
    for place, path in enumerate(matches):
        os.utime(path, (SAVED_AT + place, SAVED_AT + place))
    score, choices = load_score(data), load_choices(data)._asdict()
    del choices["opener"], choices["pair"], choices["rows"]  # later versions only
    read = {
        "matches": {path.stem: _match(store, path.stem) for path in matches},
        "listing": _listing(store),
        "strengths": {
            who: [each.matches, round(each.rating.value, 6), round(each.rating.deviation, 6)]
            for who, each in strengths_in(store, store.finished()).items()
        },
        "files": {
            path.name: [_digest(record) for record in read_file(path)]
            for path in sorted(files.glob("*.t*"))
        },
        "position": Position.from_text((files / "koom-varied.pos").read_text().strip()).to_text(),
        "own puzzles": [
            [
                [each.variant.name, each.position.to_text(), each.band, each.theme, each.gain],
                [move_text(each.position, move) for move in each.solutions[0]],
            ]
            for each in read_puzzles(files / "own.jsonl")
        ],
        "settings": _settings(directory / "config" / "settings.toml"),
        "last choices": choices,
        "lessons": sorted(LessonProgress(data).done),
        "puzzles": [[each.id, each.band, *each.effort[:2]] for each in score.solved],
        "token": Tokens(data).of("h" * 22),
    }
    return json.loads(json.dumps(read))  # type: ignore[no-any-return]


def _match(store: Store, name: str) -> dict[str, Any]:
    """Return a saved match as it is loaded for viewing, and for resuming."""
    record = store.load(name)
    told = {"record": _digest(record), "judged": _judged(record)}
    try:
        with store.resume(name) as saved:
            match = saved.record.match()
    except CannotResume as error:
        return told | {"resumed": str(error)}
    battle = match.battle
    resumed = {
        "players": match.players,
        "battles": [len(each.moves) for each in match.battles],
        "undone": len(battle.undone),
        "position": battle.position.to_text(),
        "left": [None if left is None else list(left) for left in battle.left],
        "used": battle.used,
        "quiet limit": battle.quiet_limit,
        "control": str(match.control),
    }
    return told | {"resumed": resumed}


def _judged(record: Record) -> list[list[list[object]]]:
    """Return a review's notes on the moves of each battle."""
    return [
        [
            [ply, each.expected, each.promised, each.best and list(each.best)[:2]]
            for ply, each in judgements_in(record.variant, battle).items()
        ]
        for battle in record.battles
    ]


def _listing(store: Store) -> list[list[dict[str, Any]]]:
    listing = store.listing()
    assert not listing.broken
    return [[_summary(each) for each in part] for part in (listing.unfinished, listing.finished)]


def _summary(summary: Summary) -> dict[str, Any]:
    fields = summary._asdict()
    del fields["modified"], fields["checksum"]  # the latter is of later versions only
    return fields | {
        "saved": (summary.saved - datetime.fromtimestamp(SAVED_AT)).total_seconds(),
        "variant": summary.variant.name,
        "starts": [each.to_text() for each in summary.starts],
        "handicap": summary.handicap,
        "winner": summary.winner,
    }


def _settings(path: Path) -> dict[str, Any]:
    settings, faults = load(path)
    keys, wrong = keymap(settings.keys)
    values = settings._asdict() | {"keys": dict(settings.keys)}
    del values["turn_board"], values["practise_dubious"]  # later versions only
    lines = [fault.line for fault in faults]
    return {"values": values, "faults on": lines, "keymap": keys, "wrong": list(wrong)}


def _digest(record: Record) -> dict[str, Any]:
    """Return a record's contents, with each move as text."""
    value = as_json(record)
    for battle in value["battles"]:
        battle["last_position"] = battle["moves"][-1]["position"] if battle["moves"] else None
        _shorten(battle)
    return value


def _shorten(line: dict[str, Any]) -> None:
    line["moves"] = [_word(move) for move in line["moves"]]
    for each in line["variations"]:
        _shorten(each)


def _word(move: dict[str, Any]) -> str:
    clock = move["clock"]
    left = f" {clock['seconds']}+{clock['periods']}" if clock else ""
    return f"{move['turn']}. {move['side'][0]} {move['move']} = {move['margin']}{left}"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    shutil.copytree(WRITTEN, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_everything_is_read_as_it_was(written: Path) -> None:
    before = json.loads((WRITTEN / "summary.json").read_text(encoding="utf-8"))
    now = everything_read(written)
    assert list(now) == list(before)
    # One of Ann's four matches is a copy of another, which is rated once since then.
    numbers = now["strengths"].pop("ann")
    assert numbers[0] == before["strengths"].pop("ann")[0] - 1
    # A puzzle's theme was a sentence then.
    for puzzle, theme in zip(before["own puzzles"], ("hurl", "win"), strict=True):
        puzzle[0][3] = theme
    for part in before:
        assert now[part] == before[part], part


def test_saved_matches_are_written_as_they_were(written: Path) -> None:
    store = Store(written / "data")
    for path in store.matches.iterdir():
        kept = path.read_bytes()
        record = store.load(path.stem)
        assert tgn_text(record).encode() == kept
        if not record.over:
            with store.resume(path.stem) as saved:
                save(saved, saved.record.match())
            assert path.read_bytes() == kept


def test_a_match_is_exported_as_json_as_it_was() -> None:
    (record,) = read_file(WRITTEN / "data" / "matches" / "koom-set-up.tgn")
    assert json_text(record) == (WRITTEN / "files" / "koom-set-up.json").read_text()
