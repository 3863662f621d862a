"""Films for the site: the program driven by keys, recorded as text that can be paused and copied.

Their player comes from npm (tools/site). Where npm cannot bring it, the pages show stills.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from site_gallery import self_contained
from thud.ai.player import Limits
from thud.engines.analyst import Analyst
from thud.exercises.drill import Drill
from thud.exercises.puzzles.book import puzzles
from thud.explore.files import corpus_of
from thud.records.formats import read_file
from thud.records.record import Record
from thud.records.store import Store
from thud.review.notes import with_judgements
from thud.review.reviewer import Judged, judge_battle
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.variants import VARIANTS
from thud.settings.preferences import Preferences
from thud.tui.app import ThudApp
from thud.tui.drill.screen import DrillScreen
from thud.tui.start import Lessons, Puzzles, Replay, Start

if TYPE_CHECKING:
    from tui.driver import Player

_NPM: Final = Path(__file__).parent / "site"
PLAYER: Final = ("asciinema-player.min.js", "asciinema-player.css")
"""The files of the films' player that a page loads."""

_SIZE: Final = 120, 37
_NAMES: Final = "Esme", "Gytha"
_NODES: Final = 4_000
"""Positions for each search of a filmed review."""

_MARK: Final = re.compile(r'^\[([\d.]+), "m"', re.MULTILINE)
_READING: Final = 60
"""Milliseconds that a character of a caption takes to read."""

BATTLE: Final = """\
dG1-E3 TG8-F7 dA9-F14 TG9-G8 dB5-D5 TF7-B7xA6xA7 dE3-E13 TJ8-K7 dD5-F7 TG8-F8xF7 dP9-K14 TJ9-J10
dP6-K11 TJ10-K10xK11 dO5-F13 TJ7-J8 dN12-E12 TH7-H6 dO11-F11 TH9-G10xF11 dN4-K4 TG10-G11 dP7-L3
TH6-J5xK4 dD3-D12 TG11-F12xE12xE13xF13 dD12-F12xF12 TJ5-H6 dC4-K4 TF8-C11xB11xC12"""
_MOVES: Final = BATTLE.split()[:27]
"""Up to the first hurl that captures."""


class Recording:
    """What a terminal shows over time, as an asciicast of version 2."""

    def __init__(self) -> None:
        self.still = ""
        """The screenshot shown where the film is not; SVG."""
        self._console = Console(force_terminal=True, color_system="truecolor")
        self._caption = ""
        self._shown: list[Strip] = []
        self._seconds = 0.0
        self._events: list[tuple[float, str, str]] = []
        self.write("\x1b[?25l", 0)

    def write(self, output: str, milliseconds: int) -> None:
        """Add output, after which nothing changes for some time."""
        self._events.append((round(self._seconds, 3), "o", output.replace("\n", "\r\n")))
        self._seconds += milliseconds / 1000

    async def show(self, player: Player, milliseconds: int, caption: str = "") -> None:
        """Add the screen of an app; a caption below it stays until the next, and can be read."""
        await player.settled()
        await player.pilot.pause()
        self._caption = caption or self._caption
        told = Strip([Segment(self._caption.center(_SIZE[0]), Style(bold=True))])
        lines = [*player.app.screen._compositor.render_strips(), told]
        old = self._shown or [Strip.blank(_SIZE[0])] * len(lines)
        self._shown = lines
        # A row is left empty above the caption.
        rows = [*range(1, len(lines)), len(lines) + 1]
        changes = map(self._change, rows, old, lines)
        self.write("".join(changes), max(milliseconds, _READING * len(caption)))

    def _change(self, row: int, old: Strip, new: Strip) -> str:
        """Return what draws the part of a row that has changed."""
        if old == new:
            return ""
        cells = zip(*(each.divide(range(1, _SIZE[0] + 1)) for each in (old, new)), strict=True)
        changed = [
            before.render(self._console) != now.render(self._console) for before, now in cells
        ]
        told, column = "", 0
        for differs, run in groupby(changed):
            end = column + len(list(run))
            if differs:
                part = new.crop(column, end).discard_meta().simplify().render(self._console)
                told += f"\x1b[{row};{column + 1}H{part}"
            column = end
        return told

    def mark(self) -> None:
        """Mark what is shown before the film is started."""
        self._events.append((round(self._seconds - 0.1, 3), "m", "still"))

    def keep_still(self, player: Player) -> None:
        """Keep the screen as the film's still."""
        self.mark()
        self.still = self_contained(player.app.export_screenshot(title="Thud"))

    def text(self) -> str:
        """Return the film as lines of JSON."""
        width, height = _SIZE
        head = {"version": 2, "width": width, "height": height + 2}
        # The last event keeps the picture before it for its time.
        events = [*self._events, (round(self._seconds, 3), "o", "")]
        return "".join(f"{json.dumps(each)}\n" for each in [head, *events])


