"""The course of a session: whoever's turn it is comes next, until the players leave."""

from __future__ import annotations

from thud.plain.orders import obey
from thud.plain.table import Left, Table
from thud.plain.thinking import computer_moves
from thud.plain.words import sentence


def run(table: Table, *notices: str) -> None:
    """Play until the players leave or the input ends, and say what becomes of the match."""
    farewell = ""
    try:
        table.begin_battle()
        table.say(*(sentence(notice) for notice in notices if notice))
        while True:
            _turn(table)
    except Left:
        farewell = table.keeping.farewell(table.match)
    except KeyboardInterrupt:
        table.say("", table.keeping.farewell(table.match))
        raise
    finally:
        table.computers.close()
        table.keeping.close()
    if farewell:
        table.say(farewell)


def _turn(table: Table) -> None:
    player = table.computer_to_move
    if player is None:
        obey(table, table.ask(table.question))
    else:
        computer_moves(table, player)
