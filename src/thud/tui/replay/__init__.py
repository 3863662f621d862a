"""The screen on which a match is replayed."""