async def sixty_seconds(film: Recording) -> None:
    """Film what a newcomer has to know, beginning with a hurl."""
    async with _watching(" ".join(_MOVES[:-1])) as player:
        await _lift(player, "D12")
        await film.show(
            player, 0, "Dwarfs in line hurl the one in front, as far as the line is long."
        )
        film.keep_still(player)
        await _play(player, film, _MOVES[-1], 1500, "It captures the troll that it lands on.")
    async with _watching() as player:
        await film.show(player, 0, "32 dwarfs on the edge, eight trolls around the Thudstone.")
        await _lift(player, "G1")
        await film.show(player, 0, "Dwarfs run any distance in a straight line.")
        await _play(player, film, "dG1-E3", 1000)
        await _lift(player, "G8")
        await film.show(player, 0, "A troll takes one step, in any direction.")
        await _play(player, film, "TG8-F7", 1000)
        for move in _MOVES[2:5]:
            await _play(player, film, move, 700)
        await _lift(player, "F7")
        await film.show(player, 0, "Trolls in line shove the one in front, far across the board.")
        await _play(player, film, _MOVES[5], 0, "It captures the dwarfs beside which it lands.")
        await film.show(player, 0, "Dwarfs gather, and trolls hunt those who stand alone.")
        for move in _MOVES[6:]:
            await _play(player, film, move, 500)
        await player.press("e", "y")
        await film.show(player, 6000, "A dwarf left counts 1, a troll 4. Then you swap sides.")


async def lesson(film: Recording) -> None:
    """Film a lesson."""
    async with _running(Lessons("points")) as player:
        await film.show(player, 0, "Every lesson is a few moves at the board.")
        for _ in _drill(player).tasks:
            for key in "tab", "enter", "tab", "enter":
                await player.press(key)
                await film.show(player, 1200)
            if not player.question:
                # What is captured is confirmed.
                await player.press("enter")
            await player.until(lambda: player.question)
            await film.show(
                player, 0, "A right move is explained. A wrong one is answered on the board."
            )
            film.keep_still(player)
            await player.press("enter")
            await film.show(player, 3500)


async def hint(film: Recording) -> None:
    """Film a hint in the middle of a battle."""
    async with _watching(" ".join(_MOVES[:20])) as player:
        await film.show(player, 0, "What now? i asks for a hint.")
        await player.press("i")
        await player.until(lambda: "Try" in player.written)
        await film.show(player, 2000, "The move, its reason, and what is about as good.")
        film.keep_still(player)
        await player.press("t")
        await film.show(player, 3000, "t marks all that could be captured next.")


async def review(film: Recording) -> None:
    """Film a review."""
    match, found = Match(VARIANTS["classic"], _NAMES), {}
    for move in _MOVES:
        match.battle.play(parse_move(match.variant, match.battle.position, move))
    record = Record.of(match)

    def note(judged: Judged) -> None:
        found[judged.ply] = judged.judgement

    async with Analyst(2) as analyst:
        plies = range(len(record.battles[0].moves))
        await judge_battle(record, 1, plies, analyst, note, limits=Limits(nodes=_NODES))
    async with _running(Replay(with_judgements(record, 1, found))) as player:
        await film.show(player, 0, "The review marks every move that lost something.")
        for caption in (
            "n leads to the next of them: what it lost, and what was better.",
            "The graph shows who was ahead, and where that turned.",
            "Your own mistakes come back as tasks until you know better: thud practise.",
        ):
            await player.press("n")
            await film.show(player, 3000, caption)
        film.keep_still(player)


async def puzzle(film: Recording) -> None:
    """Film two puzzles."""
    some = [each for each in puzzles() if each.variant.name == "koom"][:2]
    async with _running(Puzzles(some)) as player:
        for caption in (
            "Puzzles from battles: one move is the best.",
            "thud puzzles --today has a new one.",
        ):
            await film.show(player, 4000, caption)
            while not player.question:
                task = _drill(player).task
                assert task.solution
                await player.type(move_text(task.position, task.solution))
                await film.show(player, 2500)
            film.keep_still(player)
            await player.press("enter")


async def lines(film: Recording) -> None:
    """Film a battle in lines of text: what is typed, and what is answered."""
    command = "-m", "thud", "play", "--plain", "--opponent", "1", "--names", "Esme"
    with TemporaryDirectory() as directory:
        places = {f"THUD_{name}_DIR": directory for name in ("DATA", "CONFIG")}
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, stdin=pipe, stdout=pipe, env={**os.environ, **places}
        )
        assert process.stdin
        assert process.stdout
        for typed in "f1 f5", "moves e2", "e2 h5", "score", "undo", "quit":
            film.write((await process.stdout.readuntil(b"Your move: ")).decode(), 2000)
            for character in typed:
                film.write(character, 90)
            film.write("\n", 300)
            process.stdin.write(f"{typed}\n".encode())
        film.write((await process.stdout.read()).decode(), 4000)
        film.mark()
        await process.wait()


