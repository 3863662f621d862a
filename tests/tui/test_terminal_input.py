"""What a terminal says is checked before anybody believes it."""

from __future__ import annotations

import io
from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.css.query import NoMatches
from textual.dom import NoScreen
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static

from thud.tui.dialog_fixes import Palette, open_palette
from thud.tui.textual_fixes import LARGEST, SMALLEST, CheckedParser, FixedApp, Writer


def heard(text: str) -> list[Message]:
    return list(CheckedParser().feed(text))


@pytest.mark.parametrize(
    "sequence",
    [
        *("\x1b[99999999;5u", "\x1b[55296;1u", "\x1b[97;1;57000u", "\x1b[1;1;99999999999u"),
        *("\x1b[48;0;0;0;0t", "\x1b[48;9999;99999;0;0t", "\x1b[48;24;1001;0;0t"),
    ],
)
def test_what_is_out_of_bounds_is_passed_over_and_the_next_key_counts(sequence: str) -> None:
    assert [event.key for event in heard(f"{sequence}a") if isinstance(event, events.Key)] == ["a"]
    assert not [event for event in heard(sequence) if isinstance(event, events.Resize)]


def test_a_size_within_bounds_counts_whatever_came_before() -> None:
    columns, rows = LARGEST
    said = f"\x1b[48;24;99999;9;9t\x1b[48;{rows};{columns};5000;8000t\x1b[<0;80;50M"
    resize, click = heard(said)
    assert isinstance(resize, events.Resize)
    assert resize.size == LARGEST
    assert isinstance(click, events.MouseDown)


def test_no_size_is_too_small_to_be_laid_out() -> None:
    (resize,) = heard("\x1b[48;1;2;9;9t")
    assert isinstance(resize, events.Resize)
    assert resize.size == SMALLEST


@pytest.mark.parametrize(
    ("size", "told"), [("24;80;0;0", False), ("0;0;0;0", True), ("1;1;1;1", True)]
)
def test_a_mouse_is_nowhere_where_a_screen_has_no_size(size: str, told: bool) -> None:
    said = heard(f"\x1b[48;{size}t\x1b[<0;{'9' * 20};5M\x1b[<64;0;0M")
    assert any(isinstance(each, events.MouseEvent) for each in said) is told


_NUMBERS = st.one_of(st.integers(0, 300), st.sampled_from([48, 2026, 55296, 10**6, 10**20]))
_SEQUENCES = st.builds(
    lambda mark, numbers, end: f"\x1b[{mark}{';'.join(map(str, numbers))}{end}",
    st.sampled_from(["", "<", "?"]),
    st.lists(_NUMBERS, max_size=5),
    st.sampled_from(["u", "t", "M", "m", "R", "~", "A", "$y", "", ":"]),
)


@given(st.lists(st.one_of(_SEQUENCES, st.text(max_size=5)), max_size=6))
def test_nothing_that_a_terminal_says_ends_the_reading(said: list[str]) -> None:
    parser = CheckedParser()
    for text in filter(None, said):
        list(parser.feed(text))
    for _ in range(40):  # to the end of whatever was begun
        list(parser.feed("a"))
    list(parser.feed("\x1b[201~"))  # and of a paste
    (last,) = parser.feed("a")
    assert isinstance(last, events.Key)
    assert last.key == "a"


async def test_no_more_is_read_while_many_keys_wait() -> None:
    app = FixedApp()
    async with app.run_test() as pilot:
        driver = app.get_driver_class()(app)
        # The app takes nothing until this task waits.
        for _ in range(100):
            app.post_message(events.Key("f20", None))
        reader = Thread(target=driver.process_message, args=(events.Key("f20", None),))
        reader.start()
        reader.join(0.05)
        assert reader.is_alive()
        while reader.is_alive():
            await pilot.pause()


