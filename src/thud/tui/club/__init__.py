"""What visitors of a club see: the lobby, and the way back to where they sat."""
