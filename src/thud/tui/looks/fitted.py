"""Text truncated to a width."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size


def fitted(text: str, width: int) -> str:
    """Truncate a text to a width in columns, with an ellipsis if it is cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(0, width - 1)).rstrip() + "…"
