"""A match being played, under every front end.

`Session` has all actions of the players, and reports what happens as events.
"""
