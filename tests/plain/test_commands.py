"""The commands that a REPL lists are those that it carries out."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from textwrap import dedent

import pytest

from thud.plain.drill import DRILL_COMMANDS, DrillRepl
from thud.plain.explore import EXPLORE_COMMANDS, ExploreRepl
from thud.plain.match import COMMANDS, COMMANDS_APART, MatchRepl
from thud.plain.repl import BOARD_COMMANDS, Repl, TypedCommand
from thud.plain.replay import REPLAY_COMMANDS, ReplayRepl
from thud.plain.setup import SETUP_COMMANDS, SetupRepl


def carried_out(run_command: Callable[..., None]) -> set[str]:
    """Return the commands for which a method has a case."""
    tree = ast.parse(dedent(inspect.getsource(run_command)))
    values = (node.value for node in ast.walk(tree) if isinstance(node, ast.MatchValue))
    return {str(ast.literal_eval(value)) for value in values}


@pytest.mark.parametrize(
    ("repl", "listed"),
    [
        (DrillRepl, DRILL_COMMANDS),
        (ExploreRepl, EXPLORE_COMMANDS),
        (MatchRepl, {**COMMANDS, **COMMANDS_APART}),
        (ReplayRepl, REPLAY_COMMANDS),
        (SetupRepl, SETUP_COMMANDS),
    ],
)
def test_the_commands_listed_are_those_carried_out(
    repl: type[Repl], listed: Mapping[str, TypedCommand]
) -> None:
    everywhere = carried_out(Repl.run_command)
    assert everywhere == BOARD_COMMANDS.keys() | {"help", "quit"}
    assert (
        carried_out(repl.run_command) <= listed.keys() <= carried_out(repl.run_command) | everywhere
    )
