"""The front page and its dialogs."""
