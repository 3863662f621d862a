"""The settings beside the board."""
