"""The rules in pages: by every key, at what is at hand, with nothing cut off."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.widgets import OptionList, Static

from sampling import sampled
from thud.engines.spec import parse_contender
from thud.rulebook.chapters import GAME, Drawing, chapters
from thud.rules.variants import VARIANTS
from thud.settings.preferences import Preferences
from thud.settings.values import Settings
from thud.tui.app import ThudApp
from thud.tui.help.at_the_board import _MARKS
from thud.tui.help.page import DiagramView
from thud.tui.help.screen import HelpScreen, Page
from thud.tui.keys.bar import KeyBar
from thud.tui.picking.picker import _THREATS
from thud.tui.start import Rules
from tui.driver import Player, placed, playing, running

TITLES = ["At the board", *(chapter.title for chapter in chapters())]
SMALL = (80, 24)


class Reader(Player):
    """Reads in one running app."""

    async def turns_to(self, title: str) -> None:
        """Wait for a page that is shown from its top."""
        await self.until(lambda: self.place == (title, 0))

    async def scrolls_to(self, line: int) -> None:
        """Wait until some line is at the top."""
        await self.until(lambda: self.page.scroll_offset.y == line)

    async def goes_on_from(self, place: tuple[str, int]) -> None:
        """Wait until another page or part of it is shown."""
        await self.until(lambda: self.title != "" and self.place != place)

    @property
    def place(self) -> tuple[str, int]:
        """The page and its line at the top."""
        return self.title, self.page.scroll_offset.y

    @property
    def help(self) -> HelpScreen:
        screen = self.app.screen
        assert isinstance(screen, HelpScreen)
        return screen

    @property
    def title(self) -> str:
        return title_of(self.help)

    @property
    def page(self) -> Page:
        return self.help.query_one(Page)

    @property
    def views(self) -> list[DiagramView]:
        return list(self.help.query(DiagramView))

    @property
    def contents(self) -> OptionList:
        return self.help.query_one(OptionList)


def title_of(screen: HelpScreen) -> str:
    """Return the title of the page, nothing while it is being turned."""
    headings = screen.query("Page > Static")
    return str(headings.first(Static).render()).partition("   ")[0] if headings else ""


@asynccontextmanager
async def reading(
    variant: str | None = None, size: tuple[int, int] = SMALL, settings: Settings | None = None
) -> AsyncIterator[Reader]:
    game = VARIANTS[variant] if variant else None
    app = ThudApp(
        Rules(game, GAME), preferences=Preferences(None, settings or Settings(pieces="letters"))
    )
    async with running(app, size) as player:
        yield Reader(app, player.pilot)


async def title_at_hand(player: Player) -> str:
    """Press F1 and return the title of the page that comes."""
    await player.press("f1")
    screen = await player.see(HelpScreen)
    await player.until(lambda: title_of(screen))
    return title_of(screen)


async def test_digits_lead_to_the_sections(full: bool) -> None:
    heads = {str(each.section): each.title for each in chapters() if each.heads}
    async with reading() as reader:
        for digit, title in list(heads.items())[:: -1 if full else -4]:
            await reader.press(digit)
            await reader.turns_to(title)
        await reader.press("1", "p")
        await reader.turns_to(TITLES[0])


async def test_space_reads_all_of_it(full: bool) -> None:
    some = TITLES if full else TITLES[:5]
    async with reading() as reader:
        seen = [reader.title]
        while seen[-1] != some[-1]:
            at = reader.place
            await reader.press("space")
            await reader.goes_on_from(at)
            seen.append(reader.title)
        assert list(dict.fromkeys(seen)) == some[1:]


async def test_a_page_is_scrolled_by_keys_and_the_next_begins_at_its_top() -> None:
    async with reading("koom", (80, 18)) as reader:
        page = reader.page
        await reader.until(lambda: page.max_scroll_y > 2)
        for keys, line in (
            (("down", "j", "j", "up", "k"), 1),
            (("k", "k"), 0),
            (("pagedown",), min(page.size.height - 1, page.max_scroll_y)),
            (("pageup",), 0),
            (("end",), page.max_scroll_y),
            (("home",), 0),
            (("G",), page.max_scroll_y),
            (("g",), 0),
            (("end",), page.max_scroll_y),
        ):
            await reader.press(*keys)
            await reader.scrolls_to(line)
        await reader.press("n")
        await reader.turns_to("Koom Valley dwarfs")


async def test_the_contents_are_shown_and_choose_by_keys() -> None:
    async with reading("classic") as reader:
        assert not reader.contents.display
        await reader.press("c")
        await reader.until(lambda: reader.contents.has_focus and reader.contents.display)
        assert not reader.page.display
        await reader.press("down", "down", "enter")
        await reader.turns_to("The hurl")
        assert reader.page.display
        assert not reader.contents.display, "they make room for the page"
        await reader.press("c", "c", "n")
        await reader.turns_to("Classic trolls")


async def test_contents_and_keys_are_clicked() -> None:
    async with reading(size=(120, 40)) as reader:
        assert reader.contents.display
        place = reader.contents.content_region.offset - reader.contents.region.offset
        await reader.pilot.click(OptionList, offset=(place.x + 2, place.y + 7))
        await reader.turns_to(TITLES[7])
        assert reader.contents.display
        bar = reader.help.query_one(KeyBar)
        await reader.pilot.click(KeyBar, offset=(str(bar.render()).index("Next"), 0))
        await reader.turns_to(TITLES[8])
        await reader.press("left")
        await reader.turns_to(TITLES[7])
        await reader.until(lambda: reader.contents.highlighted == 7)


@pytest.mark.parametrize("key", sampled(["escape", "q", "f1", "ctrl+c"]))
async def test_it_is_left(key: str) -> None:
    async with reading() as reader:
        await reader.press(key)
        await reader.until(lambda: reader.app._exit)


def pieces_shown(view: DiagramView) -> str:
    """Return the letters of the pieces that are drawn, in order of their lines."""
    lines = (view.render_line(y).text[3:] for y in range(view.size.height))
    return "".join(sorted("".join(c for c in "".join(lines) if c in "dT")))


@pytest.mark.parametrize("width", sampled([80, 40, 60, 104, 160], 5))
async def test_no_diagram_is_cut_off(width: int, full: bool) -> None:
    """Below 60 columns the whole board cannot be, but all that is only a part of it."""
    wanted = [n for n, each in enumerate(chapters()) if any_drawing(each.blocks)]
    async with reading(size=(width, 30)) as reader:
        for number in wanted if full else wanted[width // 20 % 4 :: 4]:
            await reader.help._turn_to(number + 1)
            await reader.until(lambda: all(v.size.height for v in reader.views))
            drawn = [b.diagram for b in chapters()[number].blocks if isinstance(b, Drawing)]
            for view, diagram in zip(reader.views, drawn, strict=True):
                if width < 60 and len(diagram[0].files) == 15:
                    continue
                pieces = "".join(
                    excerpt.position.letter_at(square) or ""
                    for excerpt in diagram
                    for _, squares in excerpt.rows()
                    for square in squares
                    if square is not None
                )
                captions = "".join(excerpt.caption for excerpt in diagram)
                assert pieces_shown(view) == "".join(
                    sorted(c for c in pieces + captions if c in "dT")
                )


async def test_a_diagram_follows_the_settings_and_the_size_of_the_terminal() -> None:
    settings = Settings(pieces="blocks", ascii=True)
    async with reading("koom", (60, 20), settings) as reader:
        (view,) = reader.views
        assert (view.piece_set, view.ascii_only) == ("blocks", True)
        assert view.size.height == 16
        await reader.pilot.resize_terminal(160, 60)
        await reader.until(lambda: view.size.height == 31)
        drawn = "".join(view.render_line(y).text for y in range(31))
        assert "d" in drawn
        assert drawn.isascii()


def any_drawing(blocks: tuple[object, ...]) -> bool:
    return any(isinstance(block, Drawing) for block in blocks)


@pytest.mark.parametrize(
    ("variant", "position", "chosen", "title"),
    [
        ("classic", None, (), "Classic"),
        ("classic", placed("dJ5", "dK4", "dL3", "TF8"), ("J5",), "The hurl"),
        ("single", placed("TG6", "dE4", "dF4", to_move="T"), ("G6", "F5"), "Single capture"),
        ("koom", placed("dL6", "dG6", "TH6"), ("L6", "J6"), "The trap"),
    ],
)
async def test_f1_opens_at_what_is_at_hand(
    variant: str, position: str | None, chosen: tuple[str, ...], title: str
) -> None:
    async with playing(variant, position) as player:
        await player.choose(*chosen)
        assert await title_at_hand(player) == title
        await player.press("escape")
        await player.until(lambda: not isinstance(player.app.screen, HelpScreen))
        assert bool(player.screen.picker.selection.picked) == bool(chosen), (
            "what was picked still is"
        )


async def test_f1_tells_of_the_end_when_it_is_over() -> None:
    async with playing("koom", placed("RG2", "dF2", "dA10", "TH15")) as player:
        await player.play("RG2-G1")
        assert await title_at_hand(player) == "The end of Koom Valley"


def test_every_mark_of_the_threat_map_is_on_the_page_of_keys() -> None:
    explained = {signs[0] for signs, _ in _MARKS}
    assert {told[0] for told in _THREATS} <= explained


@pytest.mark.parametrize("key", ["e", "R", "q"])
async def test_f1_tells_of_the_end_while_ending_is_asked_about(key: str) -> None:
    async with playing(seats=(parse_contender("human"), parse_contender("random"))) as player:
        await player.play("dF1-F5")
        await player.until(lambda: player.session.state.turn.here)
        await player.press(key)
        assert player.question
        assert await title_at_hand(player) == "The end of Classic"
        await player.press("escape")
        await player.until(lambda: not isinstance(player.app.screen, HelpScreen))
        await player.press("n")
        assert await title_at_hand(player) == "Classic"


@pytest.mark.slow
async def test_a_variant_without_chapters_has_its_nutshell(skirmish: object) -> None:
    async with playing("skirmish") as player:
        assert await title_at_hand(player) == "At the board"
        said = "\n".join(str(each.render()) for each in player.app.screen.query(Static))
        assert "Two dwarfs together take a troll." in said
