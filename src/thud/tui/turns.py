"""Whose turn it is: lets the computers play when it is theirs, and holds them up when it must."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.tui.computers import Computers
from thud.tui.phrases import expectation, foreseen

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.0)
"""Seconds for each move at least, while computers play with one another."""

_AGAINST_PEOPLE: Final = 0.4
_SILENT_AFTER_REFUSAL: Final = 10
"""A computer does not propose the end again for so many moves."""


class Host(Protocol):
    """The screen on which the computers play."""

    @property
    def match(self) -> Match:
        """The match that is played."""

    async def play_for(self, match: Match, played: int, move: Move) -> None:
        """Play a computer's move, unless the match has gone on since `played` moves."""

    async def propose_end(self, match: Match, played: int, move: Move) -> None:
        """Let the computer to move propose to end the battle to a person, or else play a move."""

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
        computers: who plays.
    """

    def __init__(self, host: Host, computers: Computers) -> None:
        self.computers = computers
        self.paused = False
        self.speed = SPEEDS.index(1.0)
        self.thought: Thought | None = None
        self._host = host
        self._thinking: asyncio.Task[Decision] | None = None
        self._runner: asyncio.Task[None] | None = None
        self._refused_at = -_SILENT_AFTER_REFUSAL
        self._held = False

    # What is going on

    @property
    def due(self) -> bool:
        """Whether a computer is to move and nothing holds it up."""
        return not (self.paused or self._held) and self.computers.at_turn(self._host.match)

    @property
    def idle(self) -> str:
        """Why no person can move now, empty if one can."""
        match = self._host.match
        if not self.computers.at_turn(match):
            return ""
        name = match.name_of(match.battle.position.to_move)
        if self.paused:
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

    @property
    def watching(self) -> bool:
        """Whether computers play with one another."""
        return self.computers.alone

    # Going on and holding up

    def go_on(self) -> None:
        """Let the computer think if it is its turn."""
        if self.due and (self._runner is None or self._runner.done()):
            self._runner = asyncio.create_task(self._run())

    def interrupt(self) -> None:
        """Stop the thinking: the position is about to change."""
        self.thought = None
        if self._thinking:
            self._thinking.cancel()

    def hold(self) -> None:
        """Let no computer move until `release`."""
        self._held = True
        self.interrupt()

    def release(self) -> None:
        """Let the computers move again."""
        self._held = False
        self.go_on()

    def pause(self, paused: bool) -> None:
        """Hold the computers up, or let them go on, while they are watched."""
        self.paused = paused
        if paused:
            self.interrupt()
        self.go_on()

    def faster(self, by: int) -> float:
        """Change the speed at which watched computers play; return the seconds for a move."""
        self.speed = max(0, min(self.speed + by, len(SPEEDS) - 1))
        return SPEEDS[self.speed]

    def undo(self) -> None:
        """Take back the agreement, or a move and then those of computers; stop watched ones."""
        match, computers = self._host.match, self.computers
        self.paused = self.watching
        match.battle.undo()
        while not self.watching and computers.at_turn(match) and match.battle.moves:
            match.battle.undo()

    def redo(self) -> None:
        """Play the last move that was taken back again, and then those of computers."""
        match, computers = self._host.match, self.computers
        match.battle.redo()
        while not self.watching and computers.at_turn(match) and match.battle.undone:
            match.battle.redo()

    def refuse(self) -> None:
        """Remember that an end was refused: it is not proposed again for a while."""
        self._refused_at = len(self._host.match.battle.moves)

    async def close(self) -> None:
        """End the computers' processes."""
        self._held = True
        if self._runner:
            self._runner.cancel()
        await self.computers.close()

    # Thinking

    async def _run(self) -> None:
        failures = 0
        while self.due:
            match, side = self._host.match, self._host.match.battle.position.to_move
            try:
                await self._take_turn(match)
                failures = 0
            except asyncio.CancelledError:
                runner = asyncio.current_task()
                if runner is None or runner.cancelling():
                    raise
            except ValueError as fault:
                failures += 1
                if failures > 1 or not _worth_another_try(fault):
                    self._held = True
                    self._host.show_fault(str(fault), side)

    async def _take_turn(self, match: Match) -> None:
        """Let the computer to move decide, and do what it decides."""
        played = len(match.battle.moves)
        self.thought = None
        self._host.show_thinking()
        since = monotonic()
        self._thinking = asyncio.create_task(self._consider(match))
        try:
            decision = await self._thinking
        finally:
            self._thinking = None
        if decision.ends and await self._ended(match, played, decision.move):
            return
        await self._host.play_for(match, played, decision.move)
        if not self.due:
            self._host.show_turn(monotonic() - since)

    async def _consider(self, match: Match) -> Decision:
        decision, _ = await asyncio.gather(
            self.computers.decide(match, self._report), asyncio.sleep(self._pace)
        )
        return decision

    @property
    def _pace(self) -> float:
        return SPEEDS[self.speed] if self.watching else _AGAINST_PEOPLE

    async def _ended(self, match: Match, played: int, move: Move) -> bool:
        """Propose to end the battle; say whether that settles the turn."""
        if played - self._refused_at < _SILENT_AFTER_REFUSAL:
            return False
        other = match.battle.position.to_move.other
        if not self.computers.commands(match, other):
            self._held = True
            await self._host.propose_end(match, played, move)
            return True
        if await self.computers.agrees(match, other):
            await self._host.end_by_agreement(match, played)
            return True
        self._refused_at = played
        return False

    def _report(self, thought: Thought) -> None:
        self.thought = thought
        self._host.show_thinking()


def _worth_another_try(fault: ValueError) -> bool:
    """Say whether a new process may do better: it ended or hung, rather than broke the rules."""
    from thud.engines.faults import EngineCrashed, EngineStuck

    return isinstance(fault, (EngineCrashed, EngineStuck))
