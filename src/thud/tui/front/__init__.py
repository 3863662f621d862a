"""The front page, and the dialogs it opens."""
