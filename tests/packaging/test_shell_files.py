"""Completions and the manual page cover the whole command line, and work in shells."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from shell_files import BUILT, INSTALLED, shell_files, whole_parser, write
from thud.cli.main import main
from thud.cli.parser import parser_of

SOURCE = Path(__file__).parents[2] / "src"
BARE = f"""
import sys
sys.path[:] = [path for path in sys.path if "site-packages" not in path] + [{str(SOURCE)!r}]
from thud.cli.parser import parser_of
parser_of().parse_args(["play", "--opponent", "3"])
"""
BASH = """
source thud.bash
COMP_WORDS=(thud "$@") COMP_CWORD=$#
$(complete -p thud | sed 's/.*-F \\([^ ]*\\).*/\\1/') thud "${COMP_WORDS[COMP_CWORD]}" ""
printf '%s\\n' "${COMPREPLY[@]}"
"""
COMPLETED = {
    ("re",): {"replay", "reset", "resume", "review"},
    ("play", "--opp"): {"--opponent"},
    ("rules", "k"): {"koom"},
    ("export", "--format", "t"): {"tgn", "thud"},
    ("play", "--opponent", "f"): {"fair"},
    ("replay", "match"): {"match.tgn"},
    ("completions", ""): {"bash", "zsh", "fish"},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    directory = tmp_path_factory.mktemp("shell")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1800000000")
        write(directory)
        (directory / "match.tgn").touch()
        yield directory


def commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the listed commands; the hidden ones are for programs."""
    (found,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return {each.dest: found.choices[each.dest] for each in found._choices_actions}


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for each in parser._actions:
        yield from (option for option in each.option_strings if option.startswith("--"))


def test_the_whole_parser_has_what_each_command_has() -> None:
    whole = commands(whole_parser())
    assert len(whole) > 15
    for name, command in whole.items():
        alone = commands(parser_of([name]))
        assert list(options(alone[name])) == list(options(command))
        assert [other for other in alone if len(alone[other]._actions) > 1] in ([name], [])


def test_the_parser_is_made_where_nothing_is_installed() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", BARE], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", INSTALLED)
def test_every_command_and_option_of_today_is_in_every_file(name: str, made: Path) -> None:
    text = (made / name).read_text(encoding="utf-8").replace(r"\-", "-")
    for command, parser in commands(parser_of()).items():
        assert re.search(rf"\b{command}\b", text)
        for option in options(parser):
            written = f"-l {option[2:]} " if name == "thud.fish" else option
            assert written in text or (option == "--help" and name == "thud.1")


def test_the_terminal_of_whoever_builds_makes_no_difference(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert shell_files() == {name: (made / name).read_text(encoding="utf-8") for name in INSTALLED}


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@pytest.mark.parametrize("words", COMPLETED, ids=" ".join)
def test_bash_completes(words: tuple[str, ...], made: Path) -> None:
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH, "bash", *words],
        cwd=made,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == COMPLETED[words]


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish here")
@pytest.mark.parametrize("words", COMPLETED, ids=" ".join)
def test_fish_completes(words: tuple[str, ...], made: Path) -> None:
    script = f"source thud.fish; complete -C 'thud {' '.join(words)}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script], cwd=made, capture_output=True, text=True, check=True
    )
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == COMPLETED[words]


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh here")
def test_zsh_can_read_it(made: Path) -> None:
    script = "autoload -Uz compinit; compinit -u -D; autoload +X _thud; print ${_comps[thud]}"
    done = subprocess.run(
        ["zsh", "-f", "-c", f"fpath=({made} $fpath); {script}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("_thud\n", "")


@pytest.mark.skipif(not shutil.which("man"), reason="there is no man here")
def test_the_manual_page_is_read_without_complaints(made: Path) -> None:
    done = subprocess.run(
        ["man", "--warnings", "-l", made / "thud.1"],
        capture_output=True,
        text=True,
        check=True,
        env={"MANWIDTH": "80", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )
    assert done.stderr == ""
    assert all(heading in done.stdout for heading in ("SYNOPSIS", "COMMANDS", "ENVIRONMENT"))


def test_the_program_prints_what_was_made(
    made: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.cli.completions._PLACES", (made / "nowhere", made))
    for shell, name in ("bash", "thud.bash"), ("zsh", "_thud"), ("fish", "thud.fish"):
        assert main(["completions", shell]) == 0
        assert capsys.readouterr().out == (made / name).read_text(encoding="utf-8")
    monkeypatch.setattr("thud.cli.completions._PLACES", (made / "nowhere",))
    assert main(["completions", "bash"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_it_looks_where_the_build_puts_them() -> None:
    from thud.cli.completions import _PLACES

    assert BUILT in _PLACES
