"""Entry point: parse, load the command's file, run it, report its errors."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from errno import EBADF
from importlib import import_module
from typing import Final

from thud.cli.parser import INTERRUPTED, USAGE_ERROR, on_one_line, parser_of
from thud.terminal import streams
from thud.text import why_at

_LEAD_ON: Final = ("learn", "play", "practise", "puzzles", "resume")
"""Commands after which it is said what to do next."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status.

    The status is 0, or 2 for bad arguments, files or texts, with one line on standard error.
    """
    streams.prepare()
    said = argparse.Namespace(command=None)
    try:
        _run(sys.argv[1:] if arguments is None else arguments, said)
    except BrokenPipeError:
        # The reader has had enough, as in `thud moves | head`.
        return 0
    except (ValueError, OSError) as error:
        because = why_at(error)
        if getattr(error, "errno", None) == EBADF:
            because = "standard input or output is closed, and Thud needs both"
        command = f"thud {said.command}" if said.command else "thud"
        with suppress(OSError):
            streams.report(on_one_line(f"{command}: {because}"), sys.stderr)
        return USAGE_ERROR
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        streams.flush_or_discard()
    return 0


def _run(given: Sequence[str], said: argparse.Namespace) -> None:
    """Parse the arguments into `said`, run their command, and flush the output."""
    if given[:1] == ["help"]:
        given = [*given[1:2], "--help"]
    try:
        parser = parser_of(given)
        parser.parse_args(given, said)
        if said.run is None and not streams.at_terminal():
            from thud.cli.launch import check_theme

            check_theme(said)
            parser.print_help()
            return
        with ExitStack() as stack:
            if said.log is not None:
                from thud.cli.log import logging_to

                stack.enter_context(logging_to(said.log, said.command))
            module, name = said.run or ("launch", "front_page")
            getattr(import_module(f"thud.cli.{module}"), name)(said)
            if said.command in _LEAD_ON:
                from thud.cli.launch import tell_next

                tell_next(said.command, " --plain" if said.plain else "")
    finally:
        gc.enable()
        sys.stdout.flush()
