"""The page in a real browser, with a real lobby, played as by people."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from club.serving import ENTER, THUD, places
from club.web.chromium import Visitor, chromium, launched, playwright
from terminal.emulator import Terminal
from terminal.player import Player
from thud.rules.battle import Battle
from thud.rules.variants import VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright, WebSocketRoute

__all__ = ["chromium", "playwright"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX"),
]


class Club:
    """A real `thud serve` and its visitors.

    Args:
        directory: directory for all files.
        chromium: the visitors' browser.
        after: stack of cleanup actions.
    """

    def __init__(self, directory: Path, chromium: Browser, after: ExitStack) -> None:
        self._chromium = chromium
        self._after = after
        self.environment = places(directory)

    @contextmanager
    def open(self, *arguments: str) -> Iterator[Terminal]:
        """Run the server during the context, and note its URL."""
        command = [*THUD, "serve", *arguments]
        with Terminal(command, (200, 24), self.environment) as terminal:
            terminal.wait_for("Ctrl+C ends it.")
            found = re.search(r"http://127\.0\.0\.1:(\d+)/#\S{22}", terminal.text)
            assert found
            self.url, self.port = found[0], found[1]
            yield terminal
            terminal.signal(signal.SIGTERM)
            assert terminal.wait_for_end() == 0

    def visitor(self, **what: object) -> Visitor:
        """Return a visitor with a separate browser context."""
        context = self._chromium.new_context(**what)  # type: ignore[arg-type]
        self._after.callback(context.close)
        return Visitor(context)

    def guest(self, name: str, *scripts: str) -> Visitor:
        """Connect a visitor, whose pages begin with scripts, and enter a name."""
        visitor = self.visitor(viewport={"width": 1280, "height": 720})
        for script in scripts:
            visitor.page.add_init_script(script)
        visitor.come(self.url)
        visitor.wait_for("What is your name?")
        visitor.send(name, ENTER)
        visitor.wait_for(f"Name     {name}")
        return visitor


@pytest.fixture
def club(short_path: Path, chromium: Browser) -> Iterator[Club]:
    with ExitStack() as after:
        yield Club(short_path, chromium, after)


def player_of(visitor: Visitor, battle: Battle) -> Player:
    """Return a player on a page; its board is read like a terminal's."""
    return Player(cast("Terminal", visitor), battle)


def open_table(visitor: Visitor) -> None:
    """Open a table for anybody."""
    visitor.send("H")
    visitor.wait_for("Who is the table for?")
    visitor.settle()
    visitor.send(ENTER)
    visitor.wait_for("Your table is open")


