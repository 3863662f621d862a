"""Thud, Terry Pratchett's and Trevor Truran's board game, for the terminal.

`thud.rules` knows the game and nothing else, `thud.tui` draws it and asks the players,
`thud.cli` is the command line.
"""

__version__ = "0.1.0"
