"""The computers at the table of a match: what they think, play, propose and advise is shown."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Final

from textual.css.query import NoMatches
from textual.dom import NoScreen

from thud.engines.seating import Seating, Seats
from thud.rules.battle import QUIET_LIMIT
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.tui import signals
from thud.tui.battle import questions
from thud.tui.battle.advice import Advice
from thud.tui.battle.evaluation_bar import EvaluationBar
from thud.tui.battle.turns import Turns

if TYPE_CHECKING:
    from textual.worker import Worker

    from thud.ai.player import Thought
    from thud.tui.battle.screen import BattleScreen

_LONG_THINK: Final = 5.0
"""After so many seconds of a computer's thinking the players are told that it is their turn."""


class Opponents:
    """Lets computers play and advise on a screen.

    Args:
        screen: where the match is played.
        seats: which players are computers.
    """

    def __init__(self, screen: BattleScreen, seats: Seats) -> None:
        self._screen = screen
        self._seating = Seating(seats)
        self.turns = Turns(self, self._seating)
        self.advice = Advice(self, self.turns)
        screen.keeper.programs = self._seating.programs

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self._screen.match

    @property
    def held(self) -> bool:
        """Whether no computer may move now."""
        return self._screen.held

    def start(self, work: Coroutine[object, object, None]) -> Worker[None]:
        """Let something run beside the interface, until the screen is closed."""
        return self._screen.run_worker(self._while_shown(work), group="computers")

    async def _while_shown(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except (NoMatches, NoScreen):
            # The screen may be taken down while something is told.
            if self._screen.query(EvaluationBar):
                raise

    # What the screen tells them

    def go_on(self) -> None:
        """Take notice of the battle as it is now."""
        battle = self.match.battle
        if self.turns.watching and battle.quiet_limit is None:
            battle.quiet_limit = QUIET_LIMIT
        self.turns.go_on()
        self.advice.look()

    def seat(self, seats: Seats) -> None:
        """Let others play."""
        self._seating.seat(seats)
        self._screen.keeper.programs = self._seating.programs
        self.turns.paused = False
        self._clear_bar()

    def evaluate(self, evaluating: bool) -> None:
        """Judge the battle from now on, or no longer."""
        if not self._screen.is_running:
            self.advice.evaluating = evaluating
        elif evaluating != self.advice.evaluating:
            self.advice.evaluate(evaluating)

    async def close(self) -> None:
        """End their processes."""
        await self._seating.close()

    # What they tell the screen

    async def play_for(self, match: Match, played: int, move: Move) -> None:
        """Play a computer's move, unless the match has gone on since `played` moves."""
        await self._screen.play_for(match, played, move)

    def propose_end(self, match: Match, played: int, move: Move) -> None:
        """Let the computer to move propose to end the battle, or else play a move."""
        self._screen.closing.answer_computer(match, played, move)

    async def end_by_agreement(self, match: Match, played: int) -> None:
        """End the battle: both computers want it."""
        await self._screen.closing.agree(match, played)

    def show_thinking(self) -> None:
        """Show that the computer thinks, and what."""
        self._screen.moving.idle = self.turns.told
        self._screen.show_hint()
        self.advice.overheard(self.turns.thought)

    def show_fault(self, fault: str, side: Side) -> None:
        """Tell that a computer has failed, and ask how to go on."""
        question = questions.failed(
            fault,
            self.match.name_of(side),
            again=self._screen.show_battle,
            take_over=lambda: self._take_over(side),
        )
        self._screen.table.ask(question)

    def _take_over(self, side: Side) -> None:
        self._seating.hand_over(self.match.commander(side))
        self._clear_bar()
        self._screen.show_battle("A person plays on.")

    def _clear_bar(self) -> None:
        if not self.advice.evaluating:
            self.show_evaluation(Side.DWARFS, None)

    def show_turn(self, seconds: float) -> None:
        """Tell the players that it is their turn, after so many seconds."""
        if self._screen.settings.notify and seconds > _LONG_THINK:
            signals.notify(self._screen.app, "Thud: it is your turn")

    def say(self, notice: str) -> None:
        """Show a notice beneath the board."""
        self._screen.say(notice)

    def show_advice(self, move: Move, notice: str) -> None:
        """Show a move that is advised on the board."""
        self._screen.moving.advised = move
        self._screen.say(notice)

    def show_evaluation(self, side: Side, thought: Thought | None) -> None:
        """Show what the player to move, who commands a side, expects."""
        self._screen.table.show_evaluation(side, thought)
