"""Sentences for users, one module per subject, for the board and for plain text alike.

Most modules depend only on the rules, so that everything can use them; those on sessions, reviews
and puzzles depend on these.
"""
