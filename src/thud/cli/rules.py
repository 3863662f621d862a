"""`thud rules`: the players' rules, in pages or in plain text."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace
from shutil import get_terminal_size

from thud.cli.options import add_looks
from thud.rules.variants import VARIANTS
from thud.terminal.environment import can_be_drawn_on
from thud.text import joined, quoted

_NARROWEST, _WIDEST = 40, 100


def add_rules(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the variant and the look."""
    gists = "; ".join(f"{name}: {variant.gist}" for name, variant in VARIANTS.items())
    command.add_argument(
        "variant",
        metavar="VARIANT",
        nargs="?",
        type=_variant,
        help=f"start with the rules of this game. {gists}",
    )
    add_looks(command)
    command.add_argument("--plain", action="store_true", help="print them as text")


def _variant(text: str) -> str:
    if text not in VARIANTS:
        raise argparse.ArgumentTypeError(
            f"there is no game {quoted(text)}: use {joined(VARIANTS, 'or')}"
        )
    return text


def rules(options: Namespace) -> None:
    """Show the rules, from those of a variant or from those that all share."""
    if options.plain or not _can_be_drawn():
        _print(options.variant)
    else:
        _show(options)


def _can_be_drawn() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and can_be_drawn_on(os.environ)


def _print(variant: str | None) -> None:
    """Print all chapters, or those on a variant."""
    from thud.rulebook.chapters import chapters, chapters_of
    from thud.rulebook.printed import printed

    width = max(_NARROWEST, min(get_terminal_size().columns, _WIDEST))
    for number, chapter in enumerate(chapters_of(variant) if variant else chapters()):
        print(*[""] * (2 * (number > 0)), *printed(chapter, width), sep="\n")


def _show(options: Namespace) -> None:
    """Show the rules on the help screen until it is closed."""
    from thud.cli import launch

    launch.require_terminal(options)
    from thud.rulebook.chapters import GAME
    from thud.rules.variants import VARIANTS
    from thud.tui.app import ThudApp
    from thud.tui.start import Rules

    start = Rules(VARIANTS.get(options.variant), GAME)
    launch.run(ThudApp(start, preferences=launch.preferences(options)))
