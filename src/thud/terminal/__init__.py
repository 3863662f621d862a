"""Terminal capabilities, found out without drawing."""
