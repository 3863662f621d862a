"""How large a board is drawn at most, whatever a terminal says of itself."""

from __future__ import annotations

from typing import Final

LARGEST: Final = (500, 200)
"""Columns and lines; a larger terminal is used in part."""
