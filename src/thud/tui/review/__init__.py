"""The review of a match in its replay."""
