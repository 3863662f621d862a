"""Classic Thud for the search: moves, evaluation, and the dwarfs' gathering area."""
