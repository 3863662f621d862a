"""What can be made of a position that was set up, whatever it was set up with."""
