"""Koom Valley and Football for the search: what the two share, and a file for each."""
