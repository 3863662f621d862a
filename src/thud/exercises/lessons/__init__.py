"""Lessons: learning by playing, task by task.  Their content is in `lessons.toml`."""
