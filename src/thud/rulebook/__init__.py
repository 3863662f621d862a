"""The players' rules, `rules.md`, as chapters that any front end can show."""
