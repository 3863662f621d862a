"""Koom Valley and Football for the search: shared code, and a file for each."""
