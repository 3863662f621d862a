"""Opening explorer: the moves played from any position, and their results.

`files` finds the files and makes of one what the index needs, `index` keeps that in a database,
which is a cache and nothing else, and `library` answers.  Positions that are alike under
the symmetries of their game count together; `zobrist` gives them one hash.
"""
