"""A match as it is played, whoever plays and whatever shows it.

`Session` has everything that can be done at a table, and tells what happens as events.
"""
