"""The board widget and its drawing."""
