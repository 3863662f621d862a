"""Tasks at a board, one after the other: what a lesson, a puzzle or a mistake gone over is."""
