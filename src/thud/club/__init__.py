"""A club on one machine: visitors come by a browser or by ssh, each to a board of their own."""
