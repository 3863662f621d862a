"""Messages round-trip, and anything else is refused with an error message."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.net.codec import (
    MAX_CHAT,
    MAX_GUEST_LINE,
    MAX_NAME,
    MAX_NUMBER,
    MAX_TOLD_LINE,
    SAID_BEFORE,
    InvalidMessage,
    ProtocolError,
    fields_of,
    usual_of,
)
from thud.net.messages import (
    FROM_HOST,
    GREETINGS,
    Asked,
    EventUpdate,
    FromGuest,
    Hello,
    Ping,
    Refused,
    Snapshot,
    decode_guest,
    decode_host,
    encode,
)
from thud.net.updates import (
    KINDS,
    UPDATES,
    BattleEnded,
    ClockSet,
    MovePlayed,
    MovesTakenBack,
    update_of,
)
from thud.rules.clock import LONGEST, MOST_PERIODS, TimeLeft, Times
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Reason
from thud.rules.variants import VARIANTS
from thud.session.events import Event, NewMatch, ProposeEnd, Said, Undo
from thud.session.law import AT_ANY_TIME, REQUESTS, Play, Say
from thud.session.session import Session
from thud.text import few_marks, printable

counts = st.integers(0, MAX_NUMBER)
secrets = st.text("abcXYZ019-_", max_size=64)


def texts(most: int) -> st.SearchStrategy[str]:
    """Return printable lines."""
    return st.text(max_size=2 * most).map(lambda text: printable(text, most))


lefts = st.builds(TimeLeft, st.integers(0, LONGEST), st.integers(0, MOST_PERIODS))
clocks = st.builds(
    Times, lefts, lefts, st.sampled_from(Side), st.integers(0, LONGEST), st.booleans()
)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "thud": st.just(1),
    "want": st.sampled_from(["seat", "watch"]),
    "name": texts(MAX_NAME),
    "secret": secrets,
    "token": secrets,
    "id": secrets,
    "match": secrets,
    "seat": st.sampled_from([None, 0, 1]),
    "player": st.sampled_from([0, 1]),
    "present": st.tuples(st.booleans(), st.booleans()),
    "onlookers": st.lists(texts(MAX_NAME), max_size=64).map(tuple),
    "record": st.text(st.characters(exclude_categories=["Cs"])),
    "proposed": st.sampled_from([None, *Side]),
    "by": st.sampled_from(Side),
    "side": st.sampled_from(Side),
    "wish": st.sampled_from([ProposeEnd(), Undo(), NewMatch()]),
    "reason": st.sampled_from(Reason),
    "move": texts(120),
    "text": texts(MAX_CHAT),
    "left": st.none() | lefts,
} | {name: texts(500) for name in ("because", "until", "fault", "complaint", "not_kept")}
VALUES["away"] = texts(MAX_NAME)
VALUES["said"] = st.lists(
    st.builds(Said, VALUES["player"], VALUES["name"], VALUES["text"]), max_size=SAID_BEFORE
).map(tuple)
VALUES |= dict.fromkeys(("at", "seq", "number", "moves", "claim"), counts)
VALUES["loser"] = st.sampled_from([None, *Side])
VALUES |= {
    name: st.booleans() for name in ("agree", "hints", "chat", "waits", "arranged", "late", "again")
}


def tuples_of(kind: Any) -> st.SearchStrategy[Any]:
    """Generate messages of a kind; fields that are not sent keep their defaults."""
    values = st.fixed_dictionaries({name: _values_of(name, kind) for name in fields_of(kind)})
    return values.map(lambda given: kind(**given))


def _values_of(name: str, kind: Any) -> st.SearchStrategy[Any]:
    if name == "clock":
        return clocks | st.none() if name in usual_of(kind) else clocks
    return VALUES[name]


greetings = st.one_of(*map(tuples_of, GREETINGS.values()))
requests = st.one_of(*map(tuples_of, REQUESTS.values()))
asked = st.builds(
    lambda request, at: Asked(request, None if isinstance(request, AT_ANY_TIME) else at),
    requests,
    counts,
)
from_guest = greetings | asked
from_host = st.one_of(*map(tuples_of, FROM_HOST.values()))
updates = st.one_of(*(tuples_of(kind) for kind in UPDATES.values()))
told = st.builds(EventUpdate, counts, counts, secrets, updates)


def test_every_event_is_told_or_stays_where_it_is() -> None:
    in_snapshots = {"Begun", "Redone"}
    of_one_place = {
        *("Advised", "Evaluated", "Notified", "LookedBack", "LookingBack", "RunningOut"),
        *("ConnectionBack", "ConnectionLost", "ConnectionSilent"),
        *("Sending", "NotPlayed", "NotSaid"),
    }
    in_another_form = {"ClockRuns", "Ended", "Played", "TakenBack"}
    as_they_are = {each.__name__ for each in set(UPDATES.values()) & set(get_args(Event))}
    told = in_another_form | as_they_are
    assert told | in_snapshots | of_one_place == {each.__name__ for each in get_args(Event)}


@given(updates)
def test_events_are_told_as_they_are_or_in_another_form(update: Any) -> None:
    if isinstance(update, get_args(Event)):
        assert update_of(Session(Match(VARIANTS["classic"])), update) == update
    else:
        assert UPDATES[KINDS[type(update)]] in {MovePlayed, MovesTakenBack, BattleEnded, ClockSet}


@given(from_guest)
def test_what_a_guest_says_is_heard(message: Any) -> None:
    line = encode(message)
    assert line.count(b"\n") == 1
    assert len(line) <= MAX_GUEST_LINE
    assert decode_guest(line) == message


@given(st.one_of(from_host, told))
def test_what_a_host_says_is_heard(message: Any) -> None:
    line = encode(message)
    assert line.count(b"\n") == 1
    assert isinstance(message, Snapshot) or len(line) <= MAX_TOLD_LINE
    assert decode_host(line) == message


@given(st.one_of(from_host, told), st.dictionaries(st.text(), st.integers(-(2**63), 2**63)))
def test_fields_that_are_not_known_are_ignored(message: Any, more: dict[str, int]) -> None:
    values = json.loads(encode(message))
    unknown = {f"x{name}": value for name, value in more.items()}
    assert decode_host(json.dumps(unknown | values, ensure_ascii=False).encode()) == message


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.one_of(from_guest, from_host, told), st.data())
def test_any_other_value_is_refused_or_understood(message: Any, data: st.DataObject) -> None:
    values = json.loads(encode(message))
    values[data.draw(st.sampled_from(sorted(values)))] = data.draw(json_values)
    refused_or_understood(json.dumps(values).encode())


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_understood(line: bytes) -> None:
    refused_or_understood(line)


def refused_or_understood(line: bytes) -> None:
    for decode in (decode_guest, decode_host):
        why, message = "", None
        try:
            message = decode(line)
        except (InvalidMessage, ProtocolError) as fault:
            why = str(fault)
        assert why.isprintable()
        assert len(why) < 300
        assert bool(why) is (message is None)
        if message and not (isinstance(message, EventUpdate) and message.update is None):
            assert decode(encode(message)) == message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b'"ping"',
        b'{"m":"ping"',
        b'{"m":"ping","x":NaN}',
        b'{"m":"ping","x":-Infinity}',
        b'{"m":"ping","x":1' + b"0" * 40 + b"}",
        b'{"m":"ping","x":' + b"9" * 5000 + b"}",
        b'{"m":"ping\xff"}',
        b'{"m":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
)
def test_garbage_is_no_message(line: bytes) -> None:
    for decode in (decode_guest, decode_host):
        with pytest.raises(ProtocolError):
            decode(line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"x":1}', "there is no message that"),
        ('{"m":"dance"}', "there is no message 'dance'"),
        ('{"m":"play","move":"dA6-A7"}', "at is missing"),
        ('{"m":"play","at":true,"move":""}', "at is a whole number from 0"),
        ('{"m":"play","at":1.0,"move":""}', "at is a whole number from 0"),
        ('{"m":"hello","thud":2,"want":"seat","name":""}', "thud is 1: the version"),
        ('{"m":"hello","thud":1,"want":"all","name":""}', "want is one of seat, watch"),
        ('{"m":"hello","thud":1,"want":"\\ud800","name":""}', "want is one of seat, watch"),
        ('{"m":"hello","thud":1,"want":"seat","name":"","seat":2}', "seat is a whole number"),
        ('{"m":"hello","thud":1,"want":"seat","name":"","token":"ä"}', "token is at most 64"),
        ('{"m":"say","text":"' + "x" * 201 + '"}', "text is a text of at most 200"),
    ],
)
def test_what_is_wrong_is_said(line: str, why: str) -> None:
    with pytest.raises(InvalidMessage, match=why):
        decode_guest(line.encode())


GOOD = {"dwarfs": [1, 0], "trolls": [2, 3], "turn": "trolls", "used": 4, "running": True}


@pytest.mark.parametrize(
    "wrong",
    [
        {"dwarfs": [1]},
        {"trolls": [-1, 0]},
        {"trolls": [0, MOST_PERIODS + 1]},
        {"dwarfs": [LONGEST + 1, 0]},
        {"dwarfs": [1.0, 0]},
        {"turn": "Trolls"},
        {"used": LONGEST + 1},
        {"used": True},
        {"running": 1},
    ],
)
def test_what_a_clock_cannot_show_is_refused(wrong: dict[str, object]) -> None:
    event = {"m": "event", "seq": 3, "number": 2, "match": "x", "kind": "clock"}
    good = decode_host(json.dumps(event | {"clock": GOOD}).encode())
    there = Times(TimeLeft(1), TimeLeft(2, 3), Side.TROLLS, 4, True)
    assert good == EventUpdate(3, 2, "x", ClockSet(there))
    with pytest.raises(InvalidMessage, match="clock is wrong: "):
        decode_host(json.dumps(event | {"clock": GOOD | wrong}).encode())
    with pytest.raises(InvalidMessage, match="clock is missing"):
        decode_host(json.dumps(event).encode())


def test_an_event_of_another_kind_tells_nothing() -> None:
    line = b'{"m":"event","seq":3,"number":2,"match":"x","kind":"yawned"}'
    assert decode_host(line) == EventUpdate(3, 2, "x", None)


@given(st.one_of(from_guest, from_host, told), st.data())
def test_null_is_as_good_as_nothing(message: Any, data: st.DataObject) -> None:
    values = json.loads(encode(message))
    left_out = data.draw(st.sampled_from(sorted(values)))
    without = {name: value for name, value in values.items() if name != left_out}
    decode = decode_guest if isinstance(message, get_args(FromGuest)) else decode_host
    found: list[Any] = []
    for each in values | {left_out: None}, without:
        try:
            found.append(decode(json.dumps(each).encode()))
        except InvalidMessage as fault:
            found.append(str(fault))
    assert found[0] == found[1]


def test_what_draws_elsewhere_is_left_out() -> None:
    line = json.dumps({"m": "say", "text": "a\x1b[2Jb\u202ec\n d\ud800"}).encode()
    assert decode_guest(line) == Asked(Say("a[2Jbc d"))


def test_only_a_snapshot_may_be_long() -> None:
    with pytest.raises(ProtocolError, match="too long"):
        decode_host(b'{"m":"pong","x":"' + b"x" * MAX_TOLD_LINE + b'"}')


def test_what_is_too_long_to_tell_is_cut() -> None:
    asked = Asked(Play("TF7-D5xC4"), 3)
    assert decode_host(encode(Refused("x" * 1000))) == Refused("x" * 500)
    assert decode_guest(encode(asked)) == asked


PLAY = {"m": "play", "at": 1, "move": ""}
JOIN = {"m": "hello", "thud": 1, "want": "seat", "name": ""}
NOW = {"m": "snapshot", "seq": 1, "number": 1, "match": "", "record": "", "present": [True, True]}
CHAT = {"player": 0, "name": "Ann", "text": "hello"}


@pytest.mark.parametrize(
    ("message", "field", "fits", "exceeds"),
    [
        (PLAY, "at", 10**9, 10**9 + 1),
        (PLAY, "at", 0, -1),
        (PLAY, "move", "x" * 120, "x" * 121),
        (JOIN, "name", "x" * 40, "x" * 41),
        (JOIN, "token", "x" * 64, "x" * 65),
        (JOIN, "seat", 1, 2),
        ({"m": "say"}, "text", "x" * 200, "x" * 201),
        ({"m": "refused"}, "because", "x" * 500, "x" * 501),
        (NOW, "onlookers", ["Wim"] * 64, ["Wim"] * 65),
        (NOW, "said", [CHAT] * 20, [CHAT] * 21),
        (NOW, "present", [False] * 2, [False]),
        (NOW, "present", [False] * 2, [False] * 3),
        (NOW, "record", "x" * 1_048_576, "x" * 1_048_577),
    ],
)
def test_a_field_is_bounded(message: Any, field: str, fits: Any, exceeds: Any) -> None:
    decode = decode_guest if message in (PLAY, JOIN) or message["m"] == "say" else decode_host
    assert decode(json.dumps(message | {field: fits}).encode())
    with pytest.raises(InvalidMessage, match=f"{field} is "):
        decode(json.dumps(message | {field: exceeds}).encode())


@pytest.mark.parametrize("number", ["1" + "0" * 31, "0." + "1" * 30, "-1e" + "0" * 28 + "1"])
def test_a_number_has_at_most_32_characters(number: str) -> None:
    assert decode_guest(f'{{"m":"ping","x":{number}}}'.encode()) == Ping()
    with pytest.raises(ProtocolError):
        decode_guest(f'{{"m":"ping","x":{number}0}}'.encode())


def test_a_name_that_is_cut_ends_with_no_space() -> None:
    line = json.loads(encode(Hello(1, "seat", "x" * 39 + " y")))
    assert line["name"] == "x" * 39


def test_a_record_has_no_stacks_of_marks() -> None:
    record = "e" + "\N{COMBINING ACUTE ACCENT}" * 90
    found = decode_host(json.dumps(NOW | {"record": record}).encode())
    assert isinstance(found, Snapshot)
    assert found.record == few_marks(record)
    assert len(found.record) < 10


def test_of_a_line_that_is_no_message_little_is_repeated() -> None:
    with pytest.raises(ProtocolError) as refused:
        decode_guest(b"x" * MAX_GUEST_LINE)
    assert len(str(refused.value)) < 200
