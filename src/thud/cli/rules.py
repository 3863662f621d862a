"""`thud rules`: the players' rules, in pages or in plain text."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace

from thud.cli import launch
from thud.rulebook.chapters import GAME, chapters, chapters_of
from thud.rulebook.printed import printed
from thud.rules.variants import VARIANTS
from thud.terminal.environment import can_be_drawn_on
from thud.terminal.streams import at_terminal, text_width
from thud.text import joined, quoted


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
    command.add_argument("--plain", action="store_true", help="print them as text")


def _variant(text: str) -> str:
    if text not in VARIANTS:
        raise argparse.ArgumentTypeError(
            f"there is no game {quoted(text)}: use {joined(VARIANTS, 'or')}"
        )
    return text


def rules(options: Namespace) -> None:
    """Show the rules, from those of a variant or from those that all share."""
    if not options.plain and at_terminal() and can_be_drawn_on(os.environ):
        from thud.tui.start import Rules

        launch.show(Rules(VARIANTS.get(options.variant), GAME), options)
        return
    width = text_width(sys.stdout)
    found = chapters_of(options.variant) if options.variant else chapters()
    for number, chapter in enumerate(found):
        print(*[""] * (2 * (number > 0)), *printed(chapter, width), sep="\n")
