"""What is known of a terminal without drawing on it."""
