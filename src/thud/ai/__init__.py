"""Computer players: their interface, the searches behind it, and the levels.

Pure Python, using only the standard library and the rules.  Start with the two interfaces, `player`
and `searcher`.
"""
