"""Computer players: what one is, the search and the evaluations, and the levels.

Pure Python, the standard library and the rules only.  Start with `player`, the contract.
"""
