"""Picking moves on a board: the picker, and the pane that shows it."""
