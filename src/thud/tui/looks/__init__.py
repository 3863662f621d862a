"""Colours, plain ASCII, and what is said."""
