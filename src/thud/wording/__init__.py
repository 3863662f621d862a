"""What is said to people of the game, for the board and for lines alike: a file a subject.

It stands upon the rules and the computer's thoughts alone, so that everything may say it: errors,
hints, lessons, reviews.  What is said of a session only is in `thud.session.wording`, above it.
"""
