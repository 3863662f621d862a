"""Text cut to a width."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def fitted(text: str, width: int) -> str:
    """Return a text cut to a width in columns, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"
