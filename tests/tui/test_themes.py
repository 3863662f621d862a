"""The colours of the board, in every theme."""

from colorsys import rgb_to_hls
from itertools import product

import pytest
from rich.color import Color as RichColor
from rich.color import ColorSystem
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from thud.review.judgement import Mark
from thud.tui.board.drawing import TONES
from thud.tui.looks.contrast import contrast as contrast_of
from thud.tui.looks.contrast import of_luminance
from thud.tui.looks.themes import _WOOD_AT_NIGHT, _WOOD_BY_DAY, THEMES, board_colours
from tui.driver import playing

EVERY = {**BUILTIN_THEMES, **{theme.name: theme for theme in THEMES}}
GROUNDS = (
    "light",
    "dark",
    "goal",
    "goal-dark",
    "last",
    "advised",
    "capture-ground",
    "capture-dark",
    "destination-ground",
    "destination-dark",
    "danger",
)
PIECES = ("dwarf", "troll", "stone")
DETAILS = ("beard", "stone-shade")


def contrast(one: str, other: str) -> float:
    return contrast_of(Color.parse(one), Color.parse(other))


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#ffffff", "#777777", 4.48),
        ("#ff0000", "#ffffff", 4.0),
        ("#00ff00", "#ffffff", 1.37),
        ("#ffffff", "#0000ff", 8.59),
        ("#000000", "#0a0a0a", 1.06),
    ],
)
def test_contrast_is_that_of_the_guidelines(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=0.01)


MARKS = {f"mark-{mark.name.lower()}" for mark in Mark}


def test_every_theme_has_every_colour() -> None:
    for theme, few in product(EVERY.values(), (False, True)):
        colours = board_colours(theme, few=few)
        used = {
            f"board-{each}" for tone in TONES.values() for each in (tone.ink, tone.ground) if each
        }
        assert used | MARKS == colours.keys() - {"board-turn"}
        assert all(Color.parse(colour) for colour in colours.values())


def test_what_is_drawn_stands_out() -> None:
    for theme in [each for each in EVERY.values() if not each.ansi]:
        colours = {name.removeprefix("board-"): c for name, c in board_colours(theme).items()}
        for ground in GROUNDS:
            for piece in PIECES:
                assert contrast(colours[piece], colours[ground]) >= 3, (piece, ground)
            for detail in DETAILS:
                assert contrast(colours[detail], colours[ground]) >= 2, (detail, ground)
        pairs = [
            *product(("destination", "threat", "aim"), ("light", "dark")),
            *product(("destination",), ("destination-ground", "destination-dark")),
            *product(("goal-text",), ("goal", "goal-dark")),
            ("threat", "danger"),
        ]
        for mark, ground in pairs:
            assert contrast(colours[mark], colours[ground]) >= 3, (mark, ground)
        for ground in "victim", "held", "cursor":
            assert contrast(colours[f"{ground}-text"], colours[ground]) >= 3.5, ground
        assert contrast(colours["capture"], colours["capture-ground"]) >= 3.5
        assert contrast(colours["light"], colours["dark"]) >= 1.25


def test_the_squares_have_the_hue_of_a_theme_and_the_contrast_of_our_own() -> None:
    for theme in [each for each in BUILTIN_THEMES.values() if not each.ansi]:
        wood = _WOOD_AT_NIGHT if theme.dark else _WOOD_BY_DAY
        colours = board_colours(theme)
        for name in ("board-light", "board-dark"):
            assert colours[name] != wood[name]
            assert contrast(colours[name], wood[name]) == pytest.approx(1, abs=0.03)


def test_two_tones_of_a_ground_have_one_hue_in_256_colours() -> None:
    tones = [
        ("light", "dark"),
        ("goal", "goal-dark"),
        ("destination-ground", "destination-dark"),
        ("capture-ground", "capture-dark"),
    ]
    for theme, pair in product(THEMES, tones):
        colours = board_colours(theme)
        of_terminal = [
            RichColor.parse(colours[f"board-{tone}"])
            .downgrade(ColorSystem.EIGHT_BIT)
            .get_truecolor()
            .normalized
            for tone in pair
        ]
        hues, _, saturation = zip(*(rgb_to_hls(*each) for each in of_terminal), strict=True)
        assert all(saturation) == any(saturation), (theme.name, pair)
        assert abs(hues[0] - hues[1]) < 0.1, (theme.name, pair)


def test_a_colour_is_drawn_lighter_and_darker_as_far_as_is_wanted() -> None:
    colours, black = ("#102030", "#884422", "#eeddff", "#808080"), Color.parse("#000000")
    for colour, wanted in product(colours, (0.0, 0.02, 0.2, 0.7, 1.0)):
        found = of_luminance(Color.parse(colour), wanted)
        assert contrast_of(found, black) == pytest.approx((wanted + 0.05) / 0.05, abs=0.2)


async def test_our_own_themes_come_first() -> None:
    async with playing() as player:
        names = list(player.app.available_themes)
        own = [theme.name for theme in THEMES]
        assert names[: len(own)] == own
        assert names[len(own) :] == sorted(names[len(own) :])
        assert {*names} == {*EVERY}


def test_with_few_colours_only_those_of_the_terminal_are_used() -> None:
    for theme in EVERY.values():
        colours = board_colours(theme, few=True)
        assert all(colour.startswith("ansi_") for colour in colours.values())


async def test_a_theme_changes_the_colours_and_nothing_else(full: bool) -> None:
    async with playing() as player:
        board, former = player.board, player.app.theme
        before = [board.render_line(y) for y in range(board.size.height)]
        for theme in EVERY if full else [*EVERY][::8]:
            player.app.theme = theme
            await player.pilot.pause()
            board.piece_set = "letters"
            after = [board.render_line(y) for y in range(board.size.height)]
            assert [plain(line.text) for line in before] == [plain(line.text) for line in after]
            assert (before == after) is (theme == former)


def plain(line: str) -> str:
    """Return a line without the texture of dark squares."""
    return line.replace("░", " ")
