"""Fixes for Textual: besides `dialog_fixes` and browsers' driver, only here are its private names.

A comment that begins with "Fix" says what Textual 8.2.8 does without the fix, and until when it is
needed: the name is that of its check in `tests/textual_checks.py`, the number that of Textual's
report.  All fixes are in subclasses: other Textual programs in the process never see them.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import current_thread, get_ident, main_thread
from time import monotonic, sleep
from types import FrameType, FunctionType, SimpleNamespace
from typing import Any, Final, Protocol, runtime_checkable

from rich.console import Console, RenderableType
from rich.control import Control
from textual import constants, events
from textual._callback import invoke
from textual._compositor import ChopsUpdate
from textual._context import active_message_pump
from textual._parser import ParseTimeout, Peek1, Read1
from textual._xterm_parser import _MAX_SEQUENCE_SEARCH_THRESHOLD, XTermParser
from textual.app import App, ScreenStackError
from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches
from textual.css.styles import RenderStyles
from textual.dom import DOMNode, NoScreen
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.geometry import Offset, Size
from textual.keys import Keys, _character_to_key
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.widget import MountError, Widget
from textual.widgets import Input, OptionList
from textual.worker import Worker, WorkerCancelled, WorkerFailed
from textual.worker_manager import WorkerManager

from thud.terminal.sequences import InputKind, Piece, Splitter
from thud.terminal.streams import write_forced

# Fix key_names (not reported): which key types a character is said by a private function only.
# Until that is public.

character_to_key: Final = _character_to_key
"""The name of the key that types a character."""


SMALLEST: Final = (20, 5)
"""Smallest layout, in columns and rows."""

LARGEST: Final = (1000, 500)
"""Largest plausible terminal, in columns and rows; reports of larger ones are ignored."""

_MOST_WAITING: Final = 64
"""Queued messages of the app or a widget above which no more terminal input is read."""

_MOST_TYPED: Final = 2000
"""Keys typed without the queue emptying, after which further ones are dropped."""

_POLL_INTERVAL: Final = 0.005
"""Seconds between checks whether a screen is ready or a queue is short enough."""

_RESUME_INTERVAL: Final = 0.1
"""Seconds between attempts to resume, which fail in the background."""

_HUNG_UP: Final = 129
"""Exit status without a terminal, as after SIGHUP."""

_END_OF_FRAME: Final = "\x1b\\\x1b[?2026l"
"""Ends a control string and synchronized output, in case a frame was cut off in one."""

_LONGEST: Final = 10.0
"""Timeout after which keys go to a screen that is still not ready."""


class FixedApp(App[None]):
    """Handles keys in order, survives any input bytes, and sends only what changed."""

    def __init__(self) -> None:
        super().__init__()
        self._workers = _Workers(self)

    # Fix keys_in_order (not reported): a key travels through the focused widget and back before its
    # binding is looked up.  If the focus changes meanwhile, as for each typed move, keys overtake
    # each other or are lost with the widget.  Until one key is handled after the other.

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        await self._wait_for_screen()
        if not (screen := self._ordered):
            return await super()._check_bindings(key, priority)
        if not priority:
            # Already looked up before it was dispatched: it must not get a second meaning now.
            return False
        if await super()._check_bindings(key, priority=True) or screen.take_any_key(key):
            return True
        return await super()._check_bindings(key)

    @property
    def _ordered(self) -> OrderedScreen | None:
        """The screen, if it handles its keys in order now."""
        screen = self.screen
        return screen if isinstance(screen, OrderedScreen) and screen.in_order else None

    async def on_event(self, event: events.Event) -> None:
        """Handle input in order, once the screen is ready; drop it while the app exits."""
        if isinstance(event, events.Key):
            event.key = self.key_meant(event)
        if isinstance(event, (events.Key, events.Paste, events.MouseEvent)):
            await self._wait_for_screen()
            if not self._takes_input:
                return
        screen = self._ordered if isinstance(event, events.Paste) else None
        if isinstance(event, events.Paste) and screen:
            await screen.take_paste(event.text)
        else:
            await super().on_event(event)

    def key_meant(self, event: events.Key) -> str:
        """Return the key that an event is to be handled as, by default its own."""
        return event.key

    # Fix ready_screens (not reported): an action on a screen that is still being composed does not
    # find its widgets.  Until no key or click is handled before then.

    @property
    def _takes_input(self) -> bool:
        return bool(self.screen_stack) and not is_leaving(self)

    async def _wait_for_screen(self) -> None:
        until = monotonic() + _LONGEST
        while self._takes_input and not _is_ready(self.screen) and monotonic() < until:
            await asyncio.sleep(_POLL_INTERVAL)

    # Fix wakeup_pipe (Python's, not reported): a signal that arrives after the app has ended is
    # written to the event loop's wakeup pipe, which may be closed already: Python warns.  Until
    # asyncio resets the fd before closing it.

    async def run_async(self, **options: Any) -> None:
        """Run until the players leave."""
        with _interrupted_once():
            try:
                await super().run_async(**options)
            finally:
                if current_thread() is main_thread():
                    signal.set_wakeup_fd(-1)

    def get_driver_class(self) -> type[Driver]:
        """Return the platform's driver with its fixes."""
        return _fixed(super().get_driver_class())

    # Fix first_screen (not reported): `switch_screen` fails for the first screen, which has no
    # result callback, and its CSS is not loaded.  Until both hold for any default screen.

    def get_default_screen(self) -> Screen[Any]:
        """Return the first screen, in place of Textual's blank one below it."""
        screen = self.first_screen()
        screen._push_result_callback(screen, None)
        self._load_screen_css(screen)
        return screen

    def first_screen(self) -> Screen[Any]:
        """Return the app's first screen, by default a blank one."""
        return FixedScreen(id="_default")

    # Fix cropped_updates (#5625): a partial update of a line also sends everything left of the
    # changed part in its widget: for two squares at the right of the board, all those before them.
    # Until it is cropped.
    # Fix cursor_at_focus (#2348): the terminal's cursor stays in the corner, but for text fields.
    # It is hidden, but braille displays, magnifiers and input methods follow it.  Until it moves to
    # the focus.

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if self._takes_input:
            self.cursor_position = _caret_of(self.screen)
        super()._display(screen, cut(renderable))

    # Fix gone_widgets (not reported): a screen mounted while the app exits or is interrupted, or
    # while the screen itself is being removed, gets no children but queries them, or children that
    # look for their screen.  Until no screen is mounted then.
    # Fix mount_at_exit (not reported): mounting a widget while the app is about to exit ends it
    # with a MountError.  Until `mount` does nothing then, like `mount_all`.
    # Fix awaited_worker (not reported): a worker cancelled while it awaits another one, as when the
    # app exits and cancels both, takes its own cancellation for the other's, and fails.  Until it
    # tells the two apart.

    def _handle_exception(self, error: Exception) -> None:
        gone = is_leaving(self) or getattr(active_message_pump.get(None), "_pruning", False)
        if gone and isinstance(error, (MountError, NoMatches, NoScreen)):
            return
        if not (isinstance(error, WorkerFailed) and isinstance(error.error, WorkerCancelled)):
            super()._handle_exception(error)

    # Fix removed_styles (#5646): a widget that is drawn after it has been removed, as while the
    # theme changes, lacks its component styles, which ends the app with a KeyError.  Until it keeps
    # them, or is not drawn.

    def _register_child(
        self, parent: DOMNode, child: Widget, before: int | None, after: int | None
    ) -> None:
        child._component_styles = _Kept(child._component_styles)
        super()._register_child(parent, child, before, after)

    def lose_terminal(self) -> None:
        """Exit: a signal would have told of a lost terminal, but may be ignored, as by nohup."""
        self.exit(return_code=_HUNG_UP)

    # Fix exit_error (not reported): which error ended the app is private.  Until it is public.

    @property
    def exit_error(self) -> BaseException | None:
        """The error that ended the app, if one did."""
        return self._exception

    # Fix exit_output (not reported): a traceback is always printed, whoever the user is.  Until an
    # app can choose what is printed.

    def exit_output(self, errors: list[RenderableType]) -> list[RenderableType]:
        """Return what to print once the app has ended with an error."""
        return errors

    def _print_error_renderables(self) -> None:
        self._exit_renderables[:] = self.exit_output(self._exit_renderables)
        super()._print_error_renderables()


