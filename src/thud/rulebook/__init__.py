"""The players' rules, `docs/rules.md`, as chapters for any front end."""
