"""The keys: their bindings, the players' own keys, and the key bar."""
