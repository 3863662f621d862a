"""Fixes for Textual: the only file, but for the driver of browsers, that uses its private names.

Each says what Textual 8.2.8 does without it, and what will make it unnecessary.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import signal
import sys
from codecs import getincrementaldecoder, register_error
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import current_thread, get_ident, main_thread
from time import monotonic, sleep
from types import FrameType
from typing import Any, Final, Literal

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
from textual.command import CommandList, CommandPalette
from textual.content import Content
from textual.css.query import NoMatches
from textual.css.styles import RenderStyles
from textual.dom import DOMNode, NoScreen
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.errors import NoWidget
from textual.geometry import Size
from textual.keys import Keys, _character_to_key
from textual.message import Message
from textual.screen import ResultCallback, Screen
from textual.theme import ThemeProvider
from textual.widget import AwaitMount, Widget
from textual.widgets import Input, OptionList
from textual.worker import Worker, WorkerCancelled

from thud.terminal.sequences import Kind, Piece, Splitter
from thud.terminal.streams import write_forced
from thud.tui.caret import caret_of
from thud.tui.roles import takes_keys_in_order

character_to_key: Final = _character_to_key
"""The name of the key that types a character.  Until Textual makes that function public."""


SMALLEST: Final = (20, 5)
"""Smallest layout, in columns and rows: Textual fails when laying out only a few columns."""

LARGEST: Final = (1000, 500)
"""Largest plausible terminal, in columns and rows; reports of larger ones are ignored."""

_MOST_WAITING: Final = 64
"""Queued messages of the app or a widget above which no more terminal input is read."""

_MOST_TYPED: Final = 2000
"""Keys typed without the queue emptying, after which further ones are dropped."""

_POLL_INTERVAL: Final = 0.005
"""Seconds between checks whether a screen is ready or a queue is short enough."""

_RESUME_DELAY: Final = 0.1
"""Seconds after Ctrl+Z until the app resumes even if the SIGCONT was lost."""

_HUNG_UP: Final = 129
"""Exit status without a terminal, as after SIGHUP."""

_END_OF_FRAME: Final = "\x1b\\\x1b[?2026l"
"""Ends a control string and synchronized output, in case a frame was cut off in one."""

_LONGEST: Final = 10.0
"""Timeout after which keys go to a screen that is still not ready."""


class FixedApp(App[None]):
    """Handles keys in order, survives any input bytes, and sends only what changed."""

    # A key travels through the focused widget and back before its binding is looked up.  If the
    # focus changes meanwhile, as for each typed move, keys overtake each other or are lost with
    # the widget.  Until Textual handles one key after the other.

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        await self._wait_for_screen()
        if not takes_keys_in_order(screen := self.screen):
            return await super()._check_bindings(key, priority)
        if not priority:
            # Already looked up before it was dispatched: it must not get a second meaning now.
            return False
        if await super()._check_bindings(key, priority=True) or screen.take_any_key(key):
            return True
        return await super()._check_bindings(key)

    async def on_event(self, event: events.Event) -> None:
        """Handle input in order, once the screen is ready; drop it while the app exits."""
        if isinstance(event, events.Key):
            event.key = self.key_meant(event)
        if isinstance(event, (events.Key, events.Paste, events.MouseEvent)):
            await self._wait_for_screen()
            if not self._takes_input:
                return
        screen = self.screen if isinstance(event, events.Paste) else None
        if isinstance(event, events.Paste) and takes_keys_in_order(screen):
            await screen.take_paste(event.text)
        else:
            await super().on_event(event)

    def key_meant(self, event: events.Key) -> str:
        """Return the key that an event is to be handled as, by default its own."""
        return event.key

    # An action on a screen that is still being composed does not find its widgets.  Until Textual
    # handles no key or click before then.

    @property
    def _takes_input(self) -> bool:
        return bool(self.screen_stack) and not _is_leaving(self)

    async def _wait_for_screen(self) -> None:
        until = monotonic() + _LONGEST
        while self._takes_input and not _is_ready(self.screen) and monotonic() < until:
            await asyncio.sleep(_POLL_INTERVAL)

    # A signal that arrives after the app has ended is written to the event loop's wakeup pipe,
    # which may be closed already: Python warns.  Until asyncio resets the fd before closing it.

    async def run_async(self, **options: Any) -> None:
        """Run until the players leave."""
        with _interrupted_once():
            try:
                await super().run_async(**options)
            finally:
                if current_thread() is main_thread():
                    signal.set_wakeup_fd(-1)

    # A byte that is not UTF-8 ends the app with a traceback, as does a malformed sequence; a
    # reported size of 99,999 columns is laid out; endless typing is queued without limit; and
    # without its terminal the app waits for ever.  Until Textual's drivers decode with
    # `errors="replace"`, check their input, limit it, and survive write errors.

    def get_driver_class(self) -> type[Driver]:
        """Return the platform's driver, hardened against malformed terminal input."""
        driver = super().get_driver_class()
        # On Windows, the parser is used in another module than the driver's.
        for name, module in [*sys.modules.items()]:
            if name.startswith("textual.drivers."):
                for replaced in _REPLACED.keys() & vars(module).keys():
                    setattr(module, replaced, _REPLACED[replaced])
        if web := sys.modules.get("textual.drivers.web_driver"):
            web.getincrementaldecoder = lambda _: Decoder  # type: ignore[attr-defined]
        return _corrected(driver)

    # A partial update of a line also sends everything left of the changed part in its widget: for
    # two squares at the right of the board, all those before them.  Until Textual crops.
    # The terminal's cursor stays in the corner.  Until Textual moves it to the focus (#2348).

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        if self._takes_input:
            self.cursor_position = caret_of(self.screen)
        super()._display(screen, cut(renderable))

    # In the command palette, two keys that arrive together, or one before its list is mounted, end
    # the app.  Until the palette ignores the second.

    def action_command_palette(self) -> None:
        """Open the palette."""
        # Not looked up by id: a palette that is still closing has it, too.
        is_open = any(isinstance(each, CommandPalette) for each in self.screen_stack)
        if not is_open and not _is_leaving(self):
            self.push_screen(Palette())

    def search_themes(self) -> None:
        """Open a palette of themes."""
        self.push_screen(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))

    # A screen mounted while the app exits or is interrupted, or while the screen itself is being
    # removed, gets no children but queries them, or children that look for their screen.  Until
    # Textual mounts no screen then.

    def _handle_exception(self, error: Exception) -> None:
        gone = _is_leaving(self) or getattr(active_message_pump.get(None), "_pruning", False)
        if not (gone and isinstance(error, (NoMatches, NoScreen))):
            super()._handle_exception(error)

    # Without its terminal, which is at its end or cannot be read, the app goes on for ever.  Until
    # Textual exits then.

    def lose_terminal(self) -> None:
        """Exit: a signal would have told of a lost terminal, but may be ignored, as by nohup."""
        self.exit(return_code=_HUNG_UP)

    # There is no public way to ask which error ended the app.  Until there is.

    @property
    def exit_error(self) -> BaseException | None:
        """The error that ended the app, if one did."""
        return self._exception

    # A traceback is always printed, whoever the user is.  Until an app can choose what is printed.

    def exit_output(self, errors: list[RenderableType]) -> list[RenderableType]:
        """Return what to print once the app has ended with an error."""
        return errors

    def _print_error_renderables(self) -> None:
        self._exit_renderables[:] = self.exit_output(self._exit_renderables)
        super()._print_error_renderables()


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """Pass on the first Ctrl+C alone, which asyncio cancels the app by.

    The second one it raises in the midst of whatever runs, where it ends a task with a traceback.
    Until a Runner raises it at rest.
    """
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


