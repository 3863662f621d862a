"""Tasks at a board: lessons, puzzles."""
