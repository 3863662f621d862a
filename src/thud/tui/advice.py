"""What a computer says to people who play: a hint, and how the battle stands."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Protocol

from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Side
from thud.tui.phrases import expectation

if TYPE_CHECKING:
    from thud.ai.player import Thought
    from thud.tui.turns import Turns


class Host(Protocol):
    """The screen on which advice is shown."""

    @property
    def match(self) -> Match:
        """The match that is played."""

    def say(self, notice: str) -> None:
        """Show a notice beneath the board."""

    def show_advice(self, move: Move, notice: str) -> None:
        """Show the move that is advised on the board."""

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show what the player to move, who commands a side, expects."""


class Advice:
    """Asks the best computer; what it says of a position that has passed is dropped.

    Args:
        host: where the advice is shown.
        turns: whose turn it is; a computer that thinks of its own move is listened to as well.
    """

    def __init__(self, host: Host, turns: Turns) -> None:
        self._host = host
        self._turns = turns
        self._asking: asyncio.Task[None] | None = None
        self.evaluating = False
        """Whether the battle is judged all the time."""

    def hint(self) -> None:
        """Show the best move; that takes a moment."""
        self._host.say("Looking for the best move …")
        self._ask(self._hint())

    def position_changed(self) -> None:
        """Drop what is asked about the position before, and judge the new one."""
        self.forget()
        match = self._host.match
        if self.evaluating and not self._turns.idle and not match.battle.outcome:
            self._ask(self._glance())

    def evaluate(self, evaluating: bool) -> None:
        """Judge the battle from now on, or no longer."""
        self.evaluating = evaluating
        self._host.show_evaluation(Side.DWARFS, None)
        self.position_changed()

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
        self._asking = asyncio.get_running_loop().create_task(asking)

    async def _hint(self) -> None:
        match = self._host.match
        position = match.battle.position
        try:
            decision = await self._turns.computers.advise(match)
        except ValueError as fault:
            self._host.say(str(fault))
            return
        notice = f"Hint: {move_text(position, decision.move)}"
        if decision.thought:
            notice += f", {expectation(position.to_move, decision.thought)}"
            self.overheard(decision.thought)
        self._host.show_advice(decision.move, notice)

    async def _glance(self) -> None:
        match = self._host.match
        side = match.battle.position.to_move
        try:
            decision = await self._turns.computers.glance(match)
        except ValueError:
            # Nobody has asked for it; a hint would tell what is wrong.
            return
        self._host.show_evaluation(side, decision.thought)
