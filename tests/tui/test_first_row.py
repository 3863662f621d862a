"""The front page begins on the row of whoever played last."""

from pathlib import Path

import pytest

from thud.engines.spec import HUMAN
from thud.records.store import Store
from thud.settings.last_choices import LastChoices, save_choices
from tui.test_front_page import front_page


@pytest.mark.parametrize(
    ("seats", "row"),
    [
        ((HUMAN, HUMAN), "here"),
        ((HUMAN, "cpu:1"), "computer"),
        (("cpu:1", HUMAN), "computer"),
        (("cpu:1", "cpu:2"), "watch"),
    ],
)
async def test_it_begins_where_the_last_match_was_begun(
    seats: tuple[str, str], row: str, tmp_path: Path
) -> None:
    save_choices(tmp_path, LastChoices(seats=seats))
    async with front_page(Store(tmp_path)) as player:
        assert player.app.focused
        assert player.app.focused.id == row
