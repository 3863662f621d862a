"""Computer players: the contract, the searches behind it, and the levels.

Pure Python, the standard library and the rules only.  Start with `player` and `searcher`, the two
contracts.
"""