@runtime_checkable
class HasCaret(Protocol):
    """A widget with a place of its own for the terminal's cursor, in its content."""

    @property
    def caret(self) -> Offset:
        """The cell that the widget's keys act on."""


def _caret_of(screen: Screen[object]) -> Offset:
    """Return the cell of a screen that the keys act on.

    Without a focus it is the piece that moved last, or the corner.
    """
    widget = screen.focused or next(iter(screen.query("Board")), None)
    if widget is None:
        return Offset(0, 0)
    if isinstance(widget, Input):
        return widget.cursor_screen_offset
    within = Offset(0, 0)
    if isinstance(widget, HasCaret):
        within = widget.caret
    elif isinstance(widget, OptionList) and widget.highlighted is not None:
        line = widget._index_to_line.get(widget.highlighted, 0)
        within = Offset(0, line - widget.scroll_offset.y)
    region = widget.content_region
    place = region.offset + within
    return Offset(
        max(region.x, min(place.x, region.right - 1)),
        max(region.y, min(place.y, region.bottom - 1)),
    )


class _Kept(dict[str, RenderStyles]):
    """Component styles that a widget keeps when it is removed; a stylesheet replaces each."""

    def clear(self) -> None:
        """Do nothing."""


# Fix unstarted_worker (not reported): a worker cancelled before it has started leaves a coroutine
# that was never awaited: Python warns on the terminal.  Until it is closed.


