"""The ssh door: an invited `ssh` client gets the board and nothing else."""
