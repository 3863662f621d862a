"""Widgets and dialogs that several screens share."""
