"""A club as its visitors see it: the lobby and the tables."""
