"""The keys: which there are, what the players have made of them, and the line that shows them."""
