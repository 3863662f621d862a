"""Themes, contrast, and plain ASCII."""
