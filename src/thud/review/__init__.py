"""Where a match went wrong: every move judged by the computer, marked, explained and added up."""
