"""The page in Firefox; without one, the test is skipped, or fails if THUD_FIREFOX is set."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from club.serving import ENTER
from page.browser import page_url
from page.firefox import NAMES, Firefox, firefox

__all__ = ["page_url"]

pytestmark = [pytest.mark.browser, pytest.mark.slow]


async def plays(page: Firefox, move: str) -> None:
    """Type a move, and wait until the computer has answered it."""
    await page.send(":")
    await page.see("Tab Complete")
    await page.send(move[1:].replace("-", " "), ENTER)
    await page.see(move)
    await page.see("pick up a dwarf")


async def test_firefox_plays_and_keeps_what_was_played(page_url: str, tmp_path: Path) -> None:
    if not any(map(shutil.which, NAMES)):
        (pytest.fail if os.environ.get("THUD_FIREFOX") else pytest.skip)("there is no Firefox here")
    async with firefox(tmp_path) as page:
        await page.come(page_url)
        await page.see("trolls first")
        await page.send("jjjjjl")
        await page.see("dwarfs first")
        await page.send("c")
        await page.see("pick up a dwarf")
        await plays(page, "dF1-F5")
        # At full strength, by another worker.
        await page.send("i")
        await page.see("Try this:")
        await page.reload()
        await page.see("1 match")
        await page.send("r")
        await page.see("dF1-F5")
        await plays(page, "dE2-E3")
        await page.send("q")
        await page.see("Leave?")
        await page.send("y")
        await page.see("Lessons")
        await page.send("L")
        await page.see("Hurls along a line")
        await page.send(ENTER)
        await page.see("Your move")
