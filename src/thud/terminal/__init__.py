"""What a terminal can do, found out without drawing on it."""
