"""Lessons: Thud learnt by playing it, a task at a time.  They are data, in `lessons.toml`."""
