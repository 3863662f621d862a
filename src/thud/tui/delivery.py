"""Files into and out of the app: save, export, download, open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import PurePath
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Protocol

from rich.style import Style
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from thud.extras import how_to_get
from thud.records import formats
from thud.records.bounds import READABLE
from thud.records.formats import FileThere
from thud.records.record import Record
from thud.records.tgn.writer import tgn_text
from thud.records.tree import Excerpt
from thud.records.words import saved_as
from thud.text import capitalised, joined, quoted
from thud.tui.actions import ACTIONS, bindings
from thud.tui.deployment import Delivery
from thud.tui.dialog_fixes import TextLine
from thud.tui.keys.keymap import key_name, keymap_of, keys_of
from thud.tui.textual_fixes import OrderedScreen
from thud.tui.widgets.modals import AskScreen, TextScreen
from thud.tui.widgets.prompt import Prompt, PromptAnswer, Question

if TYPE_CHECKING:
    from thud.review.summary import Reviewed
    from thud.tui.screens import MatchScreen

TO_COPY: Final = (
    "Copy it with c, or with Shift and the mouse, and paste it into a file of that name."
)
_PICTURES: Final = {".png": "image/png", ".svg": "image/svg+xml", ".gif": "image/gif"}
"""Media types of pictures, by suffix."""


def save_match(app: App[None], screen: MatchScreen, delivery: Delivery) -> None:
    """Hand the match of a screen over, or ask for a file name until it can be written."""
    record = screen.record
    if delivery is not Delivery.FILE:
        screen.on_saved()
        hand_over(app, _proposed_name(record), tgn_text(record), "text/plain", delivery)
        return

    def answered(saved: str | None) -> None:
        if saved:
            screen.on_saved()
            screen.say(saved)

    save = partial(_save_as, record, screen.excerpt())
    app.push_screen(SaveScreen("Save the match as", _proposed_name(record), save), answered)


def _proposed_name(record: Record, suffix: str = ".tgn") -> str:
    """Return a name for a new file with a match."""
    return formats.unused_name(f"thud-{record.variant.name}-{date.today().isoformat()}", suffix)


async def _save_as(record: Record, excerpt: Excerpt, name: str, *, overwrite: bool) -> str:
    """Write a match to a file in the format of its suffix; return a message.

    Raises:
        FileThere: it exists, and `overwrite` is off.
        ValueError: it cannot be written; the message says why.
    """
    path = await asyncio.to_thread(formats.save_as, record, name, excerpt, overwrite=overwrite)
    return saved_as(path, record, excerpt)


class Save(Protocol):
    """Writes a file of some name, and returns a message."""

    def __call__(self, name: str, /, *, overwrite: bool) -> Awaitable[str]:
        """Write the file.

        Raises:
            FileThere: it exists, and `overwrite` is off.
            ValueError: it cannot be written; the message says why.
        """


class SaveScreen(AskScreen[str], OrderedScreen):
    """Asks for a file name until a file is written, and whether to replace one that exists.

    Args:
        question: the question.
        proposal: a file name.
        save: writes the file, and returns a message.
    """

    begun = True

    def __init__(self, question: str, proposal: str, save: Save) -> None:
        super().__init__(question, proposal, partial(self._written, overwrite=False))
        self._save = save
        self._prompt = Prompt()

    @property
    def in_order(self) -> bool:
        """Whether a question is open, after whose answer the keys belong to the line again."""
        return self._prompt.question is not None

    def take_any_key(self, key: str) -> bool:
        """Drop a key that does not answer the question."""
        return not self._prompt.check_action("press", (key,))

    def compose_below(self) -> ComposeResult:
        """Lay out the question whether to replace a file."""
        yield self._prompt

    async def _written(self, name: str, *, overwrite: bool) -> str:
        try:
            return await self._save(name, overwrite=overwrite)
        except FileThere as there:
            self._ask_to_replace(name, there)
            raise ValueError from there  # the question says it
        except ValueError as refusal:
            raise ValueError(f"Not saved: {refusal}") from refusal

    def _ask_to_replace(self, name: str, there: FileThere) -> None:
        async def carry_out(replaces: bool) -> None:
            self._prompt.close()
            self.set_focus(self.query_one(TextLine))
            if replaces:
                await self.settle(self._written(name, overwrite=True))

        answers = (
            PromptAnswer(("y",), "replace it", means=True),
            PromptAnswer(("n", "escape"), "keep it", means=False),
        )
        self._prompt.show(Question(Text(f"{there.path} exists."), answers), carry_out)
        self.set_focus(self._prompt)


class Opened(NamedTuple):
    """The result of opening a file."""

    record: Record
    notice: str
    """A message about the opened file."""
    is_whole: bool
    """Whether all of it could be read."""


def ask_for_file() -> AskScreen[Opened]:
    """Return a screen that asks for a file until its match can be read, as far as possible."""

    async def attempt(name: str) -> Opened:
        try:
            record, fault = await asyncio.to_thread(formats.open_named, name)
        except ValueError as refusal:
            raise ValueError(f"Not opened: {refusal}") from refusal
        notice = capitalised(fault) or f"{name} is {'over' if record.over else 'open'}."
        return Opened(record, notice, not fault)

    return AskScreen(f"Open a {joined(READABLE, 'or')} file", "", attempt)


async def save_picture(
    app: App[None], screen: MatchScreen, delivery: Delivery, piece_set: str
) -> None:
    """Ask for a file name until a picture of a screen's match can be written or downloaded.

    Args:
        app: the app.
        screen: the screen to draw a picture of.
        delivery: how the picture reaches the player.
        piece_set: the pieces drawn in the terminal.
    """
    from thud.tui.board.designs import design_shown

    record, place = screen.record, screen.excerpt()
    place = place._replace(design=design_shown(app, piece_set, record.variant.stone))

    async def save(excerpt: Excerpt, name: str, *, overwrite: bool) -> str:
        suffix = PurePath(name).suffix.lower()
        if suffix not in _PICTURES:
            raise ValueError(f"{quoted(name)} has to end in .png, .svg or .gif")
        if delivery is not Delivery.DOWNLOAD:
            return await _save_as(record, excerpt, name, overwrite=overwrite)
        picture = await asyncio.to_thread(_drawn, record, excerpt, suffix)
        return _download(app, name, picture, _PICTURES[suffix])

    proposal = _proposed_name(record, ".png" if has_pillow() else ".svg")
    asking = PictureScreen(proposal, place, save)
    app.push_screen(asking, lambda saved: screen.say(saved) if saved else None)


def has_pillow() -> bool:
    """Whether Pillow is installed, which draws .png and .gif."""
    return find_spec("PIL") is not None


def _drawn(record: Record, excerpt: Excerpt, suffix: str) -> bytes:
    """Return a picture of a place in a match, in the format of a suffix.

    Raises:
        ValueError: it cannot be drawn; the message says why.
    """
    from thud.records.pictured import svg_text, write_battle, write_picture

    if suffix == ".svg":
        return svg_text(record, excerpt).encode()
    file = BytesIO()
    (write_picture if suffix == ".png" else write_battle)(file, record, excerpt)
    return file.getvalue()


class PictureScreen(SaveScreen):
    """Asks for a file name and a look until a picture is written.

    Args:
        proposal: a file name.
        place: the place to draw, with the design and the advised move that can be chosen.
        save: as of a `SaveScreen`, with the place to draw.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("picture")

    DEFAULT_CSS = "PictureScreen #choices { link-style: none; }"

    def __init__(self, proposal: str, place: Excerpt, save: Callable[..., Awaitable[str]]) -> None:
        question = "Save a picture (.png, .svg) or an animation (.gif)"
        if not has_pillow():
            question = f"Save a picture (.svg; for .png and .gif {how_to_get('pictures')})"

        def chosen(name: str, *, overwrite: bool) -> Awaitable[str]:
            return save(self.chosen, name, overwrite=overwrite)

        super().__init__(question, proposal, chosen)
        self._place = place
        self._shown = Static(id="choices")
        self._like_board = self._arrows = False

    def compose_below(self) -> ComposeResult:
        """Lay out the choices."""
        self._show()
        yield self._shown
        yield from super().compose_below()

    @property
    def chosen(self) -> Excerpt:
        """The place to draw, in the chosen look."""
        return self._place._replace(
            design=self._place.design if self._like_board else None,
            arrow=self._arrows,
            advised=self._place.advised if self._arrows else None,
        )

    def action_look(self) -> None:
        """Toggle between the board's look and the usual look of pictures."""
        self._like_board = not self._like_board
        self._show()

    def action_arrows(self) -> None:
        """Toggle arrows."""
        self._arrows = not self._arrows
        self._show()

    def _show(self) -> None:
        look = "as on this board" if self._like_board else "carved, on parchment"
        what = "last move and hint" if self._place.advised else "last move"
        choices = f"Look: {look}", f"Arrows: {what if self._arrows else 'none'}"
        each = [
            # A click does what the key does.
            Text(
                f"{key_name(keys_of(action, keymap_of(self.app))[0])} {told}",
                Style(meta={"@click": f"screen.{action.runs}"}),
            )
            for action, told in zip(ACTIONS["picture"], choices, strict=True)
        ]
        between = Text("\n\n" if self.app.has_class("-upright") else "   ")
        self._shown.update(between.join(each))


