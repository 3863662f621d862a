"""The front page, and the ways from it."""
