"""Tasks at a board: lessons, puzzles and mistakes to go over."""
