"""Corrections of Textual: the only file that uses private names of it.

Each says what Textual 8.2.8 does by itself, and what will make the correction unnecessary.
"""

from __future__ import annotations

import asyncio
import inspect
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from contextlib import suppress
from threading import current_thread, main_thread
from time import monotonic, sleep
from typing import Any, Final, Literal

from rich.console import Console, RenderableType
from rich.control import Control
from textual import events
from textual._callback import invoke
from textual._compositor import ChopsUpdate
from textual._context import active_message_pump
from textual._xterm_parser import XTermParser
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

from thud.tui.roles import takes_keys_in_order

character_to_key: Final = _character_to_key
"""The name of the key that types a character.  Until Textual has that among its public names."""


SMALLEST: Final = (20, 5)
"""Columns and rows that are laid out at least: in a few columns Textual ends with an error."""

LARGEST: Final = (1000, 500)
"""Columns and rows beyond which nobody's screen goes."""

_MOST_WAITING: Final = 64
"""Messages that wait for the app or a widget while the terminal's input is still read."""

_MOST_TYPED: Final = 2000
"""Keys without a pause for the app to catch up, beyond which those are dropped that would wait."""

_A_MOMENT: Final = 0.005

_GOING_ON: Final = 0.1
"""Seconds after which an app that has been stopped goes on without having been told to."""

_NOTHING: Final = 0.1
"""Seconds between two looks at an input that has come to its end."""

_LONGEST: Final = 10.0
"""Seconds after which a screen that has still not begun gets its keys all the same."""


class FixedApp(App[None]):
    """Handles keys in order, survives any input bytes, and sends only what changed."""

    # A key goes through the widget that has the focus and back before its binding is looked up.
    # Where the focus changes meanwhile, as for each typed move, keys overtake one another or are
    # lost with the widget.  Until Textual handles one key after the other.

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        await self._wait_for_screen()
        if not takes_keys_in_order(screen := self.screen):
            return await super()._check_bindings(key, priority)
        if not priority:
            # It was looked up before it was sent round, and does not mean something else now.
            return False
        if await super()._check_bindings(key, priority=True) or screen.take_any_key(key):
            return True
        return await super()._check_bindings(key)

    async def on_event(self, event: events.Event) -> None:
        """Take whatever is typed in its turn, once there is a screen to take it, or never."""
        if isinstance(event, (events.Key, events.Paste, events.MouseEvent)):
            await self._wait_for_screen()
            if not self._takes_input:
                return
        screen = self.screen if isinstance(event, events.Paste) else None
        if isinstance(event, events.Paste) and takes_keys_in_order(screen):
            await screen.take_paste(event.text)
        else:
            await super().on_event(event)

    # What acts on a screen that is still being made looks in vain for its parts.  Until Textual
    # handles no key and no click before that.

    @property
    def _takes_input(self) -> bool:
        return bool(self.screen_stack) and not _is_leaving(self)

    async def _wait_for_screen(self) -> None:
        until = monotonic() + _LONGEST
        while self._takes_input and not _is_ready(self.screen) and monotonic() < until:
            await asyncio.sleep(_A_MOMENT)

    # A signal that comes once the app has ended is told to the loop by a pipe that may be closed
    # already, and a warning says so.  Until asyncio forgets the pipe before it closes it.

    async def run_async(self, **options: Any) -> None:
        """Run until the players leave."""
        try:
            await super().run_async(**options)
        finally:
            if current_thread() is main_thread():
                signal.set_wakeup_fd(-1)

    # A byte that is not UTF-8 ends the app with a traceback, and so does a sequence that no
    # terminal sends; a size of 99,999 columns is laid out, and a text typed without an end is taken
    # in whole; without its terminal the app waits for ever.  Until Textual's drivers decode with
    # `errors="replace"`, check, wait, and write on after an error.

    def get_driver_class(self) -> type[Driver]:
        """Return what speaks with the terminal, and believes nothing that it says."""
        driver = super().get_driver_class()
        for each in driver.__mro__:
            module = sys.modules[each.__module__]
            for name, ours in _REPLACED.items():
                if each.__module__.startswith("textual.drivers.") and hasattr(module, name):
                    setattr(module, name, ours)
        return _corrected(driver)

    # Of a line that is drawn in part, what stands left of that part in its widget is sent, too:
    # for two squares at the right of the board, all those before them.  Until Textual crops.

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, cut(renderable))

    # Two keys that come together, or a key before its list is there, end the app from within its
    # palette.  Until that counts whatever comes once.

    def action_command_palette(self) -> None:
        """Open the palette."""
        # Without an id: the palette that closes still has it.
        is_open = any(isinstance(each, CommandPalette) for each in self.screen_stack)
        if not is_open and not _is_leaving(self):
            self.push_screen(Palette())

    def search_themes(self) -> None:
        """Open a palette of themes."""
        self.push_screen(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))

    # A screen that is mounted while the app exits or is interrupted, or while it is taken away
    # again, gets no parts, and looks for them, or they for it.  Until Textual mounts no
    # screen then.

    def _handle_exception(self, error: Exception) -> None:
        gone = _is_leaving(self) or getattr(active_message_pump.get(None), "_pruning", False)
        if not (gone and isinstance(error, (NoMatches, NoScreen))):
            super()._handle_exception(error)

    # What has ended an app cannot be asked for.  Until it can.

    @property
    def fault(self) -> BaseException | None:
        """The error that ended the app, if one did."""
        return self._exception

    # A traceback is printed whoever sits at the terminal.  Until an app can say what is printed.

    def told_at_the_end(self, errors: list[RenderableType]) -> list[RenderableType]:
        """Return what is printed when the app has ended after a fault."""
        return errors

    def _print_error_renderables(self) -> None:
        self._exit_renderables[:] = self.told_at_the_end(self._exit_renderables)
        super()._print_error_renderables()


