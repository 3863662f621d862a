"""`thud models`: battles to learn from, with comments and questions."""

from __future__ import annotations

import argparse
from argparse import Namespace
from itertools import groupby
from operator import attrgetter

from thud.cli import launch
from thud.cli.options import add_looks, add_plain
from thud.lessons.model_battles import ModelBattle, model_battle, model_battles


def add_models(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the battle and the list."""
    command.add_argument("name", metavar="NAME", nargs="?", help="a battle, such as classic-2")
    command.add_argument("--list", action="store_true", help="list them")
    add_looks(command)
    add_plain(command, "replay one")


def models(options: Namespace) -> None:
    """Replay a model battle, or list them."""
    battle = model_battle(options.name) if options.name else None
    if options.list:
        _print_battles()
    elif options.plain:
        if battle is None:
            raise ValueError("name a battle, such as classic-2: 'thud models --list' lists them")
        _replay_in_lines(battle)
    else:
        _replay_on_board(battle, options)


def _print_battles() -> None:
    width = max(len(each.name) for each in model_battles())
    for variant, battles in groupby(model_battles(), key=attrgetter("variant")):
        print(variant.title)
        for each in battles:
            print(f"  {each.name:<{width}}  {each.title}")
        print()
    print("'thud models NAME' replays one.")


def _replay_in_lines(battle: ModelBattle) -> None:
    from thud.plain.replay import run
    from thud.records.notebook import Notebook
    from thud.terminal.signals import exit_cleanly

    with exit_cleanly():
        run(Notebook(battle.record()), launch.lines())


def _replay_on_board(battle: ModelBattle | None, options: Namespace) -> None:
    launch.require_terminal(options)
    looks = launch.preferences(options)
    from thud.records.store import Store
    from thud.tui.app import ThudApp
    from thud.tui.start import Models, Replay

    start = Replay(battle.record()) if battle else Models()
    launch.run(ThudApp(start, preferences=looks, store=Store()), farewell=False)
