"""What computers do at a table: move, propose to end the battle, give a hint."""

from __future__ import annotations

from thud.engines.faults import EngineFault
from thud.plain.agreement import computer_proposes
from thud.plain.table import Table
from thud.plain.words import hint, sentence
from thud.rules.variant import IllegalMove


def computer_moves(table: Table, player: int) -> None:
    """Let a computer move or propose to end the battle; if it fails, hand its side over."""
    name, computers = table.match.players[player], table.computers
    try:
        decision = computers.decide(player, table.match.battle, lambda: table.say_thinking(player))
        ended = decision.ends and computer_proposes(table)
    except EngineFault as fault:
        computers.hand_over(player)
        table.say(sentence(str(fault)), f"Move for {name}, or type again to let it try again.")
        return
    if not ended:
        table.play(decision.move)


def give_hint(table: Table) -> None:
    """Say what the computer would do for the player to move.

    Raises:
        IllegalMove: the battle is over.
        EngineFault: the computer fails.
    """
    battle = table.match.battle
    if outcome := battle.outcome:
        raise IllegalMove(f"the battle is over: {outcome.because}")
    decision = table.computers.hint(battle, lambda: table.say("The computer is thinking."))
    table.say(*hint(table.match, decision))
