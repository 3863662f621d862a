"""The players' rules, `docs/rules.md`, as chapters that any front end can show."""
