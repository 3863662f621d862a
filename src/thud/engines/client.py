"""The client end of the protocol: ask an engine about a battle, get a decision or a fault."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from enum import Enum, auto
from typing import ClassVar, Final, NamedTuple

from thud.ai.player import Decision, Limits, Report, Thought
from thud.engines.faults import (
    EngineCrashed,
    EngineFault,
    EngineGarbage,
    EngineIllegal,
    EngineLate,
    EngineMissing,
    EngineStuck,
)
from thud.engines.program import LineTooLong, Program
from thud.engines.protocol import (
    NO_MOVE,
    WEAK,
    go_line,
    line_number,
    option_line,
    parse_decision,
    parse_offer,
    parse_sentence,
    parse_thought,
    position_line,
)
from thud.rules.battle import Battle
from thud.rules.notation import parse_move
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.text import quoted, why

STOPPING: Final = 0.5
"""Grace period in seconds after `stop` or `quit` before an engine is killed."""

_STARTING: Final = 60.0
_UNLIMITED: Final = 120.0
"""Timeout in seconds without a time limit; more if many nodes are asked for."""

_SLOWEST: Final = 100
"""Fewest nodes a second: a slower engine counts as hung."""

_MOST_OPTIONS: Final = 256


class _State(Enum):
    IDLE = auto()
    GETTING_READY = auto()
    THINKING = auto()


class _Asked(NamedTuple):
    """A battle's state at the time of the question; it may have gone on since."""

    variant: Variant
    position: Position
    line: str


