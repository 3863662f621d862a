"""Whose turn it is: lets the computers play when it is theirs, and holds them up when it must."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from thud.engines.faults import EngineFault
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.tui.looks.phrases import expectation, foreseen

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought
    from thud.engines.seating import Seating

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.0)
"""Seconds for each move at least, while computers play with one another."""

_AGAINST_PEOPLE: Final = 0.4
_SILENT: Final = 10
"""A computer does not propose the end again for so many moves."""

_Result = TypeVar("_Result")


class Host(Protocol):
    """The screen on which the computers play."""

    @property
    def match(self) -> Match:
        """The match that is played."""

    @property
    def held(self) -> bool:
        """Whether no computer may move now: a question has to be answered first."""

    def start(self, work: Coroutine[object, object, None]) -> object:
        """Let something run beside the interface."""

    async def play_for(self, match: Match, played: int, move: Move) -> None:
        """Play a computer's move, unless the match has gone on since `played` moves."""

    def propose_end(self, match: Match, played: int, move: Move) -> None:
        """Let a computer propose to end the battle to a person, or else play a move."""

    async def end_by_agreement(self, match: Match, played: int) -> None:
        """End the battle: both computers want it."""

    def show_thinking(self) -> None:
        """Show that the computer thinks, and what."""

    def show_turn(self, seconds: float) -> None:
        """Tell the players that it is their turn, after so many seconds."""

    def show_fault(self, fault: str, side: Side) -> None:
        """Tell that a computer has failed, and ask how to go on."""


class Turns:
    """Runs the computers' turns of one screen.

    Args:
        host: the screen.
        seating: who plays.
    """

    def __init__(self, host: Host, seating: Seating) -> None:
        self.seating = seating
        self.paused = False
        self.speed = SPEEDS.index(1.0)
        self.thought: Thought | None = None
        self._host = host
        self._asked: asyncio.Task[object] | None = None
        self._running = False
        self._refused: tuple[Battle, int] | None = None

    # What is going on

    def commands(self, side: Side) -> bool:
        """Say whether a side is a computer's in the battle now."""
        return self.seating.plays(self._host.match.commander(side))

    @property
    def at_turn(self) -> bool:
        """Whether it is a computer's turn."""
        battle = self._host.match.battle
        return self.commands(battle.position.to_move) and not battle.outcome

    @property
    def due(self) -> bool:
        """Whether a computer is to move and nothing holds it up."""
        return not (self._host.held or self._paused) and self.at_turn

    @property
    def watching(self) -> bool:
        """Whether computers play with one another."""
        return self.seating.alone

    @property
    def _paused(self) -> bool:
        return self.paused and self.watching

    @property
    def idle(self) -> str:
        """Why no person can move now, empty if one can."""
        if not self.at_turn:
            return ""
        name = self._host.match.name_of(self._host.match.battle.position.to_move)
        if self._paused:
            return f"{name} to move, and paused: Space goes on"
        return f"{name} is thinking"

    @property
    def told(self) -> str:
        """What the computer that thinks has found so far, empty if there is nothing to tell."""
        position, thought = self._host.match.battle.position, self.thought
        if not self.idle or thought is None:
            return self.idle
        expected = expectation(position.to_move, thought)
        return f"{self.idle}: depth {thought.depth}, {expected}, {foreseen(position, thought)}"

    # Going on and holding up

    def go_on(self) -> None:
        """Let the computer think if it is its turn."""
        if self.due and not self._running:
            self._running = True
            self._host.start(self._run())

    def interrupt(self) -> None:
        """Drop what is asked: the position is about to change, or has to wait."""
        self.thought = None
        if self._asked:
            self._asked.cancel()

    def pause(self) -> None:
        """Hold the computers up while they are watched, or let them go on."""
        self.paused = not self.paused
        if self.paused:
            self.interrupt()

    def faster(self, by: int) -> float:
        """Change the speed at which watched computers play; return the seconds for a move."""
        self.speed = max(0, min(self.speed + by, len(SPEEDS) - 1))
        return SPEEDS[self.speed]

    @property
    def can_undo(self) -> bool:
        """Whether there is a move to take back: a person's, if one plays."""
        battle = self._host.match.battle
        only_theirs = self.commands(battle.positions[0].to_move) and not self.watching
        return len(battle.moves) > only_theirs

    def undo(self) -> None:
        """Take back the agreement, or a move and then those of computers; stop watched ones."""
        battle = self._host.match.battle
        self.paused = self.watching
        battle.undo()
        while not self.watching and self.at_turn and battle.moves:
            battle.undo()

    def redo(self) -> None:
        """Play the last move that was taken back again, and then those of computers."""
        battle = self._host.match.battle
        battle.redo()
        while not self.watching and self.at_turn and battle.undone:
            battle.redo()

    # Ending

    async def agrees(self) -> bool | None:
        """Ask the computer that is not to move whether it ends the battle; None: interrupted.

        Raises:
            EngineFault: it does not answer as it should.
        """
        match = self._host.match
        player = match.commander(match.battle.position.to_move.other)
        return await self._ask(self.seating.agrees(player, match.battle))

    def refuse(self, battle: Battle) -> None:
        """Remember that an end was refused: it is not proposed again for a while."""
        self._refused = battle, len(battle.moves)

    def _proposes(self, decision: Decision, battle: Battle) -> bool:
        known, since = self._refused or (None, 0)
        return decision.ends and not (known is battle and len(battle.moves) - since < _SILENT)

    # Thinking

    async def _ask(self, question: Coroutine[object, object, _Result]) -> _Result | None:
        """Return the answer, None if `interrupt` came first."""
        self._asked = asked = asyncio.get_running_loop().create_task(question)
        try:
            return await asked
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return None
        finally:
            if self._asked is asked:
                self._asked = None

    async def _run(self) -> None:
        try:
            while self.due:
                await self._take_turn(self._host.match)
        finally:
            self._running = False

    async def _take_turn(self, match: Match) -> None:
        """Let the computer to move decide, and do what it decides."""
        battle, side = match.battle, match.battle.position.to_move
        played, since = len(battle.moves), monotonic()
        self.thought = None
        self._host.show_thinking()
        try:
            considered = await self._ask(self._consider(match))
        except EngineFault as fault:
            self._host.show_fault(str(fault), side)
            return
        if considered is None:
            return
        decision, agreed = considered
        if agreed:
            await self._host.end_by_agreement(match, played)
        elif self._proposes(decision, battle) and not self.commands(side.other):
            self._host.propose_end(match, played, decision.move)
        else:
            await self._host.play_for(match, played, decision.move)
            if not (self.at_turn or battle.outcome):
                self._host.show_turn(monotonic() - since)

    async def _consider(self, match: Match) -> tuple[Decision, bool]:
        """Return what the computer decides, and whether another one agrees to the end it wants."""
        battle, side = match.battle, match.battle.position.to_move
        decision, _ = await asyncio.gather(
            self.seating.decide(match.commander(side), battle, self._report),
            asyncio.sleep(SPEEDS[self.speed] if self.watching else _AGAINST_PEOPLE),
        )
        if not (self._proposes(decision, battle) and self.commands(side.other)):
            return decision, False
        agreed = await self.seating.agrees(match.commander(side.other), battle)
        if not agreed:
            self.refuse(battle)
        return decision, agreed

    def _report(self, thought: Thought) -> None:
        self.thought = thought
        self._host.show_thinking()
