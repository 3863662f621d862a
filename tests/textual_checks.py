"""Check which fixes for Textual are still needed, by what it does wrong without them.

Usage: python tests/textual_checks.py [NAME ...]

Each comment "Fix NAME" in the files below has a check of that name here, which repeats what it says
with Textual's own classes, in a process of its own.  Nothing of Thud is imported, so that any
version of Textual can be checked.  This reports: it fails only if a fix lacks a check, or a check
its fix.
"""

from __future__ import annotations

import asyncio
import io
import os
import re
import select
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, ClassVar, Final, TypeAlias

import textual
from rich.style import Style
from textual import events, work
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.drivers._writer_thread import WriterThread
from textual.drivers.web_driver import WebDriver
from textual.geometry import Offset, Region, Size
from textual.pilot import WaitForScreenTimeout
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

SOURCES: Final = (
    "src/thud/tui/textual_fixes.py",
    "src/thud/tui/dialog_fixes.py",
    "src/thud/club/web/driver.py",
)
"""The files with fixes."""

_FIX: Final = re.compile(r"# Fix (\w+) \(")

_TIMEOUT: Final = 120.0
"""Seconds after which a check counts as one that does not answer."""

Check: TypeAlias = Callable[[], bool]

CHECKS: dict[str, Check] = {}
"""Whether Textual still does what is wrong, by the fix's name."""


def check(repeat: Callable[[], Any]) -> Callable[[], Any]:
    """Register what a fix is for; true if it happens."""

    def run() -> bool:
        done = repeat()
        return bool(asyncio.run(done) if asyncio.iscoroutine(done) else done)

    CHECKS[repeat.__name__] = run
    return repeat


def fixes() -> list[str]:
    """Return the names of all fixes."""
    top = Path(__file__).parents[1]
    return [name for path in SOURCES for name in _FIX.findall((top / path).read_text("utf-8"))]


async def ends(app: App[Any], *steps: Callable[[], object]) -> bool:
    """Whether some steps end an app with an error, each step once the app is idle."""
    try:
        async with app.run_test() as pilot:
            await pilot.pause()
            for step in steps:
                step()
                with suppress(WaitForScreenTimeout):  # an app that exits is never idle
                    await pilot.pause()
    except Exception:
        return True
    return app._exception is not None


def is_stuck(act: Callable[[], object]) -> bool:
    """Whether something has not returned after some seconds."""
    acting = Thread(target=act, daemon=True)
    acting.start()
    acting.join(5)
    return acting.is_alive()


async def handled() -> None:
    """Wait until an app has handled some keys, however long that takes."""
    for _ in range(1000):
        await asyncio.sleep(0)


def key(name: str) -> events.Key:
    """Return a key that is pressed."""
    return events.Key(name, name if len(name) == 1 else None)


def heard(text: str) -> list[Any]:
    """Return what is made of a terminal's input."""
    return list(XTermParser().feed(text))


# Apps that run in a terminal of their own.

_APP: Final = """
import os, signal, sys, threading, time
from textual.app import App

class Plain(App):
    def on_mount(self):
        self.set_timer(0.3, self.begin)

    def begin(self):
        print("begun", file=sys.__stdout__, flush=True)

    def on_key(self, event):
        if event.key == "x":
            self.exit()
"""


class Terminal:
    """A pseudo-terminal with a program in it."""

    def __init__(self, body: str = "", before: str = "", columns: int = 80) -> None:
        import pty

        self._terminal, own = pty.openpty()
        self.output = b""
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"{_APP}\n{body}\n{before}\nPlain().run()"],
            stdin=own,
            stdout=own,
            stderr=own,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": "24"},
        )
        os.close(own)

    def send(self, data: bytes) -> None:
        """Type something once the app has begun."""
        self.read(until=b"begun")
        os.write(self._terminal, data)

    def read(self, until: bytes = b"", seconds: float = 20.0) -> bytes:
        """Read until a text, the end, or some time has passed; return all that was written."""
        end = time.monotonic() + seconds
        while not (until and until in self.output) and time.monotonic() < end:
            if select.select([self._terminal], [], [], 0.1)[0]:
                try:
                    self.output += os.read(self._terminal, 1 << 16)
                except OSError:
                    break
        return self.output

    def close(self) -> None:
        """Close the window."""
        os.close(self._terminal)

    def status(self, seconds: float = 10.0) -> int | None:
        """Return the exit status; None if it goes on, when it is killed."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None


def said_by(program: str) -> str:
    """Return what a program writes, errors included."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    return run.stdout + run.stderr


