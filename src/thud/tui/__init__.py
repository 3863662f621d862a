"""The Textual interface: one app, its screens and their widgets."""
