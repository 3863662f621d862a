"""Sentences about the game itself, for the board and for plain text alike."""
