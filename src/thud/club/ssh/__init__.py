"""The door for terminals: a visitor with nothing but `ssh` gets the board, and nothing else."""
