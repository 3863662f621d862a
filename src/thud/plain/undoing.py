"""Taking back and making again, up to a turn of a person."""

from __future__ import annotations

from thud.plain.table import Table
from thud.plain.words import described, told
from thud.rules.battle import Battle
from thud.rules.variant import Reason


def take_back(table: Table) -> None:
    """Take back the agreement to end, or the last move and what a computer has answered."""
    battle = table.match.battle
    if _agreed(battle):
        table.change(battle.undo)
        table.say("The battle goes on.")
    elif number := _moves_to_person(table):
        texts = [
            described(table.match.variant, *each)
            for each in zip(battle.positions, battle.moves, strict=False)
        ]
        table.change(lambda: [battle.undo() for _ in range(number)])
        table.say(*(f"Taken back: {text}." for text in reversed(texts[-number:])))
    else:
        table.say("There is nothing to take back.")


def make_again(table: Table) -> None:
    """Make moves again that were taken back, as far as a person's next turn."""
    battle = table.match.battle
    if not battle.undone or battle.outcome:
        table.say("There is nothing to make again.")
        return
    _redo(table)
    while battle.undone and table.computer_to_move is not None:
        _redo(table)
    table.say_if_over()


def _redo(table: Table) -> None:
    battle = table.match.battle
    before, move = battle.position, battle.undone[0]
    table.change(battle.redo)
    table.say(told(table.match, before, move))


def _agreed(battle: Battle) -> bool:
    return battle.outcome is not None and battle.outcome.reason is Reason.AGREEMENT


def _moves_to_person(table: Table) -> int:
    """Return how many moves back a person was to move, 0 if none was."""
    match, seating = table.match, table.computers.seating
    earlier = match.battle.positions[:-1]
    for number, position in enumerate(reversed(earlier), 1):
        if seating.alone or not seating.plays(match.commander(position.to_move)):
            return number
    return 0
