"""A visitor of a club: name, last place, links, and the line to the keeper of the tables."""
