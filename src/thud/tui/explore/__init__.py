"""The explorer of others' matches."""
