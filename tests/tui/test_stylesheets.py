"""What the tests share of stylesheets is what each app would come to by itself."""

import pytest

from stylesheets import apply_anew
from tui.driver import playing


@pytest.mark.parametrize("keys", [[], ["f1"], ["t", "q"], ["s", "down"], ["colon", "f"]])
async def test_every_widget_has_the_rules_of_its_own_stylesheet(keys: list[str]) -> None:
    async with playing() as player:
        await player.press(*keys)
        nodes = player.app.screen.walk_children(with_self=True)
        assert len(nodes) >= 5
        for node in nodes:
            shared = node._css_styles.get_rules()
            parts = {name: each.base.get_rules() for name, each in node._component_styles.items()}
            apply_anew(player.app.stylesheet, node)
            assert node._css_styles.get_rules() == shared
            for name, each in node._component_styles.items():
                assert each.base.get_rules() == parts[name]