def save_review(
    app: App[None], record: Record, reviews: Sequence[Reviewed], delivery: Delivery
) -> None:
    """Hand a match's review over, or ask for a file name until it can be written."""
    from thud.review.page import PAGE, TEXT, review_page, review_text, write_review

    page = _proposed_name(record, PAGE)
    if delivery is Delivery.DOWNLOAD:
        hand_over(app, page, review_page(record, reviews), "text/html", delivery)
    elif delivery is Delivery.TEXT:
        name = _proposed_name(record, TEXT)
        hand_over(app, name, review_text(record, reviews), "text/plain", delivery)
    else:

        async def save(name: str, *, overwrite: bool) -> str:
            path = await asyncio.to_thread(write_review, name, record, reviews, overwrite=overwrite)
            return f"The review is in {path}."

        def tell(saved: str | None) -> None:
            if saved:
                app.notify(saved, markup=False)

        app.push_screen(SaveScreen("Save the review as", page, save), tell)


def hand_over(app: App[None], name: str, text: str, kind: str, delivery: Delivery) -> None:
    """Hand over a text under a file name; `kind` is its media type."""
    if delivery is Delivery.DOWNLOAD:
        app.notify(_download(app, name, text.encode(), kind), markup=False)
        return
    app.push_screen(TextScreen(name, text, TO_COPY))


def _download(app: App[None], name: str, data: bytes, kind: str) -> str:
    """Start a download in the browser; return the message for the user."""
    # Nothing is written to this directory, but without one Textual looks for another.
    app.deliver_binary(BytesIO(data), save_directory=".", save_filename=name, mime_type=kind)
    return f"Saved to your downloads: {name}"
