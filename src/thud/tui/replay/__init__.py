"""A match is replayed."""
