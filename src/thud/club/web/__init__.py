"""The door for browsers: a page with the board, drawn by what textual-serve brings."""
