"""How battles and matches have ended: everything that can be answered is to be seen."""

from __future__ import annotations

import pytest

from sampling import sampled
from thud.rules.variants import VARIANTS
from thud.tui.widgets.prompt import Prompt
from tui.driver import Player, playing

LONGEST = ("Wilhelmina Brunnhilde the Very Long-Lived", "Maximilian-Theodoric of the Far Mountains")
SIZES = ((80, 24), (79, 23))


def seen(player: Player) -> str:
    """Return what the screen shows of the question, line by line."""
    prompt = player.screen.query_one(Prompt)
    visible = prompt.region.intersection(prompt.screen.region)
    assert visible == prompt.region, "nothing of it is cut off"
    lines = [strip.text for strip in player.app.screen._compositor.render_strips()]
    return "\n".join(lines[y][visible.x : visible.right] for y in range(visible.y, visible.bottom))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("variant", sampled(VARIANTS, 2))
async def test_results_fit_with_the_longest_names(variant: str, size: tuple[int, int]) -> None:
    first, second = (name[:40] for name in LONGEST)
    async with playing(variant, size=size, names=(first, second)) as player:
        for answers in ((" Enter ", " u ", " q "), (" n ", " u ", " q ")):
            move = player.match.variant.legal_moves(player.match.battle.position)[0]
            await player.play_move(move)
            await player.press("e", "y")
            await player.pilot.pause()
            shown = seen(player)
            assert all(answer in shown for answer in answers), shown
            await player.press("enter")
            await player.pilot.pause()
