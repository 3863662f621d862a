"""Exercises: a position, and a move to find.

`drill` has what all share. Lessons and puzzles come with the program, `mistakes` from a match, and
`practise` brings back what was missed.
"""
