"""The board widget, and all that it draws with."""
