"""The explorer of what others played."""