def is_public(holder: object, meant: object) -> bool:
    """Whether an object has a public attribute with some value."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = (name for name in dir(holder) if not name.startswith("_"))
        values = []
        for name in names:
            with suppress(Exception):
                values.append(getattr(holder, name))
    return any(value is meant for value in values)


# The checks, in the order of the fixes.


@check
def key_names() -> bool:
    return not hasattr(textual.keys, "character_to_key")


class Typing(App[None]):
    BINDINGS: ClassVar[list[BindingType]] = [("m", "line")]

    def action_line(self) -> None:
        self.mount(line := Input())
        line.focus()


@check
async def keys_in_order() -> bool:
    app = Typing()
    async with app.run_test():
        for name in ("m", "a", "b"):
            app.post_message(key(name))
        await handled()
        return app.query_one(Input).value != "ab"


class Composed(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("a", "look", priority=True)]

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("composed")

    def action_look(self) -> None:
        self.query_one(Static)


@check
async def ready_screens() -> bool:
    app = App[None]()

    def push() -> None:
        app.push_screen(Composed())
        app.post_message(key("a"))

    return await ends(app, push)


@check
def wakeup_pipe() -> bool:
    program = """
import asyncio, os, signal
from asyncio.selector_events import BaseSelectorEventLoop
from textual.app import App

close = BaseSelectorEventLoop._close_self_pipe

def close_and_signal(self):
    close(self)
    os.kill(os.getpid(), signal.SIGUSR1)

BaseSelectorEventLoop._close_self_pipe = close_and_signal

class Told(App):
    def on_mount(self):
        signal.signal(signal.SIGUSR1, lambda *_: None)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        self.exit()

Told().run(headless=True)
"""
    return "Exception ignored" in said_by(program)


@check
async def first_screen() -> bool:
    class First(Screen[None]):
        CSS = "First { background: red; }"

    class Begins(App[None]):
        def get_default_screen(self) -> Screen[Any]:
            return First()

    app = Begins()
    async with app.run_test():
        is_styled = app.screen.styles.background.rgb == (255, 0, 0)
    return not is_styled or await ends(other := Begins(), lambda: other.switch_screen(First()))


class Drawn(App[None]):
    drawn = ""

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        super()._display(screen, renderable)
        if hasattr(renderable, "render_segments"):
            self.drawn = renderable.render_segments(self.console)


@check
async def cropped_updates() -> bool:
    app = Drawn()
    async with app.run_test() as pilot:
        await app.mount(shown := Static("x" * 40))
        await pilot.pause(0.2)
        app.drawn = ""
        shown.refresh(Region(30, 0, 2, 1))
        await pilot.pause(0.2)
        return app.drawn.count("x") > 2


@check
async def cursor_at_focus() -> bool:
    app = App[None]()
    async with app.run_test() as pilot:
        await app.mount(Static("above"), listed := OptionList("one", "two"))
        listed.focus()
        await pilot.press("down", "down")
        for _ in range(100):
            if app.cursor_position != Offset(0, 0):
                return False
            await pilot.pause(0.1)
    return True


class Late(Screen[None]):
    """Looks for a part as soon as it is mounted."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("late")

    def on_mount(self) -> None:
        self.query_one(Static).focus()


@check
async def gone_widgets() -> bool:
    app = App[None]()

    def push_at_exit() -> None:
        app.exit()
        app.push_screen(Late())

    return await ends(app, push_at_exit)


@check
async def mount_at_exit() -> bool:
    app = App[None]()

    def mount() -> None:
        app.exit()
        app.screen.call_next(app.screen.mount, Static("late"))

    return await ends(app, mount)


class Waits(App[None]):
    """Has a worker that waits for another."""

    def on_mount(self) -> None:
        self.wait()

    @work
    async def wait(self) -> None:
        await self.last_for_ever().wait()

    @work
    async def last_for_ever(self) -> None:
        await asyncio.Event().wait()


@check
async def awaited_worker() -> bool:
    app = Waits()
    return await ends(app, app.workers.cancel_all)


@check
async def removed_styles() -> bool:
    app = App[None]()
    async with app.run_test():
        await app.mount(listed := OptionList("one"))
        await listed.remove()
        try:
            listed.get_component_styles("option-list--option")
        except KeyError:
            return True
    return False


ERROR: Final = ValueError("failed")


class Fails(App[None]):
    def on_mount(self) -> None:
        raise ERROR


@check
def exit_error() -> bool:
    app = Fails()
    app.run(headless=True)
    return not is_public(app, ERROR)


@check
def exit_output() -> bool:
    known = {"error_console", "panic"}
    return not [
        name
        for name in dir(App)
        if re.search("error|traceback|panic|exit_", name)
        and not name.startswith("_")
        and name not in known
    ]


