"""The commands that a REPL lists are those that it carries out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from plain.playing import played
from thud.club.in_lines import COMMANDS as LOBBY_COMMANDS
from thud.club.in_lines import PlainLobby
from thud.club.past_in_lines import PastRepl
from thud.plain.drill import DrillRepl
from thud.plain.explore import EXPLORE_COMMANDS, ExploreRepl
from thud.plain.match import MatchRepl
from thud.plain.repl import BoardRepl, Repl
from thud.plain.replay import LEADS, REPLAY_COMMANDS, ReplayRepl
from thud.plain.setup import SETUP_COMMANDS, SetupRepl
from thud.rules.variants import VARIANTS
from thud.session.commands import (
    BOARD_COMMANDS,
    COMMANDS,
    COMMANDS_APART,
    DRILL_COMMANDS,
    TypedCommand,
    command_in,
)
from thud.session.law import Request


def carried_out(repl: type) -> set[str]:
    """Return the commands for which a REPL has a method of its own."""
    return {name.removeprefix("_do_") for name in vars(repl) if name.startswith("_do_")}


def test_help_offers_no_captures_where_nobody_is_captured(tmp_path: Path) -> None:
    for variant in VARIANTS.values():
        told = played(tmp_path / variant.name, "help", variant=variant.name).said
        for words in "captures:", "threats:", "take all,", "Type a move like F1 F5; captures like":
            assert any(line.startswith(words) for line in told) is variant.has_captures


@pytest.mark.parametrize(
    ("repl", "listed"),
    [
        (DrillRepl, DRILL_COMMANDS),
        (ExploreRepl, EXPLORE_COMMANDS),
        (MatchRepl, {**COMMANDS, **COMMANDS_APART}),
        (ReplayRepl, REPLAY_COMMANDS),
        (SetupRepl, SETUP_COMMANDS),
        (PlainLobby, LOBBY_COMMANDS),
    ],
)
def test_the_commands_listed_are_those_carried_out(
    repl: type[Repl], listed: Mapping[str, TypedCommand]
) -> None:
    everywhere = carried_out(Repl) | carried_out(BoardRepl)
    assert everywhere == BOARD_COMMANDS.keys() | {"help", "quit"}
    requests = {word for word, each in listed.items() if isinstance(each.does, Request)}
    own = carried_out(repl) | requests
    if repl is ReplayRepl:
        own |= set(LEADS)
    if repl is PlainLobby:
        own |= carried_out(PastRepl)
    assert own <= listed.keys()
    assert listed.keys() <= own | everywhere


@pytest.mark.parametrize(
    ("listed", "means"),
    [
        (COMMANDS, {"?": "help", "u": "undo", "R": "redo", "next": "next"}),
        (DRILL_COMMANDS, {"?": "help", "s": "solution", "next": "skip"}),
        (REPLAY_COMMANDS, {"?": "help", "next": "next", "skip": "next", "solution": "next"}),
    ],
)
def test_another_word_for_a_command_is_only_known_where_it_is_listed(
    listed: Mapping[str, TypedCommand], means: dict[str, str]
) -> None:
    """In a match, where nothing can be skipped, the second battle would begin instead."""
    for word in ("?", "u", "R", "s", "next", "skip", "solution"):
        name = means.get(word, word)
        assert command_in(listed, word) == ((name, "") if name in listed else None)
    assert command_in(listed, "u 3") is None
