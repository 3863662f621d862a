"""Reviews: every move judged, marked, explained and summed up."""
