"""Puzzles: positions in which one move is much better than every other, to be found by a player.

They come from battles of the computer against itself; `tools/puzzles.py` makes and verifies them.
"""
