"""The driver of clubs' browsers, over the port of a worker."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, TextIO, cast

import thud_host
from pyodide.ffi import create_proxy
from textual.app import App
from textual.constants import ESCAPE_DELAY
from textual.events import MouseMove

from thud.club.web.driver import BrowserDriver
from thud.tui.textual_fixes import CheckedParser

if TYPE_CHECKING:
    from thud_page.app import PageApp

_TICK: Final = ESCAPE_DELAY + 0.005
_POLL: Final = 0.005
_MOST_QUEUED: Final = 32
_MOST_MOVES: Final = 8
"""Most events that wait when the mouse's movements still count."""


class PageDriver(BrowserDriver):
    """Speaks with the page in the messages that a club's door exchanges with it."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **{**options, "size": (thud_host.columns, thud_host.lines)})
        self._parser = CheckedParser()
        self._hearing = create_proxy(self.hear)
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self._handling: asyncio.Task[None] | None = None

    def start_application_mode(self) -> None:
        """Start; the page's messages come by callbacks, not in a thread."""
        self.write("\x1b[?1049h")
        self._enable_mouse_support()
        self.write("\x1b[?25l")
        self._enable_bracketed_paste()
        self._handling = asyncio.create_task(self._handle())
        thud_host.hear(self._hearing)
        self.begin()

    def stop_application_mode(self) -> None:
        """Hear no more."""
        thud_host.hear(None)
        if self._handling:
            self._handling.cancel()

    def hear(self, message: str) -> None:
        """Take a message of the page."""
        kind, *rest = json.loads(message)
        match kind, rest:
            case "stdin", [str(text)]:
                self._take(self._parser.feed(text))
                asyncio.get_running_loop().call_later(_TICK, self._tick)
            case "link", [str(text)]:
                self._app.call_later(cast("PageApp", self._app).open_link, text)
            case "resize" | "prefers", [dict(about)]:
                self.on_meta(kind, about)
            case "focus" | "blur", _:
                self.on_meta(kind, {})
            case "file", _:
                self._app.call_later(cast("PageApp", self._app).open_file)

    def _tick(self) -> None:
        """End a lone Escape, which might have been the beginning of a sequence."""
        self._take(self._parser.tick())

    def _take(self, events: Any) -> None:
        for event in events:
            # A mouse moves far more often than anything is drawn.
            if not isinstance(event, MouseMove) or self._events.qsize() < _MOST_MOVES:
                self._events.put_nowait(event)

    async def _handle(self) -> None:
        """Hand the app its events, as fast as it handles them: waiting would block all else."""
        fixed: Any = self  # the app's own drivers know how much waits
        while True:
            event = await self._events.get()
            while fixed._queue_length() > _MOST_QUEUED:
                await asyncio.sleep(_POLL)
            self.process_message(event)

    def write(self, data: str) -> None:
        """Draw."""
        thud_host.draw(data)
        self.follow()

    def write_meta(self, data: dict[str, object]) -> None:
        """Tell the page what the driver of a browser tells."""
        match data:
            case {"type": "writing", "now": writing}:
                self.tell("writing", writing)
            case {"type": "looks" | "open_url" as kind}:
                self.tell(kind, data)

    def tell(self, *message: object) -> None:
        """Send the page a message."""
        thud_host.tell(json.dumps(message))

    def deliver_binary(
        self,
        binary: BinaryIO | TextIO,
        *,
        delivery_key: str,
        save_path: Path,
        open_method: Literal["browser", "download"] = "download",
        encoding: str | None = None,
        mime_type: str | None = None,
        name: str | None = None,
    ) -> None:
        """Give the browser a file to download."""
        binary.seek(0)
        data = binary.read()
        thud_host.deliver(save_path.name, data.encode() if isinstance(data, str) else data)
        self._delivery_complete(delivery_key, save_path=None, name=name)
