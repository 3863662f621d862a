"""The command line: the parser, and a file for a command or two."""
