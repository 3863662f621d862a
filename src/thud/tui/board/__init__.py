"""The board as one widget: what it is told to draw, how and where."""
