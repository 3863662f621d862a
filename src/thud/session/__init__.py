"""A match as it is played, under every front end.

`Session` has everything that can be done at a table, and tells what happens as events.
"""
