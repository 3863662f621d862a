"""The drill screen: lessons, puzzles, mistakes."""