class _Workers(WorkerManager):
    """Closes the coroutines of workers that have ended, started or not."""

    def add_worker(self, worker: Worker[Any], start: bool = True, exclusive: bool = True) -> None:
        super().add_worker(worker, start, exclusive)
        work = worker._work
        if inspect.iscoroutine(work) and worker._task:
            worker._task.add_done_callback(lambda _: work.close())


# Fix one_interrupt (Python's, by design): the first Ctrl+C cancels the app by asyncio, the
# second one raises an error in the midst of whatever runs, where it ends a task with a traceback.
# Until a Runner raises it at rest.


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """Pass on the first Ctrl+C alone."""
    interrupt = signal.getsignal(signal.SIGINT)
    interrupts: list[int] = []

    def take(number: int, frame: FrameType | None) -> None:
        interrupts.append(number)
        if len(interrupts) == 1 and callable(interrupt):
            interrupt(number, frame)

    is_ours = callable(interrupt) and current_thread() is main_thread()
    if is_ours:
        signal.signal(signal.SIGINT, take)
    try:
        yield
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, interrupt)


class FixedScreen(Screen[ScreenResultType]):
    """Closes once, lays out current sizes only, and calls back only who is still there."""

    # Fix closed_twice (#2575): dismissing a screen twice, as two keys that arrive together do, also
    # pops the screen below, and ends the app if there is none.  Until it pops the screen alone.

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close with a result, unless that is done already."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    # Fix removed_callbacks (not reported): `call_after_refresh` callbacks also run for widgets
    # removed meanwhile, which ends the app.  Until they are dropped.

    async def _invoke_and_clear_callbacks(self) -> None:
        callbacks = self._callbacks[:]
        self._callbacks.clear()
        for callback, pump in callbacks:
            if not getattr(pump, "_pruning", False):
                with pump._context():
                    await invoke(callback)

    # Fix circling_sizes (not reported): screens below a dialog pass the size each was told on to
    # each other, so that two sizes in quick succession circulate for ever.  Until they are laid out
    # by the size of the app, and once: the start tells each screen its size four times.

    def _screen_resized(self, size: Size) -> None:
        if self.app.is_inline or size == self.app.size != self._size:
            super()._screen_resized(size)


class OrderedScreen:
    """What `FixedApp` asks of a screen that finishes one key's action before the next key.

    Attributes:
        begun: whether it is ready for keys; earlier ones are queued.
    """

    begun = False

    @property
    def in_order(self) -> bool:
        """Whether keys and pasted text are handled so now, not by the focused widget."""
        return True

    def take_any_key(self, key: str) -> bool:
        """Handle a key before its binding; return whether the binding is to be skipped."""
        return False

    async def take_paste(self, text: str) -> None:
        """Handle pasted text, in order with the keys."""


def is_whole(screen: Screen[Any]) -> bool:
    """Whether every widget of the screen is mounted."""
    return all(widget.is_mounted for widget in screen.walk_children(Widget, with_self=True))


def _is_ready(screen: Screen[Any]) -> bool:
    return is_whole(screen) and (not isinstance(screen, OrderedScreen) or screen.begun)


