"""Keys: bindings, the player's own keys, and the key bar."""