def _decode_c1(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: a byte alone may be a control code of eight bits."""
    assert isinstance(error, UnicodeDecodeError)
    wrong = error.object[error.start : error.end]
    is_c1 = len(wrong) == 1 and 0x80 <= wrong[0] < 0xA0
    return chr(wrong[0]) if is_c1 else "\N{REPLACEMENT CHARACTER}", error.end


register_error("thud.c1", _decode_c1)


class Decoder(getincrementaldecoder("utf-8")):  # type: ignore[misc]
    """Decodes any bytes."""

    def __init__(self) -> None:
        super().__init__("thud.c1")


class _TerminalDecoder(Decoder):
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


class Writer(WriterThread):
    """Writes to the terminal; discards output once that is gone or the thread is stopped.

    Textual's own ends with the first error, and the app waits for ever for its queue to drain.
    """

    _stops = False

    def write(self, text: str) -> None:
        """Queue output."""
        if not self._stops:
            super().write(text)

    def stop(self) -> None:
        """Queue no more, and end once everything is written."""
        self._stops = True
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
    """Parses terminal input, dropping what is out of bounds or no key.

    Textual makes single keys of a sequence or a control string that it does not know, also within a
    paste, and of one longer than 32 characters.  Until it drops them.
    """

    def parse(
        self, token_callback: Callable[[Message], None]
    ) -> Generator[Read1 | Peek1, str, None]:
        """Give Textual's own parser whole pieces; what it does not know is dropped."""
        begin = partial(super().parse, token_callback)
        next(parser := begin())

        def take(piece: Piece) -> None:
            nonlocal parser
            if piece.kind is Kind.SEQUENCE and piece.text.endswith("u"):
                for key in self._sequence_to_key_events(piece.text):
                    if key.key != Keys.Ignore:
                        token_callback(key)
                return
            if piece.kind is Kind.SEQUENCE and len(piece.text) > _MAX_SEQUENCE_SEARCH_THRESHOLD:
                return
            wants_more = [parser.send(char).timeout is not None for char in piece.text][-1]
            if wants_more and piece.kind is Kind.KEY:
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

    def parse_mouse_code(self, code: str) -> Message | None:
        """Parse a mouse event; None if it is malformed."""
        try:
            return super().parse_mouse_code(code)
        except (ArithmeticError, ValueError):
            return None

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> list[events.Key]:
        told = _ALTERNATES.fullmatch(sequence)
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


_ALTERNATES: Final = re.compile(r"(\x1b\[\d+)(?::\d*)?(?::(\d+))?((?:;[\d:]*){0,2}u)")
"""A key of the Kitty protocol: its code, the base layout's, and the rest."""


class PlacedKey(events.Key):
    """A key with the character that a US keyboard has at its place."""

    def __init__(self, key: str, character: str | None, base: str) -> None:
        super().__init__(key, character)
        self.base = base


PlacedKey.handler_name = events.Key.handler_name


# The Kitty protocol is not asked for what a key is in the base layout, so that letters of other
# layouts are no commands, nor is Ctrl with them.  Until Textual asks for alternate keys.

_KITTY_FLAGS: Final = 0b00000101
"""Disambiguate escape codes, and report alternate keys."""

_REPLACED: Final[dict[str, Any]] = {
    "getincrementaldecoder": lambda _: _TerminalDecoder,
    "WriterThread": Writer,
    "XTermParser": CheckedParser,
    "KITTY_DISAMBIGUATE_ESCAPE_CODES": _KITTY_FLAGS,
}
"""Replacements for names in the modules of Textual's drivers."""


def at_least(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size, raised to the smallest layout."""
    return max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])


def _corrected(driver: type[Driver]) -> type[Driver]:
    """Return a driver that throttles input, suspends once, and notices a lost terminal."""

    def process_message(self: Any, message: Message) -> None:
        typed = isinstance(message, events.Key)
        if not (waiting := _queue_length(self._app)):
            self.typed = 0
        elif waiting > _MOST_WAITING and typed and self.typed >= _MOST_TYPED:
            return
        self.typed += typed
        while _queue_length(self._app) > _MOST_WAITING and not self.exit_event.is_set():
            sleep(_POLL_INTERVAL)
        driver.process_message(self, message)

    def run_input_thread(self: Any) -> None:
        try:
            driver.run_input_thread(self)  # type: ignore[attr-defined]
        except (EOFError, OSError):
            self._app.call_later(self._app.lose_terminal)

    def stop_application_mode(self: Any) -> None:
        driver.stop_application_mode(self)  # the last input may still turn pixel mode on
        self.write("\x1b[?1016l")
        self.flush()
        # Once it has ended, it does not go on, even if the SIGCONT comes only then.
        self.stopped = self.suspends

    def _get_terminal_size(self: Any) -> tuple[int, int]:
        return at_least(driver._get_terminal_size(self))  # type: ignore[attr-defined]

    # Ctrl+Z while starting or stopping would deadlock, and SIGCONT while stopping would leave the
    # app without its terminal.  So both handlers run in the event loop.

    def _sigtstp_application(self: Any, *_: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(stop, self)

    def _sigcont_application(self: Any, *_: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(go_on, self)

    def stop(self: Any) -> None:
        if self.stopped or _is_leaving(self._app):
            return
        self.stopped = self.suspends = True
        driver._sigtstp_application(self)  # type: ignore[attr-defined]
        self.suspends = False
        # A Ctrl+Z right after a SIGCONT discards it before it is handled.
        self._loop.call_later(_RESUME_DELAY, go_on, self)

    def go_on(self: Any) -> None:
        if self.stopped and not _is_leaving(self._app):
            driver._sigcont_application(self)  # type: ignore[attr-defined]
            # A process in the background is stopped again before its writer starts.
            self.stopped = self._writer_thread._stops

    corrections: dict[str, Any] = {"stopped": False, "suspends": False, "typed": 0}
    corrections |= {each.__name__: each for each in (process_message, stop_application_mode)}
    for each in (_sigtstp_application, _sigcont_application, _get_terminal_size, run_input_thread):
        if hasattr(driver, each.__name__):
            corrections[each.__name__] = each
    return type(driver.__name__, (driver,), corrections)


def restore_terminal(app: App[Any]) -> None:
    """Restore the terminal, from any thread, whatever the app and the terminal are doing.

    Until a driver can be stopped from other threads than the main one, and while the terminal does
    not read.
    """
    driver: Any = app._driver
    if driver is None or app.is_headless:
        return
    writer, collected = getattr(driver, "_writer_thread", None), _Collected()
    if writer:
        driver._writer_thread = collected
    if hasattr(driver, "_disable_mouse_support"):
        driver._disable_mouse_support()
    driver.stop_application_mode()
    driver.close()
    if writer and os.isatty(writer.fileno()):

        def interrupt() -> None:
            # The driver handles this signal, and does nothing unless it was stopped.
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


def _is_leaving(app: App[Any]) -> bool:
    """Whether the app is exiting or has exited."""
    return bool(app._exit or app._exception or app._closing or not app._running)


def _queue_length(app: App[Any]) -> int:
    """Longest message queue among the app, its screen and the focused widget; thread-safe."""
    with suppress(ScreenStackError):
        return max(each._message_queue.qsize() for each in (app, app.screen, app.focused) if each)
    return 0


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


class TextLine(Input):
    """An input that handles its keys in the order in which they arrive.

    A plain `Input` inserts letters at once but queues other keys for binding lookup, so keys that
    arrive together, as over a network, can overtake each other.  Until Textual handles one key
    after the other.
    """

    async def on_key(self, event: events.Key) -> None:
        """Run a key's binding before the next key is handled."""
        if bindings := self._bindings.key_to_bindings.get(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(bindings[0].action, default_namespace=self)


_CHOICES: Final = (Input.Changed, Input.Submitted, OptionList.OptionSelected, events.Click)


def is_whole(screen: Screen[Any]) -> bool:
    """Whether every widget of the screen is mounted."""
    return all(widget.is_mounted for widget in screen.walk_children(Widget, with_self=True))


def _is_ready(screen: Screen[Any]) -> bool:
    return is_whole(screen) and (not takes_keys_in_order(screen) or screen.begun)


class Palette(CommandPalette):
    """A command palette that ignores input once it is closing."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._parts: dict[object, Widget] = {}
        self._closes = False

    async def _dispatch_message(self, message: Message) -> None:
        if not (self._closes and isinstance(message, _CHOICES)):
            await super()._dispatch_message(message)

    # Textual also calls the base class's handlers of these names, unless that is prevented.

    def _on_mount(self, event: events.Mount) -> None:
        parts = [*self.query(Widget)]
        self._parts = {type(each): each for each in parts} | {f"#{each.id}": each for each in parts}
        # It may have been closed before it was mounted.
        if not (CommandList in self._parts and self in self.app.screen_stack[1:]):
            self._parts.clear()
            event.prevent_default()

    def _on_click(self, event: events.Click) -> None:  # type: ignore[override]
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()  # outside of what is laid out: the terminal has been resized

    def query_one(self, selector: Any, expect_type: Any = None) -> Any:
        """Return a child, even if it has been removed already."""
        return self._parts.get(selector) or super().query_one(selector, expect_type)

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close, and ignore further choices."""
        self._closes = True
        return super().dismiss(result)

    def _gather_commands(self, search_value: str) -> Any:
        return CommandList in self._parts and super()._gather_commands(search_value)

    def _action_escape(self) -> None:
        if not self._closes:
            super()._action_escape()

    def _action_command_list(self, action: str) -> None:
        if not self._closes and self.query_one(CommandList).option_count:
            super()._action_command_list(action)


# Page Up or Page Down in a list that is not laid out yet ends the app with a KeyError.  Until
# Textual checks that.

_move_page: Final = OptionList._move_page


def _move_page_if_laid_out(self: OptionList, direction: Literal[-1, 1]) -> None:
    if (self.highlighted or 0) in self._index_to_line:
        _move_page(self, direction)


OptionList._move_page = _move_page_if_laid_out  # type: ignore[method-assign]


# A clicked option may be gone before the click is handled, which ends the app with an IndexError.
# Until Textual checks that it still exists.

_click_in_list: Final = OptionList._on_click


async def _click_if_there(self: OptionList, event: events.Click) -> None:
    if event.style.meta.get("option", 0) < self.option_count:
        await _click_in_list(self, event)


OptionList._on_click = _click_if_there  # type: ignore[method-assign]


# Mounting a widget while the app is about to exit ends it with a MountError.  Until `mount` does
# nothing then, like `mount_all`.

_mount: Final = Widget.mount


def _mount_unless_exiting(self: Widget, *widgets: Widget, **place: Any) -> AwaitMount:
    return AwaitMount(self, []) if self.app._exit else _mount(self, *widgets, **place)


Widget.mount = _mount_unless_exiting  # type: ignore[method-assign]


# Dismissing a screen whose result is no longer awaited ends the app with an InvalidStateError.
# Until Textual checks whether the future is done.

_answer: Final = ResultCallback.__call__


def _answer_if_awaited(self: ResultCallback[Any], result: Any) -> None:
    if not (self.future and self.future.done()):
        _answer(self, result)


ResultCallback.__call__ = _answer_if_awaited  # type: ignore[method-assign]


# Dismissing a screen twice, as two keys that arrive together do, also pops the screen below, and
# ends the app if there is none.  Until Textual checks that the screen is still active.

_dismiss: Final = Screen.dismiss


def _dismiss_once(self: Screen[Any], result: Any = None) -> AwaitComplete:
    return _dismiss(self, result) if self.is_active else AwaitComplete()


Screen.dismiss = _dismiss_once  # type: ignore[method-assign]


# `call_after_refresh` callbacks also run for widgets removed meanwhile, which ends the app.  Until
# Textual drops them.


async def _invoke_for_those_there(self: Screen[Any]) -> None:
    callbacks = self._callbacks[:]
    self._callbacks.clear()
    for callback, pump in callbacks:
        if not getattr(pump, "_pruning", False):
            with pump._context():
                await invoke(callback)


Screen._invoke_and_clear_callbacks = _invoke_for_those_there  # type: ignore[method-assign]


# Wrapping text to zero columns, as in a list narrower than its border, ends the app with a
# ValueError.  Until Textual wraps to one at least.

_wrap: Final[Any] = Content._wrap_and_format


def _wrap_in_some_column(self: Content, width: int, *others: Any, **options: Any) -> Any:
    return _wrap(self, max(width, 1 + 2 * options.get("line_pad", 0)), *others, **options)


Content._wrap_and_format = _wrap_in_some_column  # type: ignore[method-assign]


# A widget that asks for its component styles before it is styled or after it is removed, as while
# the theme changes, ends the app with a KeyError (Textual's issue 6528).  Until Textual computes
# them then.

_component_styles: Final = DOMNode.get_component_styles


def _component_styles_now(self: DOMNode, *names: str) -> RenderStyles:
    if not self._component_styles.keys() >= set(names) and self._get_component_classes():
        self.app.stylesheet._process_component_classes(self)
    return _component_styles(self, *names)


DOMNode.get_component_styles = _component_styles_now  # type: ignore[method-assign]


# Screens below a dialog pass the size each was told on to each other, so that two sizes in quick
# succession circulate for ever.  Until Textual lays out by the size of the app.

_screen_resized: Final = Screen._screen_resized


def _resized_as_the_app(self: Screen[Any], size: Size) -> None:
    if size == self.app.size or self.app.is_inline:
        _screen_resized(self, size)


Screen._screen_resized = _resized_as_the_app  # type: ignore[method-assign]


# A worker cancelled before it has started leaves a coroutine that was never awaited: Python warns
# on the terminal.  Until Textual closes it.

_start: Final = Worker._start


def _start_to_the_end(self: Worker[Any], app: App[Any], *done: Any, **named: Any) -> None:
    _start(self, app, *done, **named)
    work = self._work
    if inspect.iscoroutine(work) and self._task:
        self._task.add_done_callback(lambda _: work.close())


Worker._start = _start_to_the_end  # type: ignore[method-assign]


# A worker cancelled while it awaits another one, as when the app exits and cancels both, takes its
# own cancellation for the other's, and fails.  Until Textual tells the two apart.

_wait: Final = Worker.wait


async def _wait_unless_cancelled(self: Worker[Any]) -> Any:
    try:
        return await _wait(self)
    except WorkerCancelled:
        if (task := asyncio.current_task()) and task.cancelling():
            raise asyncio.CancelledError from None
        raise


Worker.wait = _wait_unless_cancelled  # type: ignore[method-assign]


def make_default(app: App[Any], screen: Screen[Any]) -> Screen[Any]:
    """Prepare a screen to be the app's first.

    A pushed screen has a result callback, without which `switch_screen` fails, and its CSS is
    loaded.  Until Textual does both for what `get_default_screen` returns.
    """
    screen._push_result_callback(screen, None)
    app._load_screen_css(screen)
    return screen


def send_codes(app: App[Any], codes: str) -> None:
    """Send codes that Textual does not know.  Until a driver's `write` is public."""
    if codes and app._driver is not None and not app.is_headless:
        app._driver.write(codes)