def is_leaving(app: App[Any]) -> bool:
    """Whether the app is exiting or has exited."""
    return bool(app._exit or app._exception or app._closing or not app._running)


def cut(renderable: RenderableType | None) -> RenderableType | None:
    """Return an update that draws the same, with partly drawn lines cropped to that part."""
    if not isinstance(renderable, ChopsUpdate):
        return renderable
    return _Cut(renderable.chops, renderable.spans, renderable.chop_ends)


class _Cut(ChopsUpdate):
    """A screen update cropped to its spans, each a line with its first and last column."""

    def render_segments(self, console: Console) -> str:
        """Return the codes that draw the spans."""
        return "".join(code for span in self.spans for code in self._codes(console, *span))

    def _codes(self, console: Console, y: int, left: int, right: int) -> Iterator[str]:
        for (x, strip), end in zip(self.chops[y].items(), self.chop_ends[y], strict=False):
            first, last = max(x, left), min(end, right)
            if strip is not None and first < last:
                yield Control.move_to(first, y).segment.text
                yield strip.crop(first - x, last - x).render(console)


def _fixed(driver: type[Driver]) -> type[Driver]:
    """Return a driver with its fixes.

    Two of its methods get other classes for those that they make, by names of their own.
    """
    # An empty packet of a browser is no end of its input.
    decoder = Utf8 if hasattr(driver, "write_meta") else _TerminalUtf8
    names = {
        "getincrementaldecoder": lambda _: partial(decoder, "replace"),
        "WriterThread": Writer,
        "XTermParser": CheckedParser,
        "KITTY_DISAMBIGUATE_ESCAPE_CODES": _KITTY_FLAGS,
    }

    def renamed(function: FunctionType, **names: Any) -> FunctionType:
        """Return a function that knows other things by some global names."""
        spoken = {**function.__globals__, **names}
        closure = function.__closure__
        return FunctionType(function.__code__, spoken, function.__name__, None, closure)

    methods = {}
    for name in ("start_application_mode", "run_input_thread"):
        if method := getattr(driver, name, None):
            # On Windows, the parser is used by another class.
            if win32 := method.__globals__.get("win32"):
                run = renamed(win32.EventMonitor.run, **names)
                monitor = type("EventMonitor", (win32.EventMonitor,), {"run": run})
                names["win32"] = SimpleNamespace(**{**vars(win32), "EventMonitor": monitor})
            methods[name] = renamed(method, **names)
    return type(driver.__name__, (_FixedDriver, type(driver.__name__, (driver,), methods)), {})


_AnyDriver: Any = Driver

_NO_PIXELS: Final = "\x1b[?1016l\x1b[?2048l"
"""Turns off the mouse in pixels, and reports of the terminal's size."""


class _FixedDriver(_AnyDriver):  # type: ignore[misc]
    """Limits input, suspends once, and notices a lost terminal."""

    _typed = 0
    _suspended = False

    # Fix input_limits (not reported): endless typing is queued without limit.  Until it is limited.

    def process_message(self, message: Message) -> None:
        """Send a message to the app, once that has handled most earlier ones."""
        is_key = isinstance(message, events.Key)
        if not (waiting := self._queue_length()):
            self._typed = 0
        elif waiting > _MOST_WAITING and is_key and self._typed >= _MOST_TYPED:
            return
        self._typed += is_key
        while self._queue_length() > _MOST_WAITING and not self.exit_event.is_set():
            sleep(_POLL_INTERVAL)
        super().process_message(message)

    def _queue_length(self) -> int:
        """Longest message queue among the app, its screen and the focused widget; thread-safe."""
        app: App[Any] = self._app
        with suppress(ScreenStackError):
            return max(
                each._message_queue.qsize() for each in (app, app.screen, app.focused) if each
            )
        return 0

    # Fix lost_terminal (#6690): without its terminal, which is at its end or cannot be read, the
    # app goes on for ever.  Until it exits then.

    def run_input_thread(self) -> None:
        """Read the terminal until it ends."""
        try:
            super().run_input_thread()
        except (EOFError, OSError):
            self._app.call_later(self._app.lose_terminal)

    # Fix mouse_pixels (not reported): the terminal is left reporting the mouse in pixels, and its
    # sizes, if it says that it can while the app ends; if it already does when the app begins,
    # clicks are taken for others until it is resized.  Until both are turned off at either end.

    def _query_in_band_window_resize(self) -> None:
        self.write(_NO_PIXELS)
        super()._query_in_band_window_resize()

    def stop_application_mode(self) -> None:
        """Restore the terminal."""
        super().stop_application_mode()  # the last input may still turn both on
        self.write(_NO_PIXELS)
        self.flush()

    # Fix small_layouts (not reported): laying out only a few columns ends the app with a
    # ValueError, for instance of text wrapped to none.  Until any size is laid out.

    def _get_terminal_size(self) -> tuple[int, int]:
        return at_least(super()._get_terminal_size())

    # Fix suspended_once (#6298): the handlers of signals stop and start threads at once.  So Ctrl+Z
    # while starting or stopping is a deadlock, and SIGCONT starts a second pair of threads, or
    # leaves an ending app without its terminal.  Until they do so at rest, and once.

    def _sigtstp_application(self, *_: object) -> None:
        if not self._suspended and not self._loop.is_closed():
            self._suspended = True
            self._loop.call_soon_threadsafe(self._suspend)

    def _sigcont_application(self, *_: object) -> None:
        """Do nothing: the app goes on where it stopped."""

    def _suspend(self) -> None:
        if not is_leaving(self._app):
            super()._sigtstp_application()  # returns once the process goes on
            self._resume()

    def _resume(self) -> None:
        if self._writer_thread.stops and not is_leaving(self._app):
            super()._sigcont_application()
            # It fails in the background, where the process is stopped again before that.
            self._loop.call_later(_RESUME_INTERVAL, self._resume)
        else:
            self._suspended = False


