"""What is said to people, for the board and for lines of text alike: a file a subject."""