def replay_of(variant: str) -> Callable[[Recording], Coroutine[None, None, None]]:
    """Return what films a battle of the corpus."""

    async def film_it(film: Recording) -> None:
        record = min(read_file(corpus_of(VARIANTS[variant])), key=_unlike_a_film)
        count = len(record.battles[0].moves)
        async with _running(Replay(record)) as player:
            await player.press("home")
            await film.show(player, 2500)
            for number in range(count):
                await player.press("right")
                await film.show(player, 700)
                if number == 2 * count // 3:
                    film.keep_still(player)
            await film.show(player, 3000)

    return film_it


def _unlike_a_film(record: Record) -> int:
    """Return by how many moves the first battle differs from what fits into a film."""
    return abs(len(record.battles[0].moves) - 60)


class Film(NamedTuple):
    """A film: its title, and what makes it."""

    title: str
    make: Callable[[Recording], Coroutine[None, None, None]]


FILMS: Final = {
    "sixty": Film("Thud in 60 seconds", sixty_seconds),
    "lesson": Film("A lesson", lesson),
    "hint": Film("A hint", hint),
    "review": Film("The review of a battle", review),
    "puzzle": Film("Two puzzles", puzzle),
    "lines": Film("A battle in lines of text", lines),
    **{
        each.name: Film(f"A battle of {each.title}", replay_of(each.name))
        for each in VARIANTS.values()
    },
}


@asynccontextmanager
async def _running(start: Start) -> AsyncIterator[Player]:
    """Run the app without animation, and with nothing kept."""
    from tui.driver import running

    preferences = Preferences(overrides={"pieces": "sprites", "animation": False})
    with TemporaryDirectory() as directory:
        app = ThudApp(start, store=Store(Path(directory)), preferences=preferences)
        async with running(app, _SIZE) as player:
            await player.settled()
            yield player


@asynccontextmanager
async def _watching(moves: str = "") -> AsyncIterator[Player]:
    """Run the app on a match of Classic."""
    from snapshots.pictures import watching

    async with watching(moves=moves, size=_SIZE, names=_NAMES) as player:
        yield player


def _drill(player: Player) -> Drill:
    assert isinstance(player.app.screen, DrillScreen)
    return player.app.screen.drill


async def _lift(player: Player, square: str) -> None:
    """Let go of a piece in hand, and pick up another."""
    await player.press("escape")
    await player.choose(square)


async def _play(
    player: Player, film: Recording, move: str, milliseconds: int, caption: str = ""
) -> None:
    """Film a move: the piece in hand, and where it goes."""
    if player.screen.picker.selection.picked is None:
        await _lift(player, move[1:].partition("-")[0])
        await film.show(player, milliseconds // 2)
    await player.press("escape")
    await player.play(move)
    await film.show(player, milliseconds, caption)


def make(directory: Path) -> None:
    """Film everything into a directory: NAME.cast, and NAME-still.svg but for lines of text."""
    for name, each in FILMS.items():
        film = Recording()
        asyncio.run(each.make(film))
        directory.joinpath(f"{name}.cast").write_text(film.text())
        if film.still:
            directory.joinpath(f"{name}-still.svg").write_text(film.still)


def bring_player(directory: Path, work: Path) -> bool:
    """Copy the player into a directory; npm works in another. Return whether it can."""
    if not (npm := shutil.which("npm")):
        return False
    package = work / "node_modules/asciinema-player"
    if not package.exists():
        work.mkdir(parents=True, exist_ok=True)
        for name in "package.json", "package-lock.json":
            shutil.copy(_NPM / name, work)
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(work)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return False
    for name in PLAYER:
        shutil.copy(package / "dist/bundle" / name, directory)
    shutil.copy(package / "LICENSE", directory / "asciinema-player.txt")
    return True


def with_films(text: str, directory: Path) -> str:
    """Replace comments such as `<!-- film: review -->` by the films in a directory of the site."""

    def replaced(found: re.Match[str]) -> str:
        name, title = found[1], escape(FILMS[found[1]].title)
        film = directory / f"{name}.cast"
        mark = _MARK.search(film.read_text())
        poster = mark[1] if mark else "0"
        still = f'<img src="{directory.name}/{name}-still.svg" alt="{title}" loading="lazy">'
        return (
            f'<figure class="film" data-film="{directory.name}/{film.name}" data-poster="{poster}">'
            f"{'' if name == 'lines' else still}<figcaption>{title}</figcaption></figure>\n"
        )

    return re.sub("<!-- film: (.+) -->", replaced, text)
