"""Picking moves on a board: the hand, the picker, and the pane that shows them."""
