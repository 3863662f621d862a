"""Puzzles: positions in which one move is much better than every other.

They come from battles of the computer against itself; `tools/make_puzzles.py` makes and verifies
them.
"""
