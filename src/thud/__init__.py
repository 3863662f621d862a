"""Thud, Terry Pratchett's and Trevor Truran's board game, for the terminal.

`thud.rules` has the rules and nothing else, `thud.tui` the interface, `thud.cli` the command line.
"""

__version__ = "0.1.0"
