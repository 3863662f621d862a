"""The compiled core through ctypes (core/src/ffi.rs), and its search tree.

Imported only when a library was found; see `thud.ai.core`.
"""

# ruff: noqa: PLR0917 - calls and names cost time where moves are tried

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Array,
    Structure,
    byref,
    c_double,
    c_int32,
    c_int64,
    c_uint32,
    c_uint64,
)
from threading import Thread
from typing import Final
from weakref import finalize

from thud.ai.classic.game import ClassicGame
from thud.ai.game import Game, Options, State
from thud.ai.player import Limits, Stop
from thud.ai.scores import Score
from thud.ai.search import Stopped, Tree
from thud.rules.geometry import SIZE, Mask
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.rules.variants.classic import THUDSTONE

_NUMBERS: Final = {"classic": 0, "single": 1, "koom": 2, "football": 3}
_OK: Final = 0
_STOPPED: Final = 1
_REFUSED: Final = -1
_WORD: Final = (1 << 64) - 1
_MOST: Final = 1 << 28
"""Bound far above every score and depth."""

_Ask = CFUNCTYPE(c_int32)
_Words = c_uint64 * 4


class _Position(Structure):
    """A position: masks as four words, lowest first; the stone's square; 1 for trolls to move."""

    _fields_ = (
        ("dwarfs", _Words),
        ("trolls", _Words),
        ("stone", c_uint32),
        ("side", c_uint32),
    )


class _Game(Structure):
    """A game from one side's view, with the search's options."""

    _fields_ = (
        ("variant", c_int32),
        ("options_len", c_uint32),
        ("weights_len", c_uint32),
        ("areas_len", c_uint32),
        ("options", POINTER(c_int64)),
        ("weights", POINTER(c_int32)),
        ("areas", POINTER(_Words)),
    )


class _Window(Structure):
    """The search parameters of a root move."""

    _fields_ = (
        ("depth", c_int64),
        ("alpha", c_int64),
        ("beta", c_int64),
        ("spare", c_int64),
        ("less", c_int64),
        ("tried", c_int64),
    )


class Core:
    """The compiled core.

    Args:
        library: the shared library, with the interface version used here.
    """

    def __init__(self, library: CDLL) -> None:
        library.thud_perft.argtypes = (
            c_int32,
            POINTER(_Position),
            c_uint32,
            c_uint32,
            POINTER(c_int32),
            POINTER(c_uint64),
        )
        number, words = c_uint64, POINTER(_Words)
        library.thud_tree_new.argtypes = (POINTER(number),)
        library.thud_tree_free.argtypes = (number,)
        library.thud_tree_turn_to.argtypes = (
            number,
            POINTER(_Game),
            POINTER(_Position),
            c_uint32,
        )
        library.thud_tree_begin.argtypes = (number, POINTER(_Position), c_int64, c_double)
        found = _Ask, POINTER(c_int32), POINTER(c_uint64)
        library.thud_tree_glance.argtypes = (number, words, *found)
        library.thud_tree_search.argtypes = (number, words, POINTER(_Window), *found)
        library.thud_tree_best_known.argtypes = (
            number,
            POINTER(_Position),
            words,
        )
        self.library = library

    @staticmethod
    def knows(variant: Variant) -> bool:
        """Whether the core searches a variant and counts its moves."""
        return _number(variant) is not None

    def perft(self, variant: Variant, position: Position, depth: int, threads: int) -> int | None:
        """Count the sequences of legal moves; None for a variant or position unknown to the core.

        The count runs in a thread: only the main thread receives Ctrl+C, and then stops it.
        """
        number, asked = _number(variant), _position(position)
        if number is None or asked is None:
            return None
        stop, count, status = c_int32(), c_uint64(), -1

        def work() -> None:
            nonlocal status
            status = self.library.thud_perft(
                number, byref(asked), depth, threads, byref(stop), byref(count)
            )

        worker = Thread(target=work, daemon=True)
        worker.start()
        try:
            worker.join()
        except BaseException:
            stop.value = 1
            raise
        return count.value if _is_done(status) else None


