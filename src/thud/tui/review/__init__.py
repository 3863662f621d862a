"""A match is judged where it is replayed, and its mistakes are gone over."""
