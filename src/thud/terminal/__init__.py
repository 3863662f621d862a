"""Terminal capabilities, detected without drawing."""
