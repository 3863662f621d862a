"""The plain line mode: a match in sentences, for screen readers, dumb terminals and pipes."""
