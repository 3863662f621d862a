"""Playing strength as a number."""
