"""Classic Thud for the search: its moves, what stands well, and where the dwarfs gather."""
