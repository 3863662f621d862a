"""The web door: a page with the board, drawn by textual-serve's client."""
