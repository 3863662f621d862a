"""Take the README's picture: play a battle through the keys and save what the screen shows.

Usage: python docs/images/take.py
"""

import asyncio
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

BATTLE = """\
dM13-L13 TG9-H10 dG15-H14 TG8-F7 dJ1-C7 TF7-D7xC7 dO11-O8 TD7-C6xB5 dA6-G12 TC6-C5xC4 dA7-B7
TH10-G11xG12 dA10-B10 TC5-C6xB7 dE14-E3 TH9-G9 dB10-G15 TH7-J6 dG1-N7 TJ9-J13xH14 dK15-G12"""


async def battle() -> None:
    """Stop where a troll chooses which of three dwarfs to capture."""
    from tui.driver import playing

    async with playing("classic", size=(80, 24), names=("Esme", "Gytha")) as player:
        for move in BATTLE.split():
            await player.play(move)
        await player.choose("J13", "K14")
        await player.press("1")
        (HERE / "battle.svg").write_text(player.app.export_screenshot(title="Thud"))


asyncio.run(battle())