class _Decoder(getincrementaldecoder("utf-8")):  # type: ignore[misc]
    """Decodes whatever comes, slowly where nothing does: a terminal that is gone never ends."""

    def __init__(self) -> None:
        super().__init__("replace")

    def decode(self, data: bytes, final: bool = False) -> str:
        """Return the text of some more bytes."""
        if not data and not final:
            sleep(_NOTHING)
        text: str = super().decode(data, final)
        return text


class Writer(WriterThread):
    """Writes to the terminal, and to nowhere once that is gone, or the thread is stopped.

    Textual's own ends with the first error, and the app waits for ever for its queue to be read.
    """

    _stops = False

    def write(self, text: str) -> None:
        """Queue output."""
        if not self._stops:
            super().write(text)

    def stop(self) -> None:
        """End when everything is written."""
        self._stops = True
        super().stop()

    def run(self) -> None:
        """Write until it is told to stop."""
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
    """Parses terminal input, dropping what is out of bounds."""

    def feed(self, data: str) -> Iterator[Message]:
        """Read some more; sizes that no screen has are passed over."""
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
        """Read where a mouse is; None is nowhere."""
        try:
            return super().parse_mouse_code(code)
        except (ArithmeticError, ValueError):
            return None

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> list[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
            for each in keys:
                (each.character or "").encode()
        except (ArithmeticError, ValueError):
            return [events.Key(Keys.Ignore, sequence)]
        return keys


_REPLACED: Final[dict[str, Any]] = {
    "getincrementaldecoder": lambda _: _Decoder,
    "WriterThread": Writer,
    "XTermParser": CheckedParser,
}
"""What Textual's drivers use, by its names there, and what they shall use."""


def at_least(size: tuple[int, int]) -> tuple[int, int]:
    """Return a size with as many columns and rows as are laid out at least."""
    return max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])


