"""What a computer says to people who play: a hint, and how the battle stands."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Protocol

from thud.engines.faults import EngineFault
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome
from thud.tui.looks.phrases import expectation, sentence

if TYPE_CHECKING:
    from textual.worker import Worker

    from thud.ai.player import Thought
    from thud.tui.battle.turns import Turns


class Host(Protocol):
    """The screen on which advice is shown."""

    @property
    def match(self) -> Match:
        """The match that is played."""

    def start(self, work: Coroutine[object, object, None]) -> Worker[None]:
        """Let something run beside the interface."""

    def say(self, notice: str) -> None:
        """Show a notice beneath the board."""

    def show_advice(self, move: Move, notice: str) -> None:
        """Show the move that is advised on the board."""

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show what the player to move, who commands a side, expects; nothing clears it."""


class Advice:
    """Asks the best computer; what it says of a position that has passed is dropped.

    Args:
        host: where the advice is shown.
        turns: whose turn it is; a computer that thinks of its own move is listened to as well.
    """

    def __init__(self, host: Host, turns: Turns) -> None:
        self._host = host
        self._turns = turns
        self._asking: Worker[None] | None = None
        self._known: tuple[Position, Outcome | None] | None = None
        self.evaluating = False
        """Whether the battle is judged all the time."""

    def hint(self) -> None:
        """Show the best move; that takes a moment."""
        self._host.say("Looking for the best move …")
        self._ask(self._hint())

    def look(self) -> None:
        """Drop what is asked about a position that has passed, and judge the one there is."""
        battle = self._host.match.battle
        now = battle.position, battle.outcome
        if now == self._known:
            return
        self.forget()
        self._known = now
        if battle.outcome:
            self._host.show_evaluation(Side.DWARFS, None)
        elif self.evaluating and not self._turns.idle:
            self._ask(self._glance())

    def evaluate(self, evaluating: bool) -> None:
        """Judge the battle from now on, or no longer."""
        self.evaluating = evaluating
        self._host.show_evaluation(Side.DWARFS, None)
        self._known = None
        self.look()

    def overheard(self, thought: Thought | None) -> None:
        """Take what a computer thinks of its own move for a judgement of the battle."""
        if thought and (self.evaluating or self._turns.watching):
            self._host.show_evaluation(self._host.match.battle.position.to_move, thought)

    def forget(self) -> None:
        """Drop what is asked."""
        if self._asking:
            self._asking.cancel()
            self._asking = None

    def _ask(self, asking: Coroutine[object, object, None]) -> None:
        self.forget()
        self._asking = self._host.start(asking)

    async def _hint(self) -> None:
        battle = self._host.match.battle
        position = battle.position
        try:
            decision = await self._turns.seating.advise(battle)
        except EngineFault as fault:
            self._host.say(sentence(str(fault)))
            return
        notice = f"Hint: {move_text(position, decision.move)}"
        if decision.thought:
            notice += f", {expectation(position.to_move, decision.thought)}"
            self.overheard(decision.thought)
        self._host.show_advice(decision.move, notice)

    async def _glance(self) -> None:
        from thud.engines.seating import GLANCE_SECONDS

        battle = self._host.match.battle
        side = battle.position.to_move
        try:
            decision = await self._turns.seating.advise(battle, GLANCE_SECONDS)
        except EngineFault:
            # Nobody has asked for it; a hint would tell what is wrong.
            return
        self._host.show_evaluation(side, decision.thought)