@pytest.mark.slow
async def test_a_text_typed_without_an_end_is_dropped_where_it_would_wait() -> None:
    app = FixedApp()
    async with app.run_test() as pilot:
        driver: Any = app.get_driver_class()(app)
        key = events.Key("f20", None)
        # The app takes nothing until this task waits.
        app.post_message(key)
        for _ in range(5000):
            driver.process_message(key)
        assert driver._typed == 5000
        for _ in range(100):
            app.post_message(key)
        driver.process_message(key)  # and does not wait
        assert driver._typed == 5000
        while app._message_queue.qsize():
            await pilot.pause()
        driver.process_message(key)
        assert driver._typed == 1


class Late(Screen[None]):
    """Looks for a part as soon as it is mounted."""

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("late")

    def on_mount(self) -> None:
        self.query_one(Static).focus()


@pytest.mark.parametrize("exits", [True, False])
async def test_a_screen_without_parts_is_no_fault_where_it_is_left_before_it_began(
    exits: bool,
) -> None:
    app = FixedApp()
    async with app.run_test() as pilot:
        late = Late()
        if exits:
            app.exit()
            await app.push_screen(late)
        else:
            app.push_screen(late)
            app.pop_screen()
            await pilot.pause()
            assert not late.query(Static)
    assert app.exit_error is None


@pytest.mark.parametrize("running", [True, False])
@pytest.mark.parametrize("error", [NoMatches("no such part"), NoScreen("no screen")])
async def test_a_part_that_is_missing_is_a_fault_unless_the_app_was_interrupted(
    error: Exception, running: bool
) -> None:
    app = FixedApp()
    with suppress(type(error)):
        async with app.run_test():
            app._running = running
            app._handle_exception(error)
            app._running = True
    assert app.exit_error is (error if running else None)


class Gone(io.StringIO):
    """A terminal whose window has been closed."""

    def write(self, text: str) -> int:
        raise OSError("there is no such device")


def test_nobody_waits_for_a_terminal_that_is_gone() -> None:
    writer = Writer(Gone())
    writer.start()
    writing = Thread(target=lambda: list(map(writer.write, "x" * 500)), daemon=True)
    writing.start()
    writing.join(60)
    assert not writing.is_alive()
    writer.stop()


async def test_a_palette_can_be_opened_while_the_last_one_closes() -> None:
    app = FixedApp()
    async with app.run_test() as pilot:
        open_palette(app)
        await pilot.pause()
        app.screen.dismiss()
        open_palette(app)
        open_palette(app)
        await pilot.pause()
        assert len(app.screen_stack) == 2


async def test_a_palette_that_has_been_closed_may_still_show_something() -> None:
    app = FixedApp()
    async with app.run_test() as pilot:
        open_palette(app)
        await pilot.pause()
        palette = app.screen
        assert isinstance(palette, Palette)
        await palette.dismiss()
        await palette.remove_children()
        palette._list_visible = not palette._list_visible
        await pilot.pause()
        assert len(app.screen_stack) == 1


@pytest.mark.parametrize(("x", "y"), [(900, 5), (5, 20)])
async def test_a_click_outside_of_what_is_laid_out_is_none(x: int, y: int) -> None:
    app = FixedApp()
    async with app.run_test() as pilot:
        open_palette(app)
        await pilot.pause()
        shown = app.screen
        shown._compositor.reflow(shown, Size(80, 10))  # the window has become larger since
        shown.post_message(events.Click(shown, x, y, 0, 0, 1, False, False, False, x, y))
        await pilot.pause()
        assert app.screen is shown


async def test_no_palette_is_opened_at_the_end() -> None:
    app = FixedApp()
    async with app.run_test():
        app.exit()
        open_palette(app)
        assert len(app.screen_stack) == 1


async def test_a_widget_that_has_been_taken_away_still_has_the_styles_of_its_components() -> None:
    app = FixedApp()
    async with app.run_test():
        for listed in (OptionList("one"), OptionList("two")):
            await app.mount(listed)
            before = listed.get_component_styles("option-list--option").rich_style
            await listed.remove()
            app.theme = "textual-light"
            assert listed.get_component_styles("option-list--option").rich_style == before
            with pytest.raises(KeyError):
                listed.get_component_styles("no-such-component")
