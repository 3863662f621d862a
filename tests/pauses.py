"""What a test waits for in a pause: that nothing is left to be done, and not that time goes by.

Textual's own pause looks at the clock: it lasts a fiftieth of a second at least, and the work of a
busy machine can take longer than that.

Nobody sees the frames of an app without a terminal, and drawing them all took a third of the time:
when everything has come to rest, each widget renders what has changed in it, and a whole frame is
drawn only when a test asks for a picture.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from rich.console import RenderableType
from textual._compositor import Compositor
from textual._context import active_app
from textual.app import App
from textual.geometry import Region

_AT_MOST: Final = 30.0
"""Seconds for what never comes to rest."""

_STUCK: Final = 1.0
"""Seconds without processor time after which a thread counts as waiting."""

_HELD: Final = 0.2
"""The same where all such threads wait for one another, or for the test."""

_CALM: Final = 3
"""Consecutive looks that have to find nothing left."""


_render_update = Compositor.render_update


def draw_at_rest() -> None:
    """Put off the frames of apps without a terminal until a pause."""
    Compositor.render_update = _put_off  # type: ignore[assignment, method-assign]


def draw_every_frame() -> None:
    """Draw frames as they come, as in a terminal."""
    Compositor.render_update = _render_update  # type: ignore[method-assign]


def _put_off(self: Compositor, full: bool = False, **options: Any) -> RenderableType | None:
    if not full and active_app.get().is_headless:
        return None
    return _render_update(self, full, **options)


def _render(app: App[Any]) -> None:
    """Render the lines of widgets that have changed, without borders and without composing them."""
    compositor = app.screen._compositor
    if not compositor._dirty_regions:
        return
    changed = Region.from_union(compositor._dirty_regions)
    compositor._dirty_regions.clear()
    for widget, (region, clip) in compositor.visible_widgets.items():
        content = region.shrink(widget.styles.gutter)
        seen = content.intersection(clip).intersection(changed)
        for y in seen.line_range:
            widget.render_line(y - content.y)


async def nothing_left(*_: float) -> None:
    """Wait until no callback, no thread and no screen has anything to do, but for timers."""
    loop: Any = asyncio.get_running_loop()
    begun = since = time.monotonic()
    worked, calm = _work_of_threads(), 0
    while calm < _CALM and time.monotonic() - begun < _AT_MOST:
        await asyncio.sleep(0)
        calm += 1
        if loop._ready or _due(loop) or _drawn(active_app.get()):
            calm = 0
        elif time.monotonic() - since < _patience(loop):
            calm = 0
            await asyncio.sleep(0.001)
            if worked != (worked := _work_of_threads()):
                since = time.monotonic()
    _render(active_app.get())


def _work_of_threads() -> float:
    """Return the seconds of the processor that threads other than this one have used."""
    return round(time.process_time() - time.thread_time(), 3)


def _due(loop: Any) -> bool:
    scheduled = loop._scheduled
    return bool(scheduled) and scheduled[0].when() <= loop.time()


def _drawn(app: App[Any]) -> bool:
    """Draw what waits for the next frame, or for a window at rest; say whether anything did."""
    screen = app.screen
    if app._batch_count or not screen.is_current:
        return False
    if app._resize_timer:
        app._check_resize()
    waiting = (
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    )
    if waiting:
        screen._on_timer_update()
    return bool(waiting)


def _patience(loop: Any) -> float:
    """Return for how many seconds threads that do no work may still go on."""
    pool: ThreadPoolExecutor | None = loop._default_executor
    if pool is None or (busy := len(pool._threads) - pool._idle_semaphore._value) <= 0:
        return 0.0
    frames = sys._current_frames()
    codes = [frames[each.ident].f_code for each in pool._threads if each.ident in frames]
    waiting = sum(code is threading.Condition.wait.__code__ for code in codes)
    return _HELD if waiting >= busy else _STUCK
