"""Themes, contrast, plain ASCII, and text cut to fit."""
