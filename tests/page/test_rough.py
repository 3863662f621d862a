"""The page on phones, slow and full machines, without a network, killed, and with bad links."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast
from zipfile import ZipFile

import pytest

from club.serving import DOWN, ENTER
from document_text import REPOSITORY
from page.browser import (
    SLOW,
    WINDOW,
    Player,
    as_dwarfs,
    at_home,
    chromium,
    page_url,
    player,
    players,
    playwright,
    served,
    slowed,
)
from terminal.emulator import Terminal
from terminal.player import Player as BoardPlayer
from thud.records.links import LinkKind, link_to, read_link
from thud.records.record import Record
from thud.records.tgn.writer import tgn_text
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Playwright

__all__ = ["chromium", "page_url", "player", "players", "playwright"]

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"width": 390, "height": 844}


def begins(player: Player, url: str) -> None:
    """Open the page and begin a battle."""
    player.come(url)
    as_dwarfs(player)
    player.send("c")
    player.wait_for("pick up a dwarf", SLOW)


def plays(player: Player, move: str) -> None:
    """Type a move, and wait until it is on the board."""
    player.send(":")
    player.wait_for("Tab Complete", SLOW)
    player.send(move[1:].replace("-", " "), ENTER)
    player.wait_for(move, SLOW)


def answered(player: Player, move: str = "dF1-F5") -> None:
    """Play a move, and wait for the computer's."""
    plays(player, move)
    player.wait_for("pick up a dwarf", SLOW)


def resumes(player: Player) -> None:
    """Resume the only match."""
    player.wait_for("1 match", SLOW)
    player.send("r")
    player.wait_for("pick up a dwarf", SLOW)


def leaves(player: Player) -> None:
    """Leave a battle."""
    player.send("q")
    player.wait_for("Leave?", SLOW)
    player.send("y")


def protocol(player: Player) -> CDPSession:
    """Speak with the browser itself."""
    return player.context.new_cdp_session(player.page)