def _is_done(status: int) -> bool:
    """Whether the core succeeded; False if it refused.

    Raises:
        OSError: it failed, and cannot be used any more.
    """
    if status not in (_OK, _REFUSED):
        raise OSError(f"the compiled core cannot be used any more: status {status}")
    return status == _OK


def _number(variant: Variant) -> int | None:
    """Return the core's number of a variant, None for an unknown one."""
    return _NUMBERS.get(variant.name) if VARIANTS.get(variant.name) is variant else None


def _position(position: Position) -> _Position | None:
    """Return a position for the interface, None if it does not fit."""
    dwarfs, trolls, stone, to_move = position
    return _state((dwarfs, trolls, int(to_move is Side.TROLLS), stone))


def _state(state: State) -> _Position | None:
    """Return a search state for the interface, None if it does not fit."""
    dwarfs, trolls, side, *rest = state
    stone = rest[0] if rest else THUDSTONE
    if not (0 <= dwarfs | trolls < 1 << 256 and 0 <= stone < 256):
        return None
    return _Position(_words(dwarfs), _words(trolls), stone, side)


def _words(mask: Mask) -> Array[c_uint64]:
    return _Words(mask & _WORD, mask >> 64 & _WORD, mask >> 128 & _WORD, mask >> 192 & _WORD)


def _options(options: Options, swing: Score) -> list[int]:
    """Return a search's options in the order of core/src/tree.rs."""
    numbers: list[int] = [
        options.selective,
        options.delta,
        options.rescues,
        options.repetitions,
        options.exact_depth,
        options.passing,
        options.futility,
        swing,
        options.table,
        *options.reduce_after,
    ]
    for caps in options.caps:
        numbers += [len(caps), *caps]
    return [max(-_WORD >> 1, min(number, _WORD >> 1)) for number in numbers]


def _weights(game: Game) -> list[int]:
    """Return a game's weights in the order of core/src/tree.rs."""
    if isinstance(game, ClassicGame):
        return [game.enough, game.passing, *game.weights]
    from thud.ai.valley.evaluation import REACHES, SUPPORTS
    from thud.ai.valley.game import ValleyGame

    assert isinstance(game, ValleyGame)
    weights = game.weights
    return [
        weights.dwarf,
        weights.troll,
        weights.even,
        weights.helpless,
        weights.safe,
        weights.hanging,
        weights.upfield,
        weights.passes,
        weights.shot,
        weights.lane,
        weights.trappable,
        *weights.advanced,
        *weights.rolling,
        *weights.escorted,
        *(worth for row in weights.threats for worth in row),
        *_by_distance(zip(REACHES, weights.reached, strict=True)),
        *_by_distance(zip(SUPPORTS, weights.supported, strict=True)),
    ]


def _by_distance(rings: Iterable[tuple[int, Score]]) -> list[Score]:
    """Return a piece's score at each distance from the stone."""
    rings = tuple(rings)
    return [sum(worth for reach, worth in rings if away <= reach) for away in range(SIZE + 1)]


def _is_known(game: Game) -> bool:
    """Whether the core knows a kind of game; imports the valley's tables only if needed."""
    if type(game) is ClassicGame:
        return True
    from thud.ai.valley.football import FootballGame
    from thud.ai.valley.koom import KoomGame

    return type(game) in (KoomGame, FootballGame)


