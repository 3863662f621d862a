"""The command line: the parser, and a file for each command."""
