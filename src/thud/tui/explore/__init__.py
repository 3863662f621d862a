"""What others played, on the board."""
