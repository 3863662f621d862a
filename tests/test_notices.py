"""Notifications to terminals, by type of terminal."""

from __future__ import annotations

import pytest

from thud.terminal import notices

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize("term", ["dumb", "linux", "cons25", ""])
def test_a_terminal_without_a_title_is_told_of_none(term: str) -> None:
    environ = {"TERM": term} if term else {}
    assert notices.saved_title(environ) == ""
    assert notices.title(environ, "Thud") == ""
    assert notices.restored_title(environ) == ""


def test_a_title_is_remembered_set_and_given_back() -> None:
    assert notices.saved_title(XTERM) == "\x1b[22;0t"
    assert notices.title(XTERM, "Thud: Anna to move") == "\x1b]2;Thud: Anna to move\x07"
    assert notices.restored_title(XTERM) == "\x1b[23;0t"


@pytest.mark.parametrize(
    ("environ", "known"),
    [
        (XTERM, False),
        ({"TERM": "xterm-kitty"}, True),
        (XTERM | {"TERM_PROGRAM": "iTerm.app"}, True),
        ({}, False),
    ],
)
def test_only_terminals_known_for_it_are_to_notify(environ: dict[str, str], known: bool) -> None:
    assert bool(notices.notification(environ, "it is your turn")) is known


def test_a_name_ends_no_code_and_begins_no_other() -> None:
    assert notices.title(XTERM, "A\x07\x1b]9;x") == "\x1b]2;A]9;x\x07"
