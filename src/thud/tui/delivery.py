"""Files into and out of the app: save, export, download, open."""

from __future__ import annotations

import asyncio
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Final

from textual.app import App

from thud.tui.battle import sharing
from thud.tui.deployment import Delivery
from thud.tui.widgets.modals import AskScreen

if TYPE_CHECKING:
    from thud.tui.roles import ShowsMatch

_TO_COPY: Final = "c copies it, or Shift and the mouse: paste it into a file of that name."


def save_match(app: App[None], screen: ShowsMatch, delivery: Delivery) -> None:
    """Hand over the match of a screen, or ask for a name until it is written to such a file."""
    record = screen.record
    if delivery is not Delivery.FILE:
        from thud.records.tgn.writer import tgn_text

        screen.noted()
        _hand_over(app, sharing.proposed_name(record), tgn_text(record), "text/plain", delivery)
        return

    def answered(saved: str | None) -> None:
        if saved:
            screen.noted()
            screen.say(saved)

    attempt = partial(sharing.save_as, record)
    proposal = sharing.proposed_name(record)
    app.push_screen(AskScreen("Save the match as", proposal, attempt), answered)


async def save_picture(
    app: App[None], screen: ShowsMatch, delivery: Delivery, piece_set: str
) -> None:
    """Hand over a picture of what a screen shows, or ask for a name until it is written so.

    Args:
        app: where the screen is shown.
        screen: what is pictured.
        delivery: how it is handed over.
        piece_set: the pieces that are drawn in the terminal.
    """
    record, place = await screen.pictured()
    if delivery is not Delivery.FILE:
        from thud.records.pictured import svg_text

        picture = await asyncio.to_thread(svg_text, record, place)
        name = sharing.proposed_name(record, ".svg")
        _hand_over(app, name, picture, "image/svg+xml", delivery)
        return
    from thud.tui.battle.picture_screen import PictureScreen
    from thud.tui.board.designs import design_shown

    place = place._replace(design=design_shown(app, piece_set, record.variant.stone))
    attempt = partial(sharing.save_picture, record)
    asking = PictureScreen(sharing.proposed_picture(record), place, attempt)
    app.push_screen(asking, lambda saved: screen.say(saved) if saved else None)


def _hand_over(app: App[None], name: str, text: str, kind: str, delivery: Delivery) -> None:
    """Hand over a text to be kept under some name; `kind` is its media type."""
    if delivery is Delivery.DOWNLOAD:
        # Nothing is written here, but Textual would ask where else to.
        file = BytesIO(text.encode())
        app.deliver_binary(file, save_directory=".", save_filename=name, mime_type=kind)
        app.notify(f"Saved to your downloads: {name}", markup=False)
        return
    from thud.tui.widgets.modals import TextScreen

    app.push_screen(TextScreen(name, text, _TO_COPY))
