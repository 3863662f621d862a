"""Files into and out of the app: save, export, download, open."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Final

from textual.app import App

from thud.records.formats import READABLE
from thud.records.tgn.writer import tgn_text
from thud.text import joined
from thud.tui.battle import sharing
from thud.tui.battle.picture_screen import PictureScreen
from thud.tui.deployment import Delivery
from thud.tui.widgets.modals import AskScreen, TextScreen

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.tree import Excerpt
    from thud.review.summary import Reviewed
    from thud.tui.screens import MatchScreen

_TO_COPY: Final = (
    "Copy it with c, or with Shift and the mouse, and paste it into a file of that name."
)


def save_match(app: App[None], screen: MatchScreen, delivery: Delivery) -> None:
    """Hand the match of a screen over, or ask for a file name until it can be written."""
    record = screen.record
    if delivery is not Delivery.FILE:
        screen.on_saved()
        _hand_over(app, sharing.proposed_name(record), tgn_text(record), "text/plain", delivery)
        return

    def answered(saved: str | None) -> None:
        if saved:
            screen.on_saved()
            screen.say(saved)

    attempt = partial(sharing.save_as, record)
    proposal = sharing.proposed_name(record)
    app.push_screen(AskScreen("Save the match as", proposal, attempt), answered)


def ask_for_file() -> AskScreen[sharing.Opened]:
    """Return a screen that asks for a file until its match can be read."""
    return AskScreen(f"Open a {joined(READABLE, 'or')} file", "", sharing.open_file)


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

    record, place = await screen.shown_record()
    place = place._replace(design=design_shown(app, piece_set, record.variant.stone))

    async def hand_over(excerpt: Excerpt, name: str) -> str:
        picture, kind = await sharing.drawn(record, excerpt, name)
        return _download(app, name, picture, kind)

    download = delivery is Delivery.DOWNLOAD
    attempt = hand_over if download else partial(sharing.save_picture, record)
    asking = PictureScreen(sharing.proposed_picture(record), place, attempt)
    app.push_screen(asking, lambda saved: screen.say(saved) if saved else None)


def save_review(
    app: App[None], record: Record, reviews: Sequence[Reviewed], delivery: Delivery
) -> None:
    """Hand a match's review over, or ask for a file name until it can be written."""
    from thud.review.page import PAGE, TEXT, review_page, review_text, write_review

    page = sharing.proposed_name(record, PAGE)
    if delivery is Delivery.DOWNLOAD:
        _hand_over(app, page, review_page(record, reviews), "text/html", delivery)
    elif delivery is Delivery.TEXT:
        name = sharing.proposed_name(record, TEXT)
        _hand_over(app, name, review_text(record, reviews), "text/plain", delivery)
    else:

        async def attempt(name: str) -> str:
            path = await asyncio.to_thread(write_review, name, record, reviews)
            return f"The review is in {path}."

        def tell(saved: str | None) -> None:
            if saved:
                app.notify(saved, markup=False)

        app.push_screen(AskScreen("Save the review as", page, attempt), tell)


def _hand_over(app: App[None], name: str, text: str, kind: str, delivery: Delivery) -> None:
    """Hand over a text under a file name; `kind` is its media type."""
    if delivery is Delivery.DOWNLOAD:
        app.notify(_download(app, name, text.encode(), kind), markup=False)
        return
    app.push_screen(TextScreen(name, text, _TO_COPY))


def _download(app: App[None], name: str, data: bytes, kind: str) -> str:
    """Start a download in the browser; return the message for the user."""
    # Nothing is written to this directory, but without one Textual looks for another.
    app.deliver_binary(BytesIO(data), save_directory=".", save_filename=name, mime_type=kind)
    return f"Saved to your downloads: {name}"
