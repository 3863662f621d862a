"""What can be said on the command line; loaded with the standard library and the rules alone."""
