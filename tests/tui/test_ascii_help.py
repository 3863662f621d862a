"""The page of keys and marks is plain ASCII where that is set."""

from textual.widgets import Static

from thud.tui.help.screen import HelpScreen
from tui.driver import playing


async def test_every_text_of_the_page_is_ascii() -> None:
    async with playing() as player:
        player.app.change_setting("ascii", True)
        await player.press("f1", "1", "p")
        await player.see(HelpScreen)

        def texts() -> list[str]:
            return [str(each.render()) for each in player.app.screen.query(Static)]

        await player.until(lambda: any("runs out of time" in each for each in texts()))
        assert [each for each in texts() if not each.isascii()] == []
