"""Play in plain text lines, for screen readers, dumb terminals and pipes."""
