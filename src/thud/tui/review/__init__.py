"""Reviewing a match where it is replayed."""
