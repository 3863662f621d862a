"""Matches and pictures are handed over: downloaded by a browser, shown as text elsewhere."""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Final

from thud.tui.app import ThudApp

_TO_COPY: Final = "c copies it, or Shift and the mouse: paste it into a file of that name."


class HandingApp(ThudApp):
    """Hands over what is saved at home as a file."""

    def action_save_as(self) -> None:
        """Hand over the match as a record."""
        from thud.records.tgn.writer import tgn_text
        from thud.tui.battle.sharing import proposed_name

        if (screen := self._match_screen) and not screen.asking:
            record = screen.record
            screen.noted()
            self.hand_over(proposed_name(record), tgn_text(record), "text/plain")

    async def action_picture(self) -> None:
        """Hand over a picture of what is shown."""
        from thud.records.pictured import svg_text
        from thud.tui.battle.sharing import proposed_name

        if (screen := self._match_screen) and not screen.asking:
            record, place = await screen.pictured()
            picture = await asyncio.to_thread(svg_text, record, place)
            self.hand_over(proposed_name(record, ".svg"), picture, "image/svg+xml")

    def hand_over(self, name: str, text: str, kind: str) -> None:
        """Hand over a text, to be kept under some name.

        Args:
            name: the file's name that a browser proposes.
            text: what is in it.
            kind: its media type.
        """
        if self.is_web:
            # Nothing is written here, but Textual would ask where else to.
            file = BytesIO(text.encode())
            self.deliver_binary(file, save_directory=".", save_filename=name, mime_type=kind)
            self.notify(f"Saved to your downloads: {name}", markup=False)
            return
        from thud.tui.widgets.modals import TextScreen

        self.push_screen(TextScreen(name, text, _TO_COPY))
