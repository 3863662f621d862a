"""Ending a battle because both players say so, whoever of them is a computer."""

from __future__ import annotations

from typing import Final

from thud.plain.table import Table
from thud.plain.words import verdict
from thud.rules.variant import IllegalMove, Reason

_SILENT: Final = 10
"""A computer does not propose the end again for so many moves."""


def propose_end(table: Table) -> None:
    """Ask the player who is not to move to end the battle.

    Raises:
        IllegalMove: the battle is over already.
        EngineFault: that player is a computer, and it fails.
    """
    match, battle = table.match, table.match.battle
    if outcome := battle.outcome:
        raise IllegalMove(f"the battle is over: {outcome.because}")
    if not _agreed(table):
        table.say(f"{match.name_of(battle.position.to_move.other)} plays on.")


def computer_proposes(table: Table) -> bool:
    """Propose for the computer to move to end the battle; return whether it ended.

    After a refusal it says nothing more about that for some moves.
    """
    played = len(table.match.battle.moves)
    if played - table.refused_at < _SILENT:
        return False
    table.refused_at = played
    return _agreed(table)


def _agreed(table: Table) -> bool:
    """Ask the player who is not to move, and end the battle on consent."""
    match, battle = table.match, table.match.battle
    other = match.commander(battle.position.to_move.other)
    if table.computers.seating.plays(other):
        agreed = table.computers.would_end(other, battle, lambda: table.say_thinking(other))
    else:
        agreed = table.ask_yes(_proposal(table))
    if agreed:
        table.say(f"{match.players[other]} agrees.")
        table.change(battle.agree)
        table.say_if_over()
    return agreed


def _proposal(table: Table) -> str:
    match, battle = table.match, table.match.battle
    side = battle.position.to_move
    then = verdict(match, match.variant.settled(battle.position, Reason.AGREEMENT))
    proposal = f"{match.name_of(side)} proposes to end the battle. {then}"
    return f"{proposal} {match.name_of(side.other)}, do you agree?"
