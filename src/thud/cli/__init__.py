"""The command line: the parser, and one file a command with its arguments and its work."""
