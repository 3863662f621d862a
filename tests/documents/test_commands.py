"""The documents cover every command and variable, and their command lines parse."""

import argparse
import re
import shlex

from document_text import DOCUMENTS, REPOSITORY
from shell_files import manual
from thud.cli.parser import parser_of

COMMANDS = (REPOSITORY / "docs" / "commands.md").read_text("utf-8")
FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"^    (thud .*)$", re.MULTILINE)
PLACED = {"N": "1", "DEPTH": "2", "SHELL": "fish", "V": "koom", "B": "easy"}
"""What stands for something that is not any text, and one of the things that it stands for."""


def command_lines(text: str) -> list[str]:
    """Return the command lines in a document, without the remarks beside them."""
    blocks = [block for language, block in FENCED.findall(text) if language in {"", "sh"}]
    shown = [line for block in blocks for line in block.splitlines()]
    lines = [line for line in [*shown, *INDENTED.findall(text)] if line.startswith("thud ")]
    return [re.split(r"\s{2,}|…", line)[0] for line in lines]


def words(line: str) -> list[str]:
    """Return the arguments of a command line, including all optional ones."""
    given = shlex.split(line.translate(str.maketrans("[]|", "   ")))[1:]
    return [PLACED.get(word, word) for word in given]


def test_every_command_is_listed_with_its_words() -> None:
    (commands,) = (
        each for each in parser_of()._actions if isinstance(each, argparse._SubParsersAction)
    )
    told = re.findall(r"^\| \[`thud (\w+)`\]\(.*?\) \| (.*?) \|$", COMMANDS, re.MULTILINE)
    assert told == [(each.dest, each.help) for each in commands._choices_actions]


def test_every_variable_of_the_environment_is_told() -> None:
    sources = (REPOSITORY / "src").rglob("*.py")
    known = {
        name for each in sources for name in re.findall(r"\bTHUD_\w+", each.read_text("utf-8"))
    }
    assert len(known) > 4
    assert known <= set(re.findall(r"\bTHUD_\w+", COMMANDS))
    assert known <= set(re.findall(r"\bTHUD_\w+", manual()))


def test_every_command_line_is_understood() -> None:
    for line in {line for each in DOCUMENTS for line in command_lines(each.read_text("utf-8"))}:
        given = words(line)
        assert parser_of(given).parse_args(given).command == (given[0] if given else None)
