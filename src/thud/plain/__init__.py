"""Play in lines of text, for screen readers, dumb terminals and pipes."""
