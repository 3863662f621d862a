"""The server end of the protocol: lines in, lines out, one search at a time.

One thread reads lines while another searches, polling an event to stop.  A line that cannot be
obeyed is answered with one sentence and changes nothing.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from itertools import takewhile
from operator import eq
from threading import Event, Lock, Thread
from typing import Final

from thud import __version__
from thud.ai.core import knows, weakness
from thud.ai.level_player import LevelPlayer
from thud.ai.player import Decision, Limits, Player, Thought
from thud.ai.simple import MaterialPlayer, RandomPlayer
from thud.ai.thinker import Thinker
from thud.engines.outlook import calibrated, corrected
from thud.engines.protocol import (
    MAX_LINE,
    NO_MOVE,
    WEAK,
    BadLine,
    Go,
    PositionCommand,
    decision_line,
    parse_go,
    parse_option,
    parse_position,
    played,
    sentence_line,
    thought_line,
)
from thud.engines.spec import COMPUTER, FULL_STRENGTH, NICENESS_VARIABLE
from thud.records.programs import HIGHEST_LEVEL
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.text import quoted, why

MAX_SEED: Final = 2**31 - 1
MAX_LINES: Final = 8
"""Most lines searched at once."""

UNASKED: Final = Limits(seconds=10.0)
"""Default limits at full strength."""

ENDLESS: Final = Limits(depth=200)
"""Limits that no search reaches."""


class Server:
    """An engine, with lines for input and output.

    Args:
        send: called with each line of the answers, from either thread.
        kind: `COMPUTER`, or one of `SIMPLE_PLAYERS`.
        level: the initial level, 0 for full strength.
        seed: makes its play repeatable.
    """

    def __init__(
        self,
        send: Callable[[str], None],
        kind: str = COMPUTER,
        level: int = FULL_STRENGTH,
        seed: int | None = None,
    ) -> None:
        self._send = send
        self._kind = kind
        self._variant = next(iter(VARIANTS.values()))
        self._level = level
        self._seed = seed
        self._lines = 1
        self._player: Player | None = None
        self._setup = PositionCommand(self._variant.start)
        self._positions = [self._variant.start]
        self._stop = Event()
        self._thinking: Thread | None = None
        self._busy = False
        self._weakness_told = False
        self._found: dict[int, Thought] = {}
        self._told: dict[int, Thought] = {}

    def obey(self, line: str) -> bool:
        """Obey a line; return False for `quit`."""
        word, *rest = line.split(None, 1) or [""]
        if word == "quit":
            return False
        said = rest[0].strip() if rest else ""
        try:
            if len(line) > MAX_LINE:
                raise BadLine(f"a line has at most {MAX_LINE} characters")
            match word:
                case "uci":
                    self._introduce()
                case "isready":
                    if not self._busy:
                        self._ready_player()
                    self._send("readyok")
                case "setoption":
                    self._set_option(said)
                case "ucinewgame":
                    self._refuse_while_thinking()
                    self._player = None
                case "position":
                    self._set_position(said)
                case "go":
                    self._go(said)
                case "stop":
                    self._stop.set()
                case _ if word:
                    known = "uci, isready, setoption, ucinewgame, position, go, stop or quit"
                    raise BadLine(f"unknown command {quoted(word)}: use {known}")
        except ValueError as error:
            self._send(sentence_line(str(error)))
        return True

    def close(self) -> None:
        """Stop thinking, and wait for the last answer."""
        self._stop.set()
        if self._thinking is not None:
            self._thinking.join()

    def _introduce(self) -> None:
        variants = "".join(f" var {name}" for name in VARIANTS)
        player = "" if self._kind == COMPUTER else f" {self._kind}"
        self._send(f"id name Thud {__version__}{player}")
        self._send("id author the Thud contributors")
        self._send(f"option name Variant type combo default {self._variant.name}{variants}")
        self._send(f"option name Level type spin default {self._level} min 0 max {HIGHEST_LEVEL}")
        self._send(f"option name Seed type spin default {self._seed or 0} min 0 max {MAX_SEED}")
        self._send(f"option name MultiPV type spin default {self._lines} min 1 max {MAX_LINES}")
        self._send("uciok")

    def _ready_player(self) -> Player:
        """Return the player; say, once, that the compiled search cannot be used."""
        if self._player is None:
            self._player = make_player(self._kind, self._variant, self._level, self._seed)
            searches = self._kind == COMPUTER and knows(self._variant)
            if searches and not self._weakness_told and (why := weakness()):
                self._weakness_told = True
                self._send(sentence_line(f"{WEAK}{why}"))
        return self._player

    def _set_option(self, rest: str) -> None:
        self._refuse_while_thinking()
        name, value = parse_option(rest)
        if name == "variant":
            if value not in VARIANTS:
                raise BadLine(f"unknown variant {quoted(value)}: use {', '.join(VARIANTS)}")
            self._variant = VARIANTS[value]
            self._setup = PositionCommand(self._variant.start)
            self._positions = [self._variant.start]
        elif name == "level":
            self._level = _spin("Level", value, HIGHEST_LEVEL)
        elif name == "multipv":
            self._lines = _spin("MultiPV", value, MAX_LINES, lowest=1)
        elif name == "seed":
            self._seed = _spin("Seed", value, MAX_SEED) or None
        else:
            known = "Variant, Level, Seed and MultiPV"
            raise BadLine(f"unknown option {quoted(name)}: use {known}")
        self._player = None

    def _set_position(self, rest: str) -> None:
        self._refuse_while_thinking()
        setup = parse_position(self._variant, rest)
        start, moves = self._setup
        known = [setup.start]
        if setup.start == start:
            # Checked already: up to the first different move.
            pairs = zip(moves, setup.moves, strict=False)
            known = self._positions[: 1 + sum(1 for _ in takewhile(lambda pair: eq(*pair), pairs))]
        new = setup.moves[len(known) - 1 :]
        self._positions = [*known, *played(self._variant, known[-1], new)]
        self._setup = setup

    def _go(self, rest: str) -> None:
        self._refuse_while_thinking()
        go = parse_go(rest)
        self._stop.clear()
        self._found, self._told = {}, {}
        self._busy = True
        self._begin(go)

    def _begin(self, go: Go) -> None:
        """Think in a thread; a server where there are none has other means."""
        self._thinking = Thread(target=self._think, args=(go,), daemon=True)
        self._thinking.start()

    def _think(self, go: Go) -> None:
        try:
            line = self._decision(go)
        except Exception as error:
            # Tell the client that no move will come.
            traceback.print_exc()
            self._send(sentence_line(f"the player failed: {type(error).__name__}: {error}"))
            line = f"bestmove {NO_MOVE}"
        if go.endless:
            self._stop.wait()
        self._busy = False
        self._send(line)

    def _decision(self, go: Go) -> str:
        """Think, reporting thoughts during the search and at its end."""
        told = list[Thought]()
        if outcome := self._variant.outcome(self._positions[-1]):
            self._send(sentence_line(outcome.description))
            return f"bestmove {NO_MOVE}"

        def tell(thought: Thought) -> None:
            told[:] = [thought]
            self._tell(thought)

        limits = self._limits(go)
        player, positions, stop = self._ready_player(), self._positions, self._stop.is_set
        if self._lines > 1 and isinstance(player, Thinker):
            found = player.search(positions, limits, stop=stop, report=tell, lines=self._lines)
            return decision_line(positions[-1], Decision(found.move, found.thought))
        decision = player.decide(positions, limits, stop=stop, report=tell)
        if decision.thought is not None and self._lines == 1 and told != [decision.thought]:
            tell(decision.thought)
        return decision_line(positions[-1], decision)

    def _limits(self, go: Go) -> Limits:
        if self._level == FULL_STRENGTH and go.limits == Limits():
            return ENDLESS if go.endless else UNASKED
        return go.limits

    def _tell(self, thought: Thought) -> None:
        """Send a thought, and those on other moves that it changes."""
        position, new = self._positions[-1], thought.line[:1]
        found = {rank: each for rank, each in self._found.items() if each.line[:1] != new}
        found[thought.rank] = thought
        shown = found
        if self._kind == COMPUTER:
            found[thought.rank] = corrected(self._variant, position, thought)
            others = found.values()
            shown = {
                rank: calibrated(self._variant, position, each, others)
                for rank, each in found.items()
            }
        for rank, each in sorted(shown.items()):
            if rank == thought.rank or each != self._told.get(rank):
                self._send(thought_line(position, each))
        self._found, self._told = found, shown

    def _refuse_while_thinking(self) -> None:
        if self._busy:
            raise BadLine("a search is running: send stop and wait for bestmove")


def _spin(name: str, text: str, highest: int, lowest: int = 0) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 10 and lowest <= int(text) <= highest:
        return int(text)
    raise BadLine(f"{name} is a whole number from {lowest} to {highest}, not {quoted(text)}")


def serve(kind: str, level: int, seed: int | None) -> None:
    """Run an engine on standard input and output until `quit` or end of input."""
    if lower := os.environ.get(NICENESS_VARIABLE):
        os.nice(int(lower))
    lock, stream = Lock(), sys.stdin.buffer

    def write(line: str) -> None:
        try:
            with lock:
                sys.stdout.buffer.write(f"{line}\n".encode())
                sys.stdout.buffer.flush()
        except OSError as error:
            # Nobody reads any more: end the process, from whichever thread.
            if isinstance(error, BrokenPipeError):
                os._exit(0)
            print(f"thud engine: cannot write answers: {why(error)}", file=sys.stderr, flush=True)
            os._exit(2)

    server = Server(write, kind, level, seed)
    try:
        while line := stream.readline(MAX_LINE + 1):
            # A line that is too long is cut to a length that is still too long.
            rest = line
            while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_LINE + 1)
            if not server.obey(line.decode("ascii", errors="replace")):
                break
    finally:
        server.close()


def make_player(kind: str, variant: Variant, level: int, seed: int | None) -> Player:
    """Return a player of a variant; the level applies to `COMPUTER` only.

    Raises:
        ValueError: there is no player of this kind.
    """
    if kind == COMPUTER and level == FULL_STRENGTH:
        return Thinker(variant, seed)
    if kind == COMPUTER:
        return LevelPlayer(variant, level, seed)
    for player in (RandomPlayer, MaterialPlayer):
        if player.name.lower() == kind:
            return player(variant, seed)
    raise ValueError(f"there is no player {kind!r}")
