"""A club on one machine: visitors by browser or ssh, each at a board of their own."""