class Engine:
    """A computer player in its own process, started on demand.

    Every failure raises an `EngineFault` with a sentence for people; the next question restarts a
    process that has ended.  Awaiting a decision may be cancelled at any time, without delay: the
    engine stops thinking.  Questions are answered one after the other.

    Args:
        command: the program and its arguments.
        name: its name in messages.
        options: options to set, those the engine has.
        late: tolerance in seconds after its time is up.

    Attributes:
        on_weakness: called once, with the sentence, if our own computers are weak on this machine.
    """

    on_weakness: ClassVar[Callable[[str], None] | None] = None

    def __init__(
        self,
        command: Sequence[str],
        name: str,
        options: Mapping[str, object] | None = None,
        *,
        late: float = 1.0,
    ) -> None:
        self.name = name
        self.own_name = ""
        """The engine's name, once it has started."""
        self._command = tuple(command)
        self._options = dict(options or {})
        self._late = late
        self._program: Program | None = None
        self._state = _State.IDLE
        self._offered: dict[str, tuple[str, ...]] = {}
        self._told: dict[str, str] = {}
        self._last_words = ""
        self._another_battle = False
        self._hurry = False
        self._turn = asyncio.Lock()
        self._clock: asyncio.Timeout | None = None
        self._settling: asyncio.Task[None] | None = None
        self._closed = False

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def running(self) -> bool:
        """Whether its process runs."""
        return self._program is not None and self._program.running

    async def start(self) -> None:
        """Start the process if it does not run; `decide` does so, too.

        Raises:
            EngineFault: it cannot be started, or is no engine.
        """
        async with self._turn:
            await self._be_there()

    def new_battle(self) -> None:
        """Announce a new battle to the engine with the next question."""
        self._another_battle = True

    def set_option(self, name: str, value: object) -> None:
        """Set an option with the next question, if the engine has it."""
        self._options[name] = value

    async def decide(
        self,
        battle: Battle,
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        back: int = 0,
        report: Report | None = None,
        tries: int = 1,
    ) -> Decision:
        """Ask for a move of the side to move, in a battle that goes on.

        Args:
            battle: the battle, in its present state.
            limits: how long to think; no limit leaves that to the engine.
            back: ask about the position that many moves earlier.
            report: called with each thought during the search.
            tries: how often to ask, with a new process each time, if it ends or hangs.

        Raises:
            EngineFault: the engine gives no legal move.
        """
        played = battle.played - back
        position, line = battle.positions[played], position_line(battle, played)
        asked = _Asked(battle.variant, position, line)
        while True:
            tries -= 1
            try:
                return await self._decide(asked, limits, report)
            except (EngineCrashed, EngineStuck):
                if self._closed or not tries:
                    raise

    async def _decide(self, asked: _Asked, limits: Limits, report: Report | None) -> Decision:
        async with self._turn:
            self._hurry = False
            await self._be_there()
            try:
                await self._get_ready(asked)
                return await self._think(asked, limits, report)
            except BaseException:
                self._abandon()
                raise

    def stop(self) -> None:
        """Make the engine answer at once: `decide` returns the best move found so far."""
        self._hurry = True
        if self._clock is not None:
            self._send("stop")
            self._clock.reschedule(asyncio.get_running_loop().time() + STOPPING)

    def kill(self) -> None:
        """Kill the process, without awaiting anything."""
        if self._program is not None:
            self._program.kill()

    async def close(self) -> None:
        """End the process for good."""
        self._closed = True
        self._send("stop", "quit")
        await self._settle()
        if self._program is not None:
            await self._program.close(STOPPING)

    async def _be_there(self) -> None:
        """Make sure that the process runs and has finished any abandoned question."""
        self._refuse_if_closed()
        try:
            await self._settle()
            if not self.running:
                await self._start()
        except BaseException:
            self._abandon()
            raise

    async def _start(self) -> None:
        if self._program is not None:
            await self._program.close(STOPPING)
        self._state = _State.GETTING_READY
        try:
            self._program = await Program.start(self._command)
        except (OSError, ValueError) as error:
            raise EngineMissing(f"{self.name} cannot be started: {why(error)}") from error
        self._refuse_if_closed()
        self._offered, self._told, self._last_words = {}, {}, ""
        self._send("uci")
        await self._in_time(self._hear_until("uciok"), "is not an engine: it does not answer uci")
        self._state = _State.IDLE

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise EngineMissing(f"{self.name} has been closed")

    async def _get_ready(self, asked: _Asked) -> None:
        """Send the options that it has and that have changed, and the position; await `readyok`."""
        self._state = _State.GETTING_READY
        variant = asked.variant
        played = self._offered.get("variant", ("classic",))
        if played and variant.name not in played:
            raise EngineMissing(f"{self.name} does not play {variant.title}")
        for name, value in {"Variant": variant.name, **self._options}.items():
            if name.lower() in self._offered and self._told.get(name) != str(value):
                self._send(option_line(name, value))
                self._told[name] = str(value)
        if self._another_battle:
            self._send("ucinewgame")
            self._another_battle = False
        self._send(asked.line, "isready")
        await self._in_time(self._hear_until("readyok"), "does not answer isready")

    async def _think(self, asked: _Asked, limits: Limits, report: Report | None) -> Decision:
        self._state = _State.THINKING
        self._send(go_line(limits))
        due, late = limits.seconds, self._late
        if due is None:
            due, late = max(_UNLIMITED, (limits.nodes or 0) / _SLOWEST), 0
        try:
            async with asyncio.timeout(due + late) as self._clock:
                if self._hurry:
                    self.stop()
                text, ends, thought = await self._listen(asked, report)
        except TimeoutError:
            if self._hurry:
                self.kill()
                raise EngineStuck(f"{self.name} did not answer when it was told to stop") from None
            raise EngineLate(f"{self.name} did not move within {due:g} seconds") from None
        finally:
            self._clock = None
        if text == NO_MOVE:
            because = f": {self._last_words}" if self._last_words else ""
            raise EngineIllegal(f"{self.name} finds no move{because}")
        try:
            move = parse_move(asked.variant, asked.position, text)
        except ValueError as error:
            message = f"{self.name} played {quoted(text)}, which is not legal: {error}"
            raise EngineIllegal(message) from error
        return Decision(move, thought, ends)

    async def _listen(
        self, asked: _Asked, report: Report | None
    ) -> tuple[str, bool, Thought | None]:
        """Return the text of the move, whether the battle shall end, and the last thought."""
        latest, thought = dict[int, str](), None
        while True:
            line = await self._hear()
            if line.startswith("info ") and " score " in line:
                latest[line_number(line)] = line
            decision = parse_decision(line)
            more = self._program is not None and self._program.has_more
            if latest and (decision or not more):
                # Of thoughts that arrived together, the last one of each line is enough.
                for said in latest.values():
                    found = parse_thought(asked.variant, asked.position, said)
                    if found and report is not None:
                        report(found)
                    thought = found if found and found.rank == 1 else thought
                latest.clear()
            if decision:
                self._state = _State.IDLE
                return *decision, thought

    def _send(self, *lines: str) -> None:
        if self._program is not None:
            self._program.send(*lines)

    async def _hear_until(self, word: str) -> None:
        while (await self._hear()).split()[:1] != [word]:
            pass

    async def _hear(self) -> str:
        """Return the next line; remember the engine's name, options and messages."""
        assert self._program is not None
        try:
            line = await self._program.line()
        except EOFError:
            raise EngineCrashed(await self._obituary()) from None
        except LineTooLong:
            self.kill()
            raise EngineGarbage(f"{self.name} wrote an endless line") from None
        if line.startswith("id name "):
            self.own_name = quoted(line[8:].strip())[1:-1]
        elif offer := parse_offer(line):
            self._offered |= offer
            if len(self._offered) > _MOST_OPTIONS:
                self.kill()
                raise EngineGarbage(f"{self.name} has more than {_MOST_OPTIONS} options")
        self._last_words = parse_sentence(line) or self._last_words
        if self._last_words.startswith(WEAK) and Engine.on_weakness is not None:
            tell, Engine.on_weakness = Engine.on_weakness, None
            tell(self._last_words)
        return line

    async def _obituary(self) -> str:
        """Kill a program that has closed its output; return how it ended, as a sentence."""
        assert self._program is not None
        await self._program.wait(STOPPING)
        status = self._program.status
        self.kill()
        await self._program.wait(STOPPING)
        error = self._program.last_error
        last = quoted(error, 200) if error else ""
        if status is None:
            return f"{self.name} closed its output and was stopped{f' ({last})' if last else ''}"
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return f"{self.name} stopped ({how}{f': {last}' if last else ''})"

    async def _in_time(self, hearing: Coroutine[None, None, None], complaint: str) -> None:
        try:
            async with asyncio.timeout(_STARTING):
                await hearing
        except TimeoutError:
            raise EngineMissing(f"{self.name} {complaint}") from None

    def _abandon(self) -> None:
        """Abandon a question without awaiting anything."""
        if self._state is _State.THINKING and self.running:
            self._send("stop")
            self._settling = asyncio.create_task(self._fall_silent())
        elif self._state is _State.GETTING_READY:
            self.kill()
        self._state = _State.IDLE

    async def _fall_silent(self) -> None:
        """Wait for the answer to an abandoned question; kill the engine on a timeout."""
        try:
            async with asyncio.timeout(STOPPING):
                await self._hear_until("bestmove")
        except (TimeoutError, EngineFault):
            self.kill()
        except BaseException:
            self.kill()
            raise

    async def _settle(self) -> None:
        """Wait until an abandoned question is finished."""
        if self._settling is not None:
            await asyncio.wait([self._settling])
            self._settling = None
