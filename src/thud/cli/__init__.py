"""The command line: the parser, and a file a command with its arguments and its work."""
