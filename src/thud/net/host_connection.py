"""The line of a guest to its host: what is wanted and answered on it, and how it is mended."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Final

from thud.net.codec import ANSWER_SECONDS, PAUSES, PING_SECONDS, STEADY_SECONDS, BadMessage
from thud.net.framed_stream import FramedStream, LineBroken
from thud.net.handshake import Call, Caller, Tokens, TurnedAway, Way, call
from thud.net.messages import Bye, Done, FromHost, Ping, Pong, Refused, Request, decode_host
from thud.rules.variant import IllegalMove
from thud.session.proceedings import TooLate

_log: Final = logging.getLogger(__name__)


class HostConnection:
    """The line to a host, which breaks and is mended.

    Args:
        way: how the host is reached.
        caller: who calls.
        tokens: what shows that a seat is ours.
    """

    def __init__(self, way: Way, caller: Caller, tokens: Tokens) -> None:
        self._way = way
        self._caller = caller
        self._tokens = tokens
        self._host = ""
        self._link: FramedStream | None = None
        self._asked: deque[asyncio.Future[Done | Refused]] = deque()
        self._since = 0.0
        self._attempts = 0

    @property
    def up(self) -> bool:
        """Whether it is there."""
        return self._link is not None

    async def call(self) -> Call:
        """Reach the host and be let in.

        Raises:
            ValueError: as `handshake.call`.
        """
        answered = await call(self._way, self._caller, self._tokens, self._host)
        self._link, self._host = answered.link, answered.welcome.id
        # Whoever has never been heard there has no claim to the seat, and could be given another.
        self._caller = self._caller._replace(seat=answered.welcome.seat)
        self._since = asyncio.get_running_loop().time()
        return answered

    async def call_again(self) -> Call:
        """Call again and again, with growing pauses, until the host answers.

        Raises:
            TurnedAway: it will not let us in.
        """
        if asyncio.get_running_loop().time() - self._since > STEADY_SECONDS:
            self._attempts = 0
        while True:
            await asyncio.sleep(PAUSES[min(self._attempts, len(PAUSES) - 1)])
            self._attempts += 1
            try:
                return await self.call()
            except TurnedAway as away:
                if not away.again:
                    raise
            except (OSError, ValueError) as fault:
                # It cannot be reached now, and may be later.
                _log.info("the host cannot be reached: %s", fault)

    async def hear(self) -> FromHost:
        """Return the next that is told; answers and signs of life are seen to.

        Raises:
            LineBroken: the line is gone.
            ValueError: what comes makes no sense.
        """
        while True:
            if self._link is None:
                raise LineBroken("")
            message = decode_host(await self._link.receive())
            # However much there is to be heard, whoever sits here has a turn in between.
            await asyncio.sleep(0)
            if isinstance(message, Done | Refused):
                self._take_answer(message)
            elif not isinstance(message, Pong):
                return message

    def _take_answer(self, answer: Done | Refused) -> None:
        if not self._asked:
            raise BadMessage("nothing was asked that this would answer")
        waiting = self._asked.popleft()
        if not waiting.done():
            waiting.set_result(answer)

    async def ask(self, intent: Request) -> None:
        """Have something done by the host, and return when it is done, told and shown.

        Raises:
            IllegalMove: it is refused, or the line is broken.
            TooLate: it was decided about what has passed.
        """
        answering = self.say(intent)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await answering
        except TimeoutError:
            self.cut("the host does not answer")
            raise _broken() from None
        if isinstance(answer, Refused):
            raise TooLate(answer.because) if answer.late else IllegalMove(answer.because)

    def say(self, intent: Request) -> asyncio.Future[Done | Refused]:
        """Let the host know of something; return what its answer comes to.

        Raises:
            IllegalMove: the line is broken.
        """
        if self._link is None:
            raise _broken()
        answering = asyncio.get_running_loop().create_future()
        self._asked.append(answering)
        self._link.send(intent)
        return answering

    async def beat(self) -> None:
        """Show now and then that we are there, until that is cancelled."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self._link:
                self._link.send(Ping())

    def cut(self, because: str) -> None:
        """End the line at once."""
        if self._link:
            self._link.cut(because)

    async def hang_up(self, *, leaving: bool = False) -> None:
        """Close the line; whoever waits for an answer is told that it is broken."""
        link, self._link = self._link, None
        while self._asked:
            waiting = self._asked.popleft()
            if not waiting.done():
                waiting.set_result(Refused(str(_broken())))
        if link:
            if leaving:
                link.send(Bye())
            await link.close()


def _broken() -> IllegalMove:
    return IllegalMove("the line to the host is broken")
