"""docs/protocol.md is accurate: its conversation takes place, its tables name every field."""

from __future__ import annotations

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from net.meeting import Meeting
from net.test_hostile import Raw
from session.timing import ManualClock
from thud.net import codec
from thud.net.codec import fields_of
from thud.net.messages import FROM_HOST, GREETINGS
from thud.net.updates import UPDATES
from thud.records.record import Record
from thud.rules.clock import LONGEST, Times, parse_control
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.law import AT_ANY_TIME, REQUESTS, Play

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def conversation() -> list[tuple[str, str]]:
    """Return the document's lines by kind: the guest's `>`, the host's `<`, and actions `#`."""
    block = DOCUMENT.partition("## A short conversation")[2].partition("```\n")[2]
    return [(line[0], line[2:]) for line in block.partition("```")[0].splitlines()]


async def test_the_conversation_is_what_is_said(
    meeting: Meeting, glass: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count(1)
    monkeypatch.setattr("thud.net.seat_registry.new_secret", lambda: f"secret-{next(numbers)}")
    await meeting.close()
    meeting.running.clear()
    control = parse_control("20+10")
    match = Match(VARIANTS["classic"], ("Ann", "Player 2"), control=control)
    record = Record.of(match, date="2026-11-22")
    saved = meeting.store.adopt(record, "20261122-193000-1f2e")
    meeting._open(saved.record.match(), Autosave(meeting.store, saved))
    meeting.host.registry.id = "5eaf00d1"
    raw = await Raw.at(meeting, trusted=False)
    for who, said in conversation():
        if who == ">":
            raw.say(said.encode() + b"\n")
        elif who == "<":
            assert await raw.hear() == json.loads(said)
        elif said.endswith("seconds pass"):
            glass.pass_ms(1000 * int(said.split()[0]))
        else:
            session = meeting.session
            move = parse_move(match.variant, session.state.battle.position, said.split()[-1])
            await session.request(Play(move))
    assert await raw.hear() == {}
    assert {"ask", "hello", "play", "bye"} <= {
        json.loads(s)["m"] for w, s in conversation() if w == ">"
    }


def test_the_clock_is_there_with_its_fields() -> None:
    section = DOCUMENT.partition("## Clocks\n")[2].partition("\n## ")[0]
    named = {
        name
        for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert named == {*fields_of(Times)}


def fields_in(section: str) -> dict[str, set[str]]:
    """Return the fields in a section's table, by message kind."""
    table = DOCUMENT.partition(f"## {section}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", table, re.MULTILINE)
    return {kind: set(re.findall(r"`(\w+)`", fields)) for kind, fields in rows}


def sent_by(kind: Any) -> set[str]:
    at_a_time = kind in REQUESTS.values() and not issubclass(kind, AT_ANY_TIME)
    return {*fields_of(kind), *(["at"] if at_a_time else [])}


@pytest.mark.parametrize(
    ("section", "kinds"),
    [
        ("What a guest says", GREETINGS | REQUESTS),
        ("What a host says", FROM_HOST),
        ("Events", UPDATES),
    ],
)
def test_every_message_is_there_with_its_fields(section: str, kinds: dict[str, type]) -> None:
    named = fields_in(section)
    named.pop("event", None)
    assert named == {kind: sent_by(each) for kind, each in kinds.items()}


def test_the_bounds_are_told() -> None:
    told = DOCUMENT.partition("## Lines\n")[2].partition("\n## ")[0]
    told += DOCUMENT.partition("## Bounds\n")[2]
    counts = "BURST CHATS OUTBOX WATCHERS MAX_CHAT MAX_NAME MAX_SENTENCE PACE"
    lines = "MAX_GUEST_LINE MAX_TOLD_LINE MAX_SNAPSHOT_LINE"
    seconds = "CHAT_SECONDS HELLO_SECONDS SILENCE_SECONDS PING_SECONDS"
    bounds = {name: int(getattr(codec, name)) for name in f"{counts} {lines} {seconds}".split()}
    for name, bound in (bounds | {"LONGEST": LONGEST}).items():
        assert re.search(rf"\b{bound:,}\b", told), name
