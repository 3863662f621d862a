"""A match is played: the screen, and what it is made of."""
