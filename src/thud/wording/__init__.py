"""Sentences said to people, a file a subject, for the board and for lines alike.

Most of it stands on the rules alone, so that everything can use it.  What is said of a session, a
review or a puzzle stands on those.
"""
