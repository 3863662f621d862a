"""Computer players as processes of their own: the line protocol, both its ends, and the arena."""
