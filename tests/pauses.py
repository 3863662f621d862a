"""Replaces Textual's pauses in tests: waits until the app is idle, not for a fixed time.

Textual's own pause depends on the clock: it takes at least a fiftieth of a second, and on a busy
machine the work may take longer than that.

Nobody sees the frames of a headless app, and drawing them took a third of the time.  So when the
app is idle, each widget only renders its changed lines; only screenshots draw whole frames.
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
"""Timeout in seconds for apps that never become idle."""

_STUCK: Final = 1.0
"""Seconds without processor time after which a thread counts as waiting."""

_HELD: Final = 0.2
"""The same if all busy threads wait on a condition: for one another, or for the test."""

_CALM: Final = 3
"""Consecutive checks that must find the app idle."""


_render_update = Compositor.render_update


def draw_at_rest() -> None:
    """Defer the frames of headless apps to the next pause."""
    Compositor.render_update = _put_off  # type: ignore[assignment, method-assign]


def draw_every_frame() -> None:
    """Draw frames immediately, as in a terminal."""
    Compositor.render_update = _render_update  # type: ignore[method-assign]


def _put_off(self: Compositor, full: bool = False, **options: Any) -> RenderableType | None:
    if not full and active_app.get().is_headless:
        return None
    return _render_update(self, full, **options)


def _render(app: App[Any]) -> None:
    """Render the changed lines of widgets, without borders or compositing."""
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
    """Wait until the event loop, the threads and the screen are idle; timers do not count."""
    loop: Any = asyncio.get_running_loop()
    begun = since = time.monotonic()
    worked, calm = _work_of_threads(), 0
    while calm < _CALM and time.monotonic() - begun < _AT_MOST:
        await asyncio.sleep(0)
        calm += 1
        if loop._ready or _due(loop) or draw_due(active_app.get()):
            calm = 0
        elif time.monotonic() - since < _patience(loop):
            calm = 0
            await asyncio.sleep(0.001)
            if worked != (worked := _work_of_threads()):
                since = time.monotonic()
    _render(active_app.get())


def _work_of_threads() -> float:
    """Return the processor time used by other threads, in seconds."""
    return round(time.process_time() - time.thread_time(), 3)


def _due(loop: Any) -> bool:
    scheduled = loop._scheduled
    return bool(scheduled) and scheduled[0].when() <= loop.time()


def draw_due(app: App[Any]) -> bool:
    """Apply what is due for the next frame or a debounced resize; return whether anything was."""
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
    """Return how many seconds to wait for threads that use no processor time."""
    pool: ThreadPoolExecutor | None = loop._default_executor
    if pool is None or (busy := len(pool._threads) - pool._idle_semaphore._value) <= 0:
        return 0.0
    frames = sys._current_frames()
    codes = [frames[each.ident].f_code for each in pool._threads if each.ident in frames]
    waiting = sum(code is threading.Condition.wait.__code__ for code in codes)
    return _HELD if waiting >= busy else _STUCK