class CompiledTree:
    """`Tree` in the compiled core: the same scores after the same number of nodes.

    What the core refuses, such as impossible positions, a `Tree` searches instead.

    Args:
        core: the core.
        game: a game that `can_search` knows.
        options: the search's options; None for the game's own.
    """

    def __init__(self, core: Core, game: Game, options: Options | None = None) -> None:
        self.options = options or game.options
        self._library = core.library
        number = c_uint64()
        _is_done(self._library.thud_tree_new(byref(number)))
        self._number = number.value
        finalize(self, self._library.thud_tree_free, self._number)
        self._score, self._counted = c_int32(), c_uint64()
        self._found = byref(self._score), byref(self._counted)
        self._window = _Window()
        self._ask = _Ask()
        self._error: BaseException | None = None
        self.turn_to(game)

    @staticmethod
    def can_search(game: Game) -> bool:
        """Whether the core knows a game."""
        return _is_known(game) and Core.knows(game.variant)

    @property
    def nodes(self) -> int:
        """The positions reached by a move since the search began."""
        return self._counted.value if self._instead is None else self._instead.nodes

    def turn_to(self, game: Game, before: Iterable[State] = ()) -> None:
        """Turn to another position, and clear all tables."""
        self.game = game
        self._before = tuple(before)
        self._instead: Tree | None = None
        states = [state for state in map(_state, self._before) if state is not None]
        options, weights = _options(self.options, game.swing), _weights(game)
        areas = game.area if isinstance(game, ClassicGame) else ()
        fits = len(states) == len(self._before) and all(
            -_MOST < weight < _MOST for weight in weights
        )
        settings = _Game(
            _NUMBERS[game.variant.name],
            len(options),
            len(weights),
            len(areas),
            (c_int64 * len(options))(*options),
            (c_int32 * len(weights))(*weights),
            (_Words * len(areas))(*map(_words, areas)),
        )
        positions = (_Position * len(states))(*states)
        if not fits or not _is_done(
            self._library.thud_tree_turn_to(self._number, byref(settings), positions, len(states))
        ):
            self._instead = Tree(game, self.options)
            self._instead.turn_to(game, self._before)

    @contextmanager
    def searching(self, root: State, limits: Limits, stop: Stop | None = None) -> Iterator[None]:
        """Context manager: search a state within limits; suppresses `Stopped`."""
        self._counted.value = 0
        state = _state(root)
        nodes = -1 if limits.nodes is None else min(max(limits.nodes, 0), _WORD >> 1)
        seconds = -1.0 if limits.seconds is None else max(limits.seconds, 0.0)
        if self._instead is None and (
            state is None
            or not _is_done(
                self._library.thud_tree_begin(self._number, byref(state), nodes, seconds)
            )
        ):
            self._instead = Tree(self.game, self.options)
            self._instead.turn_to(self.game, self._before)
        if self._instead is not None:
            with self._instead.searching(root, limits, stop):
                yield
            return
        self._error, self._ask = None, _Ask(self._asking(stop))
        with suppress(Stopped):
            try:
                yield
            finally:
                self._ask = _Ask()

    def _asking(self, stop: Stop | None) -> Callable[[], int]:
        """Return the core's stop callback; an error in it stops, too, and is raised later."""

        def ask() -> int:
            try:
                return stop is not None and stop()
            except BaseException as error:
                self._error = error
                return 1

        return ask

    def glance(self, move: int) -> Score:
        """Return the evaluation after a root move, for its player."""
        if self._instead is not None:
            return self._instead.glance(move)
        words = byref(_words(move))
        return self._told(
            self._library.thud_tree_glance(self._number, words, self._ask, *self._found)
        )

    def root_score(
        self, move: int, depth: int, alpha: Score, beta: Score, spare: int, tried: int, less: int
    ) -> Score:
        """Return a root move's score."""
        if self._instead is not None:
            return self._instead.root_score(move, depth, alpha, beta, spare, tried, less)
        window, words = self._window, byref(_words(move))
        window.depth, window.alpha, window.beta = min(depth, _MOST), alpha, beta
        window.spare, window.less, window.tried = spare, less, tried
        return self._told(
            self._library.thud_tree_search(
                self._number, words, byref(window), self._ask, *self._found
            )
        )

    def _told(self, status: int) -> Score:
        """Return the score found by a call.

        Raises:
            Stopped: the search has to end.
        """
        if status == _STOPPED:
            if self._error is not None:
                raise self._error
            raise Stopped
        if not _is_done(status):
            raise ValueError("the compiled core does not search this")
        return self._score.value

    def best_known(self, state: State) -> int:
        """Return the best move found for a state, 0 if none is known."""
        if self._instead is not None:
            return self._instead.best_known(state)
        position, move = _state(state), _Words()
        if position is None or not _is_done(
            self._library.thud_tree_best_known(self._number, byref(position), byref(move))
        ):
            return 0
        return sum(word << 64 * place for place, word in enumerate(move))
