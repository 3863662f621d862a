"""The screen of tasks: lessons, puzzles, mistakes."""
