"""What the commands do: one module for positions, one for playing, one for records."""
