"""The screen on which a match is played, and its parts."""
