"""Computers in a browser, which has no processes.

The levels search for milliseconds, and do so in place.  The computer at full strength, which also
gives hints and reviews, has a worker of its own (`page/search.js`) with nothing in it but the
compiled search.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

import thud_host
from pyodide.ffi import create_proxy, to_js

from thud.ai.core import CoreSearcher, knows, thought_in
from thud.ai.player import Decision, Limits, Report, Thought
from thud.ai.searcher import Found
from thud.ai.thinker import Thinker
from thud.engines.protocol import NO_MOVE, Go, decision_line, sentence_line
from thud.engines.server import Server
from thud.engines.spec import COMPUTER, FULL_STRENGTH, OWN_ENGINE
from thud.rules.position import Position

_WORDS: Final = 1 << 13
"""Random words for a search: two orders of all moves of a position take some 2,000."""


class SearchWorker:
    """A JavaScript worker that has the compiled search alone.

    A worker that searches hears nothing, so `stop` ends it, and its last thought is the answer:
    that takes no time, and needs no memory that is shared, which few hosts allow.
    """

    def __init__(self) -> None:
        self._worker: Any = None
        self._hear: Any = create_proxy(self._heard)
        self._report: Callable[[dict[str, Any]], None] = lambda _: None
        self._latest: dict[str, Any] | None = None
        self._answer: asyncio.Future[dict[str, Any] | None] | None = None
        self._stopped = False

    async def ask(
        self, request: str, words: Sequence[int], report: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any] | None:
        """Return the answer to a request; None if it was stopped.

        Raises:
            ValueError: the search refuses it, or has failed.
        """
        if self._worker is None:
            self._worker = thud_host.searcher(self._hear)
        self._report, self._latest, self._stopped = report, None, False
        self._answer = asyncio.get_running_loop().create_future()
        self._worker.ask(request, to_js(words))
        try:
            return await self._answer
        except asyncio.CancelledError:
            self.end()
            raise
        finally:
            self._answer = None

    def stop(self) -> None:
        """End the search, once it has a thought."""
        self._stopped = True
        if self._answer and not self._answer.done() and self._latest:
            self.end()
            self._answer.set_result(None)

    def end(self) -> None:
        """End the worker; the next question starts another."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _heard(self, kind: str, text: str) -> None:
        if self._answer is None or self._answer.done():
            return
        if kind == "report":
            told = json.loads(text)
            self._latest = told if told["rank"] == 1 else self._latest
            self._report(told)
            if self._stopped:
                self.stop()
        elif kind == "answer":
            self._answer.set_result(json.loads(text))
        else:
            self.end()
            self._answer.set_exception(ValueError(f"the search failed: {text}"))


class PageServer(Server):
    """An engine that needs no thread."""

    def __init__(self, send: Callable[[str], None], kind: str, level: int) -> None:
        super().__init__(send, kind, level)
        self._worker = SearchWorker()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def obey(self, line: str) -> bool:
        """Obey a line; return False for `quit`."""
        if line.split()[:1] == ["stop"]:
            self._stopping.set()
            self._worker.stop()
        return super().obey(line)

    def close(self) -> None:
        """Stop thinking."""
        self._worker.end()
        if self._task:
            self._task.cancel()

    def _begin(self, go: Go) -> None:
        self._stopping.clear()
        self._task = asyncio.create_task(self._answer(go))

    async def _answer(self, go: Go) -> None:
        over = self._variant.outcome(self._positions[-1]) is not None
        strong = self._kind == COMPUTER and self._level == FULL_STRENGTH
        if over or not (strong and knows(self._variant)):
            await asyncio.sleep(0)
            self._think(go._replace(endless=False))
            return
        try:
            line = await self._decision_elsewhere(go)
        except ValueError as error:
            self._send(sentence_line(str(error)))
            line = f"bestmove {NO_MOVE}"
        if go.endless:
            await self._stopping.wait()
        self._busy = False
        self._send(line)

    async def _decision_elsewhere(self, go: Go) -> str:
        """Think as `Server._decision` does, with the search in its worker."""
        positions, told = self._positions, list[Thought]()

        def tell(thought: Thought) -> None:
            told[:] = [thought]
            self._tell(thought)

        seed = self._seed or secrets.randbits(32)
        searcher = CoreSearcher(self._variant, seed)
        thinker = Thinker(self._variant, seed, searcher=searcher)
        limits = self._limits(go)
        if self._lines == 1:
            limits = thinker.first_limits(positions, limits)
        found = await self._search(searcher, positions, limits, tell)
        if self._lines > 1:
            return decision_line(positions[-1], Decision(found.move, found.thought))
        if told != [found.thought]:
            tell(found.thought)
        return decision_line(positions[-1], thinker.decision(positions, found, limits))

    async def _search(
        self, searcher: CoreSearcher, positions: Sequence[Position], limits: Limits, tell: Report
    ) -> Found:
        chance = searcher.chance(positions[-1])
        words = [chance.getrandbits(32) for _ in range(_WORDS)] if chance else []
        request = searcher.request(positions, limits, (), self._lines)
        best: list[Thought] = []

        def report(told: dict[str, Any]) -> None:
            thought = thought_in(told)
            if thought.rank == 1:
                best[:] = [thought]
            tell(thought)

        answer = await self._worker.ask(request, words, report)
        if answer is None:
            return Found(best[0], 0, False)
        if "refused" in answer or answer["thought"] is None:
            # As in one's own process: the module does not list every position's moves.
            return searcher.search(positions, Limits(nodes=2000), lines=self._lines)
        return Found(thought_in(answer["thought"]), answer["standing"], answer["reliable"])


class PageProgram:
    """An engine in place of a process; see `thud.engines.program.Program`."""

    most: ClassVar[int | None] = None
    niceness: ClassVar[int] = 0
    last_error = ""

    def __init__(self, kind: str, level: int) -> None:
        self._lines: deque[str] = deque()
        self._news = asyncio.Event()
        self._over = False
        self._server = PageServer(self._take, kind, level)

    @classmethod
    async def start(cls, command: Sequence[str]) -> PageProgram:
        """Start one of our own computers.

        Raises:
            OSError: it is another program.
        """
        own = len(OWN_ENGINE)
        if tuple(command[:own]) != OWN_ENGINE:
            raise OSError("a browser runs no other programs")
        option, value = command[own:]
        if option == "--level":
            return cls(COMPUTER, int(value))
        return cls(value, FULL_STRENGTH)

    @classmethod
    def leads(cls, group: int) -> bool:
        """Whether a process group is one of our programs': there is none."""
        return False

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return not self._over

    @property
    def status(self) -> int | None:
        """The exit status, None while it runs."""
        return 0 if self._over else None

    @property
    def has_more(self) -> bool:
        """Whether a line is waiting to be read."""
        return bool(self._lines)

    def send(self, *lines: str) -> None:
        """Write lines to it."""
        for line in lines:
            if self.running and not self._server.obey(line):
                self.kill()

    async def line(self) -> str:
        """Return the next line.

        Raises:
            EOFError: it has ended.
        """
        while not self._lines:
            if self._over:
                raise EOFError
            self._news.clear()
            await self._news.wait()
        return self._lines.popleft()

    async def wait(self, seconds: float) -> None:
        """Wait until it has ended: it has."""

    def kill(self) -> None:
        """End it."""
        self._over = True
        self._server.close()
        self._news.set()

    async def close(self, grace: float) -> None:
        """End it."""
        self.kill()

    def _take(self, line: str) -> None:
        self._lines.append(line)
        self._news.set()