def at_least(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size, raised to the smallest layout."""
    return max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])


# Fix any_bytes (#6456): a byte that is not UTF-8 ends the app with a traceback.  Until decoders
# replace it.

Utf8: Final = getincrementaldecoder("utf-8")


class _TerminalUtf8(Utf8):  # type: ignore[valid-type,misc]
    """Decodes what is read of a terminal."""

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of some more bytes.

        Raises:
            EOFError: there are none, and so it will be for ever.
        """
        if not data and not final:
            raise EOFError("the terminal is gone")
        text: str = super().decode(data, final)
        return text


# Fix lost_output (#6692): the writer's thread ends with the first error, and when the app is
# suspended.  The app then waits for ever for its queue to drain.  Until output is discarded.


class Writer(WriterThread):
    """Writes to the terminal; discards output once that is gone or the thread is stopped."""

    stops = False

    def write(self, text: str) -> None:
        """Queue output."""
        if not self.stops:
            super().write(text)

    def stop(self) -> None:
        """Queue no more, and end once everything is written."""
        self.stops = True
        super().stop()

    def run(self) -> None:
        """Write queued output until stopped."""
        gone = False
        while (text := self._queue.get()) is not None:
            if gone:
                continue
            try:
                self._file.write(text)
                if not self._queue.qsize():
                    self._file.flush()
            except (OSError, ValueError):
                gone = True
        with suppress(OSError, ValueError):
            self._file.flush()


class CheckedParser(XTermParser):
    """Parses terminal input, dropping what is out of bounds or no key."""

    # Fix answers_are_no_keys (not reported): a sequence or a control string that is not known, also
    # within a paste, is taken for single keys, and so is one longer than 32 characters.  Until they
    # are dropped.

    def parse(
        self, token_callback: Callable[[Message], None]
    ) -> Generator[Read1 | Peek1, str, None]:
        """Give Textual's own parser whole pieces; what it does not know is dropped."""
        begin = partial(super().parse, token_callback)
        next(parser := begin())

        def take(piece: Piece) -> None:
            nonlocal parser
            if piece.kind is InputKind.SEQUENCE and piece.text.endswith("u"):
                for key in self._sequence_to_key_events(piece.text):
                    if key.key != Keys.Ignore:
                        token_callback(key)
                return
            if (
                piece.kind is InputKind.SEQUENCE
                and len(piece.text) > _MAX_SEQUENCE_SEARCH_THRESHOLD
            ):
                return
            wants_more = [parser.send(char).timeout is not None for char in piece.text][-1]
            if wants_more and piece.kind is InputKind.KEY:
                parser.throw(ParseTimeout())
            elif wants_more:
                next(parser := begin())

        reading = Splitter(take, constants.ESCAPE_DELAY).run()
        timeout = next(reading)
        while True:
            try:
                char = yield self.read1(timeout)
            except ParseTimeout:
                char = ""
            timeout = reading.send(char)

    # Fix huge_sizes (not reported): a reported size of 99,999 columns is laid out.  Until it is
    # ignored.

    def feed(self, data: str) -> Iterator[Message]:
        """Parse more input, skipping sizes out of bounds; an empty text does not end it."""
        if not data:
            return
        sizes = self.terminal_size, self.terminal_pixel_size
        for message in super().feed(data):
            if not isinstance(message, events.Resize):
                yield message
            elif all(0 < n <= most for n, most in zip(message.size, LARGEST, strict=True)):
                sizes = self.terminal_size, self.terminal_pixel_size
                yield events.Resize.from_dimensions(at_least(message.size), message.pixel_size)
            else:
                self.terminal_size, self.terminal_pixel_size = sizes

    # Fix any_numbers (#6706): a mouse event on a screen whose size in pixels is not known, or a key
    # with a code that is no character's, ends the app.  Until both are dropped.

    def parse_mouse_code(self, code: str) -> Message | None:
        """Parse a mouse event; None if it is malformed."""
        try:
            return super().parse_mouse_code(code)
        except (ArithmeticError, ValueError):
            return None

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> list[events.Key]:
        told = re.fullmatch(_ALTERNATES, sequence)
        known = told[1] + told[3] if told else sequence
        try:
            keys = list(super()._sequence_to_key_events(known, alt))
            for each in keys:
                (each.character or "").encode()
            if told and told[2]:
                base = chr(int(told[2]))
                return [PlacedKey(each.key, each.character, base) for each in keys]
        except (ArithmeticError, ValueError):
            return [events.Key(Keys.Ignore, sequence)]
        return keys


# Fix alternate_keys (not reported): the Kitty protocol is not asked for what a key is in the base
# layout, so that letters of other layouts are no commands, nor is Ctrl with them.  Until it is.

_KITTY_FLAGS: Final = 0b00000101
"""Disambiguate escape codes, and report alternate keys."""

_ALTERNATES: Final = r"(\x1b\[\d+)(?::\d*)?(?::(\d+))?((?:;[\d:]*){0,2}u)"
"""A key of the Kitty protocol: its code, the base layout's, and the rest."""


class PlacedKey(events.Key):
    """A key with the character that a US keyboard has at its place."""

    def __init__(self, key: str, character: str | None, base: str) -> None:
        super().__init__(key, character)
        self.base = base


PlacedKey.handler_name = events.Key.handler_name


# Fix restored_anywhere (not reported): a driver can be stopped by the main thread only, and not
# while the terminal does not read.  Until it can be stopped at any time.


def restore_terminal(app: App[Any]) -> None:
    """Restore the terminal, from any thread, whatever the app and the terminal are doing."""
    driver: Any = app._driver
    if driver is None or app.is_headless:
        return
    # Windows has no signal that would interrupt a thread that waits for the terminal.
    forced = sys.platform != "win32"
    writer, collected = forced and getattr(driver, "_writer_thread", None), _Collected()
    if writer:
        driver._writer_thread = collected
    if hasattr(driver, "_disable_mouse_support"):
        driver._disable_mouse_support()
    driver.stop_application_mode()
    driver.close()
    if writer and os.isatty(writer.fileno()):

        def interrupt() -> None:
            # The driver handles this signal by doing nothing.
            with suppress(ProcessLookupError):
                if writer.is_alive():
                    signal.pthread_kill(writer.ident, signal.SIGCONT)

        write_forced(writer.fileno(), _END_OF_FRAME + "".join(collected), interrupt)


class _Collected(list[str]):
    """One thread's output, collected in place of being written by another."""

    def __init__(self) -> None:
        super().__init__()
        self._thread = get_ident()

    def write(self, text: str) -> None:
        """Collect a text; the app may go on drawing in its own thread, which is for nobody."""
        if get_ident() == self._thread:
            self.append(text)

    def flush(self) -> None:
        """Do nothing: the output is written later."""

    def stop(self) -> None:
        """Do nothing: there is no thread."""


# Fix sent_codes (not reported): codes of our own can be sent by private names only.  Until a
# driver's `write` is public.


def send_codes(app: App[Any], codes: str) -> None:
    """Send codes that Textual does not know."""
    if codes and app._driver is not None and not app.is_headless:
        app._driver.write(codes)