def _corrected(driver: type[Driver]) -> type[Driver]:
    """Return a driver that holds keys back, stops once, and leaves no mouse in pixels."""

    def process_message(self: Any, message: Message) -> None:
        typed = isinstance(message, events.Key)
        if not (waiting := _waiting(self._app)):
            self.typed = 0
        elif waiting > _MOST_WAITING and typed and self.typed >= _MOST_TYPED:
            return
        self.typed += typed
        while _waiting(self._app) > _MOST_WAITING and not self.exit_event.is_set():
            sleep(_A_MOMENT)
        driver.process_message(self, message)

    def stop_application_mode(self: Any) -> None:
        driver.stop_application_mode(self)  # the last of the input may still turn it on
        self.write("\x1b[?1016l")
        self.flush()

    def _get_terminal_size(self: Any) -> tuple[int, int]:
        return at_least(driver._get_terminal_size(self))  # type: ignore[attr-defined]

    # Ctrl+Z in the middle of beginning or stopping would wait for itself for ever, and SIGCONT in
    # the middle of stopping leave the app without its terminal.  Both wait for their turn.

    def _sigtstp_application(self: Any, *_: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(stop, self)

    def _sigcont_application(self: Any, *_: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(go_on, self)

    def stop(self: Any) -> None:
        if self.stopped or _is_leaving(self._app):
            return
        self.stopped = True
        driver._sigtstp_application(self)  # type: ignore[attr-defined]
        # Ctrl+Z just after SIGCONT takes that away before anybody has handled it.
        self._loop.call_later(_GOING_ON, go_on, self)

    def go_on(self: Any) -> None:
        if self.stopped and not _is_leaving(self._app):
            driver._sigcont_application(self)  # type: ignore[attr-defined]
            # In the background it was stopped again before it began to write.
            self.stopped = self._writer_thread._stops

    corrections: dict[str, Any] = {"stopped": False, "typed": 0}
    corrections |= {each.__name__: each for each in (process_message, stop_application_mode)}
    for each in (_sigtstp_application, _sigcont_application, _get_terminal_size):
        if hasattr(driver, each.__name__):
            corrections[each.__name__] = each
    return type(driver.__name__, (driver,), corrections)


def restore_terminal(app: App[Any]) -> None:
    """Leave the terminal as it was, from any thread, whatever the app is doing.

    Until a driver can be stopped from a thread that is not the main one.
    """
    driver: Any = app._driver
    if driver is not None and not app.is_headless:
        if hasattr(driver, "_disable_mouse_support"):
            driver._disable_mouse_support()
        driver.stop_application_mode()
        driver.close()


def _is_leaving(app: App[Any]) -> bool:
    """Say whether the app is coming to its end, or has."""
    return bool(app._exit or app._exception or app._closing or not app._running)


def _waiting(app: App[Any]) -> int:
    """Count what waits for the app or for whatever has the keys; asked in any thread."""
    with suppress(ScreenStackError):
        return max(each._message_queue.qsize() for each in (app, app.screen, app.focused) if each)
    return 0


def cut(renderable: RenderableType | None) -> RenderableType | None:
    """Return what draws the same, but of lines that are drawn in part only that part."""
    if not isinstance(renderable, ChopsUpdate):
        return renderable
    return _Cut(renderable.chops, renderable.spans, renderable.chop_ends)


class _Cut(ChopsUpdate):
    """Parts of screen lines to send: each a line and its columns."""

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
    """An input that handles its keys in the order in which they come.

    By itself an `Input` writes letters at once, and sends other keys on to be looked up: those that
    come together, as over a network, would overtake one another.  Until Textual handles one key
    after the other.
    """

    async def on_key(self, event: events.Key) -> None:
        """Do what a key is bound to before the next one is looked at."""
        if bindings := self._bindings.key_to_bindings.get(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(bindings[0].action, default_namespace=self)


_CHOICES: Final = (Input.Changed, Input.Submitted, OptionList.OptionSelected, events.Click)


def is_whole(screen: Screen[Any]) -> bool:
    """Say whether all parts of a screen are there."""
    return all(widget.is_mounted for widget in screen.walk_children(Widget, with_self=True))


def _is_ready(screen: Screen[Any]) -> bool:
    return is_whole(screen) and (not takes_keys_in_order(screen) or screen.begun)


class Palette(CommandPalette):
    """The palette, which does nothing more once it closes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._parts: dict[object, Widget] = {}
        self._closes = False

    async def _dispatch_message(self, message: Message) -> None:
        if not (self._closes and isinstance(message, _CHOICES)):
            await super()._dispatch_message(message)

    # Textual calls these methods of its own class as well, unless that is prevented.

    def _on_mount(self, event: events.Mount) -> None:
        parts = [*self.query(Widget)]
        self._parts = {type(each): each for each in parts} | {f"#{each.id}": each for each in parts}
        # It may have been closed before it was there.
        if not (CommandList in self._parts and self in self.app.screen_stack[1:]):
            self._parts.clear()
            event.prevent_default()

    def _on_click(self, event: events.Click) -> None:  # type: ignore[override]
        try:
            self.get_widget_at(event.screen_x, event.screen_y)
        except NoWidget:
            event.prevent_default()  # the window has another size, or had when it was laid out

    def query_one(self, selector: Any, expect_type: Any = None) -> Any:
        """Return a part, also one that has been taken away before whoever looks for it."""
        return self._parts.get(selector) or super().query_one(selector, expect_type)

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close it, and take no more choices."""
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


# A page up or down in a list that has not been laid out yet ends the app with a KeyError.  Until
# Textual looks whether it has.

_move_page: Final = OptionList._move_page


def _move_page_if_laid_out(self: OptionList, direction: Literal[-1, 1]) -> None:
    if (self.highlighted or 0) in self._index_to_line:
        _move_page(self, direction)


OptionList._move_page = _move_page_if_laid_out  # type: ignore[method-assign]


# What was clicked in a list may be gone before the click is handled, which ends the app with an
# IndexError.  Until Textual looks whether it is still there.

_click_in_list: Final = OptionList._on_click


async def _click_if_there(self: OptionList, event: events.Click) -> None:
    if event.style.meta.get("option", 0) < self.option_count:
        await _click_in_list(self, event)


OptionList._on_click = _click_if_there  # type: ignore[method-assign]


# What mounts a widget while the app is about to exit ends it with a MountError.  Until `mount` does
# nothing then, as `mount_all` does.

_mount: Final = Widget.mount


def _mount_unless_exiting(self: Widget, *widgets: Widget, **place: Any) -> AwaitMount:
    return AwaitMount(self, []) if self.app._exit else _mount(self, *widgets, **place)


Widget.mount = _mount_unless_exiting  # type: ignore[method-assign]


# A screen whose answer nobody awaits any more ends the app with an InvalidStateError.  Until
# Textual looks whether the future is done.

_answer: Final = ResultCallback.__call__


def _answer_if_awaited(self: ResultCallback[Any], result: Any) -> None:
    if not (self.future and self.future.done()):
        _answer(self, result)


ResultCallback.__call__ = _answer_if_awaited  # type: ignore[method-assign]


# A screen that is left twice, as by two keys that arrive together, takes the one below with it, and
# ends the app where there is none.  Until Textual looks whether it is still the one shown.

_dismiss: Final = Screen.dismiss


def _dismiss_once(self: Screen[Any], result: Any = None) -> AwaitComplete:
    return _dismiss(self, result) if self.is_active else AwaitComplete()


Screen.dismiss = _dismiss_once  # type: ignore[method-assign]


# What is to be done after the next refresh is done for what has been taken away meanwhile, too, and
# ends the app.  Until Textual forgets it then.


async def _invoke_for_those_there(self: Screen[Any]) -> None:
    callbacks = self._callbacks[:]
    self._callbacks.clear()
    for callback, pump in callbacks:
        if not getattr(pump, "_pruning", False):
            with pump._context():
                await invoke(callback)


Screen._invoke_and_clear_callbacks = _invoke_for_those_there  # type: ignore[method-assign]


# A text in no column, as of a list narrower than its border, ends the app with a ValueError.  Until
# Textual gives it one.

_wrap: Final[Any] = Content._wrap_and_format


def _wrap_in_some_column(self: Content, width: int, *others: Any, **options: Any) -> Any:
    return _wrap(self, max(width, 1 + 2 * options.get("line_pad", 0)), *others, **options)


Content._wrap_and_format = _wrap_in_some_column  # type: ignore[method-assign]


# A widget that asks for the styles of its components before it has been styled, or when it has been
# taken away, as while a theme changes, ends the app with a KeyError (Textual's issue 6528).  Until
# Textual finds them then.

_component_styles: Final = DOMNode.get_component_styles


def _component_styles_now(self: DOMNode, *names: str) -> RenderStyles:
    if not self._component_styles.keys() >= set(names) and self._get_component_classes():
        self.app.stylesheet._process_component_classes(self)
    return _component_styles(self, *names)


DOMNode.get_component_styles = _component_styles_now  # type: ignore[method-assign]


# Screens below a dialog tell one another the size that each was told, which two sizes that come one
# after the other keep up for ever.  Until Textual lays out by the size of the app.

_screen_resized: Final = Screen._screen_resized


def _resized_as_the_app(self: Screen[Any], size: Size) -> None:
    if size == self.app.size or self.app.is_inline:
        _screen_resized(self, size)


Screen._screen_resized = _resized_as_the_app  # type: ignore[method-assign]


# A worker that is cancelled before it has begun leaves a coroutine that nobody awaits, of which
# Python warns on the terminal.  Until Textual closes it.

_start: Final = Worker._start


def _start_to_the_end(self: Worker[Any], app: App[Any], *done: Any, **named: Any) -> None:
    _start(self, app, *done, **named)
    work = self._work
    if inspect.iscoroutine(work) and self._task:
        self._task.add_done_callback(lambda _: work.close())


Worker._start = _start_to_the_end  # type: ignore[method-assign]


# A worker that is cancelled while it waits for another takes that for the other's end, and fails:
# as the app leaves, which cancels both.  Until Textual tells the two apart.

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
    """Let a screen be what an app begins with.

    What is pushed has a callback for its result, without which `switch_screen` fails, and its
    styles are read.  Until Textual does both for what `get_default_screen` returns.
    """
    screen._push_result_callback(screen, None)
    app._load_screen_css(screen)
    return screen


def send_codes(app: App[Any], codes: str) -> None:
    """Send a terminal what Textual does not know itself.  Until a driver's `write` is public."""
    if codes and app._driver is not None and not app.is_headless:
        app._driver.write(codes)
