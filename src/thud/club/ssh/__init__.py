"""The ssh door: anybody with `ssh` gets the board, and nothing else."""
