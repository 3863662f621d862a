"""A review is written to a file whose name is told as it is."""

from pathlib import Path

from textual.widgets import Input

from thud.tui.delivery import save_review
from thud.tui.deployment import Delivery
from thud.tui.widgets.modals import AskScreen
from tui.driver import playing, work_done


async def test_a_review_is_written_and_its_file_told(tmp_path: Path) -> None:
    path = tmp_path / "[b]review.html"
    async with playing() as player:
        await player.play("dF1-F5")
        save_review(player.app, player.screen.record, [], Delivery.FILE)
        await player.see(AskScreen)
        player.app.screen.query_one(Input).value = str(path)
        await player.press("enter")
        await work_done(player.app)
        await player.until(lambda: f"The review is in {path}." in player.message)
        assert not player.app._notifications, "it would cover the choices"
    assert path.exists()
