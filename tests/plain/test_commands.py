"""The commands that a REPL lists are those that it carries out."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from textwrap import dedent
from typing import get_args

import pytest

from thud.plain.drill import DrillRepl
from thud.plain.explore import EXPLORE_COMMANDS, ExploreRepl
from thud.plain.match import MatchRepl
from thud.plain.repl import Repl
from thud.plain.replay import REPLAY_COMMANDS, ReplayRepl
from thud.plain.setup import SETUP_COMMANDS, SetupRepl
from thud.session.commands import (
    BOARD_COMMANDS,
    COMMANDS,
    COMMANDS_APART,
    DRILL_COMMANDS,
    Question,
    TypedCommand,
)
from thud.session.law import Request


def carried_out(run_command: Callable[..., None]) -> set[str]:
    """Return the commands, questions and requests for which a method has a case."""
    tree = ast.parse(dedent(inspect.getsource(run_command)))
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.MatchValue(ast.Constant(str(word))) | ast.MatchClass(ast.Name(word)):
                found.add(word)
            case ast.MatchValue(ast.Attribute(attr=word)):
                found.add(word)
            case ast.Call(ast.Name("isinstance"), [_, ast.Name("Request")]):
                found |= {each.__name__ for each in get_args(Request)}
    return found


def stands_for(word: str, command: TypedCommand) -> str:
    """Return the name of what a command stands for, or its word."""
    match command.does:
        case None:
            return word
        case Question(name=name):
            return name
        case request:
            return type(request).__name__


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
    names = {word: {word, stands_for(word, each)} for word, each in listed.items()}
    own = carried_out(repl.run_command)
    requests = {each.__name__ for each in get_args(Request)}
    assert own - requests <= set().union(*names.values())
    assert all(each & (own | everywhere) for each in names.values())
