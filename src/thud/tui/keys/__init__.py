"""Keys: the tables of bindings, the players' keymap, and the bar that shows them."""
