"""Computer players: what one is, what looks ahead for it, and the levels.

Pure Python, the standard library and the rules only.  Start with `player` and `searcher`, the two
contracts.
"""
