"""Any position is set up on the board."""
