"""Plain sessions with a remote player, who acts while the local one is being prompted."""

from __future__ import annotations

import asyncio
import io
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, TypeAlias

from plain.playing import begun
from thud.engines.spec import parse_contender
from thud.plain.lines import Lines
from thud.plain.match import MatchRepl, run
from thud.records.store import Store
from thud.rules.position import Move
from thud.rules.typed import read_typed
from thud.rules.variant import IllegalMove
from thud.session.autosave import Autosave
from thud.session.events import Event, NewMatch, ProposeEnd, Undo
from thud.session.law import Answer, NextBattle, Play, Request, Say, Withdraw
from thud.session.session import Session
from thud.session.state import TooLate


class Line(NamedTuple):
    """A line typed by the local player."""

    text: str


class Does(NamedTuple):
    """An action of somebody remote: a keyword and its argument."""

    what: str
    rest: str = ""


Step: TypeAlias = Line | Does


class Typist(io.BytesIO):
    """The local player's input stream, which blocks until a line is typed."""

    def __init__(self) -> None:
        super().__init__()
        self.awaited = 0
        """Number of lines waited for so far."""
        self._lines: SimpleQueue[bytes] = SimpleQueue()

    def type(self, text: str) -> None:
        self._lines.put(f"{text}\n".encode())

    def end(self) -> None:
        self._lines.put(b"")

    def readline(self, size: int | None = -1, /) -> bytes:
        self.awaited += 1
        return self._lines.get()


class Apart:
    """A local and a remote player who follow a script, after which the input ends.

    Args:
        directory: directory for the match.
        script: their actions.
        hasty: do not wait for the output of each action and the next prompt.
        contenders: the players, Ann and Bob.
        position: starting position.
    """

    def __init__(
        self,
        directory: Path,
        *script: Step,
        hasty: bool = False,
        echo: bool = True,
        contenders: tuple[str, str] = ("human", "guest"),
        position: str | None = None,
    ) -> None:
        self.events: list[Event] = []
        self.store = Store(directory)
        seats = parse_contender(contenders[0]), parse_contender(contenders[1])
        self.session = Session(begun(position=position), Autosave(self.store), seats)
        self.session.subscribe(self.events.append)
        self.session.add_task(self._perform)
        self._guest = next((n for n, who in enumerate(contenders) if who == "guest"), 0)
        self._script = script
        self._hasty = hasty
        self._typist = Typist()
        self._sink = io.StringIO()
        self.talk = MatchRepl(self.session, Lines(self._typist, self._sink, echo=echo))

    def play(self) -> list[str]:
        """Perform the script; return the output lines."""
        run(self.talk)
        return self._sink.getvalue().splitlines()

    async def _perform(self) -> None:
        typed = 0
        for step in self._script:
            await self._until_asked(typed)
            if isinstance(step, Line):
                typed += 1
                self._typist.type(step.text)
            else:
                with suppress(IllegalMove, TooLate):
                    await _done(self.session, self._guest, *step)
        await self._until_asked(typed)
        self._typist.end()

    async def _until_asked(self, typed: int) -> None:
        """Wait until all typed lines are processed and printed, and the next prompt is shown."""
        while not (self._hasty or (self._typist.awaited > typed and self._asking)):
            await asyncio.sleep(0.0005)

    @property
    def _asking(self) -> bool:
        recheck = self.talk.lines._recheck
        return recheck is not None and not recheck.done()


_ASKED: dict[str, Request] = {"end": ProposeEnd(), "undo": Undo(), "new": NewMatch()}
"""Actions that the other player must agree to."""


async def _done(session: Session, guest: int, what: str, rest: str) -> None:
    """Perform an action of the remote player or an onlooker."""
    match what:
        case "play":
            await session.request(Play(_move(session, rest)), by=guest)
        case "say":
            await session.request(Say(rest), by=guest)
        case "end" | "undo" | "new":
            await session.request(_ASKED[what], by=guest)
        case "withdraw":
            await session.request(Withdraw(), by=guest)
        case "yes" | "no":
            wish = session.state.proposal.wish if session.state.proposal else ProposeEnd()
            await session.request(Answer(what == "yes", wish), by=guest)
        case "next":
            await session.request(NextBattle())
        case "come":
            await session.arrive(guest, session.state.match.players[guest])
        case "go":
            session.depart(guest)
        case "look":
            session.look_on(rest)
        case "look away":
            session.look_away(rest)
        case _:
            raise AssertionError(what)


def _move(session: Session, text: str) -> Move:
    """Parse a move; an empty text means the first legal move."""
    battle = session.state.battle
    if not text:
        return next(iter(battle.variant.legal_moves(battle.position)), Move(0, 0))
    return read_typed(battle.variant, battle.position, text)[0]