@check
async def unstarted_worker() -> bool:
    async def never() -> None:
        raise AssertionError("it has begun")

    app = App[None]()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        async with app.run_test() as pilot:
            app.run_worker(never()).cancel()
            await pilot.pause()
    return any("never awaited" in str(each.message) for each in warned)


@check
def one_interrupt() -> bool:
    program = """
import signal
from textual.app import App
class Interrupted(App):
    def on_mount(self):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        print("went on")
Interrupted().run(headless=True)
"""
    return "Traceback" in said_by(program)


@check
async def closed_twice() -> bool:
    app = App[None]()
    async with app.run_test() as pilot:
        await app.push_screen(below := Screen[None]())
        await app.push_screen(above := Screen[None]())
        with suppress(Exception):
            above.dismiss()
            above.dismiss()
        await pilot.pause()
        return below not in app.screen_stack


@check
async def removed_callbacks() -> bool:
    app = App[None]()
    called: list[bool] = []
    async with app.run_test() as pilot:
        await app.mount(removed := Static("soon gone"))
        await pilot.pause()
        app.screen._invoke_later(lambda: called.append(removed.is_attached), removed)
        removed.remove()
        await pilot.pause(0.2)
    return bool(called)


@check
async def circling_sizes() -> bool:
    app = App[None]()
    async with app.run_test(size=(80, 24)) as pilot:
        laid_out = []
        refresh_layout = app.screen._refresh_layout

        def note(size: Size | None = None, *others: Any, **named: Any) -> None:
            laid_out.append(size)
            refresh_layout(size, *others, **named)

        app.screen._refresh_layout = note  # type: ignore[method-assign]
        app.screen.post_message(events.Resize(Size(90, 30), Size(90, 30)))
        await pilot.pause(0.2)
        return Size(90, 30) in laid_out


@check
async def narrow_lists() -> bool:
    app = App[None]()

    def mount() -> None:
        listed = OptionList("one", "two")
        listed.styles.width = 2
        app.mount(listed)

    return await ends(app, mount)


@check
async def page_of_none() -> bool:
    app = App[None]()
    async with app.run_test() as pilot:
        listed: Any = OptionList("one", "two")
        listed.styles.height = 0
        await app.mount(listed)
        await pilot.pause()
        try:
            listed.action_page_down()
            listed.action_page_up()
        except KeyError:
            return True
    return False


@check
async def gone_option() -> bool:
    app = App[None]()

    def click() -> None:
        listed = app.query_one(OptionList)
        style = Style.from_meta({"option": 1})
        listed.post_message(events.Click(listed, 1, 1, 0, 0, 1, False, False, False, style=style))
        listed.clear_options()

    return await ends(app, lambda: app.mount(OptionList("one", "two")), click)


@check
async def typed_in_order() -> bool:
    app = App[None]()
    async with app.run_test() as pilot:
        await app.mount(line := Input("Guest", select_on_focus=False))
        line.focus()
        await pilot.pause()
        for name in (*["backspace"] * 5, *"Ann"):
            app.post_message(key(name))
        await handled()
        return line.value != "Ann"


@check
async def closed_palette() -> bool:
    for turns in range(6):
        app = App[None]()
        try:
            async with app.run_test() as pilot:
                app.action_command_palette()
                for _ in range(turns):
                    await asyncio.sleep(0)
                app.screen.dismiss()
                await pilot.pause()
        except Exception:
            return True
    app = App[None]()
    twice = ("ctrl+p", "ctrl+p", "escape", "escape")
    return await ends(app, *(partial(app.post_message, key(name)) for name in twice))


@check
async def input_limits() -> bool:
    app = App[None]()
    async with app.run_test() as pilot:
        driver = app.get_driver_class()(app)
        for _ in range(100):
            app.post_message(key("f20"))
        is_limited = is_stuck(lambda: driver.process_message(key("f20")))
        while app._message_queue.qsize():
            await pilot.pause()
        return not is_limited


@check
def lost_terminal() -> bool:
    terminal = Terminal(before="signal.signal(signal.SIGHUP, signal.SIG_IGN)")
    terminal.read(until=b"begun")
    terminal.close()
    return terminal.status(30.0) is None


@check
def mouse_pixels() -> bool:
    terminal = Terminal()
    terminal.send(b"\x1b[?2048;1$y")
    terminal.read(until=b"\x1b[?1016h")
    terminal.send(b"x")
    terminal.read()
    return b"\x1b[?1016h" in terminal.output and b"\x1b[?1016l" not in terminal.output


@check
def small_layouts() -> bool:
    body = """
from textual.widgets import OptionList

class Plain(Plain):
    def compose(self):
        yield OptionList("one", "two")
"""
    return Terminal(body, columns=3).status() is not None


