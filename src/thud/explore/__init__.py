"""Opening explorer: the moves played from any position, and their results.

`files` finds files and extracts their moves, `index` stores these in a database, which is only a
cache, and `library` answers queries.  Positions that are symmetric in their game count together;
`zobrist` gives them the same hash.
"""
