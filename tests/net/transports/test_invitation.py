"""Invitations and addresses of matches round-trip; anything else is refused."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.net.transports.invitation import (
    EVERYWHERE,
    FINGERPRINT_BYTES,
    LONGEST,
    PORT,
    Goal,
    OfAnother,
    OnThisMachine,
    OverSsh,
    OverTls,
    new_secret,
    parse_goal,
    parse_listen,
)

SECRET = "AbCdEfGhIjKlMnOpQrStUv"
PRINT = bytes(range(32))
TLS = OverTls("192.168.0.7", PORT, PRINT, SECRET)

ids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", fullmatch=True)
names = st.from_regex(r"[a-z0-9]([a-z0-9.-]{0,60}[a-z0-9])?", fullmatch=True)
addresses = names | st.ip_addresses().map(str)
ports = st.integers(1, 65535)
secrets = st.from_regex(r"[A-Za-z0-9_-]{22,86}", fullmatch=True)
paths = st.lists(ids, min_size=2, max_size=3).map(lambda parts: "/" + "/".join(parts))
users = st.from_regex(r"[a-z_][a-z0-9._-]{0,30}", fullmatch=True)
goals: st.SearchStrategy[Goal] = st.one_of(
    st.builds(OnThisMachine, ids | st.just(""), st.just("")),
    st.builds(OfAnother, paths, secrets),
    st.builds(
        OverSsh, users | st.just(""), addresses, ports | st.none(), ids | st.just(""), st.just("")
    ),
    st.builds(OverSsh, users | st.just(""), addresses, ports | st.none(), paths, secrets),
    st.builds(OverTls, addresses, ports, st.binary(min_size=32, max_size=32), secrets),
)


def tried(read: Callable[[str], object], text: str) -> object:
    """Return the parsed value, or the error."""
    try:
        return read(text)
    except ValueError as fault:
        return fault


@given(goals)
def test_what_is_written_is_read_again(goal: Goal) -> None:
    assert parse_goal(str(goal)) == goal


@given(goals, st.data())
def test_what_is_cut_short_or_changed_is_read_or_refused_in_a_sentence(
    goal: Goal, data: st.DataObject
) -> None:
    text = str(goal)
    place = data.draw(st.integers(0, len(text)))
    garbage = data.draw(st.text(max_size=3))
    changed = text[:place] + garbage + text[place + data.draw(st.integers(0, 5)) :]
    again = tried(parse_goal, changed)
    if isinstance(again, ValueError):
        assert str(again).isprintable()
        assert len(str(again)) < 200
    else:
        assert parse_goal(str(again)) == again


@given(st.text())
def test_garbage_is_refused_in_a_sentence(text: str) -> None:
    for read in (parse_goal, parse_listen):
        found = tried(read, text)
        assert str(found).isprintable()


def test_an_invitation_fits_into_a_row() -> None:
    invitation = TLS._replace(
        address="192.168.100.107", port=65535, fingerprint=TLS.fingerprint[:FINGERPRINT_BYTES]
    )
    assert len(f"thud watch {invitation}") <= 80
    assert parse_goal(str(invitation)) == invitation


def test_an_invitation_survives_being_wrapped_and_quoted() -> None:
    text = str(TLS)
    for way in ("{}\n", '"{}"', "> {}", "<{}>", "'{}'"):
        for wrapped in ("\n", "\n> ", "\r\n  ", " "):
            assert parse_goal(way.format(text[:40] + wrapped + text[40:])) == TLS


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("", OnThisMachine()),
        ("m-1", OnThisMachine("m-1")),
        ("ssh://box", OverSsh("", "box")),
        ("ssh://box/", OverSsh("", "box")),
        ("ssh://ann@box:2222/m1", OverSsh("ann", "box", 2222, "m1")),
        ("ssh://ann@[::1]:22", OverSsh("ann", "::1", 22)),
        ("ssh://[fe80::1%eth0]", OverSsh("", "fe80::1%eth0")),
        (f"ssh://bob@box/tmp/t/m1#{SECRET}", OverSsh("bob", "box", None, "/tmp/t/m1", SECRET)),
        (f"/tmp/t/m1#{SECRET}", OfAnother("/tmp/t/m1", SECRET)),
        (str(TLS).replace(f":{PORT}", ""), TLS),
        (str(TLS._replace(address="::1")), TLS._replace(address="::1")),
    ],
)
def test_every_way_can_be_said(text: str, goal: Goal) -> None:
    assert parse_goal(text) == goal


WRONG = (
    "-oProxyCommand=touch",
    "ssh://-oProxyCommand=touch",
    "ssh://-ann@box",
    "ssh://@box",
    "ssh://",
    "ssh://box:0",
    "ssh://box:65536",
    "ssh://box/-v",
    "ssh://bo$(x)x",
    "ssh://box/../m1#" + SECRET,
    "ssh://box/tmp/t/m1",
    "ssh://[::1",
    "ssh://[box]",
    "ssh://[::1%a b]",
    "http://box",
    "thud://box/#" + SECRET,
    "x" * 65,
    "x" * (LONGEST + 1),
    "tmp/t/m1#" + SECRET,
    "/m1#" + SECRET,
    "/tmp/../m1#" + SECRET,
    "/tmp/t/m1",
    str(TLS)[:-1],
    str(TLS).replace("/#", "#"),
    str(TLS).replace("8.", "9."),
    str(TLS).replace("192.168.0.7", "[192.168.0.7]"),
)


def test_what_is_wrong_is_refused() -> None:
    for text in WRONG:
        fault = tried(parse_goal, text)
        assert isinstance(fault, ValueError), text
        assert re.fullmatch(r"\S.*[^.]", str(fault)), text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", (EVERYWHERE, PORT)),
        ("5000", (EVERYWHERE, 5000)),
        (":5000", (EVERYWHERE, 5000)),
        ("127.0.0.1", ("127.0.0.1", PORT)),
        ("box:5000", ("box", 5000)),
        ("[::]:5000", ("::", 5000)),
        ("[::1]", ("::1", PORT)),
    ],
)
def test_where_to_listen(text: str, place: tuple[str, int]) -> None:
    assert parse_listen(text) == place


def test_where_nobody_can_listen() -> None:
    for text in ("0", ":0", "99999", ":", "a b", "::1", "-x", "box:x", "[::1]x"):
        with pytest.raises(ValueError, match=r"^\S.*[^.\n]$"):
            parse_listen(text)


def test_secrets_are_long_and_never_the_same() -> None:
    made = {new_secret() for _ in range(100)}
    assert len(made) == 100
    assert {len(each) for each in made} == {22}  # 16 bytes
