"""Picking moves on a board: the selection, the picker, and the pane that shows them."""
