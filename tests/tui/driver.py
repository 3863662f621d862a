"""Drives the app with keys, as a person would."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker, WorkerCancelled

from pauses import draw_due
from thud.records.store import Store
from thud.rules.clock import parse_control
from thud.rules.geometry import RAYS, Square, bit, parse_square, squares_of
from thud.rules.match import Match
from thud.rules.moves import hops_from
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Kind
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.participants import Contenders
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.battle.screen import BattleScreen
from thud.tui.board.cursor import DIRECTIONS, direction_keys
from thud.tui.board.widget import Board
from thud.tui.start import PlayMatch
from thud.tui.widgets.move_list import MoveList
from thud.tui.widgets.prompt import Prompt
from thud.tui.widgets.standing import Standing

AnyScreen = TypeVar("AnyScreen", bound=Screen[Any])

DIGITS = {step: keys.split(",")[0] for step, keys in DIRECTIONS.values()}


class Player:
    """Drives one running app."""

    def __init__(self, app: ThudApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys in sequence, without waiting for frames in between."""
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 else key
            self.app.post_message(events.Key(name, key if len(key) == 1 else None))
        await self.pilot.pause()

    @property
    def screen(self) -> BattleScreen:
        screen = self.app.screen
        assert isinstance(screen, BattleScreen)
        return screen

    @property
    def session(self) -> Session:
        """The screen's session, which must be a local one."""
        session = self.screen.session
        assert isinstance(session, Session)
        return session

    @property
    def match(self) -> Match:
        return self.screen.match

    @property
    def board(self) -> Board:
        return self.screen.query_one(Board)

    def text(self, of: type[Static] | str) -> str:
        """Return the text of a widget."""
        return str(self.app.screen.query_one(of).render())

    @property
    def message(self) -> str:
        """The message below the board, and that in the panel when there is no room for it."""
        aside = self.app.screen.query("#aside").results(Static)
        beside = [str(each.render()) for each in aside if each.display]
        return "\n".join([self.text("#message"), *beside])

    @property
    def question(self) -> str:
        prompt = self.app.screen.query_one(Prompt)
        return str(prompt.render()) if prompt.display else ""

    @property
    def standing(self) -> str:
        return self.text(Standing)

    @property
    def moves(self) -> str:
        shown = self.screen.query_one(MoveList)
        return "\n".join(shown.render_line(y).text.rstrip() for y in range(shown.size.height))

    def drawn(self, square: str) -> str:
        """Return the first row of a square as drawn."""
        region = self.board.region_of(parse_square(square))
        line = self.board.render_line(region.y).text
        return line[region.x : region.right]

    @property
    def written(self) -> str:
        """The screen as text."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(line.text for line in lines)

    async def until(self, so: Callable[[], object]) -> None:
        """Wait until a condition holds."""
        if so():
            return
        for _ in range(6000):
            await asyncio.sleep(0.005)
            draw_due(self.app)
            if self.app._exception or so():
                await self.pilot.pause(0)
                return
        raise AssertionError(f"it never came to that:\n{self.written}")

    async def see(self, kind: type[AnyScreen]) -> AnyScreen:
        """Return the screen once it is of some type and mounted."""
        await self.until(lambda: isinstance(self.app.screen, kind) and self.app.screen.is_mounted)
        await self.pilot.pause()
        screen = self.app.screen
        assert isinstance(screen, kind)
        return screen

    async def settled(self) -> None:
        """Wait until screens are mounted and workers done, except for sessions and questions."""
        await self.pilot.pause()
        while background_workers(self.app) or not all(
            each.is_mounted for each in self.app.screen_stack
        ):
            await work_done(self.app)
            await self.pilot.pause()

    async def do(self, *keys: str) -> None:
        """Press keys, and wait until all is done that they begin."""
        await self.press(*keys)
        await self.settled()

    async def type(self, text: str) -> None:
        """Type a move in the input line."""
        await self.press("colon", *text, "enter")

    async def go_to(self, square: Square) -> None:
        """Move the cursor with the numpad."""
        await self.press(*path(self.board.cursor, square))
        assert self.board.cursor == square

    async def choose(self, *squares: str) -> None:
        """Move the cursor to squares, and choose each with Enter."""
        await self._choose(*map(parse_square, squares))

    async def _choose(self, *squares: Square) -> None:
        here, keys = self.board.cursor, list[str]()
        for square in squares:
            keys += [*path(here, square), "enter"]
            here = square
        await self.press(*keys)

    async def click(self, square: str) -> None:
        region = self.board.region_of(parse_square(square))
        await self.pilot.click(Board, offset=(region.x + 1, region.y))

    async def play(self, text: str) -> None:
        """Play a move given as text."""
        battle = self.match.battle
        await self.play_move(parse_move(battle.variant, battle.position, text))

    async def play_move(self, move: Move) -> None:
        """Play a move: pick up, put down, and spare the pieces it does not capture."""
        battle = self.match.battle
        position, variant = battle.position, battle.variant
        before = len(battle.moves)
        if variant.kind(position, move) is Kind.TRAMPLE:
            await self._choose(move.origin)
            await self._trample(move)
        else:
            await self._choose(move.origin, move.destination)
            await self._spare(move)
        assert self.match.battle.moves[before:] == (move,)

    async def _trample(self, move: Move) -> None:
        battle = self.match.battle
        before = len(battle.moves)
        for square in hops(battle.variant.legal_moves(battle.position), move):
            await self.go_to(square)
            await self.press("enter")
        if len(battle.moves) == before:
            await self.press("enter")

    async def _spare(self, move: Move) -> None:
        piece = self.screen.picker.selection.picked
        if piece is None or piece.choice is None:
            return
        for square in squares_of(piece.choice.victims):
            if (piece.choice.taken ^ move.captures) & bit(square):
                await self.press(direction_keys(move.destination, square)[0])
        await self.press("enter")


@asynccontextmanager
async def running(app: ThudApp, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Player]:
    """Run an app headless, and wait for its first screen."""
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Player(app, pilot)


async def work_done(app: App[None]) -> None:
    """Wait until all workers are done, except those of sessions and questions."""
    for worker in background_workers(app):
        with suppress(WorkerCancelled):
            await worker.wait()


def background_workers(app: App[None]) -> list[Worker[Any]]:
    """Return the running workers, except those that wait for something to change."""
    return [each for each in app.workers if each.group not in ("session", "asking", "saving")]


def path(start: Square, goal: Square) -> list[str]:
    """Return a shortest sequence of numpad keys from one square to another."""
    ways: dict[Square, list[str]] = {start: []}
    queue = deque([start])
    while goal not in ways:
        here = queue.popleft()
        for step, ray in RAYS[here].items():
            if ray[0] not in ways:
                ways[ray[0]] = [*ways[here], DIGITS[step]]
                queue.append(ray[0])
    return ways[goal]


def hops(moves: list[Move], move: Move) -> list[Square]:
    """Return the landing squares of a route equivalent to a trample."""
    routes = {(m.destination, m.captures) for m in moves if m.origin == move.origin}
    stack: list[tuple[Square, int, list[Square]]] = [(move.origin, 0, [])]
    while stack:
        at, captured, walked = stack.pop()
        if walked and (at, captured) == (move.destination, move.captures):
            return walked
        for victim, landing in hops_from(at):
            taken = captured | bit(victim)
            if taken != captured and taken & ~move.captures == 0 and (landing, taken) in routes:
                stack.append((landing, taken, [*walked, landing]))
    raise AssertionError(f"no route for {move}")


def placed(*pieces: str, to_move: str = "d") -> str:
    """Return the position text of pieces such as `"dF4"`; the stone is on H8 if not given."""
    masks = {"d": 0, "T": 0, "R": 0}
    for piece in pieces:
        masks[piece[0]] |= bit(parse_square(piece[1:]))
    stone = (masks["R"] or bit(parse_square("H8"))).bit_length() - 1
    return Position(masks["d"], masks["T"], stone, Side(to_move)).to_text()


def beginning(variant: str = "classic") -> PlayMatch:
    """Return the start with a match that is not saved."""
    return PlayMatch(Session(Match(VARIANTS[variant], ("Anna", "Bert"))))


@asynccontextmanager
async def playing(
    variant: str = "classic",
    position: str | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    names: tuple[str, str] = ("Anna", "Bert"),
    store: Store | None = None,
    seats: Contenders = None,
    control: str | None = None,
) -> AsyncIterator[Player]:
    """Run the app on a match."""
    rules = VARIANTS[variant]
    match = Match(
        rules,
        names,
        rules.position(position) if position else None,
        control=parse_control(control) if control else None,
    )
    app = ThudApp(PlayMatch(Session(match, Autosave(store), seats)), store=store)
    async with running(app, size) as player:
        for board in app.screen.query(Board):
            board.piece_set, board.animated = "letters", False
        yield player
