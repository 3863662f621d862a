"""`thud models`: battles to learn from, with comments and questions."""

from __future__ import annotations

import argparse
from argparse import Namespace
from itertools import groupby
from operator import attrgetter
from typing import Final

from thud.cli import launch
from thud.cli.options import add_plain
from thud.disk.directories import data_directory
from thud.exercises.lessons.model_battles import model_battle, model_battles
from thud.exercises.lessons.model_scores import ModelScores

_LISTED: Final = "'thud models --list' lists them"


def add_models(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the battle and the list."""
    command.add_argument("name", metavar="NAME", nargs="?", help="a battle, such as classic-2")
    command.add_argument("--list", action="store_true", help="list them")
    add_plain(command, "replay one")


def models(options: Namespace) -> None:
    """Replay a model battle, or list them."""
    launch.tell_damage()
    battle = model_battle(options.name, _LISTED) if options.name else None
    if options.list:
        _print_battles()
    elif not options.plain:
        from thud.tui.start import Models, Replay

        launch.show(Replay(battle.record()) if battle else Models(), options)
    elif battle is None:
        raise ValueError(f"name a battle, such as classic-2: {_LISTED}")
    else:
        launch.replay_in_lines(battle.record())


def _print_battles() -> None:
    width = max(len(each.name) for each in model_battles())
    scores = ModelScores(data_directory())
    for variant, battles in groupby(model_battles(), key=attrgetter("variant")):
        print(variant.title)
        for each in battles:
            print(f"  {each.name:<{width}}  {each.title:<44}{scores.in_words(each)}".rstrip())
        print()
    print("'thud models NAME' replays one.")
