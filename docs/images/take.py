"""Take the documents' pictures: play battles with real keys, and save the screen.

Usage: python docs/images/take.py

The film needs Pillow and the font DejaVu Sans Mono.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))

NAMES = ("Esme", "Gytha")
SUBTITLE = "The board game of\ndwarfs and trolls,\nin your terminal"
NODES = 8_000
"""Positions for each search of the review, on any machine."""

KOOM = """\
dP10-D10 TF3-H1 dJ15-J6 TK3-G6 dM13-M3 TL3-H6 dB11-F7 TH3-J4 dA10-F5 TG6-F6 dF7-J7 TH6-F8 dG15-G8
TF8-E8 dF15-F8 TF6-D8 dD10-C9 TF2-J5 dE14-E9 TE8-E7 dJ6-D6xE7 TD8-E7 dO11-E2 TE3-G5 dE2-H5xG5
TJ5-G5xH5 dF8-E8 TE7-C5xD6 dE8-H5xG5 TJ4-E4xF5xH5 dK15-K6 TE4-G6 dE9-G7 TK2-G5 dK6-H4 TG6-F6
dN12-E4 TF6-E7 dL14-D7 TH2-H3"""
CHOICE = """\
dM13-L13 TG9-H10 dG15-H14 TG8-F7 dJ1-C7 TF7-D7xC7 dO11-O8 TD7-C6xB5 dA6-G12 TC6-C5xC4 dA7-B7
TH10-G11xG12 dA10-B10 TC5-C6xB7 dE14-E3 TH9-G9 dB10-G15 TH7-J6 dG1-N7 TJ9-J13xH14 dK15-G12"""


async def roll() -> None:
    """Koom Valley in a light theme: where the Rock can go."""
    async with watching("koom", size=(160, 50), names=NAMES, theme="ankh-morpork") as player:
        await play(player, KOOM)
        await player.choose("H8")
        await player.press("tab")
        await save(player, "valley")


async def shove() -> None:
    """Classic in 80 columns: a troll chooses which of three dwarfs to capture."""
    async with watching(size=(80, 24), names=NAMES) as player:
        await play(player, CHOICE)
        await player.choose("J13", "K14")
        await player.press("1")
        await save(player, "small")


async def review() -> None:
    """A review of Classic: a mistake, what was better, and the graph."""
    match = played("classic", BATTLE)
    record, found = Record.of(match), {}
    plies = range(len(match.battle.moves))
    async with Analyst(2) as analyst:
        await judge_battle(
            record,
            1,
            plies,
            analyst,
            lambda judged: found.update({judged.ply: judged.judgement}),
            limits=Limits(nodes=NODES),
        )
    preferences = Preferences(overrides={"pieces": "sprites", "animation": False})
    app = ThudApp(Replay(with_judgements(record, 1, found)), preferences=preferences)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await work_done(app)
        player = Player(app, pilot)
        await player.press("n", "n")
        await save(player, "review")


async def editor() -> None:
    """The editor: a few pieces are put on the board by their keys."""
    setup = Setup(VARIANTS["classic"], played("classic", CHOICE).battle.position)
    preferences = Preferences(overrides={"pieces": "sprites", "theme": "okabe-ito"})
    with TemporaryDirectory() as directory:
        app = ThudApp(Edit(setup), store=Store(Path(directory)), preferences=preferences)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            player = Player(app, pilot)
            await player.press("6", "delete", "6", "t", "2", "2", "d")
            await save(player, "editor")


async def film() -> None:
    """An animated battle of Classic: two frames a move, before and after."""
    from terminal import Terminal, film

    terminal, frames = Terminal(16), []
    async with watching(size=(120, 37), names=NAMES) as player:
        frames.append((await drawn(terminal, player), 1200))
        for text in BATTLE.split():
            battle = player.match.battle
            move = parse_move(battle.variant, battle.position, text)
            await player.go_to(move.origin)
            await player.press("enter")
            await player.go_to(move.destination)
            frames.append((await drawn(terminal, player), 500))
            await player.press("escape")
            await player.play_move(move)
            frames.append((await drawn(terminal, player), 700))
        await player.press("e", "y")
        frames.append((await drawn(terminal, player), 4000))
    film(HERE / "film.gif", frames)


async def drawn(terminal: object, player: "Player") -> object:
    """Return the screen as an image, once everything has been drawn."""
    await picture(player)
    return terminal.picture(player.app)  # type: ignore[attr-defined]


async def social() -> None:
    """Draw the picture that is shown where somebody shares the site: the board, and what it is."""
    from PIL import Image, ImageDraw, ImageFont

    from terminal import Terminal

    async with watching("koom", size=(160, 50), names=NAMES) as player:
        await play(player, KOOM)
        await player.choose("H8")
        await player.press("tab")
        screen = await drawn(Terminal(12), player)
        region = player.board.region
    board = screen.crop((6 * region.x, 12 * region.y, 6 * region.right, 12 * region.bottom))
    image = Image.new("RGB", (1200, 630), screen.getpixel((0, 0)))
    image.paste(board, (40, (630 - board.height) // 2))
    draw = ImageDraw.Draw(image)
    for y, height, bold, text in (190, 110, "-Bold", "Thud"), (340, 30, "", SUBTITLE):
        font = ImageFont.truetype(f"DejaVuSans{bold}.ttf", height)
        draw.multiline_text((board.width + 90, y), text, "#d9d6cf", font, spacing=14)
    image.save(HERE.parent / "_static" / "social.png", optimize=True)


async def exported() -> None:
    """Write the same battle as a picture, as `thud export` does."""
    (HERE / "exported.png").unlink(missing_ok=True)
    write_file(HERE / "exported.png", Record.of(played("classic", BATTLE)))


def played(variant: str, moves: str) -> "Match":
    """Return a match with these moves in its first battle."""
    match = Match(VARIANTS[variant], NAMES)
    for text in moves.split():
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    return match


async def play(player: "Player", moves: str) -> None:
    """Play the moves of a battle."""
    for move in moves.split():
        await player.play(move)


async def save(player: "Player", name: str) -> None:
    """Save the screen as an SVG image."""
    (HERE / f"{name}.svg").write_text(await picture(player))


if __name__ == "__main__":
    from site_gallery import use_driver

    use_driver()
    from site_films import BATTLE
    from snapshots.pictures import picture, watching
    from thud.ai.player import Limits
    from thud.engines.analyst import Analyst
    from thud.records.formats import write_file
    from thud.records.record import Record
    from thud.records.store import Store
    from thud.review.notes import with_judgements
    from thud.review.reviewer import judge_battle
    from thud.rules.match import Match
    from thud.rules.notation import parse_move
    from thud.rules.setup import Setup
    from thud.rules.variants import VARIANTS
    from thud.settings.preferences import Preferences
    from thud.tui.app import ThudApp
    from thud.tui.start import Edit, Replay
    from tui.driver import Player, work_done

    for take in roll, shove, social, exported, review, editor, film:
        asyncio.run(take())