def test_a_phone_plays_by_touch(players: Callable[..., Player], page_url: str) -> None:
    ann = players(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    ann.come(page_url)
    as_dwarfs(ann)
    tap(ann, "The computer")
    ann.wait_for("pick up a dwarf", SLOW)
    ann.settle()
    squares = BoardPlayer(cast("Terminal", ann), Battle(VARIANTS["classic"])).places
    for name, shown in ("A10", "in hand"), ("B10", "Tap it again to play."), ("B10", "dA10-B10"):
        ann.page.touchscreen.tap(*ann.place(*squares[name]))
        ann.wait_for(shown, SLOW)
    ann.wait_for("pick up a dwarf", SLOW)
    # Held otherwise, the same battle fits the other shape.
    ann.page.set_viewport_size({"width": 844, "height": 390})
    ann.wait_for(lambda: ann.screen.columns >= 80, SLOW)
    ann.wait_for("dA10-B10")
    assert not ann.faults


def tap(player: Player, word: str) -> None:
    """Tap the first line that contains a word, once the layout is stable."""
    player.settle()
    row, line = next((y, line) for y, line in enumerate(player.lines) if word in line)
    player.page.touchscreen.tap(*player.place(line.index(word), row))


def test_a_machine_of_a_quarter_of_the_speed_plays(
    playwright: Playwright, page_url: str, tmp_path: Path
) -> None:
    with at_home(playwright, tmp_path) as (context, process), slowed(process):
        player = Player(context)
        begins(player, page_url)
        answered(player)
        assert not player.faults


def test_the_page_plays_without_a_network_after_a_first_visit(
    players: Callable[..., Player], page_url: str
) -> None:
    player = players(viewport=WINDOW)
    with served(Path(os.environ["THUD_PAGE"])) as url:
        begins(player, url)
        plays(player, "dF1-F5")
        player.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    # The server has ended.
    player.page.reload()
    player.wait_for("Lessons", SLOW)
    resumes(player)
    answered(player, "dE2-E3")
    # A link opens, too, once there is no battle on the board.
    player.page.evaluate("() => { location.hash = 'day'; }")
    player.wait_for("once you are on the front page")
    leaves(player)
    player.wait_for("Find the", SLOW)
    assert not player.faults


def renew(built: Path) -> None:
    """Put another version of the page in place of one."""
    index, script = built / "index.html", built / "service-worker.js"
    index.write_text(index.read_text().replace("<body>", '<body data-version="next">'))
    script.write_text(re.sub(r'VERSION = "\w+"', 'VERSION = "next"', script.read_text()))


def test_a_new_version_is_told_and_begins_when_the_page_is_opened_again(
    players: Callable[..., Player], page_url: str, tmp_path: Path
) -> None:
    player, built = players(viewport=WINDOW), tmp_path / "page"
    shutil.copytree(os.environ["THUD_PAGE"], built)
    with served(built) as url:
        begins(player, url)
        player.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        renew(built)
        # As browsers do once a day, and when the page is opened.
        player.page.evaluate(
            "navigator.serviceWorker.getRegistration().then((ours) => ours.update()).then(() => 0)"
        )
        player.page.get_by_text("A new version of Thud is here").wait_for(timeout=1000 * SLOW)
        answered(player)
        # Another tab does not swap it either while this one plays.
        second = player.context.new_page()
        second.goto(url)
        second.get_by_text("open in another tab").wait_for(timeout=1000 * SLOW)
        player.page.bring_to_front()
        answered(player, "dE2-E3")
        for page in player.page, second:
            assert page.locator("body").get_attribute("data-version") is None
        second.close()
        player.kill()
        # It may be loaded anew before it has loaded.
        player.page.goto(url, wait_until="commit")
        player.page.locator("body[data-version=next]").wait_for(timeout=1000 * SLOW)
        resumes(player)
        player.wait_for("dE2-E3")
        assert not player.faults


def test_a_browser_without_room_says_that_it_keeps_nothing(player: Player, page_url: str) -> None:
    quota = {"origin": page_url.rstrip("/"), "quotaSize": 1}
    protocol(player).send("Storage.overrideQuotaForOrigin", quota)
    player.come(page_url)
    player.wait_for("keeps no files here", SLOW)
    as_dwarfs(player)
    player.send("c")
    player.wait_for("pick up a dwarf", SLOW)
    answered(player)
    assert not player.faults


def test_what_was_saved_as_a_file_is_opened(player: Player, page_url: str, tmp_path: Path) -> None:
    player.come(page_url)
    player.wait_for("Lessons", SLOW)
    saved = tmp_path / "saved.zip"
    with ZipFile(saved, "w") as archive:
        archive.writestr("data/matches/saved.tgn", tgn_text(Record.of(Match(VARIANTS["koom"]))))
    opens(player, saved)
    player.wait_for("Opened: 1 match", SLOW)
    assert not player.faults


def test_all_that_is_kept_is_saved_as_a_file_and_opened_elsewhere(
    players: Callable[..., Player], page_url: str, tmp_path: Path
) -> None:
    ann, bob = players(viewport=WINDOW), players(viewport=WINDOW)
    begins(ann, page_url)
    plays(ann, "dF1-F5")
    ann.page.keyboard.press("Control+p")
    ann.wait_for("Search for commands", SLOW)
    ann.send("save all")
    ann.wait_for(lambda: "Save all" in ann.text and "Open a file" not in ann.text, SLOW)
    with ann.page.expect_download(timeout=1000 * SLOW) as saved:
        ann.send(DOWN, ENTER)
    saved.value.save_as(tmp_path / "saved.zip")
    bob.come(page_url)
    bob.wait_for("Lessons", SLOW)
    opens(bob, tmp_path / "saved.zip")
    bob.wait_for("Opened: 1 match", SLOW)
    resumes(bob)
    bob.wait_for("dF1-F5", SLOW)
    assert not ann.faults + bob.faults


def opens(player: Player, file: Path) -> None:
    """Open a file from the palette."""
    player.page.keyboard.press("Control+p")
    player.wait_for("Search for commands", SLOW)
    player.send("open a file")
    player.wait_for(lambda: "Open a file" in player.text and "Save all" not in player.text, SLOW)
    with player.page.expect_file_chooser(timeout=1000 * SLOW) as chosen:
        player.send(DOWN, ENTER)
    chosen.value.set_files(file)


@pytest.mark.parametrize("moves", [1, 2])
def test_a_browser_that_is_killed_loses_no_move_that_was_shown(
    playwright: Playwright, page_url: str, tmp_path: Path, moves: int
) -> None:
    played = ["dF1-F5", "dE2-E3"][:moves]
    with at_home(playwright, tmp_path) as (context, process):
        player = Player(context)
        begins(player, page_url)
        for move in played[:-1]:
            answered(player, move)
        plays(player, played[-1])
        # The computer is perhaps in the middle of its move.
        os.kill(process, signal.SIGKILL)
    (tmp_path / "SingletonLock").unlink(missing_ok=True)
    with at_home(playwright, tmp_path) as (context, _):
        player = Player(context)
        player.come(page_url)
        resumes(player)
        player.wait_for(played[-1], SLOW)
        player.wait_for("pick up a dwarf", SLOW)


def test_a_page_begins_that_is_loaded_anew_while_it_loads(player: Player, page_url: str) -> None:
    player.page.route("**/program.tar.gz", lambda _: None)  # never comes
    player.page.goto(page_url)
    share = "document.getElementById('loaded').value"
    player.wait_for(lambda: player.page.evaluate(share) > 0.5, SLOW)
    player.page.unroute_all(behavior="ignoreErrors")
    player.come(page_url)
    player.wait_for("Lessons", SLOW)
    assert not player.faults


def test_two_tabs_never_write_the_same_files(player: Player, page_url: str) -> None:
    begins(player, page_url)
    second = player.context.new_page()
    second.goto(page_url)
    second.get_by_text("open in another tab").wait_for(timeout=1000 * SLOW)
    answered(player)
    player.page.close()
    second.get_by_role("button", name="Try again").click()
    second.locator("#notice").wait_for(state="hidden", timeout=1000 * SLOW)


def packed(text: str, version: str = "1") -> str:
    return f"match={version}.{urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()}"


def tells(player: Player, sentence: str) -> bool:
    """Whether the front page says something in either column, however broken into lines."""
    columns = (" ".join(line.partition("▏")[place] for line in player.lines) for place in (0, 2))
    return any(sentence in " ".join(each.split()) for each in columns)


def test_hostile_links_get_a_sentence_each_and_the_page_plays_on(
    player: Player, page_url: str
) -> None:
    player.come(page_url)
    player.wait_for("Lessons", SLOW)
    told = {
        "<img src=x onerror=alert(1)>": "no position, record or list of moves",
        "chess=e4": "of a later version",
        packed("x", "2"): "of a later version",
        f"match=1.{'A' * 200}": "cut off",
        packed("x" * (10 << 20)): "too large",
        f"match=1.{'A' * (1 << 20)}": "at most 100,000 characters",
        packed('[Event "<script>alert(1)</script>"]\n[Variant "chess"]\n\n1. e4 *\n'): "chess",
        "position=chess:8/8/8 w": "chess",
        "puzzle=[bold]../../etc/passwd": "no puzzle",
    }
    for hash_, sentence in told.items():
        player.page.evaluate("(hash) => { location.hash = hash; }", hash_)
        player.wait_for(partial(tells, player, sentence), SLOW)
        assert player.page.evaluate("location.hash") == ""
    assert all(url.startswith((page_url, "blob:", "data:")) for url in player.asked)
    assert not player.faults
    player.send("c")
    player.wait_for("pick up a ", SLOW)


def test_a_link_is_gone_on_with_and_sent_back(
    players: Callable[..., Player], page_url: str
) -> None:
    player = players(viewport=WINDOW, permissions=["clipboard-read", "clipboard-write"])
    match = Match(VARIANTS["classic"])
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    player.come(f"{page_url}#{link_to(Record.of(match)).partition('#')[2]}")
    player.wait_for("Play on", SLOW)
    player.page.keyboard.press("End")
    player.send("p")
    player.wait_for("Who plays from here?", SLOW)
    player.send(ENTER)
    player.wait_for("pick up a troll", SLOW)
    plays(player, "TH9-H10")
    player.send("c")
    player.wait_for("link", SLOW)
    player.send("l")
    player.page.get_by_text("Copied.").wait_for(timeout=1000 * SLOW)
    link = read_link(player.page.evaluate("navigator.clipboard.readText()"))
    assert link.kind is LinkKind.MATCH
    assert "TH9-H10" in link.text
    assert not player.faults


def test_a_hint_is_broken_off_and_asked_for_again(player: Player, page_url: str) -> None:
    begins(player, page_url)
    answered(player)
    player.send("i")
    player.wait_for("Looking for the best move", SLOW)
    player.send("u")
    player.wait_for("(dF1-F5)", SLOW)
    player.send("i")
    player.wait_for("Try this:", SLOW)
    assert not player.faults


def test_a_link_in_the_address_is_no_way_back(player: Player, page_url: str) -> None:
    begins(player, page_url)
    player.page.locator("#board").click(position={"x": 5, "y": 5})
    player.page.evaluate("() => { location.hash = 'day'; }")
    player.wait_for("once you are on the front page", SLOW)
    assert player.said == ""
    assert player.page.url == page_url


def test_axe_finds_no_barrier(
    players: Callable[..., Player], page_url: str, tmp_path: Path
) -> None:
    npm = shutil.which("npm")
    if not npm:
        pytest.skip("npm cannot bring axe")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(REPOSITORY / "tools" / "site" / name, tmp_path)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
    subprocess.run(command, cwd=tmp_path, check=True)
    axe = (tmp_path / "node_modules" / "axe-core" / "axe.min.js").read_text()

    def barriers(player: Player) -> list[tuple[str, list[str]]]:
        player.page.evaluate(axe)  # as scripts of a browser's tools, which no policy stops
        found = player.page.evaluate("axe.run()")["violations"]
        return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]

    waiting = players(viewport=WINDOW)
    waiting.page.route("**/program.tar.gz", lambda _: None)  # never comes
    waiting.page.goto(page_url)
    waiting.page.locator("#loaded").wait_for()
    assert barriers(waiting) == []
    player = players(viewport=WINDOW)
    begins(player, page_url)
    assert barriers(player) == []
