"""Themes, contrast, plain ASCII, and text truncated to fit."""
