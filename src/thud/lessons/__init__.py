"""Lessons: learn by playing, a task at a time.  They are data, in `lessons.toml`."""
