"""Applies the settings to the look of a board."""

from __future__ import annotations

import os
import sys

from textual.app import App

from thud.settings.values import AUTO, Settings
from thud.terminal.cells import Cell
from thud.terminal.environment import glyphs_in_doubt
from thud.tui.board.drawing import Surface
from thud.tui.board.widget import Board


def settings_of(app: App[object]) -> Settings:
    """Return the settings of an app, the defaults if it has none."""
    return getattr(app, "settings", Settings())


def apply_appearance(board: Board, settings: Settings) -> None:
    """Apply the settings to a board's look."""
    dress_surface(board, settings)
    board.animated = settings.animation


def dress_surface(surface: Surface, settings: Settings) -> None:
    """Apply the settings to a surface's look."""
    surface.piece_set = piece_set(settings)
    surface.ascii_only = settings.ascii
    automatic = settings.cell == AUTO
    surface.largest = None if automatic else Cell(*map(int, settings.cell.split("x")))


def piece_set(settings: Settings) -> str:
    """Return the piece set to draw; automatic, letters where the glyphs are in doubt."""
    if settings.pieces != AUTO:
        return settings.pieces
    encoding = sys.__stdout__.encoding if sys.__stdout__ else ""
    return "letters" if glyphs_in_doubt(os.environ, encoding) else "sprites"
