"""A club as its visitors see it: lobby and tables."""
