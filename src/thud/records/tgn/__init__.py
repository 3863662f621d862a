"""The text format of records, TGN: docs/notation.md describes it."""
