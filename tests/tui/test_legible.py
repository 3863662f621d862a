"""What is written can be read in every theme."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.screen import ModalScreen
from textual.strip import Strip

from sampling import sampled
from saving import begin
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.front.page import FrontPage
from thud.tui.looks.contrast import MARK, PAIRS, TEXT, contrast, drawn, legible
from thud.tui.looks.themes import board_colours
from thud.tui.start import Front, PlayMatch
from tui.driver import running, work_done
from tui.test_themes import EVERY

MANY = [name for name, theme in EVERY.items() if not theme.ansi]


def variables(name: str) -> dict[str, str]:
    theme = EVERY[name]
    return {**board_colours(theme), **theme.to_color_system().generate(), **theme.variables}


def test_each_colour_has_the_contrast_that_it_needs() -> None:
    for name in MANY:
        corrected = legible(variables(name))
        for pair in PAIRS:
            for name_of_ground in pair.grounds:
                ground = Color.parse(corrected[name_of_ground])
                colour = drawn(corrected[pair.colour], ground)
                assert contrast(colour, ground) >= pair.least, (pair.colour, name_of_ground)


def test_what_can_be_read_stays_as_it_is() -> None:
    for name in MANY:
        corrected = legible(variables(name))
        assert legible(corrected) == corrected
        assert corrected.keys() == variables(name).keys()


def test_contrast_is_that_of_the_guidelines() -> None:
    black, white, grey = map(Color.parse, ("#000000", "#ffffff", "#767676"))
    assert contrast(black, white) == contrast(white, black) == 21
    assert contrast(white, white) == 1
    assert contrast(grey, white) == pytest.approx(4.54, abs=0.01)
    assert contrast(white.with_alpha(0.5), black) == pytest.approx(5.24, abs=0.01)


def written(app: ThudApp) -> Iterator[Segment]:
    """Yield the words on the screen, as they are drawn, but nothing that a dialog covers."""
    lines: list[Strip] = app.screen._compositor.render_strips()
    if isinstance(app.screen, ModalScreen):
        box = app.screen.children[0].region
        lines = [line.crop(box.x, box.right) for line in lines[box.y : box.bottom]]
    for segment in (segment for line in lines for segment in line):
        if any(map(str.isalnum, segment.text)):
            yield segment


def faint(app: ThudApp) -> list[tuple[str, float]]:
    """Return what cannot be read, with its contrast."""
    muted = Color.parse(app.theme_variables["foreground-muted"])
    label = Color.parse(app.theme_variables["board-label"])
    found = []
    for segment in written(app):
        style = segment.style
        assert style
        assert style.color
        assert style.bgcolor
        colour, ground = map(Color.from_rich_color, (style.color, style.bgcolor))
        least = MARK if style.dim or colour in (ground + muted, ground + label) else TEXT
        if style.dim:
            colour = colour.blend(ground, 0.34)
        if style.reverse:
            colour, ground = ground, colour
        if (ratio := contrast(colour, ground)) < least:
            found.append((segment.text.strip(), round(ratio, 2)))
    return found


def begun() -> Match:
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for text in "dF1-F5", "TG7-F6xF5", "dP6-O6", "TG9-G10":
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    match.battle.undo()
    return match


@pytest.mark.parametrize("case", sampled(enumerate(["colon", "t e", "f1", "", "r", "comma down"])))
async def test_what_is_written_can_be_read(
    tmp_path: Path, case: tuple[int, str], full: bool
) -> None:
    """In all themes, or a sixth of them, so that each is judged on one of six screens."""
    screen, keys = case
    store = Store(tmp_path)
    begin(store, begun()).close()
    app = ThudApp(PlayMatch(Session(begun())) if screen < 3 else Front(), store=store)
    async with running(app, (100, 30)) as player:
        if isinstance(app.screen, FrontPage):
            app.screen.say("There is no such match.")
        await player.press(*keys.split())
        await work_done(app)
        await player.pilot.pause()
        assert ("captured next move" in player.written) is (keys == "t e")
        for name in MANY if full else MANY[screen::6]:
            app.theme = name
            await player.pilot.pause()
            assert faint(app) == [], name