@check
def suspended_once() -> bool:
    body = """
class Plain(Plain):
    def begin(self):
        os.kill(os.getpid(), signal.SIGCONT)
        names = [each.name for each in threading.enumerate()]
        print("begun", names.count("textual-input"), "times", file=sys.__stdout__, flush=True)
        os._exit(0)
"""
    return b"begun 2 times" in Terminal(body).read(until=b"times")


@check
def any_bytes() -> bool:
    terminal = Terminal()
    terminal.send(b"\xff")
    return terminal.status() is not None


class Gone(io.StringIO):
    """A terminal whose window has been closed."""

    def write(self, text: str) -> int:
        raise OSError("there is no such device")


@check
def lost_output() -> bool:
    import threading

    threading.excepthook = lambda _: None
    gone, stopped = WriterThread(Gone()), WriterThread(io.StringIO())
    for writer in (gone, stopped):
        writer.start()
    stopped.stop()
    return any(
        is_stuck(lambda writer=writer: [writer.write("x") for _ in range(500)])  # type: ignore[misc]
        for writer in (gone, stopped)
    )


@check
def answers_are_no_keys() -> bool:
    answers = (
        "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\",
        "\x1bP>|XTerm(370)\x1b\\",
        "\x1b[?64;1;2c\x1b[0n",
    )
    return any(
        isinstance(each, events.Key) for answer in answers for each in heard(f"{answer}\x1b[A")[:-1]
    )


@check
def huge_sizes() -> bool:
    return any(isinstance(each, events.Resize) for each in heard("\x1b[48;99999;99999;9;9t"))


@check
def any_numbers() -> bool:
    for text in ("\x1b[48;24;80;0;0t\x1b[<0;5;5M", "\x1b[99999999;5u", "\x1b[55296;1u"):
        try:
            for each in heard(text):
                if isinstance(each, events.Key):
                    (each.character or each.key).encode()
        except (ArithmeticError, ValueError):
            return True
    return False


@check
def alternate_keys() -> bool:
    terminal = Terminal()
    terminal.send(b"x")
    asked = re.search(rb"\x1b\[>(\d+)u", terminal.read())
    return asked is None or not int(asked[1]) & 0b100


@check
def restored_anywhere() -> bool:
    body = """
class Plain(Plain):
    def begin(self):
        stopping = threading.Thread(target=self._driver.stop_application_mode)
        stopping.start()
        stopping.join()
        self._driver.close()
        os._exit(0)
"""
    return b"\x1b[?1000l" not in Terminal(body).read()


@check
async def sent_codes() -> bool:
    app = App[None]()
    async with app.run_test():
        return not is_public(app, app._driver)


async def sent_in_a_browser(**meta: object) -> list[Any]:
    """Return what a browser's driver sends the app at the start, after something it has read."""
    sent: list[Any] = []

    async def post(message: object) -> bool:
        sent.append(message)
        return True

    app: Any = SimpleNamespace(post_message=sent.append, _post_message=post, screen_stack=[])
    app.call_later = lambda call, *values: call(*values)
    driver: Any = WebDriver(app)
    driver._write = lambda _: None
    driver._key_thread = SimpleNamespace(start=lambda: None)
    driver.start_application_mode()
    if meta:
        driver.on_meta("resize", meta)
    await asyncio.sleep(0.1)
    return sent


@check
async def browser_focus() -> bool:
    focus = (events.AppBlur, events.AppFocus)
    sent = [each for each in await sent_in_a_browser() if isinstance(each, focus)]
    return isinstance(sent[-1], events.AppBlur)


@check
async def browser_size() -> bool:
    sent = await sent_in_a_browser(width=100, height=40)
    return [each.size for each in sent if isinstance(each, events.Resize)][-1] != (100, 40)


def answer(name: str) -> str:
    """Return what a check says, run in a process of its own."""
    try:
        run = subprocess.run(
            [sys.executable, __file__, "--run", name],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
            stdin=subprocess.PIPE,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_TIMEOUT:g} s"
    match run.stdout.splitlines()[-1:]:
        case ["True"]:
            return "still needed"
        case ["False"]:
            return f"no longer needed: remove {name}"
        case _:
            return f"the check itself fails: {(run.stderr.splitlines() or ['?'])[-1]}"


def main(names: Sequence[str]) -> int:
    """Print a line for each fix."""
    known = fixes()
    print(f"Textual {textual.__version__}, Python {sys.version.split()[0]}")
    for name in names or known:
        print(f"{name:20} {answer(name) if name in CHECKS else 'has no check'}", flush=True)
    unlike = set(known) ^ set(CHECKS)
    if unlike:
        print("not both a fix and a check:", *sorted(unlike))
    return 1 if unlike else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        print(CHECKS[sys.argv[2]]())
    else:
        sys.exit(main(sys.argv[1:]))
