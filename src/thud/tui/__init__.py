"""The Textual interface: hot-seat play on one board."""