def test_a_browser_and_a_terminal_play_at_one_table_by_mouse_and_by_keys(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        open_table(ann)
        ann.send("\x1b")
        with Terminal([*THUD, "join", "--name", "Bob"], (100, 40), club.environment) as bob:
            ann.wait_for("Bob has")  # joined, or sat down: what is told last may hide the other
            ann.settle()
            squares = player_of(ann, Battle(VARIANTS["classic"])).places
            for name in ("F1", "F5"):
                ann.page.mouse.click(*ann.place(*squares[name]))
            bob.wait_for("dF1-F5")
            for screen, move in ((bob, "TG7-G6xF5"), (ann, "dA10-B10")):
                screen.settle()
                screen.send(":")
                screen.settle()
                screen.send(move, ENTER)
                ann.wait_for(move)
                bob.wait_for(move)
    assert not ann.faults
    assert all(asked.startswith(f"http://127.0.0.1:{club.port}/") for asked in ann.asked)


def test_the_page_comes_back_by_itself_and_to_the_same_seat(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        open_table(ann)
    ann.wait_for(lambda: "The club is closing" in ann.said)
    with club.open("--web", club.port):
        ann.wait_for(lambda: ann.said == "")
        ann.wait_for("Welcome back")


def test_a_page_without_a_network_says_so_at_once(club: Club) -> None:
    offline = "dispatchEvent(new Event('offline')) && 0"
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        ann.context.set_offline(True)

        def said() -> bool:
            # The club is on this machine: the event counts once it cannot be reached, either.
            ann.page.evaluate(offline)
            return "This device is offline." in ann.said

        ann.wait_for(said)
        ann.context.set_offline(False)
        ann.wait_for(lambda: ann.said == "")


def test_a_second_tab_takes_the_place_of_the_first(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        again = Visitor(ann.context)
        again.come(club.url.partition("#")[0])
        ann.wait_for(lambda: "opened the club elsewhere" in ann.said)
        again.wait_for("Name     Ann")
        ann.page.locator("#again").click()
        again.wait_for(lambda: "opened the club elsewhere" in again.said)
        ann.wait_for(lambda: ann.said == "")


_PASSED_ON = """() => {
    window.passed = [];
    addEventListener("keydown", (event) => {
        const held = (event.ctrlKey ? "Control+" : "") + (event.altKey ? "Alt+" : "");
        if (!event.defaultPrevented) window.passed.push(held + event.key);
        event.preventDefault();  // the browser itself is not tested
    });
}"""


def test_each_has_its_own_keys_the_board_which_is_left_by_one_and_the_browser(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        ann.page.keyboard.press("F6")
        assert ann.page.evaluate("() => document.activeElement.id") == "text"
        ann.page.keyboard.press("Shift+Tab")
        ann.page.keyboard.press("F6")
        ann.page.keyboard.press("F1")
        ann.wait_for("Esc")
        ann.page.keyboard.press("Escape")
        ann.wait_for("Name     Ann")
        ann.page.evaluate(_PASSED_ON)
        browsers = ["F5", *(f"Control+{key}" for key in "rlfd"), "Alt+ArrowLeft", "Alt+ArrowRight"]
        for key in ("Tab", "Backspace", "Enter", "Escape", "ArrowLeft", "Control+p", *browsers):
            ann.page.keyboard.press(key)
        passed = ann.page.evaluate("() => window.passed")
        assert [
            key for key in passed if key.rpartition("+")[2] not in ("Control", "Alt")
        ] == browsers
        assert (ann.said, ann.faults) == ("", [])


def test_back_asks_before_a_match_is_left(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.visitor(viewport={"width": 1280, "height": 720})
        ann.page.goto("about:blank")
        ann.come(club.url)
        ann.wait_for("What is your name?")
        ann.send("Ann", ENTER)
        ann.wait_for("Name     Ann")
        ann.send("c")
        ann.wait_for("Your move")
        ann.wait_for(lambda: "your move" in ann.page.title())
        ann.page.go_back()
        ann.wait_for(lambda: "Leave the page?" in ann.said)
        ann.page.locator("#again").click()
        ann.wait_for(lambda: ann.said == "")
        ann.page.go_back()
        ann.wait_for(lambda: "Leave the page?" in ann.said)
        ann.page.locator("#leave").click()
        ann.wait_for(lambda: ann.page.url == "about:blank")


@pytest.mark.parametrize("how", ["clipboard", "selection", "box"])
def test_copying_says_what_has_happened(club: Club, how: str) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        if how != "clipboard":
            ann.page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: null})")
        if how == "box":
            ann.page.evaluate("() => { document.execCommand = () => false; }")
        ann.send("c")
        ann.wait_for("Your move")
        ann.send("c", "p")
        ann.wait_for("sent to your browser")
        if how == "box":
            ann.wait_for(lambda: "Copy it yourself" in ann.said)
            assert ann.page.locator("#to-copy").input_value().startswith("dd1dd/")
            assert ann.page.locator("#toast").inner_text() == ""
        else:
            ann.wait_for(lambda: ann.page.locator("#toast").inner_text() == "Copied.")


_NOTED = """
    window.told = [];
    window.Notification = class {
        static permission = "granted";
        constructor(title, { body }) { window.told.push(body); }
    };
    const Socket = window.WebSocket;
    window.WebSocket = class extends Socket {
        constructor(...all) { super(...all); window.line = this; }
    };
"""
_CALLED = """() => {
    const data = new TextEncoder().encode("\\x1b]9;Thud: it is your turn\\x07").buffer;
    window.line.dispatchEvent(new MessageEvent("message", { data }));
}"""


def test_it_calls_who_looks_at_something_else(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann", _NOTED)
        ann.page.evaluate(_CALLED)
        ann.settle()
        assert ann.page.evaluate("() => window.told") == []
        ann.page.evaluate("() => Object.defineProperty(document, 'hidden', { value: true })")
        ann.page.evaluate(_CALLED)
        ann.wait_for(lambda: ann.page.evaluate("() => window.told") == ["it is your turn"])


def test_a_link_to_a_table_leads_a_newcomer_there(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        ann.send("H")
        ann.wait_for("Who is the table for?")
        ann.settle()
        ann.send(ENTER)
        ann.wait_for("How to join")  # shown by itself while nobody else sits there
        found = re.search(r"http://\S+/t/\w+-\w+#\S{22}", "".join(ann.text.split()))
        assert found
        link = found[0]
        bob = club.visitor(viewport={"width": 1280, "height": 720})
        # Nothing answers at first, and the page is reloaded: it still knows where it was sent.
        bob.page.route("**/enter*", lambda route: route.fulfill(status=429, body="Not now."))
        bob.page.goto(link)
        bob.wait_for(lambda: "Not now." in bob.said)
        bob.page.unroute("**/enter*")
        assert bob.page.url == link.partition("#")[0]
        bob.page.reload()
        bob.wait_for("What is your name?")
        bob.send("Bob", ENTER)
        bob.wait_for("Waiting for Ann")
        bob.page.reload()
        bob.wait_for("Welcome back")
        assert bob.page.url == link.partition("#")[0]


def test_a_link_shows_a_table_to_a_browser_that_never_came_in(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        ann.send("H")
        ann.wait_for("Who is the table for?")
        ann.settle()
        ann.send(ENTER)
        ann.wait_for("How to join")
        ann.settle()
        ann.send("s")
        ann.wait_for("When are moves shown?")
        ann.settle()
        ann.send(ENTER)
        ann.wait_for("To watch without coming in, until")
        found = re.search(r"http://[\d.:]+/w/[0-9a-f]{8}-[a-z2-7]{10}", "".join(ann.text.split()))
        assert found
        eve = club.visitor(viewport={"width": 1280, "height": 720})
        eve.come(found[0])
        eve.wait_for("This link shows you the table.")
        ann.send("\x1b")
        ann.wait_for("Ann to move")
        ann.settle()
        ann.send(":", "dF1-F5", ENTER)
        eve.wait_for("dF1-F5")
        eve.page.keyboard.press("F6")
        eve.page.keyboard.press("Enter")
        log = eve.page.locator("#log")
        eve.wait_for(lambda: "Nobody there sees that you watch." in log.inner_text())
        eve.page.locator("#line").fill("list")
        eve.page.keyboard.press("Enter")
        eve.wait_for(lambda: "dF1-F5" in log.inner_text())
        eve.page.locator("#board").click()
        eve.wait_for("dF1-F5")
        assert (eve.context.cookies(), eve.faults) == ([], [])
        ann.send("W")
        ann.wait_for("How to join")
        ann.settle()
        ann.send("\x1b[B", "\x1b[B", "x")
        ann.wait_for("That link lets nobody in any longer.")
        eve.wait_for(lambda: "This link shows the table no longer." in eve.said)
        assert eve.page.goto(found[0]).status == 403  # type: ignore[union-attr]


def test_an_uninvited_visitor_types_the_word(club: Club) -> None:
    with club.open("--web", "0"):
        address, _, secret = club.url.partition("#")
        ann = club.visitor(viewport={"width": 390, "height": 844})
        ann.page.goto(address)
        field = ann.page.get_by_label("The word of the invitation")
        field.fill("nonsense")
        field.press("Enter")
        ann.wait_for(lambda: "Ask its owner" in ann.said and field.input_value() == "")
        field.fill(f" {club.url} ")
        field.press("Enter")
        ann.wait_for("What is your name?")
        bob = club.visitor(viewport={"width": 390, "height": 844})
        bob.page.goto(f"{address}text")
        field = bob.page.get_by_label("The word of the invitation")
        field.fill(secret)
        field.press("Enter")
        bob.page.get_by_label("What is your name?").wait_for()


_FORBIDDEN = """
    window.told = [];
    window.Notification = class {
        static permission = "granted";
        constructor() { throw new TypeError("Illegal constructor"); }
    };
    ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) => {
        window.told.push(body);
    };
    Object.defineProperty(document, "hidden", { value: true });
"""


@pytest.mark.parametrize("worker", [True, False])
def test_the_board_goes_on_where_a_page_may_not_notify(club: Club, worker: bool) -> None:
    """Chrome on Android throws, and the terminal parses nothing more after a handler has thrown."""
    with club.open("--web", "0"):
        scripts = [_NOTED + _FORBIDDEN]
        if not worker:
            scripts.append("navigator.serviceWorker.register = () => { throw 0; }")
        ann = club.guest("Ann", *scripts)
        ann.page.evaluate(_CALLED)
        if worker:
            ann.wait_for(lambda: ann.page.evaluate("() => window.told") == ["it is your turn"])
        ann.send("c")
        ann.wait_for("Your move")
        ann.wait_for(lambda: "your move" in ann.page.title())
        assert ann.faults == []


def test_the_club_is_heard_as_text(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        tree = ann.page.locator("body").aria_snapshot()
        assert "- application \"The board, as a picture; F6 leaves it, and 'As text'" in tree
        assert ann.page.locator("main[role], [role=img] textarea").count() == 0
        outside = "body > *:not(header, main, nav, [role], script)"
        assert ann.page.locator(outside).count() == 0
        assert '- textbox "Keys for the board; F6 leaves it"' in tree
        assert '- link "As text"' in tree
        ann.page.keyboard.press("F6")
        ann.page.keyboard.press("Enter")
        page = ann.page
        said = page.get_by_role("log")
        ann.wait_for(lambda: "The club, in lines of text." in said.inner_text())
        ann.wait_for(lambda: page.get_by_label("In the lobby. What now?").count() == 1)
        for typed, told in (
            ("open koom", "Your table is open"),
            ("F15 F14", "Nobody has taken the trolls yet"),
            ("flip", "Rank 15 is read first now."),
            ("quit", "In the lobby. What now?"),
            ("tables", "1: Ann - nobody yet, Koom Valley: your seat waits for you."),
        ):
            page.get_by_role("textbox").fill(typed)
            page.keyboard.press("Enter")
            ann.wait_for(lambda told=told: told in page.locator("main").inner_text())  # type: ignore[misc]
            assert page.locator("#question").inner_text() != "Your answer"
        tree = page.locator("body").aria_snapshot()
        assert "- log" in tree
        assert '- textbox "In the lobby. What now?"' in tree
        assert '- button "Send"' in tree
        assert page.locator("#log").get_attribute("aria-live") == "polite"
        page.get_by_role("link", name="The board as a picture").click()
        ann.wait_for("Name     Ann")


def test_lines_of_text_survive_a_reload_a_break_and_the_club(club: Club) -> None:
    def answer(typed: str) -> None:
        page.get_by_role("textbox").fill(typed)
        page.keyboard.press("Enter")

    with club.open("--web", "0"):
        ann = club.visitor(viewport={"width": 390, "height": 844})
        page = ann.page
        page.add_init_script(_NOTED)
        page.goto(club.url.replace("#", "text#"))
        page.get_by_label("?").wait_for()
        answer("Ann")
        page.get_by_label("In the lobby. What now?").wait_for()
        answer("open")
        page.get_by_label("Ann, dwarfs, to move. Your move:").wait_for()
        assert "Your move: - Thud" in page.title()
        answer("F1 F5")
        page.get_by_text("F1 to F5").wait_for()
        page.reload()
        page.get_by_text("Rank 5: dwarfs B5 F5 O5.").wait_for()
        page.evaluate("() => window.line.close()")
        page.get_by_text("The page tries again in a second.").wait_for()
        page.get_by_role("textbox").fill("who")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        ann.wait_for(lambda: page.get_by_text("Rank 5: dwarfs B5 F5 O5.").count() == 2)
        page.keyboard.press("Enter")
        page.get_by_text("Nobody has taken the trolls").last.wait_for()
    page.get_by_text("The page tries again").last.wait_for()
    with club.open("--web", club.port):
        ann.wait_for(lambda: page.get_by_text("Rank 5: dwarfs B5 F5 O5.").count() == 3)
    assert not ann.faults


def test_lines_of_text_notice_a_dead_line_and_bear_a_club_that_fails(club: Club) -> None:
    lines: list[WebSocketRoute] = []
    told: list[str | bytes] = []

    def note(message: str | bytes) -> None:
        told.append(message)

    def connect(route: WebSocketRoute) -> None:
        lines.append(route)
        if len(lines) == 1:
            route.on_message(note)  # without an answer
        else:
            route.connect_to_server()

    with club.open("--web", "0"):
        ann = club.visitor(viewport={"width": 390, "height": 844})
        page = ann.page
        page.clock.install()
        page.route_web_socket("**/board*", connect)
        page.goto(club.url.replace("#", "text#"))
        ann.wait_for(lambda: len(lines) == 1)
        page.clock.run_for(5_000)
        ann.wait_for(lambda: '["ping",""]' in told)
        page.route("**/enter", lambda route: route.fulfill(status=503, body="not now"))
        page.clock.run_for(15_000)
        page.get_by_text(
            "The connection to the club is lost. The page tries again"
        ).first.wait_for()
        page.clock.run_for(1_500)
        page.get_by_text("The page tries again in 2 seconds.").first.wait_for()
        assert page.get_by_text("not now").count() == 0
        page.unroute("**/enter")
        page.clock.run_for(2_500)
        page.get_by_label("What is your name?").wait_for()
        assert len(lines) == 2
    assert not ann.faults


def test_both_pages_give_up_a_club_that_never_answers_and_try_again(club: Club) -> None:
    with club.open("--web", "0"):
        ann, text = club.visitor(), club.visitor()
        for each in (ann, text):
            each.page.route("**/enter*", lambda route: None)
        ann.page.goto(club.url)
        text.page.goto(club.url.replace("#", "text#"))
        ann.wait_for(lambda: "The connection to the club is lost." in ann.said)
        text.page.get_by_text("The connection to the club is lost.").first.wait_for()
        for each in (ann, text):
            each.page.unroute_all()
        ann.wait_for(lambda: ann.said == "")
        ann.wait_for("What is your name?")
        text.page.get_by_label("In the lobby. What now?").or_(
            text.page.get_by_label("What is your name?")
        ).wait_for()


def test_a_record_is_downloaded(club: Club) -> None:
    with club.open("--web", "0"):
        ann = club.guest("Ann")
        ann.send("c")
        ann.wait_for("Your move")
        ann.send(":")
        ann.settle()
        ann.send("f1 f5", ENTER)
        ann.wait_for("dF1-F5")
        ann.settle()
        with ann.page.expect_download() as downloading:
            ann.send("s")
        assert downloading.value.suggested_filename.endswith(".tgn")
        assert "dF1-F5" in downloading.value.path().read_text()


_FONTS = """() => performance.getEntriesByType("resource").map((each) => each.name)
  .filter((each) => /mono/.test(each)).map((each) => each.split("/").pop())"""


def on_a_phone(club: Club, width: int = 390, height: int = 844) -> Visitor:
    """Return a visitor with a phone of the given width and height."""
    size = {"width": width, "height": height}
    return club.visitor(viewport=size, has_touch=True, is_mobile=True)


def tap(visitor: Visitor, word: str, *, last: bool = False) -> None:
    """Tap the first or last line that contains a word, once the layout is stable."""
    visitor.wait_for(word)
    visitor.settle()
    found = [(y, line) for y, line in enumerate(visitor.lines) if word in line]
    row, line = found[-1 if last else 0]
    visitor.page.touchscreen.tap(*visitor.place(line.index(word), row))


def sees_the_front_page(visitor: Visitor) -> None:
    """Wait until the front page has counted the puzzles solved, which comes last."""
    visitor.wait_for("find the move")


def has_keyboard(visitor: Visitor) -> bool:
    """Whether the on-screen keyboard is requested."""
    return visitor.page.locator("#board textarea").get_attribute("inputmode") == "text"


def test_on_a_phone_a_line_to_type_in_brings_the_keyboard(club: Club) -> None:
    with club.open("--web", "0"):
        ann = on_a_phone(club)
        ann.come(club.url)
        ann.wait_for("What is your name?")
        ann.wait_for(lambda: has_keyboard(ann))
        ann.page.locator("[data-key=ArrowRight]").tap()
        ann.page.keyboard.insert_text(" dictated é")  # no key comes with it
        ann.wait_for("dictated é")
        ann.send(ENTER)
        sees_the_front_page(ann)
        ann.wait_for(lambda: not has_keyboard(ann))
        tap(ann, "Name")
        ann.wait_for(lambda: has_keyboard(ann))
        ann.page.locator("[data-key=Escape]").tap()
        ann.wait_for(lambda: not has_keyboard(ann))
        tap(ann, "Classic")
        ann.wait_for(lambda: not has_keyboard(ann))
        ann.wait_for("Change")
        assert not any(each in ann.lines[-1] for each in ("^P", "F1", "Esc"))
        tap(ann, "More", last=True)
        ann.wait_for("Search for commands")
        fonts = ann.page.evaluate(_FONTS)
        assert "mono.woff2" in fonts
        assert not any(each.endswith(".ttf") for each in fonts)
        italic = "document.fonts.load('italic 16px \"Roboto Mono\"').then((found) => found.length)"
        assert ann.page.evaluate(italic) == 1
        assert not has_keyboard(ann)
        ann.page.locator("#letters").tap()
        assert has_keyboard(ann)


def test_a_phone_held_upright_shows_few_columns_and_the_board_above_the_panel(club: Club) -> None:
    with club.open("--web", "0"):
        ann = on_a_phone(club)
        ann.come(club.url)
        ann.wait_for("What is your name?")
        ann.send("Ann", ENTER)
        ann.wait_for("» Lessons")
        assert 48 <= ann.screen.columns < 60
        assert ann.lines[0].strip() == "Tables"
        ann.send("c")
        ann.wait_for(lambda: "32 dwarfs" in ann.text and "15" in ann.text)
        board, panel = (
            next(y for y, line in enumerate(ann.lines) if word in line)
            for word in ("15", "32 dwarfs")
        )
        assert board < panel
        (left, top), (right, bottom) = ann.place(0, 0), ann.place(3, 1)
        assert 0.9 < (bottom - top) / (right - left) <= 1  # a square is as high as it is wide
        assert not ann.faults
        ann.page.set_viewport_size({"width": 844, "height": 390})
        ann.wait_for(lambda: ann.screen.columns >= 80)
        ann.wait_for(lambda: "32 dwarfs" in ann.text and "Classic" in ann.lines[0])
        # Sideways the keys stand beside the board, which has all the height.
        (left, top), (right, bottom) = ann.place(0, 0), ann.place(3, 1)
        assert right - left >= 21
        assert bottom - top >= 16
        keys = ann.page.locator("#keys").bounding_box()
        assert keys
        assert keys["x"] >= ann.screen.columns * (right - left) / 3


_ALPHA = """([x, y]) => {
    const [box, drawn] = [".xterm-screen", ".pieces"].map((each) => document.querySelector(each));
    const { left, top } = box.getBoundingClientRect();
    const across = (x - left) * devicePixelRatio, down = (y - top) * devicePixelRatio;
    return drawn.getContext("2d").getImageData(across, down, 1, 1).data[3];
}"""
"""The opacity of the piece that the page draws at a place, in pixels."""

_SHARP = """() => [...document.querySelectorAll(".xterm-screen canvas")]
    .map((each) => each.width / each.getBoundingClientRect().width)"""
"""The pixels of the screen for each one of the page, by layer of the terminal."""


@pytest.mark.parametrize("ratio", [1, 2, 3])
def test_a_phone_draws_sharp_pieces_and_a_second_tap_plays(
    short_path: Path, playwright: Playwright, ratio: int
) -> None:
    with ExitStack() as after, after.enter_context(launched(playwright, ratio)) as browser:
        club = Club(short_path, browser, after)
        with club.open("--web", "0"):
            size = {"width": 390, "height": 844}
            ann = club.visitor(
                viewport=size,
                has_touch=True,
                is_mobile=True,
                device_scale_factor=ratio,
                color_scheme="light",
                reduced_motion="reduce",
            )
            ann.come(club.url)
            ann.wait_for("What is your name?")
            ann.send("Ann", ENTER)
            ann.wait_for("» Lessons")
            ann.send("c")
            ann.wait_for("pick up a dwarf")
            ann.settle()
            assert ann.page.evaluate(_SHARP) == pytest.approx([ratio] * 5, rel=0.01)
            ground = "getComputedStyle(document.body).backgroundColor"
            assert ann.page.evaluate(ground) == "rgb(243, 234, 214)"
            player = player_of(ann, Battle(VARIANTS["classic"]))
            middle = {name: ann.place(*place) for name, place in player.places.items()}
            for name, drawn in {"F1": True, "G8": True, "H8": True, "H2": False}.items():
                assert bool(ann.page.evaluate(_ALPHA, middle[name])) is drawn, name
            for name, shown in ("A10", "in hand"), ("B10", "Tap it again to play."):
                ann.page.touchscreen.tap(*middle[name])
                ann.wait_for(shown)
            ann.page.touchscreen.tap(*middle["B10"])
            ann.wait_for("dA10-B10")
            ann.settle()
            ann.wait_for(lambda: ann.page.evaluate(_ALPHA, middle["B10"]))
            ann.wait_for(lambda: not ann.page.evaluate(_ALPHA, middle["A10"]))
            assert not ann.faults


_CELL = """() => document.querySelector(".xterm-screen").getBoundingClientRect().height"""
"""The height of the terminal, in pixels of the page."""


def test_zoom_enlarges_the_text_and_the_board_scrolls(club: Club) -> None:
    with club.open("--web", "0"):
        heights = []
        for zoom in (1, 2):
            ann = club.visitor(viewport={"width": 1280 // zoom, "height": 800 // zoom})
            ann.page.add_init_script("[outerWidth, outerHeight] = [1280, 900]")
            ann.come(club.url)
            ann.settle()
            heights.append(zoom * ann.page.evaluate(_CELL) / ann.screen.lines)
            assert (ann.screen.columns, ann.screen.lines) >= (80, 24)
        assert heights[1] == pytest.approx(2 * heights[0], rel=0.1)
        ann.page.mouse.move(300, 200)
        scrolled = "document.getElementById('board').scrollWidth"
        assert ann.page.evaluate(scrolled) > 640


SHOWN = {
    (1366, 768): (120, 40),
    (820, 1180): (80, 52),
    (844, 390): (80, 24),
    (390, 664): (48, 34),
    (1920, 1080): (120, 40),
}
"""The columns and lines that windows show at least, by their width and height."""


def test_a_window_shows_as_much_as_can_be_read(club: Club) -> None:
    with club.open("--web", "0"):
        ann = on_a_phone(club, 1180, 820)
        ann.come(club.url)
        ann.wait_for("What is your name?")
        for (width, height), (columns, lines) in SHOWN.items():
            before = ann.screen.columns, ann.screen.lines
            ann.page.set_viewport_size({"width": width, "height": height})
            ann.wait_for(lambda: (ann.screen.columns, ann.screen.lines) != before)  # noqa: B023
            assert columns <= ann.screen.columns < 1.5 * columns or width > 2 * height
            assert lines <= ann.screen.lines < 1.5 * lines
